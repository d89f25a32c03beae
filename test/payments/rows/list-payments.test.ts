// Lists of payments: whatever is asked for together, page by page, is what a reader of all payments would pick.

import { beforeAll, expect, test } from "bun:test";

import fc from "fast-check";

import { assume } from "#kernel/assume.ts";

import { runs } from "../../support/runs.ts";
import { sharedShop } from "../../support/shop.ts";

const shop = sharedShop();

interface PaymentAnswer {
  readonly id: string;
  readonly status: string;
  readonly method: string;
  readonly gateway: string | null;
  readonly currency: string;
  readonly succeeded_at: string | null;
  readonly transaction_reference: string | null;
}

let all: readonly PaymentAnswer[];

function isAnyOf(value: string | null, asked: string | undefined): boolean {
  return asked === undefined || asked.split(",").includes(value ?? "");
}

/** What never succeeded is within no bound. */
function isWithin(at: string | null, from: string | undefined, below: string | undefined): boolean {
  return (at ?? "") >= (from ?? "") && (at ?? "never") < (below ?? "none");
}

/** People space a reference as they like. */
function isOfTransfer({ transaction_reference: kept }: PaymentAnswer, asked: string | undefined) {
  const bare = (text: string) => text.toUpperCase().replaceAll(/[ -]/g, "");
  return asked === undefined || (kept !== null && bare(kept) === bare(asked));
}

/** The payments of all pages of the list. */
async function pagesOf(query: Readonly<Record<string, string>>): Promise<PaymentAnswer[]> {
  const found: PaymentAnswer[] = [];
  for (let cursor = ""; ;) {
    const asked = new URLSearchParams(cursor === "" ? query : { ...query, cursor });
    const listed = await shop.get(`/v2/payments?${asked.toString()}`);
    expect(listed.status).toBe(200);
    found.push(...assume<PaymentAnswer[]>(listed.list("/data")));
    if (listed.at("/has_more") === false) return found;
    cursor = String(listed.at("/next_cursor"));
  }
}

beforeAll(async () => {
  await shop.post("/v2/test/seed", {});
  await shop.post("/v2/payments/initialize", {
    method: "cash",
    amount: 5,
    currency: "KES",
    email: "ama@example.com",
  });
  const { id } = Object((await shop.get("/v2/orders?limit=1")).at("/data/0"));
  for (const method of ["cash", "bank_transfer", "bank_transfer"]) {
    const told = { transaction_reference: "FT 08-15", seen: true };
    await shop.post(`/v2/orders/${id}/payments`, { method, amount: 1, ...told });
  }
  all = await pagesOf({ limit: "100" });
  expect(all.length).toBeGreaterThan(20);
});

const filters = fc.record(
  {
    status: fc.constantFrom("succeeded", "failed", "succeeded,refunded,pending", "review"),
    method: fc.constantFrom("cash", "mobile_money", "card,mobile_money"),
    gateway: fc.constantFrom("mock", "paystack"),
    by: fc.constantFrom("gateway", "hand"),
    currency: fc.constantFrom("GHS", "KES", "USD"),
    transfer: fc.constantFrom("FT 08-15", "ft0815", "FT 0816", "- -"),
    from: fc.nat(),
    below: fc.nat(),
  },
  { requiredKeys: [] },
);

test("filters of any kind, together and page by page, leave what fits all of them", async () => {
  const times = all.flatMap(({ succeeded_at: at }) => at ?? []);
  const timeAt = (place: number | undefined) =>
    place === undefined ? undefined : times[place % times.length];
  await fc.assert(
    fc.asyncProperty(filters, fc.integer({ min: 1, max: 40 }), async (asked, limit) => {
      const { status, method, gateway, by, currency, transfer, ...bounds } = asked;
      const [from, below] = [timeAt(bounds.from), timeAt(bounds.below)];
      const fits = (one: PaymentAnswer) =>
        isAnyOf(one.status, status) &&
        isAnyOf(one.method, method) &&
        isAnyOf(one.gateway, gateway) &&
        (by === undefined || (one.gateway === null) === (by === "hand")) &&
        isAnyOf(one.currency, currency) &&
        isOfTransfer(one, transfer) &&
        isWithin(one.succeeded_at, from, below);
      const query = {
        limit: String(limit),
        status,
        method,
        gateway,
        by,
        currency,
        transaction_reference: transfer,
        "succeeded_at[gte]": from,
        "succeeded_at[lt]": below,
      };
      const given = Object.entries(query).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      );

      const listed = await pagesOf(Object.fromEntries(given));

      expect(listed.map(({ id }) => id)).toEqual(all.filter(fits).map(({ id }) => id));
    }),
    { numRuns: runs(40) },
  );
});
