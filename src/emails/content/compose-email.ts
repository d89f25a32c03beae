// Lookup: the email about an event, as the order reads now.

import { isId } from "#kernel/id.ts";
import { getOrderToPay } from "#pay-page/get-order-to-pay.ts";
import { listRefundsOfOrder } from "#payments/payments/lookups.ts";
import type { Reader } from "#platform/database/database.ts";
import type { LoggedEvent } from "#platform/event-log/event-log.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { statusUrlOf } from "#sales/links/order-link.ts";
import { getStore } from "#shop/store/get-store.ts";

import type { EmailTemplate } from "../email.ts";
import { type EmailFacts, greetingOf } from "./email-facts.ts";
import { type Letter, oneLine, typed } from "./letter.ts";
import { orderCancelled } from "./order-cancelled.ts";
import { orderPaid } from "./order-paid.ts";
import { orderPlaced } from "./order-placed.ts";
import { orderRefunded } from "./order-refunded.ts";
import { orderShipped } from "./order-shipped.ts";
import { renderHtml } from "./render-html.ts";
import { renderText } from "./render-text.ts";

export interface EmailContent {
  readonly to: { readonly name: string | null; readonly address: string };
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const letters: Readonly<Record<EmailTemplate, (facts: EmailFacts) => Letter | undefined>> = {
  order_placed: orderPlaced,
  order_paid: orderPaid,
  order_shipped: orderShipped,
  order_cancelled: orderCancelled,
  order_refunded: orderRefunded,
};

/** The email about the event as it reads now; undefined if there is no one to send it to, or nothing to say any more. */
export async function composeEmail(
  db: Reader,
  { template, event }: { readonly template: EmailTemplate; readonly event: LoggedEvent },
): Promise<EmailContent | undefined> {
  if (!isId("order", event.subject)) return undefined;
  const found = await getOrderToPay(db, event.subject);
  const { order } = found.whole;
  const address = order.customer?.email ?? null;
  if (address === null) return undefined;
  const store = await getStore(db);
  const facts: EmailFacts = {
    ...found,
    store,
    refunds: await listRefundsOfOrder(db, order.id),
    statusUrl: statusUrlOf(await getLinkTerms(db), order),
    news: JSON.parse(event.data),
    showsContact: true,
    isRecent: true,
  };
  const letter = letters[template](facts);
  if (letter === undefined) return undefined;
  const sheet = { store, greeting: greetingOf(facts), letter };
  return {
    to: { name: typed(order.customer?.name), address },
    replyTo: store.contactEmail,
    subject: oneLine(letter.subject),
    text: renderText(sheet),
    html: renderHtml(sheet),
  };
}
