// How an order stands, in a shopkeeper's words: a mark and a word; and as a row of a list, enough to act. Nothing is to
// be packed that waits for its payment.

import { timingSafeEqual } from "node:crypto";

import type { Static } from "typebox";

import { readCookie } from "#dashboard/kit/session-cookie.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import type { Note } from "#kernel/metadata.ts";
import { isPaidInPerson } from "#kernel/payment-method.ts";
import { paymentMethodsWire } from "#payments/routes/gateway-schema.ts";
import { type Html, html, isolated } from "#platform/html/html.ts";
import type { OrderAnswer } from "#sales/orders/schema.ts";

import { amountIn } from "./money.ts";
import { agoOf, agoOrDayOf } from "./times.ts";

type Look = "" | "done" | "wait" | "part wait" | "stop" | "off";

/** A mark and a word. */
export function mark(look: Look, word: string): Html {
  return html`<span class="state ${look}">${word}</span>`;
}

const looks: Readonly<Record<OrderAnswer["payment_status"], Look>> = {
  unpaid: "",
  pending: "wait",
  review: "stop",
  partially_paid: "part wait",
  paid: "done",
  overpaid: "stop",
  partially_refunded: "off",
  refunded: "off",
};

/** Returns true if the customer pays when the goods arrive or are fetched. */
function isPaidOnDelivery({ payment_method }: Pick<OrderAnswer, "payment_method">): boolean {
  return payment_method === "cash_on_delivery";
}

/** How far its payment is. */
function paymentMark(visit: Visit, order: OrderAnswer): Html {
  const isOnDelivery = order.payment_status === "unpaid" && isPaidOnDelivery(order);
  const word = isOnDelivery ? en.order.payments.on_delivery : paymentWord(visit, order);
  return mark(looks[order.payment_status], word);
}

/** How far its payment is in words: money by hand is sent, not paid on a page. */
export function paymentWord(
  { store }: Visit,
  { payment_status: status, payment_method: method }: OrderAnswer,
): string {
  const isSent = store.payment_methods[method].by === "hand" && !isPaidInPerson(method);
  return status === "pending" && isSent ? en.order.awaited : en.order.payments[status];
}

/** The statuses at which the money is there. */
const paid: ReadonlySet<OrderAnswer["payment_status"]> = new Set([
  "paid",
  "overpaid",
  "partially_refunded",
]);

type Packable = Pick<
  OrderAnswer,
  "status" | "fulfillment_status" | "payment_status" | "payment_method" | "deposit_percent"
>;

/** Returns true if the order is to be packed now: one of the interface's `to_pack=true`. */
export function isToPack(order: Packable): boolean {
  if (order.status !== "open" || order.fulfillment_status === "fulfilled") return false;
  if (paid.has(order.payment_status)) return true;
  if (!isPaidInPerson(order.payment_method) || order.payment_status === "refunded") return false;
  // A deposit that is less than the whole is paid before the goods leave.
  return order.payment_status === "partially_paid" || order.deposit_percent === 100;
}

/** How far it is sent; nothing while it waits for its payment. */
function sendingMark(order: OrderAnswer): Html | null {
  const { sending } = en.order;
  if (order.status === "cancelled") return mark("off", sending.cancelled);
  if (order.fulfillment_status === "fulfilled") return mark("done", sending.fulfilled);
  if (order.fulfillment_status === "partially_fulfilled") {
    return mark("part wait", sending.partially_fulfilled);
  }
  return isToPack(order) ? mark("wait", sending.unfulfilled) : null;
}

/** The items in one line, without what was cancelled. */
function itemsOf({ line_items }: Pick<OrderAnswer, "line_items">): string {
  const left = line_items
    .map(({ quantity, cancelled_quantity, ...line }) => ({
      ...line,
      quantity: quantity - cancelled_quantity,
    }))
    .filter(({ quantity }) => quantity > 0);
  return itemsInLine(left.length > 0 ? left : line_items);
}

/** Items in one line: `2 × Indigo mug, Cocoa soap`. */
export function itemsInLine(
  items: readonly { readonly name: string; readonly quantity: number }[],
): string {
  return items
    .map(({ name, quantity }) => (quantity === 1 ? "" : `${quantity} × `) + isolated(name))
    .join(", ");
}

/** A note of an item in one line, such as `engraving: Ada`. */
export function noteInLine([name, text]: Note): string {
  return `${name}: ${isolated(text)}`;
}

/** Who ordered, in the words that are known. */
export function customerOf({
  customer,
  channel,
}: Pick<OrderAnswer, "customer" | "channel">): string {
  const known = customer?.name ?? customer?.phone ?? customer?.email;
  return known ?? (channel === "pos" ? en.order.counter : en.order.unknown);
}

export function methodOf({ payment_method }: Pick<OrderAnswer, "payment_method">): string {
  return methodNamed(payment_method);
}

/** A way to pay in words. */
export function methodNamed(method: string): string {
  return named(en.order.methods, method);
}

/** The channel from which the order came. */
export function channelOf({ channel }: Pick<OrderAnswer, "channel">): string {
  return channelNamed(channel);
}

/** A channel in words; a name of the merchant's own is shown as it is. */
export function channelNamed(channel: string): string {
  return named(en.order.channels, channel);
}

function named(words: Readonly<Record<string, string>>, name: string): string {
  return words[name] ?? name;
}

// The change of a sale at the counter. No one keeps what was handed over, so that the amount stands in the address that
// follows the sale, sealed: an address that another person made says nothing.

/** The query by which the order's page says the change, minor units; empty for none. */
export function changeQuery(visit: Visit, orderId: string, changeMinor: number): string {
  if (changeMinor <= 0) return "";
  return `?change=${changeMinor}&seal=${sealOf(visit, orderId, String(changeMinor))}`;
}

/** The change that the address of the order's page says, minor units; null where it has none of this session. */
export function changeOf(visit: Visit, orderId: string): number | null {
  const said = visit.query("change");
  if (!/^\d{1,12}$/.test(said)) return null;
  const seal = Buffer.from(visit.query("seal"));
  const wanted = Buffer.from(sealOf(visit, orderId, said));
  return seal.length === wanted.length && timingSafeEqual(seal, wanted) ? Number(said) : null;
}

/** Only the browser and the server know the token of the session. */
function sealOf({ request, dashboardUrl }: Visit, orderId: string, change: string): string {
  const token = readCookie(request, dashboardUrl, "session");
  return new Bun.CryptoHasher("sha256", token).update(`change ${orderId} ${change}`).digest("hex");
}

type Method = Static<(typeof paymentMethodsWire)["schema"]>["methods"][number];

/** The methods that orders in the shop's currency can be paid in. */
export async function offeredMethods(visit: Visit): Promise<readonly Method[]> {
  return (await visit.ask(paymentMethodsWire, "GET /v2/payment-methods")).methods;
}

/** A note on live pages that sell nothing yet: customers of the web shop have no way to pay. Null where they have one. */
export async function unpaidPagesNote(visit: Visit): Promise<Html | null> {
  if (!visit.may("payments:read")) return null;
  const ways = visit.store.payment_methods;
  if ((await offeredMethods(visit)).some(({ method }) => ways[method].storefront)) return null;
  return html`<div class="note"><p>${en.settings.noWebWay}</p></div>`;
}

/** The methods of the shop's list of ways to pay that no gateway takes. */
export async function methodsByHand(visit: Visit): Promise<Method[]> {
  const methods = await offeredMethods(visit);
  return methods.filter(({ by }) => by === "hand");
}

/** The choices of a field, under the shop's own names. */
export function optionsOf(methods: readonly Method[]) {
  return methods.map(({ method, label }) => ({ value: method, label }));
}

interface RowTerms {
  /** True if the row stands under the day of its order. */
  readonly isUnderDay: boolean;
  /** A box to tick beside the row. */
  readonly box?: Html | null;
}

/** A row that leads to the order. */
export function orderRow(visit: Visit, order: OrderAnswer, { isUnderDay, box }: RowTerms): Html {
  const { store, when } = visit;
  const age = (isUnderDay ? agoOf : agoOrDayOf)(order.created_at, when);
  return html`<li id="${order.id}">
    ${box}<a class="row" href="${visit.href(`/orders/${order.id}`)}"
      >${nameOnRow(order)}<span class="what" dir="auto">${itemsOf(order)}</span
      ><span class="marks"
        >${paymentMark(visit, order)} ${sendingMark(order) ?? html`<span></span>`}</span
      ><span class="when">${age} <span class="channel">· ${channelOf(order)}</span></span
      ><span class="sum">${amountIn(store.currency, order.total_minor, order.currency)}</span></a
    >
  </li>`;
}

/** The number of an order and its customer, as a row begins. */
export function nameOnRow(order: OrderAnswer): Html {
  return html`<span class="name"
    ><span class="num">#${order.number}</span>
    <span class="who" dir="auto">${customerOf(order)}</span></span
  >`;
}
