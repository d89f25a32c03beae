// Bounds the orders of publishable keys, which strangers hold: the stock that they reserve without
// paying is limited by order, by contact, by address and, of those who prove no contact, together.

import type { ReservedLevel } from "#catalog/inventory/reserve-stock.ts";
import type { Id } from "#kernel/id.ts";
import {
  defineMembers,
  defineRefusal,
  member,
  type Members,
  publicMember,
} from "#kernel/refusal.ts";
import { MINUTE_MS } from "#kernel/time.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { countOpenPublicOrders, unitsHeldByStrangers } from "#sales/rows/queries.ts";
import {
  type LimitSettings,
  type PublicLimits,
  publicLimitsOf,
} from "#shop/store/public-limits.ts";

import type { Visit } from "./order-request.ts";

export const tooManyOpenOrders = defineRefusal("too_many_open_orders", "conflict", {
  title: "The contact has too many open unpaid orders.",
  cause:
    "Publishable keys placed as many orders for this email or phone as the store's `limits.open_orders_per_contact` allows, and none of them is paid or closed yet. Orders that were placed signed in, by a customer with a verified contact, are counted apart from the others.",
  remedy:
    "Pay or cancel one of them first, sign the customer in and send `Customer-Token`, or place the order with a secret key.",
  abuse: "orders",
});
export const contactProofRequired = defineRefusal("contact_proof_required", "conflict", {
  title: "To order this, the customer has to sign in.",
  cause:
    "Unpaid orders of customers who are not signed in hold as much of the variants in `variant_ids` as the store's `limits.strangers_percent` allows them together.",
  remedy:
    "Sign the customer in with a code to a contact of one of the `kinds`, send `Customer-Token`, and place the order again, with another `Idempotency-Key`.",
  example: {
    members: { variant_ids: ["var_01jd2k8m3n4p5q6r7s8t9v0w1x"], kinds: ["email"] },
  },
  abuse: "shelf",
});
export const tooManyOrders = defineRefusal("too_many_orders", "limited", {
  title: "Too many orders in the last 10 minutes.",
  cause:
    "Publishable keys placed 20 orders from the client's address, or 320 from its network, in the last 10 minutes.",
  remedy:
    "Wait for the number of seconds in `Retry-After`, or sign the customer in with a code and send `Customer-Token`: a customer who is signed in has a limit of their own. Name servers that render a storefront in `DUKA_STOREFRONT_SERVERS`.",
  example: { headers: { "Retry-After": "75" } },
});

const placing = {
  name: "orders",
  perMs: 10 * MINUTE_MS,
  countsCustomers: true,
  abuse: "orders",
  refusal: tooManyOrders,
} as const;

/**
 * Only placing is limited by address and network, never what is open: carriers share them among customers. A customer who
 * is signed in has a limit of their own.
 */
export const placingBudgets = [
  { ...placing, unit: "narrow", limit: 20 },
  { ...placing, unit: "wide", limit: 320 },
] as const;

/**
 * Refuses with `too_many_open_orders`. Orders of strangers are counted apart, so that they fill no owner's. The caller has
 * locked the customer in a transaction of its own, so that of two orders at once one counts the other.
 */
export async function limitOpenOrders(
  db: Reader,
  settings: LimitSettings,
  {
    customer,
    isStrangers,
  }: { readonly customer: { readonly id: Id<"customer"> } | null; readonly isStrangers: boolean },
): Promise<void> {
  if (customer === null) return;
  const { openOrdersPerContact } = publicLimitsOf(settings);
  const open = await countOpenPublicOrders(db, { customerId: customer.id, isStrangers });
  if (open >= openOrdersPerContact) throw tooManyOpenOrders();
}

interface Reservation extends Pick<Visit, "findCodeKinds" | "markUnproved"> {
  /** The levels that the order of a stranger has just reserved units of: they are locked. */
  readonly levels: readonly ReservedLevel[];
}

/**
 * Refuses with `contact_proof_required` if orders of strangers would hold more of a variant than they may. A shop that can
 * send no code takes the order and counts it: there would be no way on.
 */
export async function limitStrangers(
  tx: Tx,
  settings: LimitSettings,
  { levels, findCodeKinds, markUnproved }: Reservation,
): Promise<void> {
  const limits = publicLimitsOf(settings);
  // All that strangers hold is reserved, and the bound grows slower than it: while few units are reserved, nothing is summed.
  const doubtful = levels.filter(
    (level) => isBounded(level) && exceeds(limits, level, level.reserved - level.quantity),
  );
  if (doubtful.length === 0) return;
  const held = await unitsHeldByStrangers(
    tx,
    doubtful.map(({ variantId }) => variantId),
  );
  const full = doubtful.filter((level) => exceeds(limits, level, held.get(level.variantId) ?? 0));
  if (full.length === 0) return;
  const kinds = await findCodeKinds(tx);
  if (kinds.length === 0) return markUnproved();
  throw contactProofRequired({
    members: { variant_ids: full.map(({ variantId }) => variantId), kinds },
  });
}

/** Stock that is not counted, or may go below zero, is not taken from others. */
function isBounded({ tracked, backorder }: ReservedLevel): boolean {
  return tracked && backorder === "deny";
}

/** Returns true if strangers, who held so many units before the order, hold more than they may with it. */
function exceeds(
  { unitsPerVariant, strangersPercent }: PublicLimits,
  { onHand, reserved, quantity }: ReservedLevel,
  held: number,
): boolean {
  const available = onHand - reserved + quantity;
  const share = Math.floor(((available + held) * strangersPercent) / 100);
  return held + quantity > Math.max(unitsPerVariant, share);
}

const strangersMembers = defineMembers({
  variant_ids: publicMember(member.texts("The variants of which strangers hold their share.")),
  kinds: publicMember(member.texts("The contacts to which the shop can send codes: email, phone.")),
});
declare module "#kernel/refusal.ts" {
  interface ProblemMembers extends Members<typeof strangersMembers> {}
}
