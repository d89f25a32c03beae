// Sales with taxes that were paid, to be refunded.

import { beforeAll } from "bun:test";

import { assume } from "#kernel/assume.ts";

import { goods } from "../../support/cast.ts";
import { type Answered, openTestShop, type TestShop } from "../../support/shop.ts";
import { initialize, type ScriptedShop, sharedScriptedShop } from "../scripted-shop.ts";

/** The three levies of Ghana, which are on the same base: 20 % in all. */
const ghana = [
  { name: "GETFund", rate: 2.5 },
  { name: "NHIL", rate: 2.5 },
  { name: "VAT", rate: 15 },
];

interface TaxedShop {
  readonly rates?: readonly object[];
  /** Further settings of the store. */
  readonly store?: object;
}

/** Opens a shop in Ghana with these tax rates. */
export async function openTaxedShop({
  rates = ghana,
  store = {},
}: TaxedShop = {}): Promise<TestShop> {
  const shop = await openTestShop();
  await tax(shop, { rates, store });
  return shop;
}

/** One shop in Ghana with these tax rates and a scripted gateway, for all tests of the file, or of a `describe`. */
export function sharedTaxedShop(terms: TaxedShop = {}): ScriptedShop {
  const shared = sharedScriptedShop();
  beforeAll(() => tax(shared.shop, terms));
  return shared;
}

/** Sets the shop's taxes. */
async function tax(shop: TestShop, { rates = ghana, store = {} }: TaxedShop = {}): Promise<void> {
  must(await shop.put("/v2/store", { country: "GH", ...store }), 200);
  for (const rate of rates) must(await shop.post("/v2/tax-rates", { country: "GH", ...rate }), 201);
}

/** Creates a product with plenty of stock and returns the id of its variant. */
export async function stocked(shop: TestShop, name: string, terms: object): Promise<string> {
  return (await goods(shop, { name, stock: 1_000, ...terms })).variantId;
}

/** Places an order that is paid in cash at once. */
export async function sell(
  shop: TestShop,
  lines: readonly (readonly [variantId: string, quantity: number])[],
  terms: object = {},
): Promise<Answered> {
  const line_items = lines.map(([variant_id, quantity]) => ({ variant_id, quantity }));
  return must(
    await shop.post("/v2/orders", { line_items, paid: { method: "cash" }, ...terms }),
    201,
  );
}

/** Places an order and confirms transfers of these amounts, whatever is due. */
export async function sellFor(
  shop: TestShop,
  lines: Parameters<typeof sell>[1],
  { amounts, ...terms }: { readonly amounts: readonly string[]; readonly shipping?: object },
): Promise<Answered> {
  const unpaid = { paid: undefined, payment_method: "bank_transfer" };
  const order = await sell(shop, lines, { ...unpaid, ...terms });
  for (const amount of amounts) await pay(shop, order, amount);
  return order;
}

/** Confirms a transfer of this amount, whatever is due. */
export async function pay(shop: TestShop, order: Answered, amount: string): Promise<void> {
  const { id } = await initialize(shop, { order_id: order.id, method: "bank_transfer" });
  must(await shop.post(`/v2/payments/${id}/confirm`, { amount, currency: "USD" }), 200);
}

interface Refunded {
  readonly units?: readonly number[];
  readonly [field: string]: unknown;
}

/** Refunds units of the order's lines, or what the terms say. */
export function refund(shop: TestShop, order: Answered, terms: Refunded = {}): Promise<Answered> {
  return shop.post(`/v2/orders/${order.id}/refunds`, named(order, terms));
}

/** Shipped units of the order's lines come back. */
export function takeBack(shop: TestShop, order: Answered, terms: Refunded): Promise<Answered> {
  return shop.post(`/v2/orders/${order.id}/returns`, named(order, terms));
}

function named(order: Answered, { units = [], ...terms }: Refunded): object {
  const line_items = units.flatMap((quantity, index) =>
    quantity === 0 ? [] : [{ line_item_id: order.string(`/line_items/${index}/id`), quantity }],
  );
  return { ...(line_items.length > 0 && { line_items }), ...terms };
}

/** The answer, which has this status. */
export function must(answered: Answered, status: number): Answered {
  if (answered.status !== status) throw new Error(answered.text);
  return answered;
}

/** The refunds of an order, oldest first. */
export async function refundsOf(shop: TestShop, order: Answered): Promise<RefundBody[]> {
  const listed = await shop.get(`/v2/refunds?order_id=${order.id}&limit=100`);
  return bodiesOf(must(listed, 200), "/data").toReversed();
}

/** The cast holds: the contract checks every answer of a test shop against its schema. */
export function bodiesOf(answered: Answered, pointer: string): RefundBody[] {
  return assume<RefundBody[]>(answered.list(pointer));
}

/** What the tests read of a refund. */
export interface RefundBody {
  readonly amount_minor: number;
  readonly tax_total_minor: number;
  readonly included_tax_total_minor: number;
  readonly shipping_total_minor: number;
  readonly tax_lines: readonly {
    readonly name: string;
    readonly taxable_minor: number;
    readonly amount_minor: number;
  }[];
  readonly line_items: readonly {
    readonly amount_minor: number;
    readonly tax_total_minor: number;
    readonly included_tax_total_minor: number;
    readonly discount_total_minor: number;
  }[];
}

/** The tax of each name, minor units, added up over refunds or of an order. */
export function taxesOf(parts: readonly Pick<RefundBody, "tax_lines">[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { name, amount_minor } of parts.flatMap(({ tax_lines }) => tax_lines)) {
    sums[name] = (sums[name] ?? 0) + amount_minor;
  }
  return sums;
}

/** The taxes of an order; the cast holds as that of `bodiesOf`. */
export function bodyOf(order: Answered): Pick<RefundBody, "tax_lines"> {
  return assume<Pick<RefundBody, "tax_lines">>(order.body);
}

/** The sums without those of zero. */
export function nonZero(sums: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
}

/** An amount as requests have it. */
export function inMajor(minor: number): string {
  return (minor / 100).toFixed(2);
}
