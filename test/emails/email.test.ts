// The rules of emails: when one is not sent after all.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import {
  emailTemplates,
  NEWS_MS,
  type SendingFacts,
  settled,
  type SkipReason,
  unsent,
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
    (waitedMs, waitMs) => {
      const busy = { kind: "later", fault: "busy", codes: "421", isFull: true } as const;

      expect(settled({ attempts: 3, waitedMs }, busy)).toEqual({
        action: waitMs === null ? "fail" : "retry",
        // It was not offered.
        change: { attempts: 3, error: "busy 421" },
        waitMs,
      });
    },
  );

  test("that was refused, or was taken, is not tried again", () => {
    const refused = { kind: "refused", fault: "rejected", codes: "550", isFull: false } as const;

    expect(settled({ attempts: 0, waitedMs: 0 }, refused)).toEqual({
      action: "fail",
      change: { attempts: 1, error: "rejected 550" },
      waitMs: null,
    });
    expect(settled({ attempts: 2, waitedMs: 0 }, { kind: "accepted" })).toEqual({
      action: "succeed",
      change: { attempts: 3, error: null },
      waitMs: null,
    });
  });

  test("is tried again within the hour, for the day in which it is news", () => {
    const waits: number[] = [];
    for (let wait: number | null = 0; wait !== null;) {
      waits.push(wait);
      wait = settled({ attempts: waits.length - 1, waitedMs: 0 }, unsent).waitMs;
    }
    const lastAt = waits.reduce((sum, wait) => sum + wait);

    expect(Math.max(...waits)).toBe(HOUR_MS);
    expect(lastAt).toBeGreaterThan(NEWS_MS - HOUR_MS);
    // Each attempt may take most of a minute.
    expect(lastAt + waits.length * MINUTE_MS).toBeLessThan(NEWS_MS);
  });
});
