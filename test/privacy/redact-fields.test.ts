// What is redacted of a customer in payloads and stored answers.

import { expect, test } from "bun:test";

import { withoutPerson } from "#privacy/redact-fields.ts";

const ADA = "cus_01h455vb4pex5vsknk084sn02q";
const address = { name: "Ada", line1: "12 Ring Road", city: "Accra", region: "AA", country: "GH" };

test.each([
  [
    "a customer keeps its fields in their order, without personal data",
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
    "addresses and metadata of a customer are emptied",
    { id: ADA, addresses: [address], metadata: { nickname: "Countess" } },
    { id: ADA, addresses: [], metadata: {} },
  ],
  [
    "an order keeps its lines and the customer's id",
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
    "notes and the phone of a payment are emptied",
    { notes: "Ring twice", phone: "+233201234567", total: 49.5 },
    { notes: null, phone: null, total: 49.5 },
  ],
  [
    "what a gateway says to the payer goes, and so does its page",
    {
      next_action: { display_text: "Sent to +233201234567" },
      authorization_url: "https://pay.example/1",
    },
    { next_action: null, authorization_url: null },
  ],
  [
    "the exemption of an order stays, which explains its taxes",
    { customer: { id: ADA, name: "Ada" }, tax_exemption: "exempt", note: "Ada's", tracking: {} },
    { customer: { id: ADA, name: null }, tax_exemption: "exempt", note: null, tracking: null },
  ],
  [
    "no field is added to a payload without personal data",
    { id: ADA, deleted: true },
    { id: ADA, deleted: true },
  ],
])("%s", (_, written, left) => {
  const redact = withoutPerson(ADA);

  const text = JSON.stringify(written, function (this: unknown, field, value: unknown) {
    return redact(field, value, this);
  });

  expect(text).toBe(JSON.stringify(left));
});
