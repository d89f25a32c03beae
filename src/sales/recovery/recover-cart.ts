// The recovery links of a shop: one is issued or resolved, and a customer opens a cart through it. Opening changes
// nothing: the cart counts as recovered once its checkout starts again or it is completed.

import { type Id, isId } from "#kernel/id.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { type CartDifference, differencesOf, type QuotedLine } from "#pricing/quote/price-cart.ts";
import { cartAt, openCartAt } from "#sales/carts/lookups.ts";
import type { CartPricing } from "#sales/carts/price-cart.ts";
import { cartRows } from "#sales/carts/queries.ts";
import { recoveryUrl } from "#sales/links/link-addresses.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import {
  linkExpired,
  linkInvalid,
  linkValidMs,
  readToken,
  signToken,
} from "#sales/links/link-token.ts";
import { cartCompleted, type PricedCart, requireOpen } from "#sales/rows/cart.ts";
import { getStore } from "#shop/store/lookups.ts";

const purpose = "recovery link";

/**
 * Returns a link that is valid for a month: to the merchant's own page if the shop's
 * settings name one, else to the page of this server.
 */
export async function issueRecoveryUrl(tx: Tx, subject: Id<"cart"> | Id<"order">): Promise<string> {
  const { secret, publicUrl } = await getLinkTerms(tx);
  const { recoveryUrlTemplate } = await getStore(tx);
  const token = signToken({ purpose, subject, until: tx.now + linkValidMs[purpose] }, secret);
  return recoveryUrl(recoveryUrlTemplate, publicUrl, token);
}

/**
 * Returns the cart or order of a link. Refuses with `recovery_link_invalid` unless this shop signed
 * it, and with `recovery_link_expired`.
 */
export async function getLinkSubject(
  db: Reader,
  { token, now }: { readonly token: string; readonly now: number },
): Promise<Id<"cart"> | Id<"order">> {
  const { secret } = await getLinkTerms(db);
  const { subject } = readToken(token, { purposes: [purpose], secret, now });
  if (isId("cart", subject) || isId("order", subject)) return subject;
  throw linkInvalid();
}

export interface RecoveredCart extends PricedCart {
  readonly differences: readonly CartDifference[];
}

/**
 * Returns the cart at current prices and its differences from the lines at the last change. Refuses
 * with `recovery_link_invalid`, `recovery_link_expired` (also if the cart was deleted),
 * `cart_expired`, and with `cart_completed` and the order's id for a completed cart and for the
 * link of an unpaid order.
 */
export async function recoverCart(tx: Tx, token: string): Promise<RecoveredCart> {
  const subject = await getLinkSubject(tx, { token, now: tx.now });
  if (isId("order", subject)) throw cartCompleted({ members: { order_id: subject } });
  const cart = await cartRows.find(tx, subject);
  if (cart === undefined) throw linkExpired();
  requireOpen(cart);
  const priced = await cartAt(tx, cart, tx.now);
  return { ...priced, differences: differencesOf(cart.remembered, priced.lines) };
}

/**
 * Returns the lines that can be ordered now, with as many units as there are; lines that can no longer
 * be sold are left out. Lines of one variant share its stock in their order.
 */
export function orderableLines(lines: readonly QuotedLine[]): QuotedLine[] {
  const left = new Map<string, number>();
  return lines.flatMap((line) => {
    if (line.problem !== null && line.problem !== "insufficient_stock") return [];
    const { variantId, available, unitPriceMinor } = line;
    if (line.problem === null || available === null || unitPriceMinor === null) return [line];
    const units = left.get(variantId) ?? available;
    const quantity = Math.min(line.quantity, Math.max(0, units));
    left.set(variantId, units - quantity);
    return quantity === 0 ? [] : [{ ...line, quantity, totalMinor: unitPriceMinor * quantity }];
  });
}

/** Returns an open cart as it would be ordered: with what can be sold of its lines. */
export function priceOrderable(
  db: Reader,
  { cart, lines }: Pick<PricedCart, "cart" | "lines">,
  pricing: CartPricing,
): Promise<PricedCart> {
  return openCartAt(db, { ...cart, lines: orderableLines(lines) }, pricing);
}
