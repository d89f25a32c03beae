// Commands on prices: orders and carts with codes and ways to ship, changes of orders that are not paid, refunds of
// shipping, and terms that the merchant ends.

import { expect } from "bun:test";

import fc from "fast-check";

import type { Answered } from "../support/shop.ts";
import { about, type Named, once } from "./shop-command.ts";
import { CODES } from "./shop-deals.ts";
import { type Model, settle } from "./shop-model.ts";
import {
  both,
  isEditable,
  leftOf,
  type ModelOrder,
  shippingLeftOf,
  type Units,
  type Which,
} from "./shop-order.ts";
import { isRefused, type ModelPrice, options, type Wish } from "./shop-prices.ts";

const some: fc.Arbitrary<Units> = fc
  .tuple(fc.nat(3), fc.nat(3))
  .filter(([one, other]) => one + other > 0);

const wish: fc.Arbitrary<Wish> = fc.record({
  units: some,
  codes: fc.uniqueArray(fc.constantFrom(...CODES), { maxLength: 2 }),
  shipping: fc.constantFrom(...options),
  email: fc.constantFrom(null, "ada@example.com", "esi@example.com"),
});

function nameOf({ units, codes, shipping, email }: Wish): string {
  return `${units.join("+")} ${codes.join("&")} shipping ${shipping} for ${email ?? "anyone"}`;
}

export const placing = wish.map((wanted): Named => [
  `place ${nameOf(wanted)}`,
  async (model, world) => {
    const { price, reasons } = model.quote(wanted);
    const codes = model.prices.isPlain ? [] : wanted.codes;
    const isTaken = model.isEnough(wanted.units) && !isRefused(reasons, codes);

    // Two concurrent clients with one key: one order.
    const { email } = wanted;
    const body = {
      ...model.prices.requestFor(wanted),
      payment_method: "gateway",
      ...(email === null ? {} : { customer: { email } }),
    };
    const [placed, again] = await Promise.all([
      once(world, (headers) => world.shop.post("/v2/orders", body, { headers })),
      world.shop.post("/v2/orders", body, {
        headers: { "Idempotency-Key": `model-${world.sent.length}` },
      }),
    ]);

    expect([placed.status, placed.text]).toEqual([isTaken ? 201 : 409, again.text]);
    if (isTaken) model.orders.push(orderOf(placed, model, { wanted, price }));
  },
]);

function linesOf(answered: Answered, { goods }: Model): ModelOrder["lines"] {
  const rows = answered.list("/line_items").map((row) => Object(row));
  const lineOf = (which: Which): string | null =>
    rows.find((row) => row.variant_id === goods[which].variantId)?.id ?? null;
  return [lineOf(0), lineOf(1)];
}

function orderOf(
  placed: Answered,
  model: Model,
  { wanted, price }: { readonly wanted: Wish; readonly price: ModelPrice },
): ModelOrder {
  const expiresAt = placed.at("/expires_at");
  const order: ModelOrder = {
    id: placed.id,
    units: wanted.units,
    lines: linesOf(placed, model),
    price,
    email: wanted.email,
    depositPercent: model.depositPercent,
    expiresAt: typeof expiresAt === "string" ? Date.parse(expiresAt) : null,
    cancelled: [0, 0],
    shipped: [0, 0],
    returned: [0, 0],
    attempts: [],
    way: "gateway",
    status: "open",
    payments: [],
    refunds: [],
    saleMinor: null,
    keptApartMinor: 0,
    keptOfSaleMinor: 0,
    keepsDiscounts: false,
    saleLeftMinor: 0,
    debtMinor: 0,
    writtenOffMinor: 0,
  };
  // An order of nothing is paid.
  settle(order);
  return order;
}

const filling = wish.map((wanted): Named => [
  `fill a cart with ${nameOf(wanted)}`,
  async (model, world) => {
    const { email } = wanted;
    const { price, reasons } = model.quote(wanted, "cart");
    const body = {
      ...model.prices.requestFor(wanted),
      ...(email === null ? {} : { email }),
    };

    const cart = await once(world, (headers) => world.shop.post("/v2/carts", body, { headers }));

    expect([cart.status, cart.at("/total_minor")]).toEqual([201, price.totalMinor]);
    const codes = model.prices.isPlain ? [] : wanted.codes;
    const rejected = cart.list("/rejected_codes").map((row) => Object(row));
    expect(new Map(rejected.map(({ code, reason }) => [code, reason]))).toEqual(reasons);
    const appliedCodes = codes.filter((code) => !reasons.has(code));
    model.carts.push({ id: cart.id, wish: wanted, appliedCodes });
  },
]);

/** Completes the cart that waited longest: a code that applied and does no more refuses it. */
export const completing = fc.constant<Named>([
  "complete a cart",
  async (model, world) => {
    const cart = model.carts.shift();
    if (cart === undefined) return;
    const { wish: wanted, appliedCodes } = cart;
    const { price, reasons } = model.quote(wanted);
    const needsShipping = !model.prices.isPlain && wanted.shipping === "none";
    const isKept = !needsShipping && !isRefused(reasons, appliedCodes);
    const isTaken = isKept && model.isEnough(wanted.units);

    const body = { payment_method: "gateway" };
    const placed = await once(world, (headers) =>
      world.shop.post(`/v2/carts/${cart.id}/complete`, body, { headers }),
    );

    expect([placed.status, placed.text]).toEqual([isTaken ? 201 : 409, placed.text]);
    if (isTaken) model.orders.push(orderOf(placed, model, { wanted, price }));
  },
]);

const editing = some.chain((units) =>
  about(`change the units to ${units.join("+")} of`, async (order, model, world) => {
    const more: Units = [units[0] - order.units[0], units[1] - order.units[1]];
    const isSame = both.every((which) => more[which] === 0);
    const isAllowed = isSame || (isEditable(order) && model.isEnough(more));

    const changed = await once(world, (headers) =>
      world.shop.put(
        `/v2/orders/${order.id}`,
        { line_items: model.prices.linesFor(units) },
        { headers },
      ),
    );

    expect([changed.status, changed.text]).toEqual([isAllowed ? 200 : 409, changed.text]);
    if (!isAllowed || isSame) return;
    model.edit(order, units);
    order.lines = linesOf(changed, model);
  }),
);

const refundingShipping = fc.constantFrom(100, 310).chain((amountMinor) =>
  about(`refund ${amountMinor} of the shipping of`, async (order, model, world) => {
    const isMore = amountMinor > shippingLeftOf(order);
    const expected = isMore ? 422 : amountMinor > leftOf(order) ? 409 : 201;
    const body = { shipping: (amountMinor / 100).toFixed(2) };

    const refunded = await once(world, (headers) =>
      world.shop.post(`/v2/orders/${order.id}/refunds`, body, { headers }),
    );

    expect([refunded.status, refunded.text]).toEqual([expected, refunded.text]);
    if (expected === 201) model.refund(order, amountMinor, { shippingMinor: amountMinor });
  }),
);

const endingRate = fc.nat(2).map((at): Named => [
  `end rate ${at}`,
  async (model, world) => {
    const rate = model.prices.rates[at];
    if (rate === undefined || rate.hasEnded) return;
    const body = { valid_until: new Date(model.nowMs).toISOString() };

    const ended = await once(world, (headers) =>
      world.shop.put(`/v2/tax-rates/${rate.id}`, body, { headers }),
    );

    expect([ended.status, ended.text]).toEqual([200, ended.text]);
    rate.hasEnded = true;
  },
]);

const archiving = fc.nat(5).chain((at) =>
  fc.boolean().map((isArchived): Named => [
    `${isArchived ? "archive" : "bring back"} discount ${at}`,
    async (model, world) => {
      const discount = model.prices.discounts[at];
      if (discount === undefined) return;

      const changed = await once(world, (headers) =>
        world.shop.put(`/v2/discounts/${discount.id}`, { archived: isArchived }, { headers }),
      );

      expect([changed.status, changed.text]).toEqual([200, changed.text]);
      discount.isArchived = isArchived;
    },
  ]),
);

/** Carts, changes, refunds of shipping, and the end of rates and discounts. */
export const priceCommands = [filling, editing, refundingShipping, endingRate, archiving];
