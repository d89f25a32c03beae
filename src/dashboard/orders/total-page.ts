// The total of a new order, with its taxes and discounts, before it is sold. The interface tells the sale without
// keeping it, and the form holds it to that total: what changed meanwhile is said, and not sold.

import type { Static } from "typebox";

import { currencyFieldOf } from "#dashboard/kit/amounts.ts";
import { readAnswer } from "#dashboard/kit/asker.ts";
import { bodyOfForm } from "#dashboard/kit/forms/form-body.ts";
import type { PageContent, Preview, PreviewForm, RequestForm } from "#dashboard/kit/forms/form.ts";
import { NONCE, type SubmittedForm } from "#dashboard/kit/forms/submitted-form.ts";
import { amountInput, hiddenAmount, nonceField } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { textOfMoney } from "#dashboard/kit/parts/money.ts";
import { refusedNote } from "#dashboard/kit/parts/note.ts";
import { changeQuery, methodNamed } from "#dashboard/kit/parts/order-words.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { billOfSale } from "#dashboard/orders/order/bill.ts";
import { en } from "#dashboard/words/en.ts";
import { assume, isObject } from "#kernel/assume.ts";
import type { orderPreviewWire } from "#payments/routes/counter-schema.ts";
import { type Html, html } from "#platform/html/html.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";

import { fieldOfChosenLine, onlyChosenLines } from "./chosen-lines.ts";
import { deliveryPart, withAddress } from "./new-order.ts";

// The forms that make a new order of what was typed: sold at the counter, or placed to be paid later.

const sellForm: RequestForm = formOfOrder("sold", counterBody);
const placeForm: RequestForm = formOfOrder("placed", laterBody);

function formOfOrder(
  doneMessage: RequestForm["doneMessage"],
  prepareBody: (body: JsonObject) => JsonObject,
): RequestForm {
  return {
    route: "POST /v2/orders",
    doneMessage,
    prepareBody: (body) => prepareBody(withCustomer(onlyChosenLines(body))),
    fieldOf: fieldOfChosenLine,
    redirectTo: ({ id, change_minor: change }, visit) => {
      const orderId = typeof id === "string" ? id : "";
      const query = typeof change === "number" ? changeQuery(visit, orderId, change) : "";
      return `/orders/${orderId}${query}`;
    },
  };
}

/** A customer of whom nothing was typed is none. */
function withCustomer({ customer, ...body }: JsonObject): JsonObject {
  const isKnown = isObject(customer) && Object.values(customer).some((value) => value !== null);
  return isKnown && customer !== undefined ? { ...body, customer } : body;
}

function laterBody({ paid: _paid, ...body }: JsonObject): JsonObject {
  return { ...withAddress(body), channel: "phone" };
}

/** The customer stands at the counter, pays in cash and takes everything along. */
function counterBody(typed: JsonObject): JsonObject {
  const { payment_method: _later, shipping_address: _home, paid, ...body } = typed;
  const tendered = paid !== null && typeof paid === "object" ? paid : {};
  return { ...body, channel: "pos", fulfilled: true, paid: { ...tendered, method: "cash" } };
}

type OrderPreview = Static<(typeof orderPreviewWire)["schema"]>;

const PREVIEWS = "POST /v2/orders/preview";
const EXPECTED = "/expected_total";
const TENDERED = "/paid/tendered";
const amountsHere = [EXPECTED, TENDERED].flatMap((name) => [name, currencyFieldOf(name)]);

const words = en.newOrder;

/** A form that makes the order, by its name on the page. */
interface OrderForm {
  readonly name: string;
  readonly form: RequestForm;
  readonly act: string;
  /** The field or the words below the bill. */
  readonly lastField: (visit: Visit, preview: OrderPreview, fields: URLSearchParams) => Html;
}

/** Paid in cash and taken along. */
export const counterSale: OrderForm = {
  name: "sell",
  form: sellForm,
  act: words.sell,
  lastField: (visit, { currency }) =>
    amountInput(visit.submitted, {
      label: words.tendered,
      name: TENDERED,
      writing: visit.writing(currency),
      hint: words.tenderedHint,
    }),
};

/** Paid later. */
export const laterOrder: OrderForm = {
  name: "place",
  form: placeForm,
  act: words.place,
  lastField: (_visit, { payment_method: method }, fields) =>
    html`${deliveryPart(fields)}
      <p>${words.payLater(methodNamed(method).toLowerCase())}</p>`,
};

/** The form that says what the order comes to. */
export function totalForm(orderForm: OrderForm): PreviewForm {
  return {
    form: orderForm.form,
    previewRoute: PREVIEWS,
    showPreview: (visit, preview) => totalPage(visit, orderForm, preview),
  };
}

/**
 * The same page again, where the order was refused for what stands on it: another total now, or less cash than that.
 * Null for what is wrong with the order itself.
 */
export async function totalAgain(visit: Visit): Promise<PageContent | null> {
  const { submitted } = visit;
  const orderForm = [counterSale, laterOrder].find(({ name }) => name === submitted?.name);
  if (submitted === null || orderForm === undefined || !submitted.fields.has(EXPECTED)) return null;
  // Another order than the one that was refused: it has a nonce of its own.
  const fields = without(submitted.fields, [...amountsHere, NONCE]);
  const { body } = bodyOfForm(fields, visit.bodySchemaOf(PREVIEWS), visit.writing());
  const prepared = (await orderForm.form.prepareBody?.(body, visit)) ?? body;
  const answer = await visit.send(PREVIEWS, { body: prepared });
  return answer.status >= 400
    ? null
    : totalPage(visit, orderForm, { answer: readAnswer(answer), fields });
}

function totalPage(
  visit: Visit,
  { name: formName, act, lastField }: OrderForm,
  { answer, fields }: Preview,
): PageContent {
  // The cast holds: the route that was asked answers this shape.
  const preview = assume<OrderPreview>(answer);
  const { total_minor: totalMinor, currency } = preview;
  const kept = [...without(fields, amountsHere)];
  return {
    title: words.totalTitle,
    body: html`${heading({ title: words.totalTitle, back: [visit.href("/orders"), en.nav.orders] })}
      ${refusedNote(nowWith(visit.submitted, textOfMoney(totalMinor, currency)))}
      <div class="narrow">
        <form class="stack" method="post" action="${`${visit.page}/${formName}`}">
          ${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
          ${!fields.has(NONCE) && nonceField()}
          ${hiddenAmount(EXPECTED, totalMinor, visit.writing(currency))}
          ${billOfSale(visit, preview)} ${lastField(visit, preview, fields)}
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
function nowWith(submitted: SubmittedForm | null, total: string): SubmittedForm | null {
  return submitted?.code === "total_changed"
    ? { ...submitted, detail: words.totalChanged(total) }
    : submitted;
}

function without(fields: URLSearchParams, names: readonly string[]): URLSearchParams {
  return new URLSearchParams([...fields].filter(([name]) => !names.includes(name)));
}
