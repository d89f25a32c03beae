// The emails about an order: placed, paid (the receipt), sent, cancelled, and about its refunds. Pure.

import type { EmailWords } from "#emails/words/en.ts";
import { isObject } from "#kernel/assume.ts";
import { isPaidInPerson } from "#kernel/payment-method.ts";
import { typed } from "#kernel/typed-text.ts";
import { keptUntil, stepByHandOf } from "#pay-page/next-step.ts";
import { linesOf, type Parcel, parcelsOf } from "#pay-page/order/order-status.ts";
import type { RecoveryBill } from "#pay-page/recovery-bill.ts";
import { print, type SumLine } from "#pay-page/sums.ts";
import { methodLabelOf } from "#pay-page/words/localize.ts";
import { awaitsApproval, isReturned, type Refund, sumOf } from "#payments/rows/refund.ts";
import { isolated } from "#platform/html/html.ts";
import { dueOf, toReturnOf } from "#sales/rows/balance.ts";
import { type Fulfillment, openUnits, type Order, type WholeOrder } from "#sales/rows/order.ts";

import {
  billOfEmail,
  billParts,
  type EmailFacts,
  leadTo,
  type Letter,
  listOf,
  type Part,
  sentences,
  texts,
} from "./letter.ts";

/** Returns the email; undefined of an order that was cancelled meanwhile. */
export function orderPlaced(facts: EmailFacts): Letter | undefined {
  const { order } = facts.whole;
  if (order.status === "cancelled") return undefined;
  const { letters } = facts.store;
  const bill = billOfEmail(facts);
  const subject = letters.placed.subject(order.number);
  return {
    subject,
    headline: subject,
    parts: [
      ...sentences(letters.thanks, bill.isFree ? letters.placed.prepared : null),
      ...(dueOf(order) > 0 ? paying(facts, bill) : leadTo("button", letters.see, facts.statusUrl)),
      ...billParts(facts, letters.yourOrder),
    ],
  };
}

/** The amount that is due, and what to do for it. */
function paying({ whole: { order }, store, statusUrl }: EmailFacts, bill: RecoveryBill): Part[] {
  const { letters, words } = store;
  if (bill.obstacle !== null) {
    return [...sentences(bill.obstacle.sentence), ...leadTo("button", letters.see, statusUrl)];
  }
  const due = [...texts("heading", letters.placed.toPay), ...texts("amount", bill.amount)];
  const step = stepByHandOf(order, store);
  if (step === null) {
    return [
      ...due,
      ...sentences(letters.placed.payHere, ...keptUntil(order, store)),
      ...leadTo("button", letters.placed.pay, statusUrl),
    ];
  }
  // The thanks say it.
  const remarks = step.remarks.filter((remark) => remark !== words.step.shopHasIt);
  return [
    ...due,
    ...texts("paragraph", `${isolated(step.heading)}${words.colon} ${step.text}`),
    ...step.accounts.flatMap(({ label, instructions }) =>
      texts("paragraph", `${isolated(label)}${words.colon} ${instructions}`),
    ),
    ...sentences(...remarks),
    ...leadTo("button", letters.see, statusUrl),
  ];
}

/** Returns the email. */
export function orderPaid(facts: EmailFacts): Letter {
  const { order } = facts.whole;
  const { legalName, name, letters } = facts.store;
  const words = letters.paid;
  const isFree = order.paidMinor === 0;
  const { subject, headline } = isFree ? words.free : words;
  return {
    subject: subject(order.number),
    headline,
    parts: [
      ...sentences(isFree ? words.nothingToPay : words.arrived, nextOf(order, words)),
      ...leadTo("button", words.see, facts.statusUrl),
      ...billParts(facts, words.receipt(order.number)),
      ...texts("note", words.soldBy(legalName ?? name), ...taxNotes(facts, words)),
    ],
  };
}

/** The tax numbers, and who accounts for the tax: in many countries an invoice has to say it. */
function taxNotes({ whole: { order }, store }: EmailFacts, words: EmailWords["paid"]) {
  const yourTaxId = typed(order.taxId);
  return [
    store.taxId === null ? null : words.taxId(store.taxId),
    yourTaxId === null ? null : words.yourTaxId(yourTaxId),
    order.breakdown?.taxTerms.exemption === "reverse_charge" ? words.reverseCharge : null,
  ];
}

/** The next event; nothing once all of it was sent or handed over, or it was cancelled. */
function nextOf({ status, fulfillmentStatus }: Order, words: EmailWords["paid"]): string | null {
  if (status === "cancelled" || fulfillmentStatus === "fulfilled") return null;
  return fulfillmentStatus === "unfulfilled" ? words.prepared : words.partlySent;
}

/** Returns the email; undefined of goods that were handed over as they were ordered. */
export function orderShipped(facts: EmailFacts): Letter | undefined {
  const { whole, store, news } = facts;
  const { letters } = store;
  const words = letters.shipped;
  const told = isObject(news) ? news["fulfillment"] : null;
  const sent = whole.fulfillments.find(({ id }) => isObject(told) && told["id"] === id);
  if (sent === undefined || sent.createdAt === whole.order.createdAt) return undefined;
  const parcels = parcelsOf({ ...facts, whole: { ...whole, fulfillments: [sent] } }, store);
  const { subject, headline, sentence } = words[extentOf(facts, sent)];
  return {
    subject: subject(whole.order.number),
    headline,
    parts: [
      ...sentences(sentence, payingOf(facts)),
      ...parcels.flatMap((parcel) => partsOf(parcel, words)),
      ...listOf(words.toCome, openItems(whole)),
      ...leadTo("link", letters.see, facts.statusUrl),
    ],
  };
}

/** The extent of the parcel: all of the order, or a part of it. */
function extentOf({ whole }: EmailFacts, sent: Fulfillment): "all" | "part" | "last" {
  if (sent !== whole.fulfillments.at(-1) || whole.order.fulfilledAt === null) return "part";
  return whole.fulfillments.length === 1 ? "all" : "last";
}

function payingOf({ whole: { order }, store }: EmailFacts): string | null {
  const dueMinor = dueOf(order);
  if (dueMinor === 0 || !isPaidInPerson(order.paymentMethod)) return null;
  return store.letters.shipped.payOnDelivery(print(dueMinor, order.currency, store.locale));
}

function partsOf({ carrier, number, url, items }: Parcel, words: EmailWords["shipped"]): Part[] {
  return [
    ...texts("note", carrier && words.carrier(carrier), number && words.number(number)),
    ...leadTo("button", words.track(carrier), url),
    ...listOf(words.inParcel, items),
  ];
}

function openItems({ order, lines }: WholeOrder): string[] {
  if (order.status === "cancelled") return [];
  return lines
    .filter((line) => openUnits(line) > 0)
    .map((line) => `${openUnits(line)} × ${isolated(line.name)}`);
}

/** Returns the email. */
export function orderCancelled(facts: EmailFacts): Letter {
  const { store } = facts;
  const { letters } = store;
  const words = letters.cancelled;
  const { order } = facts.whole;
  const lines = linesOf(facts, store, () => []).map((line) => ({
    ...line,
    // How many units there were; that they are cancelled is said above.
    remarks: line.remarks.slice(0, 1),
    isGone: false,
  }));
  return {
    subject: words.subject(order.number),
    headline: words.headline,
    parts: [
      ...sentences(words.why(order.cancelReason), ...moneyOf(facts)),
      ...leadTo("button", words.visit(store.name), store.websiteUrl),
      ...texts("heading", letters.orderOf(order.number)),
      { kind: "lines", lines },
      ...leadTo("link", letters.see, facts.statusUrl),
    ],
  };
}

/** Tells what becomes of the payment. */
function moneyOf({ whole: { order }, refunds, store }: EmailFacts): string[] {
  const words = store.letters.cancelled;
  if (order.paidMinor === 0) return [words.nothingPaid];
  // Nothing is said of money that waits for an approval.
  const waitingMinor = sumOf(refunds.filter(awaitsApproval));
  const backMinor = order.refundingMinor - waitingMinor + toReturnOf(order);
  const amount = (minor: number) => print(minor, order.currency, store.locale);
  const back = order.refundedMinor < backMinor ? words.goesBack : words.wentBack;
  const keptMinor = order.paidMinor - backMinor - waitingMinor;
  return [
    ...(backMinor > 0 ? [back(amount(backMinor))] : []),
    ...(keptMinor > 0 ? [words.kept(amount(keptMinor))] : []),
  ];
}

/** Returns the email; undefined of a refund that came to nothing since. */
export function orderRefunded(facts: EmailFacts): Letter | undefined {
  const { store, refunds, news } = facts;
  const { letters } = store;
  const words = letters.refunded;
  const { order, lines } = facts.whole;
  const told = isObject(news) ? news["refund"] : null;
  const refund = refunds.find(({ id }) => isObject(told) && told["id"] === id);
  if (refund === undefined || !isReturned(refund)) return undefined;
  const names = new Map(lines.map((line) => [line.id, line.name]));
  const items = refund.lines.map(
    ({ lineItemId, quantity }) =>
      `${quantity} × ${isolated(names.get(lineItemId) ?? store.words.item)}`,
  );
  const sums: SumLine[] = [
    [words.total, print(order.totalMinor, order.currency, store.locale)],
    [words.soFar, print(order.refundedMinor, order.currency, store.locale)],
  ];
  return {
    subject: words.subject(order.number),
    headline: words.headline,
    parts: [
      ...sentences(words.sentence),
      ...texts("amount", print(refund.amountMinor, refund.currency, store.locale)),
      ...sentences(refund.isAutomatic ? words.tooMuch : null, wayOf(refund, facts)),
      ...listOf(words.about, items),
      ...texts("heading", letters.orderOf(order.number)),
      { kind: "sums", sums, isTotal: false },
      ...leadTo("link", letters.see, facts.statusUrl),
    ],
  };
}

/** How the money goes back: a gateway returns it to where it came from. */
function wayOf({ paymentId, status }: Refund, { payments, store }: EmailFacts): string | null {
  const payment = payments.find(({ id }) => id === paymentId);
  if (payment === undefined) return null;
  const { byHand, sameWay } = store.letters.refunded;
  const isByHand = payment.gateway === null || status === "closed";
  return isByHand ? byHand : sameWay(methodLabelOf(store, payment.method));
}
