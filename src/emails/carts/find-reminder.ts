// Lookup: what a customer may be told of a cart that was left, as everything is now, or why nothing.

import { hasConsent } from "#customers/consent/lookups.ts";
import { trustedEmail } from "#customers/customer.ts";
import { findCustomer } from "#customers/lookups.ts";
import type { CartSkipReason } from "#emails/email.ts";
import type { Id } from "#kernel/id.ts";
import { getRecovery } from "#pay-page/get-recovery.ts";
import { billOf, type RecoveryBill } from "#pay-page/recovery-bill.ts";
import type { Reader } from "#platform/database/database.ts";
import type { Cart } from "#sales/carts/cart.ts";
import { findCart } from "#sales/carts/lookups.ts";
import { getStore } from "#shop/store/get-store.ts";
import type { Store } from "#shop/store/store.ts";

/** A reminder of a cart, ready to be written. */
export interface Reminder {
  readonly address: string;
  readonly name: string | null;
  readonly store: Store;
  /** What comes of the cart now, as the page of its recovery link says. */
  readonly bill: RecoveryBill;
  readonly recoveryUrl: string;
}

/** Returns the reminder of a cart, or why its customer is not reminded. */
export async function findReminder(
  db: Reader,
  id: Id<"cart">,
  now: number,
): Promise<Reminder | CartSkipReason | "nothing_to_say"> {
  const cart = await findCart(db, id);
  if (cart === undefined) return "cart_gone";
  const { status, recoveryUrl } = cart;
  if (status === "completed") return "cart_completed";
  if (status === "expired") return "cart_expired";
  if (status !== "abandoned") return "cart_taken_up";
  const { email: address, name } = await contactOf(db, cart);
  // An erasure takes the link with the contact.
  if (address === null || recoveryUrl === null) return "no_recipient";
  if (!(await hasConsent(db, address))) return "no_consent";
  const store = await getStore(db);
  const recovery = await getRecovery(db, { subject: id, now, isPressed: false });
  const { depositPercent, locale } = store;
  const bill = billOf(recovery, { offersPayment: true, depositPercent, locale });
  if (bill.obstacle !== null) return "nothing_to_say";
  return { address, name, store, bill, recoveryUrl };
}

/** What was entered in the cart, completed from the customer whom the merchant named. */
async function contactOf(
  db: Reader,
  { customerId, email, name }: Cart,
): Promise<Pick<Cart, "email" | "name">> {
  const known = customerId === null ? undefined : await findCustomer(db, customerId);
  const trusted = known === undefined ? null : trustedEmail(known);
  return { email: email ?? trusted, name: name ?? known?.name ?? null };
}
