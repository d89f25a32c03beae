// How long a gateway may take for each call.

import { expect, test } from "bun:test";

import { CALL_MS_MAX, CALL_TIMES } from "#payments/port/gateway-times.ts";
import type { GatewayAttempt, GatewayCallTerms, PaymentOutcome } from "#payments/port/gateway.ts";

import { ScriptedGateway } from "../../support/scripted-gateway.ts";
import { openTestShop } from "../../support/shop.ts";
import { initialize, pass } from "../scripted-shop.ts";

test("no call outlasts the claim that keeps another one away", () => {
  const { findRefunds, refund } = CALL_TIMES;

  // A refund that the list lacks is sent under the same claim.
  const longest = Math.max(...Object.values(CALL_TIMES), findRefunds + refund);

  expect(longest).toBeLessThan(CALL_MS_MAX);
});

test("reading ends sooner than a call that moves money", () => {
  const { verify, verifyRefund, findRefunds, initiate, submitAction, refund } = CALL_TIMES;

  const reading = Math.max(verify, verifyRefund, findRefunds);

  expect(reading).toBeLessThanOrEqual(Math.min(initiate, submitAction, refund));
});

test("each call has a time of its own", async () => {
  const signals: AbortSignal[] = [];
  class TimedGateway extends ScriptedGateway {
    override async initiate(attempt: GatewayAttempt, terms?: GatewayCallTerms) {
      if (terms !== undefined) signals.push(terms.signal);
      return super.initiate(attempt);
    }

    override async verify(
      attempt: GatewayAttempt,
      terms?: GatewayCallTerms,
    ): Promise<PaymentOutcome> {
      if (terms !== undefined) signals.push(terms.signal);
      return super.verify(attempt);
    }
  }
  await using shop = await openTestShop({ gateways: [new TimedGateway()] });
  await initialize(shop, { amount: 5, currency: "USD" });

  await pass(shop, 60);

  expect(new Set(signals).size).toBe(3);
  expect(signals.some(({ aborted }) => aborted)).toBe(false);
});
