// Every gateway keeps the contract of the port: the simulated one, a vendor that signs nothing, Stripe, Paystack.

import { expect, test } from "bun:test";

import { initialize, settle } from "../payments/scripted-shop.ts";
import { attempt, openSimulatedRig } from "../sandbox/simulated-rig.ts";
import { openTestShop } from "../support/shop.ts";
import { CallbackGateway } from "./callback-gateway.ts";
import { gatewayContract } from "./contract.ts";
import { openPageWorld as openPaystackPage, openPhoneWorld } from "./paystack/rig.ts";
import { openCardWorld, openPageWorld } from "./stripe/adapter.ts";

const TOKEN = "k3yr1ng";
const asked = { method: "mobile_money", phone: "+233551234000" } as const;

gatewayContract("the simulated gateway", async () => {
  const rig = await openSimulatedRig();
  return {
    gateway: rig.gateway,
    attempt: attempt(),
    answer: async ({ gatewayReference }, decision) => {
      const failureCode = decision === "declined" ? "not_approved" : null;
      await rig.gateway.play(gatewayReference, { decision, failureCode });
      const notice = rig.notices.at(-1);
      if (notice === undefined) throw new Error("The gateway sent no notice.");
      return { ...notice, token: null };
    },
    [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
  };
});

gatewayContract("a gateway that signs nothing", async () => {
  const gateway = new CallbackGateway(TOKEN);
  const gatewayReference = gateway.newReference("pay_01kf0000000000000000000001", 1);
  return {
    gateway,
    attempt: attempt({ ...asked, gatewayReference }),
    answer: async (made, answer) => gateway.answer(made.gatewayReference, answer),
    [Symbol.asyncDispose]: async () => {},
  };
});

gatewayContract("Stripe by a card", openCardWorld);
gatewayContract("Stripe by a page", openPageWorld);
gatewayContract("Paystack by a phone", openPhoneWorld);
gatewayContract("Paystack by a page", openPaystackPage);

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
