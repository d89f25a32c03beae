// Lookup: what a customer may be told of a cart or an unpaid order that was left, as everything is now, or why nothing.

import { contactHashOf } from "#customers/consent/contact-vault.ts";
import { findContactVault, hasConsent } from "#customers/consent/lookups.ts";
import { trustedEmail } from "#customers/customer.ts";
import { findCustomer } from "#customers/lookups.ts";
import { chosenIn, leadTo, type Letter, sentences, texts } from "#emails/content/letter.ts";
import { type CartSkipReason, type Email, emailClosed } from "#emails/email.ts";
import { localizeEmails, type MailingStore } from "#emails/words/localize.ts";
import { type Id, isId } from "#kernel/id.ts";
import { DAY_MS } from "#kernel/time.ts";
import { getRecovery } from "#pay-page/get-recovery.ts";
import { keptUntil } from "#pay-page/next-step.ts";
import { billOf, type RecoveryBill } from "#pay-page/recovery-bill.ts";
import { shownLine } from "#pay-page/recovery-page.ts";
import { isOpenAttempt } from "#payments/rows/payment.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { findCart } from "#sales/carts/lookups.ts";
import { orderLinkOf } from "#sales/links/link-addresses.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { findOrder } from "#sales/orders/lookups.ts";
import { awaitsPayment } from "#sales/rows/balance.ts";
import type { Cart } from "#sales/rows/cart.ts";
import { getStore } from "#shop/store/lookups.ts";

import { deleteReminder, findReminderOf } from "./queries.ts";

/** A reminder of a cart or an order, ready to be written. */
interface Reminder extends Left {
  readonly store: MailingStore;
  /** The bill of it now, as its page says. */
  readonly bill: RecoveryBill;
  /** Notes for its customer. */
  readonly notes: readonly string[];
}

/** The cart or order that was left, by whom, and the way back. */
interface Left {
  readonly kind: "cart" | "order";
  readonly address: string;
  readonly name: string | null;
  readonly url: string;
}

type NoReminder = CartSkipReason | "order_gone" | "nothing_to_say";

/** Returns the reminder of a cart or an order, or why its customer is not reminded. */
export async function findReminder(
  db: Reader,
  subject: Id<"cart"> | Id<"order">,
  now: number,
): Promise<Reminder | NoReminder> {
  const left = isId("order", subject) ? await leftOrder(db, subject) : await leftCart(db, subject);
  if (typeof left === "string") return left;
  if (!(await hasConsent(db, left.address))) return "no_consent";
  const store = await localizeEmails(await getStore(db));
  const recovery = await getRecovery(db, { subject, now, isPressed: false });
  // Who approves a payment now, or has sent the money by hand, might pay a second time.
  if (recovery.kind === "order" && recovery.payments.some(isOpenAttempt)) return "nothing_to_say";
  const bill = billOf(recovery, store, { offersPayment: true });
  if (bill.obstacle !== null) return "nothing_to_say";
  const kept = recovery.kind === "order" ? keptUntil(recovery.whole.order, store) : [];
  return { ...left, store, bill, notes: [...bill.changes, ...kept] };
}

async function leftCart(db: Reader, id: Id<"cart">): Promise<Left | NoReminder> {
  const cart = await findCart(db, id);
  if (cart === undefined) return "cart_gone";
  const { status, recoveryUrl: url } = cart;
  if (status === "completed") return "cart_completed";
  if (status === "expired") return "cart_expired";
  if (status !== "abandoned") return "cart_taken_up";
  const { email: address, name } = await contactOf(db, cart);
  // An erasure takes the link with the contact.
  if (address === null || url === null) return "no_recipient";
  return { kind: "cart", address, name, url };
}

async function leftOrder(db: Reader, id: Id<"order">): Promise<Left | NoReminder> {
  const order = await findOrder(db, id);
  if (order === undefined) return "order_gone";
  if (!awaitsPayment(order)) return "nothing_to_say";
  const { email: address = null, name = null } = order.customer ?? {};
  if (address === null) return "no_recipient";
  return {
    kind: "order",
    address,
    name,
    url: orderLinkOf(await getLinkTerms(db), order).statusUrl,
  };
}

/** The contact that was entered in the cart, completed from the customer whom the merchant named. */
async function contactOf(
  db: Reader,
  { customerId, email, name }: Cart,
): Promise<Pick<Cart, "email" | "name">> {
  const known = customerId === null ? undefined : await findCustomer(db, customerId);
  const trusted = known === undefined ? null : trustedEmail(known);
  return { email: email ?? trusted, name: name ?? known?.name ?? null };
}

// Story: the customer of a cart or an order that was left may be sent its email again.

/**
 * Afterwards the email may remind its address: an earlier message of it that the mail server did not take does not count.
 * Refuses with `email_closed` if nothing would be sent.
 */
export async function requireReminder(
  tx: Tx,
  left: Id<"cart"> | Id<"order">,
  email: Pick<Email, "status" | "messageId">,
): Promise<void> {
  const found = await findReminder(tx, left, tx.now);
  if (typeof found === "string") throw emailClosed({ members: { reason: found } });
  const contacts = await findContactVault(tx);
  const contactHash = contacts === undefined ? null : contactHashOf(contacts, found.address);
  const last = contactHash === null ? undefined : await findReminderOf(tx, contactHash);
  if (contactHash === null || last === undefined || last.remindedAt <= tx.now - DAY_MS) return;
  if (email.status === "sent" || last.messageId !== email.messageId) {
    throw emailClosed({ members: { reason: "recently_reminded" } });
  }
  if (email.status !== "waiting") await deleteReminder(tx, contactHash);
}

/** Returns the email, with the link that ends such emails. */
export function cartAbandoned(
  { store, bill, kind, notes, url }: Reminder,
  unsubscribeUrl: string,
): Letter {
  const { name, legalName, postalAddress, letters } = store;
  const words = letters.left[kind];
  return {
    subject: words.subject(name),
    headline: words.headline,
    parts: [
      ...sentences(words.left),
      ...sentences(...notes),
      ...leadTo("button", words.back, url),
      ...texts("heading", words.heading),
      {
        kind: "lines",
        lines: bill.lines.map((line) => shownLine(line, store, chosenIn(line, store))),
      },
      { kind: "sums", sums: bill.sums, isTotal: true },
      ...texts("note", ...bill.included, words.why(name)),
      ...texts("note", postalAddress && letters.left.sender(legalName ?? name, postalAddress)),
      ...leadTo("link", letters.left.unsubscribe, unsubscribeUrl),
    ],
  };
}
