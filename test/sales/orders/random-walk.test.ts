// A shop under random requests is compared with a model of a page: after any sequence of placing,
// shipping, changing, cancelling, taking back, counting and receiving, stock and orders equal the model's, and
// the audits find no difference.

import { afterAll, beforeAll, expect, test } from "bun:test";

import fc from "fast-check";

import { auditStock } from "#catalog/inventory/audit-stock.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import { type Goods, mug } from "../../support/cast.ts";
import { runs } from "../../support/runs.ts";
import { type Answered, openTestShop, type TestShop } from "../../support/shop.ts";

const STOCK = 6;
const PRICE_MINOR = 1250;

let shop: TestShop;

beforeAll(async () => {
  shop = await openTestShop();
});

afterAll(async () => {
  await shop[Symbol.asyncDispose]();
});

/** An order of the model: the units of each of the two goods, and what became of them. */
interface ModelOrder {
  readonly answered: Answered;
  status: "open" | "completed" | "cancelled";
  units: [number, number];
  cancelled: [number, number];
  shipped: [number, number];
  returned: [number, number];
  /** The units of each fulfillment, by the order of their making; null of a cancelled one. */
  readonly parcels: ([number, number] | null)[];
}

/** The expected state of the shop. */
interface Model {
  readonly goods: readonly [Goods, Goods];
  readonly onHand: [number, number];
  readonly orders: ModelOrder[];
}

type Step = (model: Model) => Promise<void>;

const which = fc.constantFrom(0 as const, 1 as const);
const few = fc.integer({ min: 1, max: 4 });
const units = fc.tuple(fc.nat(3), fc.nat(3)).filter(([one, other]) => one + other > 0);

const both = [0, 1] as const;

function open({ units: sold, cancelled, shipped }: ModelOrder, index: 0 | 1): number {
  return sold[index] - cancelled[index] - shipped[index];
}

const sum = ([one, other]: readonly [number, number]): number => one + other;

/** Units of the goods that are sold and neither cancelled nor shipped. */
function reserved({ orders }: Model, index: 0 | 1): number {
  return orders.reduce((all, order) => all + open(order, index), 0);
}

function isUntouched(order: ModelOrder): boolean {
  return order.status === "open" && sum(order.shipped) + sum(order.cancelled) === 0;
}

/** What follows from a change: nothing open and nothing due ends the order. */
function settle(order: ModelOrder): void {
  const isOpen = both.some((index) => open(order, index) > 0);
  if (order.status !== "open" || isOpen) return;
  if (sum(order.shipped) === 0) order.status = "cancelled";
  else if (sum(order.shipped) === sum(order.returned)) order.status = "completed";
}

function linesOf(model: Model, amounts: readonly [number, number]): object[] {
  return model.goods
    .map(({ variantId }, index) => ({ variant_id: variantId, quantity: amounts[index] ?? 0 }))
    .filter(({ quantity }) => quantity > 0);
}

/** Whether stock covers this many more units of each. */
function isEnough(model: Model, more: readonly [number, number]): boolean {
  return [0 as const, 1 as const].every(
    (index) => more[index] <= 0 || more[index] <= model.onHand[index] - reserved(model, index),
  );
}

const placing = units.map((amounts): Step => async (model) => {
  const expected = isEnough(model, amounts) ? 201 : 409;

  const answered = await shop.post("/v2/orders", { line_items: linesOf(model, amounts) });

  expect(answered.status).toBe(expected);
  if (expected === 201) {
    model.orders.push({
      answered,
      status: "open",
      units: amounts,
      cancelled: [0, 0],
      shipped: [0, 0],
      returned: [0, 0],
      parcels: [],
    });
  }
});

/** A step on one of the orders, if there is any. */
function onOrder(step: (model: Model, order: ModelOrder) => Promise<void>) {
  return (pick: number): Step =>
    async (model) => {
      const order = model.orders[pick % Math.max(1, model.orders.length)];
      if (order !== undefined) await step(model, order);
    };
}

const shipping = fc.tuple(fc.nat(), which, few).map(([pick, index, quantity]): Step =>
  onOrder(async (model, order) => {
    const line_item_id = await lineOf(model, order, index);
    if (line_item_id === undefined) return;
    const isShipped = quantity <= open(order, index) && quantity <= model.onHand[index];

    const answered = await shop.put(`/v2/orders/${order.answered.id}/fulfill`, {
      line_items: [{ line_item_id, quantity }],
    });

    expect(answered.status === 200).toBe(isShipped);
    if (isShipped) {
      order.shipped[index] += quantity;
      model.onHand[index] -= quantity;
      order.parcels.push(index === 0 ? [quantity, 0] : [0, quantity]);
      settle(order);
    }
  })(pick),
);

const shippingAll = fc.nat().map(
  onOrder(async (model, order) => {
    const rest: [number, number] = [open(order, 0), open(order, 1)];
    const isInStock = both.every((index) => rest[index] <= model.onHand[index]);

    const answered = await shop.put(`/v2/orders/${order.answered.id}/fulfill`);

    expect(answered.status === 200).toBe(order.status !== "cancelled" && isInStock);
    if (answered.status !== 200) return;
    if (sum(rest) > 0) order.parcels.push(rest);
    for (const index of both) {
      model.onHand[index] -= rest[index];
      order.shipped[index] += rest[index];
    }
    settle(order);
  }),
);

const undoing = fc.tuple(fc.nat(), fc.nat()).map(([pick, parcelPick]): Step =>
  onOrder(async (model, order) => {
    const place = parcelPick % Math.max(1, order.parcels.length);
    const parcel = order.parcels[place];
    if (parcel === undefined) return;
    const current = await shop.get(`/v2/orders/${order.answered.id}`);
    const path = `/v2/orders/${order.answered.id}/fulfillments/${current.string(`/fulfillments/${place}/id`)}/cancel`;
    const isLess = both.some(
      (index) => order.shipped[index] - (parcel?.[index] ?? 0) < order.returned[index],
    );
    const isAllowed = order.status !== "cancelled" && (parcel === null || !isLess);

    const answered = await shop.post(path);

    expect(answered.status === 200).toBe(isAllowed);
    if (!isAllowed || parcel === null) return;
    for (const index of both) {
      order.shipped[index] -= parcel[index];
      model.onHand[index] += parcel[index];
    }
    order.parcels[place] = null;
    order.status = "open";
  })(pick),
);

const cancelling = fc.nat().map(
  onOrder(async (_, order) => {
    const isAllowed = order.status === "cancelled" || both.some((index) => open(order, index) > 0);

    const answered = await shop.put(`/v2/orders/${order.answered.id}/cancel`);

    expect(answered.status === 200).toBe(isAllowed);
    if (!isAllowed) return;
    for (const index of both) order.cancelled[index] += open(order, index);
    settle(order);
  }),
);

/** The id of the order's line of these goods, if it has one. */
async function lineOf(model: Model, order: ModelOrder, index: 0 | 1): Promise<string | undefined> {
  const current = await shop.get(`/v2/orders/${order.answered.id}`);
  const line = current
    .list("/line_items")
    .map((row) => Object(row))
    .find((row) => row.variant_id === model.goods[index].variantId);
  return line?.id;
}

const cancellingPart = fc.tuple(fc.nat(), which, few).map(([pick, index, quantity]): Step =>
  onOrder(async (model, order) => {
    const line_item_id = await lineOf(model, order, index);
    if (line_item_id === undefined || order.status === "cancelled") return;
    const isAllowed = quantity <= open(order, index);
    const version = (await shop.get(`/v2/orders/${order.answered.id}`)).headers.get("etag") ?? "";

    const answered = await shop.put(
      `/v2/orders/${order.answered.id}/cancel`,
      { line_items: [{ line_item_id, quantity }] },
      { headers: { "If-Match": version } },
    );

    expect(answered.status === 200).toBe(isAllowed);
    if (!isAllowed) return;
    order.cancelled[index] += quantity;
    settle(order);
  })(pick),
);

const returning = fc
  .tuple(fc.nat(), which, few, fc.boolean())
  .map(([pick, index, quantity, restock]): Step =>
    onOrder(async (model, order) => {
      const line_item_id = await lineOf(model, order, index);
      if (line_item_id === undefined) return;
      const isAllowed = quantity <= order.shipped[index] - order.returned[index];

      const answered = await shop.post(`/v2/orders/${order.answered.id}/returns`, {
        line_items: [{ line_item_id, quantity }],
        restock,
      });

      expect(answered.status === 201).toBe(isAllowed);
      if (!isAllowed) return;
      order.returned[index] += quantity;
      if (restock) model.onHand[index] += quantity;
      settle(order);
    })(pick),
  );

const changing = fc.tuple(fc.nat(), units).map(([pick, amounts]): Step =>
  onOrder(async (model, order) => {
    const isSame = Bun.deepEquals(amounts, order.units);
    const more: [number, number] = [amounts[0] - order.units[0], amounts[1] - order.units[1]];
    const isAllowed = isSame || (isUntouched(order) && isEnough(model, more));

    const answered = await shop.put(`/v2/orders/${order.answered.id}`, {
      line_items: linesOf(model, amounts),
    });

    expect([answered.status === 200, answered.text]).toEqual([isAllowed, answered.text]);
    if (isAllowed) order.units = amounts;
  })(pick),
);

const counting = fc.tuple(which, fc.nat(8)).map(([index, onHand]): Step => async (model) => {
  const answered = await shop.put(`/v2/inventory/${model.goods[index].variantId}`, {
    on_hand: onHand,
  });

  expect(answered.status).toBe(200);
  model.onHand[index] = onHand;
});

const receiving = fc
  .tuple(which, fc.integer({ min: -4, max: 4 }))
  .map(([index, adjust]): Step => async (model) => {
    const isAllowed = model.onHand[index] + adjust >= 0;

    const answered = await shop.put(`/v2/inventory/${model.goods[index].variantId}`, { adjust });

    expect(answered.status).toBe(isAllowed ? 200 : 409);
    if (isAllowed) model.onHand[index] += adjust;
  });

const step = fc.oneof(
  { weight: 4, arbitrary: placing },
  { weight: 2, arbitrary: shipping },
  { weight: 2, arbitrary: shippingAll },
  { weight: 3, arbitrary: undoing },
  { weight: 1, arbitrary: cancelling },
  { weight: 2, arbitrary: cancellingPart },
  { weight: 2, arbitrary: returning },
  { weight: 3, arbitrary: changing },
  { weight: 1, arbitrary: counting },
  { weight: 2, arbitrary: receiving },
);

async function expectStock(model: Model, index: 0 | 1): Promise<void> {
  const { variantId } = model.goods[index];
  const level = await shop.get(`/v2/inventory/${variantId}`);
  expect([level.at("/on_hand"), level.at("/reserved"), level.at("/available")]).toEqual([
    model.onHand[index],
    reserved(model, index),
    model.onHand[index] - reserved(model, index),
  ]);
  const ledger = (await shop.get(`/v2/inventory/${variantId}/movements?limit=100`)).list("/data");
  const rows = ledger.map((row) => Object(row));
  expect([
    rows.reduce((all, row) => all + row.delta_on_hand, 0),
    rows.reduce((all, row) => all + row.delta_reserved, 0),
  ]).toEqual([model.onHand[index], reserved(model, index)]);
}

async function expectOrder(order: ModelOrder): Promise<void> {
  const { answered, status, units: sold, cancelled, shipped, returned } = order;
  const found = await shop.get(`/v2/orders/${answered.id}`);
  const owedUnits = sum(sold) - sum(cancelled) - sum(returned);
  const isOpen = both.some((index) => open(order, index) > 0);
  expect(found.body).toMatchObject({
    status,
    total_minor: sum(sold) * PRICE_MINOR,
    credited_total_minor: (sum(cancelled) + sum(returned)) * PRICE_MINOR,
    due_minor: status === "cancelled" ? 0 : owedUnits * PRICE_MINOR,
    payment_status: "unpaid",
    fulfillment_status:
      sum(shipped) === 0 ? "unfulfilled" : isOpen ? "partially_fulfilled" : "fulfilled",
  });
}

test("stock and orders equal the model after random requests", async () => {
  let walks = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      walks += 1;
      const model: Model = {
        goods: [
          await mug(shop, { sku: `A-${walks}`, stock: STOCK }),
          await mug(shop, { sku: `B-${walks}`, stock: STOCK }),
        ],
        onHand: [STOCK, STOCK],
        orders: [],
      };

      for (const run of steps) {
        shop.clock.advance(1);
        await run(model);
      }

      await expectStock(model, 0);
      await expectStock(model, 1);
      await Promise.all(model.orders.map(expectOrder));
    }),
    { numRuns: runs(12) },
  );

  expect(await Array.fromAsync(auditStock(shop.test.database.read))).toEqual([]);
  expect(await Array.fromAsync(auditOrders(shop.test.database.read))).toEqual([]);
}, 120_000);
