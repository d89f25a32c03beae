// The addresses of links: of an order, which its customer follows and pays without an account, of a payment, of a cart
// that was left, and of the end of marketing. An order has the same link for its whole life, so that an answer with the
// link keeps its ETag.

import { type Id, isId } from "#kernel/id.ts";
import { SealBroken, type Vault } from "#platform/vault/vault.ts";
import type { Cart } from "#sales/rows/cart.ts";
import type { WholeOrder } from "#sales/rows/order.ts";

import { linkInvalid, type LinkTerms, linkValidMs, readToken, signToken } from "./link-token.ts";

const WITH_CONTACT = "order link";
const WITHOUT_CONTACT = "order link without contact";

export interface OrderLink {
  readonly orderId: Id<"order">;
  /** True if its page shows the contact of the customer. */
  readonly showsContact: boolean;
}

/** The link of an order as its bearer has it. */
export interface BearerLink {
  readonly statusUrl: string;
  /** The token of it, by which programs read the order. */
  readonly orderToken: string;
}

/**
 * Returns the address of the order's page: the merchant's own page, if the store names one, else that of this server. A
 * link without contact is for a caller that may not read the contact of the customer whom it named by an email or a phone.
 */
export function orderLinkOf(
  { secret, publicUrl, orderUrlTemplate }: LinkTerms,
  { id: subject, createdAt }: { readonly id: Id<"order">; readonly createdAt: number },
  { showsContact }: Pick<OrderLink, "showsContact"> = { showsContact: true },
): BearerLink {
  const purpose = showsContact ? WITH_CONTACT : WITHOUT_CONTACT;
  const until = createdAt + linkValidMs[purpose];
  const orderToken = signToken({ purpose, subject, until }, secret);
  const own = orderUrlTemplate === null ? null : filledIn(orderUrlTemplate, orderToken);
  return { statusUrl: own ?? `${publicUrl}/o/${orderToken}`, orderToken };
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
  readonly link: BearerLink;
}

// The link with which anybody who has a cart buys what is in it.

/** The path of a checkout link, before its token. */
const CHECKOUT_PATH = "/checkout";

const CHECKOUT = "checkout link";

/**
 * Returns the address of the page that sells the cart, the same until the cart changes; null once it was completed or has
 * expired.
 */
export function checkoutUrlOf(
  { secret, publicUrl }: LinkTerms,
  { id: subject, status, updatedAt }: Pick<Cart, "id" | "status" | "updatedAt">,
): string | null {
  if (status === "completed" || status === "expired") return null;
  const until = updatedAt + linkValidMs[CHECKOUT];
  return `${publicUrl}${CHECKOUT_PATH}/${signToken({ purpose: CHECKOUT, subject, until }, secret)}`;
}

/**
 * Returns the cart of the link. Refuses with `recovery_link_invalid` unless it was signed with the secret, and with
 * `recovery_link_expired`.
 */
export function readCheckoutLink(
  token: string,
  { secret, now }: { readonly secret: string; readonly now: number },
): Id<"cart"> {
  const { subject } = readToken(token, { purposes: [CHECKOUT], secret, now });
  if (!isId("cart", subject)) throw linkInvalid();
  return subject;
}

// The link to which a gateway returns the customer of a payment, from whatever page of its own. Every call about an
// attempt names the same one.

/** The path of a return link, before its token. */
export const RETURN_PATH = "/pay/return";

const RETURN = "return link";

/** Returns the address to which the customer of the payment comes back. */
export function returnUrlOf(
  { secret, publicUrl }: LinkTerms,
  { id: subject, createdAt }: { readonly id: Id<"payment">; readonly createdAt: number },
): string {
  const until = createdAt + linkValidMs[RETURN];
  return `${publicUrl}${RETURN_PATH}/${signToken({ purpose: RETURN, subject, until }, secret)}`;
}

/**
 * Returns the payment of the link. Refuses with `recovery_link_invalid` unless it was signed with the secret, and
 * with `recovery_link_expired`.
 */
export function readReturnLink(
  token: string,
  { secret, now }: { readonly secret: string; readonly now: number },
): Id<"payment"> {
  const { subject } = readToken(token, { purposes: [RETURN], secret, now });
  if (!isId("payment", subject)) throw linkInvalid();
  return subject;
}

// The link with which the owner of an email ends marketing to it. It has the address itself, sealed, so that it works
// as long as the secret of contacts exists: without its cart, without a customer, and after other links were renewed.

/** The path of the link, before its token. */
export const UNSUBSCRIBE_PATH = "/u";

/** The place for which the address is sealed. */
const UNSUBSCRIBE_PLACE = "unsubscribe link";

/** Returns the address of the page that ends marketing to the email; another one each time. */
export function unsubscribeUrlOf(
  { publicUrl }: Pick<LinkTerms, "publicUrl">,
  contacts: Vault,
  email: string,
): string {
  return `${publicUrl}${UNSUBSCRIBE_PATH}/${contacts.seal(email, UNSUBSCRIBE_PLACE)}`;
}

/** Returns the email of the link. Refuses with `recovery_link_invalid` what was not sealed in this shop. */
export function readUnsubscribeLink(token: string, contacts: Vault | undefined): string {
  if (contacts === undefined) throw linkInvalid();
  try {
    return contacts.unseal(token, UNSUBSCRIBE_PLACE);
  } catch (error) {
    if (error instanceof SealBroken) throw linkInvalid();
    throw error;
  }
}

/**
 * Returns the address of a recovery link. A merchant's template gets the token in place of
 * `{token}`, or else as `token=` in its query; without a template the address is a page of this
 * server.
 */
export function recoveryUrl(template: string | null, publicUrl: string, token: string): string {
  return template === null ? `${publicUrl}/recover/${token}` : filledIn(template, token);
}

function filledIn(template: string, token: string): string {
  if (template.includes("{token}")) return template.replaceAll("{token}", token);
  const url = new URL(template);
  url.searchParams.append("token", token);
  return url.href;
}
