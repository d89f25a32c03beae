// The effect of an act on an order, with its amounts, before it is done. The interface tells the act without
// keeping it, so the page says what the act will do by the same rules.

import type { Static } from "typebox";

import type { PageContent, Preview, PreviewForm, RequestForm } from "#dashboard/kit/forms/form.ts";
import { money, textOfMoney } from "#dashboard/kit/parts/money.ts";
import { methodNamed } from "#dashboard/kit/parts/order-words.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { assume } from "#kernel/assume.ts";
import type { actPreviewWire } from "#payments/routes/preview-schema.ts";
import { type Html, html } from "#platform/html/html.ts";
import type { OrderAnswer } from "#sales/orders/schema.ts";

import { en } from "../../words/en.ts";
import { actPage, askOrder } from "./acts.ts";

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
  const keptMinor = after.kept_total_minor - before.kept_total_minor;
  const isDueChanged = after.due_minor !== before.due_minor;
  return [
    ...back,
    ...(keptMinor > 0 ? [[words.kept, money(keptMinor, after.currency)] as const] : []),
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
  const byHand = refunds.filter(({ by_hand: isByHand }) => isByHand);
  // Money that a gateway took and cannot give back waits always.
  const later = byHand.filter(({ gateway }) => handsBackLater || gateway !== null);
  const isRestocked = fields.getAll("/restock").at(-1) === "true";
  return [
    ...(isCancelled ? [words.whole] : []),
    ...(isRestocked ? [words.restocked] : []),
    ...(refunds.length === 0 ? [words.noMoney] : []),
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
