// Story: the merchant changes an order: its customer, addresses, notes and metadata at any time, lines and
// shipping while nothing is paid or shipped.

import { lockLevel } from "#catalog/inventory/lookups.ts";
import { releaseStock, reserveStock } from "#catalog/inventory/reserve-stock.ts";
import { markSold } from "#catalog/products/save-product.ts";
import { customerErased, foldEmail } from "#customers/customer.ts";
import { findCustomer } from "#customers/lookups.ts";
import {
  type Change,
  defined,
  differing,
  type ExpectedVersion,
  requireVersion,
} from "#kernel/change.ts";
import { type Id, newId } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import type { AgreedSale } from "#pricing/quote/agreed-sale.ts";
import { orderUpdated } from "#sales/orders/events.ts";
import { lockWholeOrder } from "#sales/orders/lookups.ts";
import { saveOrder } from "#sales/orders/save-order.ts";
import type { CustomerSnapshot } from "#sales/rows/order-life.ts";
import {
  forbidden,
  type Order,
  type OrderLine,
  unitsByVariant,
  type WholeOrder,
  whyLinesStay,
} from "#sales/rows/order.ts";
import { replaceLines } from "#sales/rows/queries.ts";
import { creditedUnits } from "#sales/rows/sale.ts";

import type { OrderChange, OrderFields } from "./order-change.ts";
import { readRepricing, repriceOrder, type Repricing } from "./reprice-order.ts";
import { settleOrder } from "./settle-order.ts";

/**
 * Replaces the given fields and emits `order.updated` with the names of those that differ; without
 * a difference nothing is written. Lines of variants keep their agreed price, new ones get the current one; an
 * order whose total becomes zero is paid. Refuses with `order_not_found`, `invalid_transition`,
 * `stale_version`, `customer_erased`, `shipping_unavailable`, and with the refusals of `placeOrder` for lines.
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
  const told: Change<ToldFields> = { customer, ...given };
  const fields: Change<OrderFields> = {
    ...told,
    contactEmail: contact?.email === undefined ? undefined : customer?.email,
    contactPhone: contact?.phone === undefined ? undefined : customer?.phone,
  };
  const repricing = await readRepricing(tx, before, change);
  const changed = [...changedFields(before.order, defined(told)), ...repricing.changed];
  if (changed.length === 0) return before;
  if (repricing.changed.length === 0) {
    const order = await saveOrder(tx, before.order, defined(fields));
    await tx.emit(orderUpdated(order, { changed }));
    return { ...before, order };
  }
  const isCredited = before.lines.some((line) => creditedUnits(line) > 0);
  const reason = whyLinesStay(before.order, isCredited);
  if (reason !== null) throw forbidden(before.order, "change_lines", reason);
  const sale = await repriceOrder(tx, before, repricing);
  const lines = await changeLines(tx, before, { sale, ...repricing });
  const order = await settleOrder(tx, before.order, {
    change: {
      ...defined(fields),
      ...sale.totals,
      breakdown: sale.breakdown,
      shippingLabel: sale.shippingLabel,
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

/** The fields that events tell; the contact is part of the customer. */
type ToldFields = Omit<OrderFields, "contactEmail" | "contactPhone">;

const wireNames: Readonly<Record<keyof ToldFields, string>> = {
  customer: "customer",
  shippingAddress: "shipping_address",
  billingAddress: "billing_address",
  notes: "notes",
  metadata: "metadata",
};

/** The names on the wire of the given fields that differ from the order's. */
function changedFields(order: ToldFields, given: Partial<ToldFields>): string[] {
  return differing(order, given).map((field) => wireNames[field]);
}

/** Replaces the lines and adjusts the reserved stock by the difference. Those that stay keep their ids. */
async function changeLines(
  tx: Tx,
  before: WholeOrder,
  {
    sale,
    kept,
    notYetSold,
  }: Pick<Repricing, "kept" | "notYetSold"> & { readonly sale: AgreedSale },
): Promise<readonly OrderLine[]> {
  const lines = sale.lines.map((line): OrderLine => ({
    ...line,
    orderId: before.order.id,
    isStrangers: before.order.isStrangers,
    id: kept.get(line.position)?.id ?? newId("lineItem", tx.now),
    cancelledQuantity: 0,
    fulfilledQuantity: 0,
    returnedQuantity: 0,
  }));
  await moveDifference(tx, before, lines);
  await markSold(tx, notYetSold);
  await replaceLines(tx, before.order.id, lines);
  return lines;
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
