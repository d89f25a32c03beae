// The link of one order, with which its customer follows and pays it without an account. An order has the same
// link for its whole life, so that an answer with the link keeps its ETag.

import { type Id, isId } from "#kernel/id.ts";
import type { WholeOrder } from "#sales/orders/order.ts";

import { linkInvalid, type LinkTerms, linkValidMs, readToken, signToken } from "./link-token.ts";

const WITH_CONTACT = "order link";
const WITHOUT_CONTACT = "order link without contact";

export interface OrderLink {
  readonly orderId: Id<"order">;
  /** True if its page shows the contact of the customer. */
  readonly showsContact: boolean;
}

/**
 * Returns the address of the order's page. A link without contact is for a caller that may not read the
 * contact of the customer whom it named by an email or a phone.
 */
export function statusUrlOf(
  { secret, publicUrl }: LinkTerms,
  { id: subject, createdAt }: { readonly id: Id<"order">; readonly createdAt: number },
  { showsContact }: Pick<OrderLink, "showsContact"> = { showsContact: true },
): string {
  const purpose = showsContact ? WITH_CONTACT : WITHOUT_CONTACT;
  const until = createdAt + linkValidMs[purpose];
  return `${publicUrl}/o/${signToken({ purpose, subject, until }, secret)}`;
}

/**
 * Returns what the link opens. Refuses with `recovery_link_invalid` unless it was signed with the secret, and
 * with `recovery_link_expired`.
 */
export function readOrderLink(
  token: string,
  { secret, now }: { readonly secret: string; readonly now: number },
): OrderLink {
  const purposes = [WITH_CONTACT, WITHOUT_CONTACT] as const;
  const { purpose, subject } = readToken(token, { purposes, secret, now });
  if (!isId("order", subject)) throw linkInvalid();
  return { orderId: subject, showsContact: purpose === WITH_CONTACT };
}

/** A new order with the link to its page, and what others are made with. */
export interface PlacedOrder extends WholeOrder {
  readonly linkTerms: LinkTerms;
  readonly statusUrl: string;
}
