// Listing orders: by state, by time, and by search.

import { beforeAll, describe, expect, test } from "bun:test";

import fc from "fast-check";

import { mug } from "../../support/cast.ts";
import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { cancel, fulfill, of, place } from "../orders/counter.ts";

const shop = sharedShop();

const DAY_MS = 86_400_000;

/** The order numbers of a page, in its order. */
async function numbers(shop: TestShop, query: string): Promise<unknown[]> {
  const found = await shop.get(`/v2/orders?${query}`);
  if (found.status !== 200) throw new Error(found.text);
  return found.list("/data").map((order) => Object(order).number);
}

/** The order numbers of all pages. */
async function numbersOfAllPages(
  shop: TestShop,
  query: string,
  cursor: unknown = null,
): Promise<unknown[]> {
  const after = typeof cursor === "string" ? `&cursor=${encodeURIComponent(cursor)}` : "";
  const found = await shop.get(`/v2/orders?${query}${after}`);
  const listed = found.list("/data").map((order) => Object(order).number);
  const next = found.at("/next_cursor");
  return next === null ? listed : [...listed, ...(await numbersOfAllPages(shop, query, next))];
}

/**
 * A week of a small shop: 1001 cancelled, 1002 of Ada, shipped in part, 1003 a gift that is done,
 * 1004 at the till with a receipt, 1005 just placed. A day lies between them.
 */
async function spendWeek(shop: TestShop): Promise<void> {
  const [cup, gift] = [await mug(shop), await mug(shop, { price: 0 })];
  await cancel(shop, await place(shop, [of(cup)]));
  shop.clock.advance(DAY_MS);
  const mensah = { email: "ada@example.com", phone: "+233201234567", name: "Ada Mensah" };
  const customer = (await shop.post("/v2/customers", mensah)).id;
  const part = await place(shop, [of(cup, 2)], { customer_id: customer });
  await fulfill(shop, part, {
    line_items: [{ line_item_id: part.at("/line_items/0/id"), quantity: 1 }],
  });
  shop.clock.advance(DAY_MS);
  await fulfill(shop, await place(shop, [of(gift)]));
  shop.clock.advance(DAY_MS);
  await place(shop, [of(cup)], {
    channel: "pos",
    payment_method: "cash_on_delivery",
    external_id: "till-1002",
  });
  shop.clock.advance(DAY_MS);
  await place(shop, [of(cup)], { customer: { email: "kofi@example.com", name: "Kofi Boateng" } });
}

/** A week of it, which no test changes. */
const busy = sharedShop();
beforeAll(() => spendWeek(busy));

describe("orders are found by", () => {
  test.each([
    ["nothing, newest first", "", [1005, 1004, 1003, 1002, 1001]],
    ["status", "status=open", [1005, 1004, 1002]],
    ["any of some statuses", "status=cancelled,completed", [1003, 1001]],
    ["payment status", "payment_status=paid", [1003]],
    ["any of some payment statuses", "payment_status=paid,unpaid", [1005, 1004, 1003, 1002, 1001]],
    ["fulfillment status", "fulfillment_status=partially_fulfilled", [1002]],
    [
      "any of some fulfillment statuses",
      "fulfillment_status=fulfilled,partially_fulfilled",
      [1003, 1002],
    ],
    ["several axes at once", "status=open&fulfillment_status=unfulfilled", [1005, 1004]],
    ["channel", "channel=pos", [1004]],
    ["number", "number=1003", [1003]],
    ["external id", "external_id=till-1002", [1004]],
    ["an unknown customer", "customer_id=cus_01h455vb4pex5vsknk084sn02q", []],
    ["an invalid customer id", "customer_id=ada", []],
    ["the day and after", "created_at[gte]=2026-01-08T08:00:00Z", [1005, 1004]],
    ["after the moment", "created_at[gt]=2026-01-08T08:00:00Z", [1005]],
    ["before the moment", "created_at[lt]=2026-01-06T08:00:00Z", [1001]],
    ["the moment and before", "created_at[lte]=2026-01-06T08:00:00Z", [1002, 1001]],
    [
      "a span",
      "created_at[gte]=2026-01-06T00:00:00%2B02:00&created_at[lt]=2026-01-08T00:00:00Z",
      [1003, 1002],
    ],
    ["a day", "created_at[gte]=2026-01-07&created_at[lte]=2026-01-07", [1003]],
    ["the days after a day", "created_at[gt]=2026-01-07", [1005, 1004]],
    ["the days before a day", "created_at[lt]=2026-01-07", [1002, 1001]],
    ["a number in a search", "q=1002", [1002]],
    ["a number with its #", "q=%231003", [1003]],
    ["an external id in a search", "q=till-1002", [1004]],
    ["a customer's name", "q=mensah", [1002]],
    ["the beginning of a name", "q=boat", [1005]],
    ["a customer's email", "q=kofi@example.com", [1005]],
    ["a customer's phone", "q=233201234567", [1002]],
    ["words and status together", "q=kofi&status=open", [1005]],
    ["words without a match", "q=unmatched", []],
    ["punctuation alone", "q=%23", []],
  ])("%s", async (_, query, found) => {
    expect(await numbers(busy, query)).toEqual([...found]);
  });

  test("customer", async () => {
    const customer = (await busy.get("/v2/customers?q=ada")).string("/data/0/id");

    expect(await numbers(busy, `customer_id=${customer}`)).toEqual([1002]);
  });
});

test("a name that several customers share finds all of their orders, newest first, page by page", async () => {
  await using shop = await openTestShop();
  const cup = await mug(shop, { stock: 50 });
  const names = ["ama", "efua", "esi", "yaa"];
  for (const name of [0, 1, 0, 0, 2, 0, 1, 3, 0, 2].map((index) => names[index])) {
    shop.clock.advance(1000);
    const customer = { email: `${name}@example.com`, name: `${name} Mensah` };
    await place(shop, [of(cup)], { customer });
  }

  const pages = [
    await numbers(shop, "q=mensah&limit=3"),
    await numbers(shop, "q=mensah&limit=3&number=1004"),
    await numbers(shop, "q=mensah&limit=3&status=cancelled"),
    await numbersOfAllPages(shop, "q=mensah&limit=3"),
    await numbersOfAllPages(shop, "q=ama+mensah&limit=2"),
  ];

  expect(pages).toEqual([
    [1010, 1009, 1008],
    [1004],
    [],
    [1010, 1009, 1008, 1007, 1006, 1005, 1004, 1003, 1002, 1001],
    [1009, 1006, 1004, 1003, 1001],
  ]);
});

test("a list presents each order as GET does", async () => {
  const found = await busy.get("/v2/orders?number=1002");

  const alone = await busy.get(`/v2/orders/${found.string("/data/0/id")}`);
  expect(found.at("/data/0")).toEqual(alone.body);
  expect(alone.list("/fulfillments")).toHaveLength(1);
});

describe("a list is refused", () => {
  test.each([
    ["an unknown status", "status=shipped", "status"],
    ["an empty list of statuses", "status=", "status"],
    ["an unknown filter", "state=open", "state"],
    ["a number in words", "number=one", "number"],
    ["a date that does not exist", "created_at[gte]=2026-02-30T00:00:00Z", "created_at[gte]"],
    ["too large a page", "limit=101", "limit"],
    ["a damaged cursor", "cursor=abc", ""],
  ])("for %s", async (_, query, parameter) => {
    const refused = await shop.get(`/v2/orders?${query}`);

    expect(refused.status).toBe(400);
    expect(refused.faults[0] ?? "").toStartWith(parameter);
  });

  test("for the cursor of another list", async () => {
    const first = await busy.get("/v2/orders?limit=1");

    const refused = await busy.get(
      `/v2/orders?limit=1&status=open&cursor=${first.string("/next_cursor")}`,
    );

    expect([refused.status, refused.code]).toEqual([400, "invalid_cursor"]);
  });
});

describe("pages", () => {
  test("list every order once, whatever is placed meanwhile", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop, { stock: 1_000_000 });
    const walk = fc.record({
      existing: fc.integer({ min: 0, max: 12 }),
      limit: fc.integer({ min: 1, max: 5 }),
      coming: fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 6 }),
    });

    await fc.assert(
      fc.asyncProperty(walk, fc.nat(), async ({ existing, limit, coming }, salt) => {
        const channel = `walk_${salt}_${shop.clock.now()}`;
        shop.clock.advance(1);
        const arrive = async (count: number) => {
          const placed = Array.from({ length: count }, () => place(shop, [of(cup)], { channel }));
          return (await Promise.all(placed)).map((order) => order.id);
        };
        const expected = await arrive(existing);

        const seen: unknown[] = [];
        const late: string[] = [];
        let query = `channel=${channel}&limit=${limit}`;
        for (let page = 0, hasMore = true; hasMore; page += 1) {
          const found = await shop.get(`/v2/orders?${query}`);
          seen.push(...found.list("/data").map((order) => Object(order).id));
          hasMore = found.at("/has_more") === true;
          query = `channel=${channel}&limit=${limit}&cursor=${String(found.at("/next_cursor"))}`;
          late.push(...(await arrive(coming[page] ?? 0)));
        }

        expect(seen.filter((id) => !late.includes(String(id)))).toEqual(
          expected.toSorted().toReversed(),
        );
        expect(new Set(seen).size).toBe(seen.length);
      }),
      { numRuns: 40 },
    );
  }, 60_000);
});

describe("a timeline", () => {
  test("lists the events of the order with their actors, oldest first", async () => {
    const cup = await mug(shop);
    const placed = await place(shop, [of(cup)]);
    await place(shop, [of(cup)]);
    await shop.put(`/v2/orders/${placed.id}`, { notes: "Ring twice" });
    await cancel(shop, placed, { reason: "customer" });

    const timeline = await shop.get(`/v2/orders/${placed.id}/events`);

    const events = timeline.list("/data").map((event) => Object(event));
    expect(events.map(({ type }) => type)).toEqual([
      "order.placed",
      "order.updated",
      "order.cancelled",
    ]);
    expect(events.map(({ actor }) => actor.type)).toEqual(["api_key", "api_key", "api_key"]);
    expect(events[2].data.cancel_reason).toBe("customer");
    expect(timeline.text).toContain('"total":12.50,');
    expect(timeline.body).toMatchObject({ has_more: false, next_after: events[2].sequence });
  });

  test("names an event and its time as the feed does", async () => {
    const placed = await place(shop, [of(await mug(shop))]);

    const timeline = await shop.get(`/v2/orders/${placed.id}/events`);

    const fed = await shop.get(`/v2/events/${timeline.string("/data/0/id")}`);
    expect(timeline.at("/data/0")).toMatchObject({
      event: fed.at("/event"),
      created_at: fed.at("/created_at"),
    });
  });

  test("continues after the last event of a page", async () => {
    const placed = await place(shop, [of(await mug(shop))]);
    await cancel(shop, placed);

    const first = await shop.get(`/v2/orders/${placed.id}/events?limit=1`);
    const rest = await shop.get(
      `/v2/orders/${placed.id}/events?after=${first.number("/next_after")}`,
    );

    expect([first.at("/data/0/type"), first.at("/has_more")]).toEqual(["order.placed", true]);
    expect([rest.at("/data/0/type"), rest.at("/has_more")]).toEqual(["order.cancelled", false]);
  });

  test("of an unknown order is not found", async () => {
    const missing = await shop.get("/v2/orders/ord_01h455vb4pex5vsknk084sn02q/events");

    expect([missing.status, missing.code]).toEqual([404, "order_not_found"]);
  });
});
