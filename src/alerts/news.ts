// Lookup: what an alert about the shop's day says, in the words of the shop. It names no customer: it is read on locked
// screens.

import { findSellableVariants } from "#catalog/products/lookups.ts";
import { isPaidAtGateway } from "#emails/called-for.ts";
import type { MailingStore } from "#emails/words/localize.ts";
import { isObject } from "#kernel/assume.ts";
import { isId } from "#kernel/id.ts";
import { paymentMethods } from "#kernel/payment-method.ts";
import { print } from "#pay-page/sums.ts";
import { methodLabelOf } from "#pay-page/words/localize.ts";
import type { Reader } from "#platform/database/database.ts";
import { findEvent, type LoggedEvent } from "#platform/event-log/event-log.ts";
import { findOrder } from "#sales/orders/lookups.ts";
import type { Order } from "#sales/rows/order.ts";

import type { Alert } from "./alert.ts";

/** The words of an alert, and where it leads. */
export interface NewsText {
  readonly title: string;
  readonly lines: readonly string[];
  /** The page below the dashboard of the shop. */
  readonly path: string;
  /** A later alert with the same tag takes the place of this one. */
  readonly tag: string;
  /** The label of the button that leads there. */
  readonly open: string;
}

/** The words of the alert about one event or many; null once the event is gone. */
export async function readNews(
  db: Reader,
  { eventId, kind, subject, count }: Pick<Alert, "eventId" | "kind" | "subject" | "count">,
  store: MailingStore,
): Promise<NewsText | null> {
  const { push: says } = store.letters.alert;
  const many = {
    order: { title: says.orders(count), path: "/orders" },
    review: { title: says.reviews(count), path: "" },
    low_stock: { title: says.lows(count), path: "/stock" },
  } as const;
  if (kind !== "order" && kind !== "review" && kind !== "low_stock") return null;
  if (count > 1) return { ...many[kind], lines: [], tag: kind, open: says.open };
  const event = await findEvent(db, eventId);
  if (event === undefined) return null;
  if (kind === "low_stock") return lowStock(db, event, store);
  const order = isId("order", subject) ? await findOrder(db, subject) : undefined;
  const path = order === undefined ? "" : `/orders/${order.id}`;
  const about = { path, tag: subject, open: says.open };
  return kind === "order"
    ? { ...about, ...orderText(event, order, store) }
    : { ...about, ...reviewText(event, order, store) };
}

type Said = Pick<NewsText, "title" | "lines">;

function orderText(event: LoggedEvent, order: Order | undefined, store: MailingStore): Said {
  const { push: says } = store.letters.alert;
  if (order === undefined) return { title: says.orders(1), lines: [] };
  const { number, totalMinor, currency, paymentMethod } = order;
  const isByHand = !isPaidAtGateway(paymentMethod, store);
  const isToldBefore =
    event.name === "order.paid" && isByHand && order.createdAt !== event.createdAt;
  const method = paymentMethods.find((one) => one === paymentMethod);
  const lines = [
    print(totalMinor, currency, store.locale),
    says.items(unitsIn(event)),
    ...(method === undefined ? [] : [methodLabelOf(store, method)]),
  ];
  return {
    title: isToldBefore ? says.paid(number) : says.order(number),
    lines: [lines.join(" · ")],
  };
}

/** The units that the event sold. */
function unitsIn({ data }: LoggedEvent): number {
  const payload: unknown = JSON.parse(data);
  const lines = isObject(payload) ? payload["line_items"] : [];
  if (!Array.isArray(lines)) return 0;
  return lines.reduce((sum: number, line: unknown) => {
    const quantity = isObject(line) ? line["quantity"] : 0;
    return sum + (typeof quantity === "number" ? quantity : 0);
  }, 0);
}

function reviewText(event: LoggedEvent, order: Order | undefined, store: MailingStore): Said {
  const { push: says } = store.letters.alert;
  const titles: Readonly<Record<string, string>> = {
    "payment.review": says.payment,
    "payment.disputed": says.dispute,
  };
  const lines = order === undefined ? [] : [says.ofOrder(order.number)];
  return { title: titles[event.name] ?? says.refund, lines };
}

async function lowStock(
  db: Reader,
  { subject, data }: LoggedEvent,
  store: MailingStore,
): Promise<NewsText> {
  const { push: says } = store.letters.alert;
  const payload: unknown = JSON.parse(data);
  const left = isObject(payload) ? payload["available"] : null;
  const name = isId("variant", subject)
    ? (await findSellableVariants(db, [subject])).get(subject)?.name
    : undefined;
  const isKnown = name !== undefined && typeof left === "number";
  return {
    title: says.low,
    lines: isKnown ? [says.left(name, left)] : [],
    path: "/stock",
    tag: subject,
    open: says.open,
  };
}
