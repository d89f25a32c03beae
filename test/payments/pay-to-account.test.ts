// A customer whose network has no prompt pays to an account of the gateway: what they type in is told apart.

import { expect, test } from "bun:test";

import { Fields } from "#payments/gateways/answers/fields.ts";
import { initiationOf } from "#payments/gateways/paystack/charge.ts";
import type { Initiation } from "#payments/port/gateway.ts";

import { ScriptedGateway } from "../support/scripted-gateway.ts";
import { openTestShop, sharedShop } from "../support/shop.ts";
import { orderCounter } from "./scripted-shop.ts";

const details = [
  { label: "Paybill", value: "4015123" },
  { label: "Account", value: "D0WG3FC" },
];

class AccountGateway extends ScriptedGateway {
  override async initiate(): Promise<Initiation> {
    const displayText = "Pay to the account below.";
    return { kind: "offline", action: "pay_to_account", displayText, details, names: [] };
  }
}

const shop = sharedShop({ gateways: [new AccountGateway()] });

async function pay() {
  const order = await (await orderCounter(shop))({ payment_method: "gateway" });
  const body = { order_id: order.id, method: "mobile_money", phone: "+233551234987" };
  const payment = await shop.post("/v2/payments/initialize", body);
  return { order, payment };
}

test("the next action lists what the customer types in", async () => {
  const { payment } = await pay();

  expect(payment.at("/next_action")).toMatchObject({
    type: "pay_to_account",
    display_text: "Pay to the account below.",
    details,
  });
});

test("other actions have no details", async () => {
  await using own = await openTestShop({ gateways: [new ScriptedGateway()] });
  const body = { amount: 10, currency: "USD", method: "gateway" };

  const payment = await own.post("/v2/payments/initialize", body);

  expect(payment.at("/next_action/details")).toEqual([]);
});

test("the page of the order shows what the customer types in", async () => {
  const { order } = await pay();

  const { body } = await shop.get(`/v2/orders/${order.id}`);
  const page = await (await fetch(String(Object(body).status_url))).text();

  expect(page).toContain("Paybill: 4015123");
  expect(page).toContain("Account: D0WG3FC");
});

test("Paystack's account and reference are details, in whatever words it asks", () => {
  const charge = new Fields({
    status: "pay_offline",
    display_text: "Please pay with M-PESA.",
    account_number: "4015123",
    account_reference: "D0WG3FC",
  });

  expect(initiationOf(charge)).toEqual({
    kind: "offline",
    action: "pay_to_account",
    displayText: "Please pay with M-PESA.",
    details,
    names: [],
  });
});
