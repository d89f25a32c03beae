// What a payer has to do is said in the language of the shop, unless the gateway or the merchant has words for it.

import { describe, expect, test } from "bun:test";

import { Fields } from "#payments/gateways/answers/fields.ts";
import { initiationOf } from "#payments/gateways/paystack/charge.ts";
import type { Initiation } from "#payments/port/gateway.ts";
import type { PayerTask } from "#payments/rows/payment-life.ts";

import { ScriptedGateway } from "../../support/scripted-gateway.ts";
import { sharedShop } from "../../support/shop.ts";
import { orderCounter } from "../scripted-shop.ts";

const PHONE = { method: "mobile_money", phone: "+233551234987", provider: "mtn" };

/** Asks for the task, and has no words for it. */
class SilentGateway extends ScriptedGateway {
  task: PayerTask = { task: "enter_code" };

  override async initiate(): Promise<Initiation> {
    return { kind: "offline", action: "dial_ussd", displayText: this.task, names: [] };
  }
}

describe("the next action says in the shop's language", () => {
  const shop = sharedShop();
  const silent = new SilentGateway();
  const wordless = sharedShop({ gateways: [silent] });

  test.each([
    [null, "Approve the payment on your phone."],
    ["fr-CI", "Validez le paiement sur votre téléphone."],
    ["sw-KE", "Idhinisha malipo kwenye simu yako."],
  ])("how a phone approves, with the locale %s", async (locale, said) => {
    await shop.put("/v2/store", { locale });

    const payment = await shop.post("/v2/payments/initialize", {
      amount: 10,
      currency: "GHS",
      ...PHONE,
    });

    expect(payment.at("/next_action/display_text")).toBe(said);
  });

  test.each<[PayerTask, string]>([
    [{ task: "enter_code" }, "Saisissez le code que vous avez reçu."],
    [{ task: "dial", ussd: "*170#" }, "Composez le *170# et suivez les instructions."],
    [
      { task: "pay_to", account: "4015123", reference: "D0WG3FC" },
      "Payez au numéro 4015123, compte D0WG3FC.",
    ],
  ])("what a gateway asks for without words: %p", async (task, said) => {
    silent.task = task;
    await wordless.put("/v2/store", { locale: "fr-CI" });

    const payment = await wordless.post("/v2/payments/initialize", {
      amount: 10,
      currency: "USD",
      ...PHONE,
    });

    expect(payment.at("/next_action/display_text")).toBe(said);
  });

  test("how to pay by hand, also after the language was changed", async () => {
    await shop.put("/v2/store", { locale: "fr-CI" });
    const order = await (await orderCounter(shop))({ payment_method: "bank_transfer" });

    const payment = await shop.post("/v2/payments/initialize", { order_id: order.id });
    await shop.put("/v2/store", { locale: "sw-KE" });
    const { body } = await shop.get(`/v2/orders/${order.id}`);
    const page = await (await fetch(String(Object(body).status_url))).text();

    expect(payment.at("/next_action/display_text")).toBe(
      "La boutique vous indiquera où envoyer l’argent.",
    );
    expect(page).toContain("Duka litakuambia utume pesa wapi.");
  });
});

test("the words of Paystack stay as they are, and are missed where it has none", () => {
  const charge = { status: "pay_offline", ussd_code: "*170#" };

  const told = initiationOf(new Fields({ ...charge, display_text: "Dial *170# now" }));
  const silent = initiationOf(new Fields(charge));

  expect(told).toMatchObject({ displayText: "Dial *170# now" });
  expect(silent).toMatchObject({ displayText: { task: "dial", ussd: "*170#" } });
});
