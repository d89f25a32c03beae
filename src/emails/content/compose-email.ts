// Lookup: the email about an event of an order, as the order reads now.

import { isId } from "#kernel/id.ts";
import { typed } from "#kernel/typed-text.ts";
import { getOrderToPay } from "#pay-page/get-recovery.ts";
import { listRefundsOfOrder } from "#payments/rows/lookups.ts";
import type { Reader } from "#platform/database/database.ts";
import type { LoggedEvent } from "#platform/event-log/event-log.ts";
import { orderLinkOf } from "#sales/links/link-addresses.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { getStore } from "#shop/store/lookups.ts";

import type { OrderTemplate, SkipReason } from "../email.ts";
import { localizeEmails } from "../words/localize.ts";
import { type EmailFacts, greetingOf, type Letter } from "./letter.ts";
import { orderCancelled, orderPaid, orderPlaced, orderRefunded, orderShipped } from "./orders.ts";
import { type EmailContent, writeLetter } from "./write-letter.ts";

const letters: Readonly<
  Record<OrderTemplate, (facts: EmailFacts) => Letter | SkipReason | undefined>
> = {
  order_placed: orderPlaced,
  order_paid: orderPaid,
  order_shipped: orderShipped,
  order_cancelled: orderCancelled,
  order_refunded: orderRefunded,
};

/** The email about the event as it reads now, or why there is none. */
export async function composeEmail(
  db: Reader,
  { template, event }: { readonly template: OrderTemplate; readonly event: LoggedEvent },
): Promise<EmailContent | SkipReason> {
  if (!isId("order", event.subject)) return "nothing_to_say";
  const found = await getOrderToPay(db, event.subject);
  const { order } = found.whole;
  const address = order.customer?.email ?? null;
  if (address === null) return "no_recipient";
  const store = await localizeEmails(await getStore(db));
  const facts: EmailFacts = {
    ...found,
    store,
    refunds: await listRefundsOfOrder(db, order.id),
    statusUrl: orderLinkOf(await getLinkTerms(db), order).statusUrl,
    news: JSON.parse(event.data),
    showsContact: true,
    isRecent: true,
  };
  const letter = letters[template](facts) ?? "nothing_to_say";
  if (typeof letter === "string") return letter;
  const name = order.customer?.name ?? null;
  const to = { name: typed(name), address };
  return writeLetter(
    { store, greeting: greetingOf(name, store), letter },
    { to, unsubscribeUrl: null },
  );
}
