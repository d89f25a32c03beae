// Acts on an order that have a page of their own, because they cannot be taken back or need to be told more: they say
// what will be, and work without script. The interface tells an act without keeping it, so the page says what the act
// will do by the same rules.

import type { Static } from "typebox";

import { readAmountField, wireAmountOf } from "#dashboard/kit/amounts.ts";
import type { PageContent, Preview, PreviewForm, RequestForm } from "#dashboard/kit/forms/form.ts";
import { amountInput, select } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { money, textOfMoney } from "#dashboard/kit/parts/money.ts";
import { refusedNote } from "#dashboard/kit/parts/note.ts";
import { methodNamed } from "#dashboard/kit/parts/order-words.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { explainNoUnits } from "#dashboard/orders/chosen-lines.ts";
import { en } from "#dashboard/words/en.ts";
import { assume } from "#kernel/assume.ts";
import { parseAmount } from "#kernel/money.ts";
import type { actPreviewWire } from "#payments/routes/preview-schema.ts";
import { type Html, html } from "#platform/html/html.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";
import { type OrderAnswer, orderWire } from "#sales/orders/schema.ts";

/** The order that the page's address names. */
export function askOrder(visit: Visit): Promise<OrderAnswer> {
  return visit.ask(orderWire, "GET /v2/orders/{id}", { params: { id: visit.params["id"] ?? "" } });
}

/** The address of the order, after the act. */
export function toOrder(_answer: unknown, visit: Visit): string {
  return `/orders/${visit.params["id"] ?? ""}`;
}

/** The page of an act: its title, its form, and the way back. */
export function actPage(visit: Visit, order: OrderAnswer, { title, body }: ActTerms): PageContent {
  return {
    title: `${title} · ${en.oneOrder.title(order.number)}`,
    body: html`${heading({
        title,
        back: [visit.href(`/orders/${order.id}`), en.oneOrder.title(order.number)],
      })}
      ${refusedNote(explainNoUnits(visit.submitted))}
      <div class="narrow">${body}</div>`,
  };
}

interface ActTerms {
  readonly title: string;
  readonly body: Html;
}

/** Choices as a select takes them, by their words. */
export function choicesOf(words: Readonly<Record<string, string>>) {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}

// The part of the money for units that goes back: all of it, nothing, or a part.

/** The field of a part; the interface has one member for all three. */
const PART = "refund_part";

/** Money that was paid and is not on its way back, minor units. */
export function keptMinor({
  paid_total_minor: paid,
  refunding_total_minor: back,
}: OrderAnswer): number {
  return paid - back;
}

/** Above their limit staff ask an owner; null for who has none. */
export function askField(visit: Visit): Html | null {
  const isLimited = visit.store.refund_limit_minor !== null && !visit.may("refunds:write");
  return isLimited ? html`<input type="hidden" name="/above_limit" value="ask" />` : null;
}

/** The choice, and the amount of a part; null where nothing was paid. */
export function moneyBackFields(visit: Visit, order: OrderAnswer): Html | null {
  const { submitted } = visit;
  if (keptMinor(order) <= 0) return null;
  const { money: label, giveBack, keep, part, partHint } = en.oneOrder.moneyBack;
  const options = [
    { value: "true", label: giveBack },
    { value: "false", label: keep },
  ];
  return html`${select(submitted, { label, name: "/refund", options })}
  ${amountInput(submitted, { label: `${part} (${order.currency})`, name: `/${PART}`, writing: visit.writing(order.currency), hint: partHint })}
  ${askField(visit)}`;
}

/** A part that was typed is what goes back. */
export function withMoneyBack({ [PART]: part, ...body }: JsonObject): JsonObject {
  if (part === undefined || part === null || part === "") return body;
  return { ...body, refund: part };
}

/** Returns true if the form sends back more than the shop's refund limit: who may, is asked for the password again. */
export async function isAboveLimit(visit: Visit, fields: URLSearchParams): Promise<boolean> {
  const { refund_limit_minor: limitMinor, currency } = visit.store;
  if (limitMinor === null || !visit.may("refunds:write")) return false;
  const field = fields.has(`/${PART}`) ? `/${PART}` : "/amount";
  const isEmpty = (fields.get(field) ?? "").trim() === "";
  if (isEmpty && fields.get("/refund") === "false") return false;
  const order = await askOrder(visit);
  const amount = readAmountField(fields, field, visit.writing(order.currency));
  const read = isEmpty
    ? { amountMinor: keptMinor(order) }
    : parseAmount(wireAmountOf(amount), currency);
  // The interface refuses an amount that is none, and its limit is one of the shop's own currency.
  return "amountMinor" in read && (order.currency !== currency || read.amountMinor > limitMinor);
}

/** The field of the form that a fault is about. */
export function fieldOfMoneyBack(pointer: string, fields: URLSearchParams): string {
  const hasPart = (fields.get(`/${PART}`) ?? "").trim() !== "";
  return pointer === "/refund" && hasPart ? `/${PART}` : pointer;
}

type MoneyBack = Static<(typeof actPreviewWire)["schema"]["properties"]["refunds"]>[number];

/** A shape of its own: the checker does not go through the whole order once more. */
interface ActPreview {
  readonly refunds: readonly MoneyBack[];
  readonly order: OrderAnswer;
}

type Row = readonly [label: string, value: string | Html];

const words = en.oneOrder.effect;

interface EffectTerms {
  readonly title: string;
  /** The words of the button, with all that goes back. */
  readonly act: (amount: string | null) => string;
  /** The name of the form on its page. */
  readonly form: string;
  /** True if cash and the like that go back wait until a person says so; otherwise they count at once. */
  readonly handsBackLater: boolean;
}

/** The form of an act, the one that says first what it does, and the way back to what was typed. */
export function withPreview(previewRoute: string, form: RequestForm, terms: EffectTerms) {
  const check: PreviewForm = {
    form,
    previewRoute,
    showPreview: (visit, preview) => effectPage(visit, preview, terms),
  };
  return { check, [terms.form]: form, change: { redisplays: true } } as const;
}

async function effectPage(
  visit: Visit,
  { answer, fields }: Preview,
  { title, act, form, handsBackLater }: EffectTerms,
): Promise<PageContent> {
  // The cast holds: the route that was asked answers this shape.
  const preview = assume<ActPreview>(answer);
  const order = await askOrder(visit);
  const rows = [...unitRows(order, preview), ...moneyRows(order, preview)];
  const body = html`<form class="stack" method="post" action="${`${visit.page}/${form}`}">
    ${[...fields].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <p>${words.what}</p>
    <ul class="rows">
      ${rows.map(([label, value]) => html`<li class="lined"><span>${label}</span><strong>${value}</strong></li>`)}
    </ul>
    ${sentences(order, { preview, fields, handsBackLater }).map((sentence) => html`<p>${sentence}</p>`)}
    <p class="acts">
      <button class="danger">${act(allBack(preview))}</button>
      <button class="quiet" formaction="${visit.page}/change">${words.change}</button>
    </p>
  </form>`;
  return actPage(visit, order, { title, body });
}

function unitRows(before: OrderAnswer, { order: after }: ActPreview): Row[] {
  return after.line_items.flatMap((line): Row[] => {
    const was = before.line_items.find(({ id }) => id === line.id);
    const cancelled = line.cancelled_quantity - (was?.cancelled_quantity ?? 0);
    const returned = line.returned_quantity - (was?.returned_quantity ?? 0);
    return [
      ...(cancelled > 0 ? [[line.name, words.cancelled(cancelled)] as const] : []),
      ...(returned > 0 ? [[line.name, words.returned(returned)] as const] : []),
    ];
  });
}

function moneyRows(before: OrderAnswer, { order: after, refunds }: ActPreview): Row[] {
  const back = refunds.map(
    ({ amount_minor: amountMinor, currency, method, by_hand: isByHand }): Row => {
      const name = methodNamed(method);
      return [isByHand ? words.byHand(name) : words.goesBack(name), money(amountMinor, currency)];
    },
  );
  const moreKeptMinor = after.kept_total_minor - before.kept_total_minor;
  const isDueChanged = after.due_minor !== before.due_minor;
  return [
    ...back,
    ...(moreKeptMinor > 0 ? [[words.kept, money(moreKeptMinor, after.currency)] as const] : []),
    ...(isDueChanged ? [[words.due, money(after.due_minor, after.currency)] as const] : []),
  ];
}

interface Sentences extends Pick<EffectTerms, "handsBackLater"> {
  readonly preview: ActPreview;
  readonly fields: URLSearchParams;
}

function sentences(
  before: OrderAnswer,
  { preview: { order, refunds }, fields, handsBackLater }: Sentences,
): string[] {
  const isCancelled = order.status === "cancelled" && before.status !== "cancelled";
  const needsYes = refunds.some(({ needs_approval: isAsked }) => isAsked);
  const byHand = needsYes ? [] : refunds.filter(({ by_hand: isByHand }) => isByHand);
  // Money that a gateway took and cannot give back waits always.
  const later = byHand.filter(({ gateway }) => handsBackLater || gateway !== null);
  const isRestocked = fields.getAll("/restock").at(-1) === "true";
  return [
    ...(isCancelled ? [words.whole] : []),
    ...(isRestocked ? [words.restocked] : []),
    ...(refunds.length === 0 ? [words.noMoney] : []),
    ...(needsYes ? [words.needsYes] : []),
    ...(later.length > 0 ? [words.givenLater(en.oneOrder.handedBack)] : []),
    ...(later.length < byHand.length ? [words.givenAtOnce] : []),
  ];
}

/** All that goes back, as a text; null for nothing, and for money of several currencies. */
function allBack({ refunds }: ActPreview): string | null {
  const [first] = refunds;
  if (first === undefined) return null;
  const { currency } = first;
  if (refunds.some((refund) => refund.currency !== currency)) return null;
  const sumMinor = refunds.reduce((sum, refund) => sum + refund.amount_minor, 0);
  return textOfMoney(sumMinor, currency);
}
