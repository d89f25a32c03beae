// What a new order comes to, with its taxes and discounts, before it is sold. The interface tells the sale without keeping
// it, and the form holds it to that total: what changed meanwhile is said, and not sold.

import type { Static } from "typebox";

import { assume } from "#kernel/assume.ts";
import type { orderPreviewWire } from "#payments/counter-sales/preview-schema.ts";
import { type Html, html } from "#platform/html/html.ts";

import { readAnswer } from "../../asker.ts";
import { bodyOfForm } from "../../forms/form-body.ts";
import type { Sent } from "../../forms/sent.ts";
import type { AskingForm, Preview, PreviewForm, Shown } from "../../page.ts";
import { input, onceField } from "../../parts/field.ts";
import { heading } from "../../parts/heading.ts";
import { textOfMoney, typedAmount } from "../../parts/money.ts";
import { refusedNote } from "../../parts/note.ts";
import { methodNamed } from "../../parts/order-words.ts";
import type { Visit } from "../../visit.ts";
import { en } from "../../words/en.ts";
import { billOfSale } from "../order/bill.ts";
import { placeForm, sellForm } from "./order-forms.ts";

type OrderPreview = Static<(typeof orderPreviewWire)["schema"]>;

const PREVIEWS = "POST /v2/orders/preview";
const EXPECTED = "/expected_total";
const TENDERED = "/paid/tendered";
const ONCE = "form";

const words = en.newOrder;

/** A way to end a new order. */
interface End {
  /** The form of the page that makes the order. */
  readonly form: string;
  readonly of: AskingForm;
  readonly act: string;
  /** What is asked for, or said, below the bill. */
  readonly last: (visit: Visit, preview: OrderPreview) => Html;
}

/** Paid in cash and taken along. */
export const sale: End = {
  form: "sell",
  of: sellForm,
  act: words.sell,
  last: ({ sent }) =>
    input(sent, {
      label: words.tendered,
      name: TENDERED,
      digits: "decimal",
      hint: words.tenderedHint,
    }),
};

/** Paid later. */
export const order: End = {
  form: "place",
  of: placeForm,
  act: words.place,
  last: (_visit, { payment_method: method }) =>
    html`<p>${words.payLater(methodNamed(method).toLowerCase())}</p>`,
};

/** The form that says what the order comes to. */
export function totalForm(end: End): PreviewForm {
  return {
    of: end.of,
    previews: PREVIEWS,
    shows: (visit, preview) => totalPage(visit, end, preview),
  };
}

/**
 * The same page again, where the order was refused for what stands on it: another total now, or less cash than that.
 * Null for what is wrong with the order itself.
 */
export async function totalAgain(visit: Visit): Promise<Shown | null> {
  const { sent } = visit;
  const end = [sale, order].find(({ form }) => form === sent?.form);
  if (sent === null || end === undefined || !sent.fields.has(EXPECTED)) return null;
  // Another order than the one that was refused: it has a name of its own.
  const fields = without(sent.fields, [EXPECTED, TENDERED, ONCE]);
  const { body } = bodyOfForm(fields, visit.bodySchemaOf(PREVIEWS));
  const asked = (await end.of.completes?.(body, visit)) ?? body;
  const answer = await visit.send(PREVIEWS, { body: asked });
  return answer.status >= 400
    ? null
    : totalPage(visit, end, { answer: readAnswer(answer), fields });
}

function totalPage(visit: Visit, { form, act, last }: End, { answer, fields }: Preview): Shown {
  // The cast holds: the route that was asked answers this shape.
  const preview = assume<OrderPreview>(answer);
  const { total_minor: totalMinor, currency } = preview;
  const kept = [...without(fields, [EXPECTED, TENDERED])];
  return {
    title: words.totalTitle,
    body: html`${heading({ title: words.totalTitle, back: [visit.href("/orders"), en.nav.orders] })}
      ${refusedNote(nowWith(visit.sent, textOfMoney(totalMinor, currency)))}
      <div class="narrow">
        <form class="stack" method="post" action="${`${visit.page}/${form}`}">
          ${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
          ${!fields.has(ONCE) && onceField()}
          <input type="hidden" name="${EXPECTED}" value="${typedAmount(totalMinor, currency)}" />
          ${billOfSale(visit, preview)} ${last(visit, preview)}
          <p class="acts">
            <button class="go">${act}</button>
            <button class="quiet" formaction="${visit.page}/find">
              ${en.oneOrder.effect.change}
            </button>
          </p>
        </form>
      </div>`,
  };
}

/** Says the new total in the words of the page. */
function nowWith(sent: Sent | null, total: string): Sent | null {
  return sent?.code === "total_changed" ? { ...sent, detail: words.totalChanged(total) } : sent;
}

function without(fields: URLSearchParams, names: readonly string[]): URLSearchParams {
  return new URLSearchParams([...fields].filter(([name]) => !names.includes(name)));
}
