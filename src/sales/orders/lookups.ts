// Reads of orders, for routes, stories and other nouns.

import type { Contact, Customer } from "#customers/customer.ts";
import { findCustomer, findCustomerByContact } from "#customers/lookups.ts";
import { addOtherCustomer } from "#customers/sessions/session.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Faults } from "#kernel/refusal.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { eventsAfter, type LoggedEvent } from "#platform/event-log/event-log.ts";
import { findOrdersOfContact, findOrdersOfCustomer } from "#sales/history/queries.ts";
import type { WholeOrder } from "#sales/rows/order.ts";
import {
  findWholeOrders,
  getWholeOrder,
  orderRows,
  ordersOfIds,
  rememberedOrder,
  wholeOrder,
} from "#sales/rows/queries.ts";
import type { ReturnRow } from "#sales/rows/tables.ts";
import { nameActors, type WithNamedActor } from "#shop/keys/lookups.ts";

import { returnsOfCustomer } from "./return-queries.ts";

/** Returns the order. Refuses with `order_not_found`. */
export const getOrder = rememberedOrder;

/** The same from its rows, and never from memory. */
export const getUncachedOrder = getWholeOrder;

/** Returns a page of the orders that were placed with the email or the phone, newest first. */
export async function listOrdersOfContact(
  db: Reader,
  contact: Contact,
  page: PageRequest,
): Promise<Page<WholeOrder>> {
  const { rows, hasMore } = toPage(await findOrdersOfContact(db, contact, page), page.limit);
  return { rows: await findWholeOrders(db, rows), hasMore };
}

/** The order with this id, if there is one. */
export const findOrder = orderRows.find;

/** The orders with these ids, oldest first. */
export const findOrdersOfIds = ordersOfIds;

/** Locks the order until the transaction ends. Refuses with `order_not_found`. */
export const lockOrder = orderRows.lock;

/** Locks the order, then reads its lines and fulfillments. Refuses with `order_not_found`. */
export async function lockWholeOrder(tx: Tx, id: Id<"order">): Promise<WholeOrder> {
  return wholeOrder(tx, await orderRows.lock(tx, id));
}

/** Open orders that a refusal names. */
const OPEN_ORDERS_MAX = 100;

/** Returns the ids of the customer's open orders, newest first, at most 100. */
export async function findOpenOrderIds(db: Reader, customerId: Id<"customer">): Promise<string[]> {
  return findOrdersOfCustomer(db, { customerId, status: ["open"], rows: OPEN_ORDERS_MAX });
}

export interface OrderCustomerRequest {
  readonly customerId?: Id<"customer"> | undefined;
  /** Whose session it comes with: `customer` is then the contact of the order alone. */
  readonly signedInId?: Id<"customer"> | undefined;
  readonly customer?:
    | {
        readonly email: string | null;
        readonly phone: string | null;
        readonly name: string | null;
      }
    | undefined;
}

/**
 * Returns the customer of the session or with this id, else the one with this email, else the one with this phone;
 * null without a customer in the request and for a contact that no customer has. Adds a fault for an unknown id, for
 * one that is not the session's, for a customer given twice and for one without email and phone.
 */
export async function findOrderCustomer(
  db: Reader,
  { customerId, signedInId, customer }: OrderCustomerRequest,
  faults: Faults,
): Promise<Customer | null> {
  if (customerId !== undefined && customer !== undefined) {
    faults.add("/customer", "conflicting_fields", "Give either customer_id or customer.");
    return null;
  }
  if (signedInId !== undefined) {
    addOtherCustomer(signedInId, customerId, faults);
    return findActive(db, signedInId, faults);
  }
  if (customer !== undefined) {
    if (customer.email === null && customer.phone === null) {
      faults.add("/customer/email", "required", "A customer needs an email or a phone.");
      return null;
    }
    return (await findCustomerByContact(db, customer)) ?? null;
  }
  return customerId === undefined ? null : findActive(db, customerId, faults);
}

async function findActive(
  db: Reader,
  id: Id<"customer">,
  faults: Faults,
): Promise<Customer | null> {
  const known = await findCustomer(db, id);
  if (known !== undefined && known.erasedAt === null) return known;
  faults.add("/customer_id", "unknown_customer", "There is no such customer.");
  return null;
}

export interface TimelineRequest {
  readonly after: number;
  readonly limit: number;
}

export interface Timeline {
  readonly events: readonly WithNamedActor<LoggedEvent>[];
  readonly hasMore: boolean;
  /** The sequence to continue after. */
  readonly nextAfter: number;
}

/** Returns a page of the order's events. Refuses with `order_not_found`. */
export async function readTimeline(
  db: Reader,
  id: Id<"order">,
  { after, limit }: TimelineRequest,
): Promise<Timeline> {
  await getOrder(db, id);
  const found = await eventsAfter(db, { after, limit: limit + 1, subject: id });
  const events = found.slice(0, limit);
  return {
    events: await nameActors(db, events),
    hasMore: found.length > limit,
    nextAfter: events.at(-1)?.sequence ?? after,
  };
}

/** A return with the currency of its order. */
export interface ReturnView extends ReturnRow {
  readonly currency: CurrencyCode;
}

/** Returns what came back of a customer's orders, newest first. */
export function findReturnsOf(db: Reader, customerId: Id<"customer">): Promise<ReturnView[]> {
  return returnsOfCustomer(db, { customerId });
}
