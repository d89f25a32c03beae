// Story: the merchant changes an order: its customer, addresses, notes and metadata at any time, lines and
// shipping while nothing is paid or shipped.

import { lockLevel } from "#catalog/inventory/lookups.ts";
import { releaseStock } from "#catalog/inventory/release-stock.ts";
import { reserveStock } from "#catalog/inventory/reserve-stock.ts";
import { findSellableVariants } from "#catalog/products/lookups.ts";
import { markSold } from "#catalog/variants/mark-sold.ts";
import { saleRefusals } from "#catalog/variants/sale.ts";
import { customerErased, foldEmail } from "#customers/customer.ts";
import { findCustomer } from "#customers/lookups.ts";
import type { Address } from "#kernel/address.ts";
import { type Change, defined } from "#kernel/change.ts";
import { type Id, newId } from "#kernel/id.ts";
import type { Metadata } from "#kernel/metadata.ts";
import { Faults } from "#kernel/refusal.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/version.ts";
import type { Tx } from "#platform/database/database.ts";
import {
  type LineRequest,
  type OwnLineRequest,
  type PricedLine,
  priceLines,
  totalsOf,
  type VariantOnOffer,
  variantsOf,
} from "#pricing/quote/price-order.ts";
import {
  readShipping,
  type Shipping,
  type ShippingRequest,
} from "#pricing/shipping/shipping-charge.ts";
import { settleOrder } from "#sales/balance/settle-order.ts";

import { orderUpdated } from "./events.ts";
import { lockWholeOrder } from "./lookups.ts";
import type { CustomerSnapshot } from "./order-life.ts";
import {
  forbidden,
  mayChangeLines,
  type Order,
  type OrderLine,
  unitsByVariant,
  type WholeOrder,
} from "./order.ts";
import { replaceLines } from "./queries.ts";
import { saveOrder } from "./save-order.ts";

interface OrderFields {
  readonly customer: CustomerSnapshot | null;
  readonly shippingAddress: Address | null;
  readonly billingAddress: Address | null;
  readonly notes: string | null;
  readonly metadata: Metadata;
}

export interface OrderChange extends Change<Omit<OrderFields, "customer">> {
  /** Members of the order's customer; null empties one. */
  readonly contact?: Change<Omit<CustomerSnapshot, "id">> | undefined;
  readonly lines?: readonly (LineRequest | OwnLineRequest)[] | undefined;
  readonly shipping?: ShippingRequest | null | undefined;
}

/**
 * Replaces the given fields and emits `order.updated` with the names of those that differ; without
 * a difference nothing is written. Lines of variants keep their agreed price, new ones get the current one; an
 * order whose total becomes zero is paid. Refuses with `order_not_found`, `invalid_transition`,
 * `stale_version`, `customer_erased`, and with the refusals of `placeOrder` for lines.
 */
export async function updateOrder(
  tx: Tx,
  id: Id<"order">,
  { change, expected }: { readonly change: OrderChange; readonly expected: ExpectedVersion },
): Promise<WholeOrder> {
  const before = await lockWholeOrder(tx, id);
  requireVersion(before.order.version, expected);
  const { lines: _lines, shipping: _shipping, contact, ...given } = change;
  const customer = await customerAfter(tx, before.order, contact);
  const fields: Change<OrderFields> = { ...given, customer };
  const repricing = await readRepricing(tx, before, change);
  const changed = [...changedFields(before.order, defined(fields)), ...repricing.changed];
  if (changed.length === 0) return before;
  if (repricing.changed.length === 0) {
    const order = await saveOrder(tx, before.order, defined(fields));
    await tx.emit(orderUpdated(order, { changed }));
    return { ...before, order };
  }
  if (!mayChangeLines(before.order)) throw forbidden(before.order, "change_lines");
  const lines = await changeLines(tx, before, repricing);
  const { shipping } = repricing;
  const order = await settleOrder(tx, before.order, {
    change: {
      ...defined(fields),
      ...totalsOf(lines, shipping.amountMinor),
      shippingLabel: shipping.label,
    },
    lines,
    announce: (updated) => [orderUpdated(updated, { changed })],
  });
  return { ...before, order, lines };
}

/** The order's customer after the change; undefined if it names no member. */
async function customerAfter(
  tx: Tx,
  { customer }: Order,
  contact: OrderChange["contact"],
): Promise<CustomerSnapshot | undefined> {
  const given = defined(contact ?? {});
  if (Object.keys(given).length === 0) return undefined;
  const faults = new Faults();
  if (customer === null) {
    faults.add("/customer", "unknown_customer", "The order has no customer.");
    faults.refuseIfAny();
    return undefined;
  }
  if ((await findCustomer(tx, customer.id))?.erasedAt !== null) throw customerErased();
  const after = { ...customer, ...given };
  if (after.email === null && after.phone === null) {
    faults.add("/customer/email", "required", "A customer needs an email or a phone.");
  }
  faults.refuseIfAny();
  return { ...after, email: after.email === null ? null : foldEmail(after.email) };
}

const wireNames = {
  customer: "customer",
  shippingAddress: "shipping_address",
  billingAddress: "billing_address",
  notes: "notes",
  metadata: "metadata",
} as const;

function changedFields(order: Order, fields: Partial<OrderFields>): string[] {
  const names: string[] = [];
  for (const name of [
    "customer",
    "shippingAddress",
    "billingAddress",
    "notes",
    "metadata",
  ] as const) {
    const isGiven = fields[name] !== undefined;
    if (isGiven && !Bun.deepEquals(fields[name], order[name])) names.push(wireNames[name]);
  }
  return names;
}

/** The lines and the shipping after a change. */
interface Repricing {
  readonly changed: readonly string[];
  /** The new lines, or null if they stay. */
  readonly priced: readonly PricedLine[] | null;
  readonly notYetSold: readonly Id<"variant">[];
  readonly shipping: Shipping;
}

async function readRepricing(
  tx: Tx,
  before: WholeOrder,
  { lines, shipping: given }: OrderChange,
): Promise<Repricing> {
  const { currency, shippingLabel: label, shippingMinor: amountMinor } = before.order;
  const faults = new Faults();
  const agreedShipping = { label, amountMinor };
  const shipping = given === undefined ? agreedShipping : readShipping(given, currency, faults);
  const ids = variantsOf(lines ?? []);
  const current = await findSellableVariants(tx, ids);
  const asked = priceLines(lines ?? [], offersFor(before, current), { currency, faults });
  faults.refuseIfAny(saleRefusals);
  const priced = lines === undefined || isSame(asked, before.lines) ? null : asked;
  return {
    changed: [
      ...(priced === null ? [] : ["line_items"]),
      ...(Bun.deepEquals(shipping, agreedShipping) ? [] : ["shipping"]),
    ],
    priced,
    notYetSold: [...new Set(ids)].filter((id) => current.get(id)?.wasSold === false),
    shipping,
  };
}

function isSame(asked: readonly PricedLine[], lines: readonly OrderLine[]): boolean {
  return (
    asked.length === lines.length &&
    asked.every((line, index) => {
      const before = lines[index];
      return before !== undefined && isSameLine(line, before);
    })
  );
}

/** A line of the merchant's own also differs by what it says; a variant keeps the name and price agreed. */
function isSameLine(asked: PricedLine, line: OrderLine): boolean {
  if (!isSameItem(asked, line) || asked.quantity !== line.quantity) return false;
  const isOwn = asked.variantId === null;
  return !isOwn || (asked.sku === line.sku && asked.unitPriceMinor === line.unitPriceMinor);
}

function isSameItem(asked: PricedLine, line: OrderLine): boolean {
  return (
    asked.variantId === line.variantId && (asked.variantId !== null || asked.name === line.name)
  );
}

/**
 * Replaces the lines and adjusts the reserved stock by the difference. A kept variant, and a line of the
 * merchant's own with the same name, keeps its line id.
 */
async function changeLines(
  tx: Tx,
  before: WholeOrder,
  { priced, notYetSold }: Repricing,
): Promise<readonly OrderLine[]> {
  if (priced === null) return before.lines;
  const spare = [...before.lines];
  const lines = priced.map((line): OrderLine => {
    const index = spare.findIndex((one) => isSameItem(line, one));
    const [kept] = index === -1 ? [] : spare.splice(index, 1);
    const id = kept?.id ?? newId("lineItem", tx.now);
    return {
      ...line,
      orderId: before.order.id,
      id,
      cancelledQuantity: 0,
      fulfilledQuantity: 0,
      returnedQuantity: 0,
    };
  });
  await moveDifference(tx, before, lines);
  await markSold(tx, notYetSold);
  await replaceLines(tx, before.order.id, lines);
  return lines;
}

/** The current offers, with every variant of the order for sale at its agreed price. */
function offersFor(
  { order, lines }: WholeOrder,
  current: ReadonlyMap<Id<"variant">, VariantOnOffer>,
): Map<Id<"variant">, VariantOnOffer> {
  const offers = new Map<Id<"variant">, VariantOnOffer>(current);
  for (const line of lines) {
    const { variantId, productId } = line;
    if (variantId === null || productId === null) continue;
    offers.set(variantId, {
      ...line,
      variantId,
      productId,
      isForSale: true,
      prices: [
        { currency: order.currency, amountMinor: line.unitPriceMinor, compareAtMinor: null },
      ],
    });
  }
  return offers;
}

async function moveDifference(
  tx: Tx,
  before: WholeOrder,
  lines: readonly OrderLine[],
): Promise<void> {
  const units = new Map(unitsByVariant(lines).map((one) => [one.variantId, one.quantity]));
  for (const { variantId, quantity } of unitsByVariant(before.lines)) {
    units.set(variantId, (units.get(variantId) ?? 0) - quantity);
  }
  const demands = [...units]
    .map(([variantId, quantity]) => ({ variantId, quantity }))
    .filter(({ quantity }) => quantity !== 0);
  await lockStock(
    tx,
    demands.map(({ variantId }) => variantId),
  );
  await releaseStock(
    tx,
    before.order.id,
    demands
      .filter(({ quantity }) => quantity < 0)
      .map((one) => ({ ...one, quantity: -one.quantity })),
  );
  await reserveStock(
    tx,
    before.order.id,
    demands.filter(({ quantity }) => quantity > 0),
  );
}

/**
 * Locks in the order of variants, as every story does: releasing before reserving would break it.
 */
async function lockStock(tx: Tx, variantIds: readonly Id<"variant">[]): Promise<void> {
  for (const id of variantIds.toSorted()) await lockLevel(tx, id);
}
