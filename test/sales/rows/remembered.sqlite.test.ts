// An order is told from memory by its version: after each kind of change it is what a read without memory tells.

import { expect, test } from "bun:test";

import { type Id, isId } from "#kernel/id.ts";
import { getOrder } from "#sales/orders/lookups.ts";

import { settle } from "../../payments/scripted-shop.ts";
import { kofi } from "../../support/cast.ts";
import { type Answered, sharedShop, type TestShop } from "../../support/shop.ts";
import { withoutMemory } from "../../support/without-memory.ts";

interface Sold {
  readonly order: Id<"order">;
  readonly line: string;
  readonly customer: string;
}

const shop = sharedShop();

/** An order of three mugs by a customer. */
async function sell(): Promise<Sold> {
  const made = await shop.post("/v2/products", { name: "Mug", price: 10, stock: 50 });
  const placed = await shop.post("/v2/orders", {
    line_items: [{ variant_id: made.string("/variants/0/id"), quantity: 3 }],
    customer: { email: kofi(shop).email, name: "Kofi" },
    payment_method: "bank_transfer",
  });
  const line = placed.string("/line_items/0/id");
  const customer = placed.string("/customer/id");
  if (!isId("order", placed.id)) throw new Error(placed.text);
  return { order: placed.id, line, customer };
}

const units = ({ line: line_item_id }: Sold, quantity: number) => ({
  line_items: [{ line_item_id, quantity }],
});

const send = (shop: TestShop, sold: Sold, quantity: number) =>
  shop.put(`/v2/orders/${sold.order}/fulfill`, {
    ...units(sold, quantity),
    tracking: { carrier: "DHL" },
  });

/** Money by hand, of which a part goes back if that is said. */
async function take(shop: TestShop, { order }: Sold, amount: number): Promise<Answered> {
  const begun = await shop.post("/v2/payments/initialize", {
    order_id: order,
    method: "bank_transfer",
  });
  return shop.post(`/v2/payments/${begun.id}/confirm`, { amount });
}

const changes: [name: string, change: (shop: TestShop, sold: Sold) => Promise<Answered>][] = [
  ["a note", (shop, { order }) => shop.put(`/v2/orders/${order}`, { notes: "Ring twice" })],
  [
    "other goods",
    (shop, sold) => shop.put(`/v2/orders/${sold.order}`, { shipping: { amount: 4 } }),
  ],
  ["a part of the money", (shop, sold) => take(shop, sold, 12)],
  [
    "a refund",
    async (shop, sold) => {
      await take(shop, sold, 30);
      return shop.post(`/v2/orders/${sold.order}/refunds`, { amount: 5 });
    },
  ],
  ["a part that was sent", (shop, sold) => send(shop, sold, 1)],
  [
    "another tracking number",
    async (shop, sold) => {
      const sent = await send(shop, sold, 1);
      const id = sent.string("/fulfillments/0/id");
      return shop.put(`/v2/orders/${sold.order}/fulfillments/${id}`, {
        tracking: { carrier: "DHL", number: "JD0001" },
      });
    },
  ],
  [
    "a cancelled unit",
    (shop, sold) =>
      shop.put(`/v2/orders/${sold.order}/cancel`, units(sold, 1), {
        headers: { "Idempotency-Key": "cancel-1" },
      }),
  ],
  ["a cancellation", (shop, { order }) => shop.put(`/v2/orders/${order}/cancel`)],
  [
    "units that came back",
    async (shop, sold) => {
      await send(shop, sold, 2);
      return shop.post(`/v2/orders/${sold.order}/returns`, { ...units(sold, 1), restock: true });
    },
  ],
  [
    "a customer who is forgotten",
    async (shop, { order, customer }) => {
      await shop.put(`/v2/orders/${order}/cancel`);
      return shop.post(`/v2/customers/${customer}/erase`);
    },
  ],
];

test.each(changes)("an order is told as it is after %s", async (_, change) => {
  const sold = await sell();
  const { read } = shop.test.database;
  const before = (await getOrder(read, sold.order)).order.version;

  const { status } = await change(shop, sold);
  await settle(shop);

  const now = await getOrder(read, sold.order);
  expect(status).toBeLessThan(300);
  expect(now).toEqual(await getOrder(withoutMemory(read), sold.order));
  expect(now.order.version).toBeGreaterThan(before);
});

test("an order that did not change is the same object, whatever is sold beside it", async () => {
  const sold = await sell();
  const { read } = shop.test.database;
  const before = await getOrder(read, sold.order);

  await shop.post("/v2/orders", { line_items: [{ name: "Bowl", unit_price: 5, quantity: 1 }] });

  expect(await getOrder(read, sold.order)).toBe(before);
});
