// A hosted payment page whose address was lost is created again under another reference. Results of
// the old page that arrive afterwards do not apply to the new one.

import { describe, expect, test } from "bun:test";

import { recordInitiation } from "#payments/attempts/record-initiation.ts";
import type { GatewayAttempt, PaymentOutcome } from "#payments/port/gateway.ts";
import { lockPayment } from "#payments/rows/lookups.ts";
import type { Payment } from "#payments/rows/payment.ts";
import { paymentRows } from "#payments/rows/queries.ts";

import { initialize } from "../payments/scripted-shop.ts";
import { ScriptedGateway } from "../support/scripted-gateway.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";

const link = { amount: 5, currency: "USD" };

/** Gives the payment another page, as a retry after a crash does; returns the payment as it was. */
async function replacePage({ test: { database } }: TestShop, id: string): Promise<Payment> {
  return database.write(async (tx) => {
    const { payment } = await lockPayment(tx, id);
    await paymentRows.save(tx, payment, {
      attemptNumber: 2,
      gatewayReference: `${payment.id}-again`,
    });
    return payment;
  });
}

describe("a result of the old page", () => {
  test("does not replace the address of the new one", async () => {
    await using shop = await openTestShop({ asks: "nothing", gateways: [new ScriptedGateway()] });
    const made = await initialize(shop, link);
    const stale = await replacePage(shop, made.id);

    await shop.test.database.write((tx) =>
      recordInitiation(tx, {
        sent: stale,
        initiation: {
          kind: "redirect",
          url: "https://pay.example/old",
          expiresAt: null,
          names: [],
        },
        mode: "test",
      }),
    );

    const payment = await shop.get(`/v2/payments/${made.id}`);
    expect(payment.at("/authorization_url")).toBe(made.at("/authorization_url"));
  });

  test("does not fail the payment", async () => {
    const [polled, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    class RefusingGateway extends ScriptedGateway {
      override async verify({ gatewayReference }: GatewayAttempt): Promise<PaymentOutcome> {
        polled.resolve();
        await answer.promise;
        const isOld = !gatewayReference.endsWith("-again");
        const failure = { failureCode: "declined", gatewayCode: null, names: [] } as const;
        return isOld ? { state: "failed", ...failure } : { state: "pending", names: [] };
      }
    }
    await using shop = await openTestShop({ asks: "nothing", gateways: [new RefusingGateway()] });
    const made = await initialize(shop, link);
    shop.clock.advance(11_000);
    const read = shop.get(`/v2/payments/${made.id}`);
    await polled.promise;
    await replacePage(shop, made.id);

    answer.resolve();

    expect((await read).at("/status")).toBe("requires_action");
  });
});
