// The page of a customer who comes back from a gateway, where the merchant named no page of their own.

import type { PaymentStatus } from "#payments/payments/payment-life.ts";
import { isOpenAttempt, type Payment } from "#payments/payments/payment.ts";
import type { Mode } from "#platform/database/shop.ts";
import { type Html, html } from "#platform/html/html.ts";

import { framePage, renderWayOn, type ShownPage } from "../frame/shop-frame.ts";
import { PAY_PAGE_STYLE } from "../page-frame.ts";
import { print } from "../sums.ts";
import type { Words } from "../words/en.ts";
import type { LocalizedStore } from "../words/localize.ts";

const STYLE = `${PAY_PAGE_STYLE}
.reference { align-self: center; font-size: .8125rem; white-space: normal; }
.button.pay { color: var(--pay-ink); background: var(--pay); border-color: var(--pay-edge); }
`;

export interface ReturnPage {
  readonly store: LocalizedStore;
  readonly mode: Mode;
  readonly payment: Payment;
  /** Null for a payment link. */
  readonly orderNumber: number | null;
  readonly hint: PaymentStatus;
}

type Shown = keyof Words["returned"]["states"];

/** The state as a customer sees it. */
const shownAs: Readonly<Record<PaymentStatus, Shown>> = {
  pending: "awaited",
  requires_action: "awaited",
  processing: "awaited",
  succeeded: "paid",
  partially_refunded: "paid",
  refunded: "refunded",
  review: "checked",
  failed: "unpaid",
  expired: "unpaid",
  cancelled: "unpaid",
};

/** Renders the whole page. */
export function renderReturnPage(page: ReturnPage): ShownPage {
  const { store, mode, payment, orderNumber, hint } = page;
  const { returned: says, number } = store.words;
  const shown = shownAs[hint];
  const { heading, sentence } = says.states[shown];
  return framePage({
    shop: store,
    mode,
    title: heading,
    style: STYLE,
    state: shown,
    body: html`<h1>${heading}</h1>
      <p class="amount">${print(payment.amountMinor, payment.currency, store.locale)}</p>
      <dl>
        ${orderNumber !== null && row(says.order, number(orderNumber), "order")}
        ${row(says.reference, payment.reference, "reference")}
      </dl>
      <p role="status">${sentence}</p>
      ${renderWaysOn(page, shown)}`,
  });
}

function row(name: string, value: string, style: string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd class="${style}">${value}</dd>
  </div>`;
}

/** Another look while nothing is known, back to the payment while it can be made, and on to the shop. */
function renderWaysOn({ store, payment }: ReturnPage, shown: Shown): Html {
  const { nextAction } = payment;
  const says = store.words.returned;
  const url = isOpenAttempt(payment) && nextAction?.type === "redirect" ? nextAction.url : null;
  return html`${shown === "awaited" && html`<p><a class="button pay" href="?">${says.again}</a></p>`}
  ${url !== null && html`<p><a class="button" href="${url}">${says.back}</a></p>`}
  ${renderWayOn(store)}`;
}
