// Lines of the merchant's own: something that is not in the catalog, at a price for one order, as it is sold
// by phone or at a counter.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { auditStock } from "#catalog/inventory/audit-stock.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import { summary } from "../../analytics/counter.ts";
import { mug } from "../../support/cast.ts";
import { runs } from "../../support/runs.ts";
import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { cancel, fulfill, of, place, standing, stock } from "../orders/counter.ts";

const shop = sharedShop();

const repair = { name: "Repair of a handle", unit_price: "4.50", quantity: 2 };

/** The differences that `duka check` finds in stock and orders. */
async function differences(shop: TestShop): Promise<unknown[]> {
  const { read } = shop.test.database;
  return [
    ...(await Array.fromAsync(auditStock(read))),
    ...(await Array.fromAsync(auditOrders(read))),
  ];
}

describe("a line of the merchant's own", () => {
  test("is sold by its name and price, without a product", async () => {
    await shop.announced();

    const placed = await place(shop, [{ ...repair, sku: "REPAIR" }], { expected_total: 9 });

    expect(placed.at("/line_items/0")).toMatchObject({
      variant_id: null,
      product_id: null,
      sku: "REPAIR",
      name: "Repair of a handle",
      quantity: 2,
      unit_price: 4.5,
      total_minor: 900,
    });
    expect(placed.at("/due_minor")).toBe(900);
    expect(placed.text).toContain('"unit_price":4.50,');
    expect((await shop.get(`/v2/orders/${placed.id}`)).text).toBe(placed.text);
    const [announced] = await shop.announced();
    expect(announced).toMatchObject({
      event: "order.placed",
      data: { line_items: [{ variant_id: null, product_id: null, name: "Repair of a handle" }] },
    });
  });

  test("is sold beside goods of the catalog, of which alone stock is kept", async () => {
    const cup = await mug(shop);

    const placed = await place(shop, [repair, of(cup, 3)]);

    expect(placed.at("/total_minor")).toBe(900 + 3 * 1250);
    expect(await stock(shop, cup)).toEqual([10, 3, 7]);
    const shipped = await fulfill(shop, placed);
    expect(shipped.at("/fulfillment_status")).toBe("fulfilled");
    expect(await stock(shop, cup)).toEqual([7, 0, 7]);
    expect(await differences(shop)).toEqual([]);
  });

  test("may cost nothing", async () => {
    const placed = await place(shop, [{ name: "Sample", unit_price: 0, quantity: 1 }]);

    expect(placed.at("/payment_status")).toBe("paid");
  });

  test("is cancelled with its order, or a part of it", async () => {
    const cup = await mug(shop);
    const placed = await place(shop, [repair, of(cup)]);
    const line_items = [{ line_item_id: placed.at("/line_items/0/id"), quantity: 1 }];

    const part = await shop.put(
      `/v2/orders/${placed.id}/cancel`,
      { line_items },
      { headers: { "Idempotency-Key": "part" } },
    );
    const all = await cancel(shop, placed);

    expect([part.status, part.at("/credited_total_minor")]).toEqual([200, 450]);
    expect(all.at("/status")).toBe("cancelled");
    expect(await stock(shop, cup)).toEqual([10, 0, 10]);
    expect(await differences(shop)).toEqual([]);
  });

  test("comes back without stock", async () => {
    const cup = await mug(shop);
    const placed = await place(shop, [repair, of(cup)]);
    await fulfill(shop, placed);

    const returned = await shop.post(`/v2/orders/${placed.id}/returns`, {
      line_items: placed
        .list("/line_items")
        .map((line) => ({ line_item_id: Object(line).id, quantity: 1 })),
      restock: true,
      reason: "damaged",
    });

    expect(returned.list("/line_items")).toMatchObject([
      { quantity: 1, restocked: 0 },
      { quantity: 1, restocked: 1 },
    ]);
    expect(await stock(shop, cup)).toEqual([10, 0, 10]);
    expect(await differences(shop)).toEqual([]);
  });

  test("is refunded as every other line", async () => {
    const sold = await place(shop, [repair], { paid: { method: "cash" }, fulfilled: true });

    const refund = await shop.post(`/v2/orders/${sold.id}/refunds`, {
      line_items: [{ line_item_id: sold.at("/line_items/0/id"), quantity: 1, restock: true }],
    });

    expect([refund.status, refund.at("/refunds/0/amount_minor")]).toEqual([201, 450]);
    expect((await shop.get(`/v2/orders/${sold.id}`)).at("/line_items/0/returned_quantity")).toBe(1);
    expect(await differences(shop)).toEqual([]);
  });

  test("is sold at a counter, and the change is answered", async () => {
    const sold = await place(shop, [repair], {
      paid: { method: "cash", tendered: "10.00" },
      fulfilled: true,
    });

    expect(sold.body).toMatchObject({ status: "completed", change: 1, due: 0 });
  });

  test("counts in the revenue of a summary, and in no product", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    await place(shop, [repair, of(cup)], { paid: { method: "cash" } });

    const answer = await summary(shop);

    expect(answer.at("/currencies/0/revenue/gross_minor")).toBe(900 + 1250);
    expect(answer.at("/currencies/0/units")).toBe(3);
    expect(answer.list("/currencies/0/top_products/by_net")).toMatchObject([
      { product_id: cup.productId, net_minor: 1250 },
    ]);
    expect(answer.list("/currencies/0/top_variants/by_units")).toMatchObject([
      { variant_id: cup.variantId, units: 1 },
    ]);
  });
});

describe("an order's line of the merchant's own", () => {
  test("keeps its id while its price changes", async () => {
    const placed = await place(shop, [repair]);

    const changed = await shop.put(`/v2/orders/${placed.id}`, {
      line_items: [{ ...repair, unit_price: 6, quantity: 1 }],
    });

    expect(changed.at("/line_items/0/id")).toBe(placed.at("/line_items/0/id"));
    expect(changed.body).toMatchObject({
      total_minor: 600,
      version: placed.number("/version") + 1,
    });
  });

  test("stays as it is where the same is sent again", async () => {
    const placed = await place(shop, [repair]);
    await shop.announced();

    const same = await shop.put(`/v2/orders/${placed.id}`, { line_items: [repair] });

    expect(same.text).toBe(placed.text);
    expect(await shop.announced()).toEqual([]);
  });

  test("gives way to goods of the catalog, and comes back", async () => {
    const cup = await mug(shop);
    const placed = await place(shop, [repair]);

    await shop.put(`/v2/orders/${placed.id}`, { line_items: [of(cup, 2)] });
    const reserved = await stock(shop, cup);
    const back = await shop.put(`/v2/orders/${placed.id}`, { line_items: [repair] });

    expect(reserved).toEqual([10, 2, 8]);
    expect(back.at("/line_items/0/variant_id")).toBeNull();
    expect(await stock(shop, cup)).toEqual([10, 0, 10]);
    expect(await differences(shop)).toEqual([]);
  });
});

describe("a line of the merchant's own is refused", () => {
  test("to a storefront, which may order only what the catalog sells", async () => {
    const key = await shop.createKey({ scopes: ["storefront"] });
    const before = await standing(shop);

    const refused = await shop.post("/v2/orders", { line_items: [repair] }, { key });

    expect(refused.status).toBe(422);
    expect(refused.faults).toContain("#/line_items/0/unit_price not_allowed_for_public_key");
    expect(await standing(shop)).toEqual(before);
  });

  test("to a secret key that may only create orders", async () => {
    const key = await shop.createKey({ scopes: ["orders:create", "products:read"] });

    const refused = await shop.post("/v2/orders", { line_items: [repair] }, { key });

    expect([refused.status, refused.code]).toEqual([403, "scope_missing"]);
    expect(refused.at("/detail")).toBe(
      "A line item with `unit_price` needs the scope orders:write.",
    );
  });

  test("in a cart", async () => {
    const refused = await shop.post("/v2/carts", { line_items: [repair] });

    expect(refused.status).toBe(422);
    expect(refused.faults).toContain("#/line_items/0/variant_id required");
  });

  const variant_id = "var_01h455vb4pex5vsknk084sn02q";
  test.each([
    [
      "without a variant and without a name",
      { quantity: 1 },
      ["#/line_items/0/variant_id required"],
    ],
    ["without a price", { name: "Tea", quantity: 1 }, ["#/line_items/0/unit_price required"]],
    ["without a name", { unit_price: 1, quantity: 1 }, ["#/line_items/0/name required"]],
    [
      "that names a variant too",
      { ...repair, variant_id },
      ["#/line_items/0/name conflicting_fields", "#/line_items/0/unit_price conflicting_fields"],
    ],
    [
      "of a variant with a SKU",
      { variant_id, sku: "MUG", quantity: 1 },
      ["#/line_items/0/sku conflicting_fields"],
    ],
    ["with an empty name", { ...repair, name: "" }, ["#/line_items/0/name too_short"]],
    [
      "with a price below zero",
      { ...repair, unit_price: -1 },
      ["#/line_items/0/unit_price too_small"],
    ],
    [
      "with more digits than the currency has",
      { ...repair, unit_price: "1.005" },
      ["#/line_items/0/unit_price amount_precision"],
    ],
    [
      "whose total is above every amount",
      { ...repair, unit_price: 9_999_999_999, quantity: 1_000_000 },
      ["#/line_items/0/quantity amount_too_large"],
    ],
  ])("%s", async (_, line, faults) => {
    const refused = await shop.post("/v2/orders", { line_items: [line] });

    expect([refused.status, refused.code, refused.faults]).toEqual([
      422,
      "validation_failed",
      faults,
    ]);
  });

  test("with the faults of the other lines", async () => {
    const line_items = [
      { ...repair, unit_price: "1.005" },
      { variant_id, quantity: 1 },
    ];

    const refused = await shop.post("/v2/orders", { line_items });

    expect(refused.faults).toEqual([
      "#/line_items/0/unit_price amount_precision",
      "#/line_items/1/variant_id unknown_variant",
    ]);
  });
});

test("whatever happens to lines of both kinds, stock is kept of variants alone and amounts add up", async () => {
  const cup = await mug(shop, { stock: 100_000 });
  const few = fc.integer({ min: 1, max: 4 });
  const line = fc.oneof(
    few.map((quantity) => of(cup, quantity)),
    fc.record({ name: fc.constantFrom("Tea", "Wrap"), unit_price: few, quantity: few }),
  );
  const lines = fc.array(line, { minLength: 1, maxLength: 4 });
  const life = fc.record({ first: lines, second: lines, shipped: fc.nat(3), back: few });

  await fc.assert(
    fc.asyncProperty(life, async ({ first, second, shipped, back }) => {
      const placed = await place(shop, first);
      const edited = await shop.put(`/v2/orders/${placed.id}`, { line_items: second });
      const unit = {
        line_item_id: edited.at(`/line_items/${shipped % second.length}/id`),
        quantity: 1,
      };
      await fulfill(shop, placed, { line_items: [unit] });
      const body = { line_items: [unit], restock: back > 1, reason: "unwanted" };
      await shop.post(`/v2/orders/${placed.id}/returns`, body);
      await cancel(shop, placed);

      const price = (one: (typeof second)[number]) => ("name" in one ? one.unit_price : 12.5);
      const total = second.reduce((sum, one) => sum + price(one) * one.quantity * 100, 0);
      expect([edited.status, edited.at("/total_minor")]).toEqual([200, total]);
    }),
    { numRuns: runs(15) },
  );

  expect(await differences(shop)).toEqual([]);
}, 60_000);
