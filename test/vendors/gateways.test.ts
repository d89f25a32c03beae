// Every gateway keeps the contract of the port, directly and behind an adapter that serves it over HTTP.

import { expect, test } from "bun:test";

import { initialize, settle } from "../payments/scripted-shop.ts";
import { openTestShop } from "../support/shop.ts";
import { CallbackGateway } from "./callback-gateway.ts";
import { gatewayContract } from "./contract.ts";
import { throughAdapter, worlds } from "./worlds.ts";

const TOKEN = "k3yr1ng";
const asked = { method: "mobile_money", phone: "+233551234000" } as const;

for (const { name, open, except } of worlds) {
  gatewayContract(name, open, except);
  gatewayContract(`${name}, behind an adapter`, () => throughAdapter(open), except);
}

test("a shop is paid through a gateway that signs nothing and names attempts its own way", async () => {
  const gateway = new CallbackGateway(TOKEN);
  await using shop = await openTestShop({ gateways: [gateway] });
  const payment = await initialize(shop, { ...asked, amount: 5, currency: "GHS" });
  const { bytes } = gateway.answer(gateway.newReference(payment.id, 1), "approved");

  const called = await fetch(`${shop.url}/hooks/test/callback/${TOKEN}`, {
    method: "PUT",
    body: bytes,
  });
  await settle(shop);

  expect(called.status).toBe(200);
  expect((await shop.get(`/v2/payments/${payment.id}`)).at("/status")).toBe("succeeded");
});
