// The list of orders: its tabs, its filter, its search, and what a row says.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { type DashboardShop, openDashboard } from "./dashboard-shop.ts";

let dashboard: DashboardShop;

beforeAll(async () => {
  dashboard = await openDashboard();
  await dashboard.shop.post("/v2/test/seed", {});
});
afterAll(() => dashboard[Symbol.asyncDispose]());

/** The numbers of the orders on the page, in their order. */
async function numbersOn(query: string): Promise<number[]> {
  const { status, html } = await dashboard.owner.get(`/dashboard/test/orders${query}`);
  expect(status).toBe(200);
  return [...html.matchAll(/<span class="num">#(\d+)<\/span>/g)].map(([, number]) =>
    Number(number),
  );
}

/** The same from the interface. */
async function numbersOf(query: string): Promise<number[]> {
  const listed = await dashboard.shop.get(`/v2/orders?limit=20${query}`);
  return listed.list("/data").map((_, row) => listed.number(`/data/${row}/number`));
}

describe("the tabs", () => {
  test("begin with what is to be packed", async () => {
    const shown = await numbersOn("");

    expect(shown.length).toBeGreaterThan(0);
    expect(shown).toEqual(await numbersOf("&to_pack=true"));
  });

  test("say how many orders are to be packed", async () => {
    const { text } = await dashboard.owner.get("/dashboard/test/orders?show=all");
    const waiting = await dashboard.shop.get("/v2/waiting");

    expect(text).toContain(`To pack ${waiting.number("/to_pack/count")} Not paid All`);
  });

  test("show the open orders that are not paid", async () => {
    const shown = await numbersOn("?show=unpaid");

    expect(shown.length).toBeGreaterThan(0);
    expect(shown).toEqual(
      await numbersOf("&status=open&payment_status=unpaid,pending,partially_paid,review"),
    );
  });

  test("show all twenty at a time, and lead to older ones", async () => {
    const { html } = await dashboard.owner.get("/dashboard/test/orders?show=all");
    const older = /rel="next" href="[^"?]*([^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";

    const [first, second] = [await numbersOn("?show=all"), await numbersOn(older)];

    expect(first).toHaveLength(20);
    expect(second[0]).toBe((first.at(-1) ?? 0) - 1);
  });
});

describe("the filter", () => {
  test("keeps the orders of a payment, a sending and a channel", async () => {
    const shown = await numbersOn("?show=all&payment=paid&sending=fulfilled&channel=pos");

    expect(shown.length).toBeGreaterThan(0);
    expect(shown).toEqual(
      await numbersOf("&payment_status=paid&fulfillment_status=fulfilled&channel=pos"),
    );
  });

  test("keeps the orders of its days, the last one included", async () => {
    const day = "2026-01-03";

    const shown = await numbersOn(`?from=${day}&to=${day}`);

    expect(shown.length).toBeGreaterThan(0);
    expect(shown).toEqual(await numbersOf("&created_at[gte]=2026-01-03&created_at[lt]=2026-01-04"));
  });

  test("is open with what was chosen, and can be cleared", async () => {
    const { html, text } = await dashboard.owner.get("/dashboard/test/orders?payment=refunded");

    expect(html).toContain('<option value="refunded" selected>');
    expect(html).toMatch(/<details class="filter" open>/);
    expect(text).toContain("Clear filter");
  });

  test("that fits no order says so", async () => {
    const { text } = await dashboard.owner.get("/dashboard/test/orders?from=2030-01-01");

    expect(text).toContain("No order matches this filter.");
  });
});

describe("the search", () => {
  test("finds an order by its number whatever its state", async () => {
    const [newest = 0] = await numbersOf("&fulfillment_status=fulfilled");

    expect(await numbersOn(`?q=%23${newest}`)).toEqual([newest]);
  });

  test("says what it did not find", async () => {
    const { text } = await dashboard.owner.get("/dashboard/test/orders?q=<zebra>");

    expect(text).toContain("No order has “<zebra>” in its number");
  });
});

describe("a row", () => {
  test("says the customer, the items, how it stands, and the amount", async () => {
    await using other = await openDashboard();
    const { shop, owner } = other;
    await shop.post("/v2/orders", {
      line_items: [
        { name: "Indigo mug", unit_price: "10.00", quantity: 2 },
        { name: "Cocoa soap", unit_price: "5.50", quantity: 1 },
      ],
      customer: { name: "Kojo Antwi", phone: "+233241234567" },
      payment_method: "cash_on_delivery",
      channel: "phone",
    });

    const { text } = await owner.get("/dashboard/test/orders");

    expect(text).toContain(
      "Today #1001 Kojo Antwi 2 × Indigo mug, Cocoa soap Pay on delivery To pack now · Phone 25.50",
    );
  });

  test("says the currency where it is not the shop's", async () => {
    await using other = await openDashboard();
    const { shop, owner } = other;
    await shop.post("/v2/orders", {
      line_items: [{ name: "Mug", unit_price: "10.00", quantity: 1 }],
      payment_method: "cash_on_delivery",
      currency: "GHS",
    });

    expect((await owner.get("/dashboard/test/orders")).text).toContain("GHS 10.00");
  });

  test("stands under the day of its order", async () => {
    const { text } = await dashboard.owner.get("/dashboard/test/orders?show=all");

    expect(text).toMatch(/Today #.* Yesterday #.* Saturday 3 January #/);
  });
});

test("an order says that it is to be packed where the interface lists it so", async () => {
  const marked: number[] = [];
  let query = "?show=all";
  while (query !== "") {
    const { html } = await dashboard.owner.get(`/dashboard/test/orders${query}`);
    for (const row of html.match(/<li id="ord_.*?<\/li>/gs) ?? []) {
      const number = Number(/#(\d+)/.exec(row)?.[1]);
      if (/>(?:To pack|Partly sent)</.test(row)) marked.push(number);
    }
    const older = /rel="next" href="[^"?]*([^"]*)"/.exec(html)?.[1] ?? "";
    query = older.replaceAll("&amp;", "&");
  }

  expect(marked.length).toBeGreaterThan(0);
  expect(marked).toEqual(await numbersOf("&to_pack=true"));
});

test("an order on delivery waits for its deposit before it is to be packed", async () => {
  await using other = await openDashboard();
  const { shop, owner } = other;
  await shop.put("/v2/store", { deposit_percent: 30 });
  await shop.post("/v2/orders", {
    line_items: [{ name: "Mug", unit_price: "10.00", quantity: 1 }],
    payment_method: "cash_on_delivery",
  });

  const { text } = await owner.get("/dashboard/test/orders?show=all");

  expect(text).toContain("Mug Pay on delivery now");
});

describe("an empty list", () => {
  test("says that every paid order has left", async () => {
    await using other = await openDashboard();

    const { text } = await other.owner.get("/dashboard/test/orders");

    expect(text).toContain("Nothing to pack Every paid order has left the house.");
  });

  test("of all orders leads to a new one, for who may write one down", async () => {
    await using other = await openDashboard();
    const viewer = await other.join("viewer", "Esi");

    const [own, seen] = [
      await other.owner.get("/dashboard/test/orders?show=all"),
      await viewer.get("/dashboard/test/orders?show=all"),
    ];

    expect(own.text).toContain("No orders yet");
    expect(own.html).toContain('href="/dashboard/test/orders/new"');
    expect(seen.html).not.toContain("/orders/new");
  });
});

test("a row says how many are left of what was cancelled in part", async () => {
  const { shop } = dashboard;
  const bowl = await shop.post("/v2/products", { name: "Bowl", price: "5.00", stock: 9 });
  const order = await shop.post("/v2/orders", {
    line_items: [{ variant_id: bowl.string("/variants/0/id"), quantity: 5 }],
    customer: { phone: "+233551234987" },
    payment_method: "cash_on_delivery",
  });
  const cancelled = await shop.put(
    `/v2/orders/${order.id}/cancel`,
    { line_items: [{ line_item_id: order.string("/line_items/0/id"), quantity: 3 }] },
    { headers: { "Idempotency-Key": "three-bowls" } },
  );

  const { text } = await dashboard.owner.get("/dashboard/test/orders?show=all");

  expect(cancelled.status).toBe(200);
  expect(text).toContain("2 × Bowl");
});

test.each(["+275760-09-13", "9999-12-31", "soon", "2026-02-31"])(
  "a filter until %s is answered, and is no fault of the shop",
  async (day) => {
    const path = `/dashboard/test/orders?show=all&to=${encodeURIComponent(day)}`;

    expect((await dashboard.owner.get(path)).status).toBeLessThan(500);
  },
);
