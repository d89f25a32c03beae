// A hosted page whose address nobody got is made anew, under another reference. What is told of the old
// one afterwards, by whoever asked before, is nothing about the new one.

import { describe, expect, test } from "bun:test";

import { noteInitiation } from "#payments/attempts/note-initiation.ts";
import type { GatewayAttempt, PaymentOutcome } from "#payments/gateways/port.ts";
import { lockPayment } from "#payments/payments/lookups.ts";
import type { Payment } from "#payments/payments/payment.ts";
import { savePayment } from "#payments/payments/save-payment.ts";

import { initialize } from "../payments/till.ts";
import { ScriptedGateway } from "../support/scripted-gateway.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";

const link = { amount: 5, currency: "USD" };

/** The payment gets another page, as the same key does after a crash; answers it as it was. */
async function makeAnew({ test: { database } }: TestShop, id: string): Promise<Payment> {
  return database.write(async (tx) => {
    const { payment } = await lockPayment(tx, id);
    await savePayment(tx, payment, { attemptNumber: 2, gatewayReference: `${payment.id}-again` });
    return payment;
  });
}

describe("told of the old page", () => {
  test("its address is nowhere to go to", async () => {
    await using shop = await openTestShop({ gateways: [new ScriptedGateway()] });
    const made = await initialize(shop, link);
    const asked = await makeAnew(shop, made.id);

    await shop.test.database.write((tx) =>
      noteInitiation(tx, {
        asked,
        initiation: {
          kind: "redirect",
          url: "https://pay.example/old",
          expiresAt: null,
          gatewayId: null,
        },
        mode: "test",
      }),
    );

    const payment = await shop.get(`/v2/payments/${made.id}`);
    expect(payment.at("/authorization_url")).toBe(made.at("/authorization_url"));
  });

  test("that it failed, the payment goes on", async () => {
    const [asked, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    class RefusingGateway extends ScriptedGateway {
      override async verify({ gatewayReference }: GatewayAttempt): Promise<PaymentOutcome> {
        asked.resolve();
        await told.promise;
        const isOld = !gatewayReference.endsWith("-again");
        const no = { failureCode: "declined", gatewayCode: null, gatewayId: null } as const;
        return isOld ? { state: "failed", ...no } : { state: "pending", gatewayId: null };
      }
    }
    await using shop = await openTestShop({ gateways: [new RefusingGateway()] });
    const made = await initialize(shop, link);
    shop.clock.advance(11_000);
    const looked = shop.get(`/v2/payments/${made.id}`);
    await asked.promise;
    await makeAnew(shop, made.id);

    told.resolve();

    expect((await looked).at("/status")).toBe("requires_action");
  });
});
