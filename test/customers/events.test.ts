// What is left of a person in whatever the shop wrote about them.

import { expect, test } from "bun:test";

import { withoutCustomer } from "#customers/events.ts";

const ADA = "cus_01h455vb4pex5vsknk084sn02q";
const address = { name: "Ada", line1: "12 Ring Road", city: "Accra", region: "AA", country: "GH" };

test.each([
  [
    "a customer keeps the fields it had, in their order, and nobody in them",
    {
      id: ADA,
      email: "a@b.example",
      name: "Ada",
      tags: ["vip"],
      marketing_consent: true,
      version: 3,
    },
    { id: ADA, email: null, name: null, tags: [], marketing_consent: false, version: 3 },
  ],
  [
    "addresses and metadata of a customer go",
    { id: ADA, addresses: [address], metadata: { nickname: "Countess" } },
    { id: ADA, addresses: [], metadata: {} },
  ],
  [
    "an order keeps what was sold to whose id",
    { customer: { id: ADA, name: "Ada", email: "a@b.example" }, line_items: [{ name: "Mug" }] },
    { customer: { id: ADA, name: null, email: null }, line_items: [{ name: "Mug" }] },
  ],
  [
    "an address of an order keeps where tax was due",
    { shipping_address: address, billing_address: null },
    {
      shipping_address: { name: null, line1: null, city: null, region: "AA", country: "GH" },
      billing_address: null,
    },
  ],
  [
    "what somebody wrote and the number they paid from go",
    { notes: "Ring twice", phone: "+233201234567", total: 49.5 },
    { notes: null, phone: null, total: 49.5 },
  ],
  ["nothing is added to what says nothing", { id: ADA, deleted: true }, { id: ADA, deleted: true }],
])("%s", (_, written, left) => {
  const redact = withoutCustomer(ADA);

  const text = JSON.stringify(written, function (this: unknown, field, value: unknown) {
    return redact(field, value, this);
  });

  expect(text).toBe(JSON.stringify(left));
});
