// The page of a customer who comes back from a gateway, where the merchant named no page of their own.

import type { PaymentStatus } from "#payments/payments/payment-life.ts";
import { isOpen, type Payment } from "#payments/payments/payment.ts";
import type { Mode } from "#platform/database/shop.ts";
import { type Html, html } from "#platform/html/html.ts";
import type { Store } from "#shop/store/store.ts";

import { framePage, renderWayOn, type ShownPage } from "../frame/shop-frame.ts";
import { en } from "../frame/words.ts";
import { PAY_PAGE_STYLE } from "../page-frame.ts";
import { print } from "../sums.ts";

const { returned: says } = en;

export interface ReturnPage {
  readonly store: Store;
  readonly mode: Mode;
  readonly payment: Payment;
  /** Null for a payment link. */
  readonly orderNumber: number | null;
  readonly hint: PaymentStatus;
}

type Standing = keyof typeof says.standings;

const standings: Readonly<Record<PaymentStatus, Standing>> = {
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
  const standing = standings[hint];
  const { heading, sentence } = says.standings[standing];
  return framePage({
    shop: store,
    mode,
    title: heading,
    style: PAY_PAGE_STYLE,
    state: standing,
    body: html`<h1>${heading}</h1>
      <p class="amount">${print(payment.amountMinor, payment.currency, store.locale)}</p>
      <dl>
        ${orderNumber !== null && row(says.order, `#${orderNumber}`)}
        ${row(says.reference, payment.reference)}
      </dl>
      <p role="status">${sentence}</p>
      ${renderWaysOn(page, standing)}`,
  });
}

function row(name: string, value: string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

/** Back to the payment while it can be made, another look while nothing is known, and on to the shop. */
function renderWaysOn({ store, payment }: ReturnPage, standing: Standing): Html {
  const { nextAction } = payment;
  const url = isOpen(payment) && nextAction?.type === "redirect" ? nextAction.url : null;
  return html`${url !== null && html`<p><a class="button" href="${url}">${says.back}</a></p>`}
  ${standing === "awaited" && html`<p><a class="button" href="?">${says.again}</a></p>`}
  ${renderWayOn(store)}`;
}
