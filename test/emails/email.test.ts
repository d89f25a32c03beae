// The rules of emails: when one is not sent after all.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import {
  emailTemplates,
  NEWS_MS,
  type SendingFacts,
  type SkipReason,
  waitAfter,
  waitForTurn,
  whyNotSent,
} from "#emails/email.ts";
import { zeroId } from "#kernel/id.ts";
import { HOUR_MS, MINUTE_MS } from "#kernel/time.ts";

const NOW = 1_800_000_000_000;
const ada = { id: zeroId("customer"), email: "ada@example.com", phone: null, name: null };
const fresh: SendingFacts = {
  email: { template: "order_placed", resentAt: null },
  order: { customer: ada, paidAt: null },
  store: { notifications: {} },
  happenedAt: NOW - NEWS_MS,
  now: NOW,
};

describe("an email", () => {
  test.each<[sentence: string, change: Partial<SendingFacts>, reason: SkipReason | null]>([
    ["is sent until a day has passed", {}, null],
    ["is no news after that", { happenedAt: NOW - NEWS_MS - 1 }, "too_old"],
    [
      "is not sent once it is turned off",
      { store: { notifications: { order_placed: false } } },
      "turned_off",
    ],
    [
      "is sent while another one is turned off",
      { store: { notifications: { order_paid: false } } },
      null,
    ],
    [
      "tells of no order that is paid by now",
      { order: { customer: ada, paidAt: NOW } },
      "already_paid",
    ],
    [
      "goes to no one who was erased",
      { order: { customer: { ...ada, email: null }, paidAt: null } },
      "no_recipient",
    ],
    [
      "goes to no one without a customer",
      { order: { customer: null, paidAt: null } },
      "no_recipient",
    ],
  ])("%s", (_, change, reason) => {
    expect(whyNotSent({ ...fresh, ...change })).toBe(reason);
  });

  test("that is asked for again needs only an address", () => {
    const facts = fc.record<SendingFacts>({
      email: fc.record({
        template: fc.constantFrom(...emailTemplates),
        resentAt: fc.integer({ min: 0, max: NOW }),
      }),
      order: fc.record({
        customer: fc.constantFrom(ada, { ...ada, email: null }, null),
        paidAt: fc.constantFrom(null, NOW),
      }),
      store: fc.constantFrom({ notifications: { order_placed: false, order_paid: false } }),
      happenedAt: fc.integer({ min: 0, max: NOW }),
      now: fc.constant(NOW),
    });
    fc.assert(
      fc.property(facts, (one) => {
        const expected = (one.order.customer?.email ?? null) === null ? "no_recipient" : null;
        expect(whyNotSent(one)).toBe(expected);
      }),
    );
  });

  test.each([
    [0, 5_000],
    [40_000, 10_000],
    [HOUR_MS, 600_000],
    [25 * HOUR_MS, null],
  ])(
    "that waited %i ms for a connection of the mail server asks again in %p ms",
    (waited, wait) => {
      expect(waitForTurn(waited)).toBe(wait);
    },
  );

  test("is tried again within the hour, for the day in which it is news", () => {
    const waits: number[] = [];
    for (let wait = waitAfter(0); wait !== null; wait = waitAfter(waits.length)) waits.push(wait);
    const lastAt = waits.reduce((sum, wait) => sum + wait);

    expect(Math.max(...waits)).toBe(HOUR_MS);
    expect(lastAt).toBeGreaterThan(NEWS_MS - HOUR_MS);
    // Each attempt may take most of a minute.
    expect(lastAt + waits.length * MINUTE_MS).toBeLessThan(NEWS_MS);
  });
});
