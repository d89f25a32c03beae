// Deliveries as receivers see them: what arrives, when it comes again, and when it does not.

import { expect, test } from "bun:test";

import { Webhook } from "standardwebhooks";

import { openReceiver } from "../support/receivers.ts";
import { openTestShop } from "../support/shop.ts";

test("what happens is delivered, signed, to whoever asked for it", async () => {
  await using shop = await openTestShop();
  await using receiver = await openReceiver();
  const endpoint = await shop.post("/v2/webhooks", { url: receiver.url, events: ["customer.*"] });

  await shop.post("/v2/customers", { email: "ada@example.com" });
  const [heard] = await receiver.next();

  expect(endpoint.text).toContain("whsec_");
  const verified = new Webhook(endpoint.string("/secret")).verify(
    heard?.body ?? "",
    Object.fromEntries(heard?.headers ?? []),
  );
  expect(verified).toMatchObject({ event: "customer.created" });
});
