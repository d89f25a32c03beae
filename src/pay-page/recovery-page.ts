// The page of a recovery link. Invariant: it contains no personal data.

import type { Localized } from "#pay-page/words/localize.ts";
import { type Html, html } from "#platform/html/html.ts";

import { renderAddressForm, renderDetailsForm, renderToChoose } from "./delivery/delivery-page.ts";
import { renderThanks, type ShownPage } from "./frame/shop-frame.ts";
import {
  type PayPage,
  renderLines,
  renderNotices,
  renderShopPage,
  type ShownLine,
} from "./page-frame.ts";
import type { BillLine } from "./recovery-bill.ts";
import { renderIncluded, renderSums } from "./sums.ts";
import { renderNextStep, renderWays } from "./ways-page.ts";

/** Renders the whole page. */
export function renderRecoveryPage(page: PayPage): ShownPage {
  const { bill, step, store } = page;
  return renderShopPage(page, {
    title: bill.heading,
    body: html`<h1>${bill.heading}</h1>
      <p class="amount">${bill.amount}</p>
      ${renderNotices(noticesOf(page), bill)}
      ${step !== null && bill.obstacle === null && renderNextStep(step, store)}
      ${renderLines(bill.lines.map((line) => shownLine(line, store)))}
      <section aria-label="${store.words.amounts}">
        ${renderSums(bill.sums)} ${renderIncluded(bill.included)}
      </section>
      ${bill.obstacle === null && renderForms(page)} ${bill.state === "paid" && renderThanks(store)}`,
  });
}

function noticesOf({ bill, problem }: PayPage): (string | null)[] {
  return [
    problem,
    ...bill.changes,
    bill.delivery?.problem ?? null,
    bill.obstacle?.sentence ?? null,
  ];
}

/** Nothing is paid before the delivery is chosen, because the customer would not know how much, and before all is said. */
function renderForms(page: PayPage): Html {
  const { store, typed, step } = page;
  const { delivery, details } = page.bill;
  if (details !== null) {
    // The details come first, unless goods that are fetched need none of the address that is asked for.
    const isChoosing = delivery?.chosen === null && details.address;
    const form = renderDetailsForm(details, { store, typed, delivery });
    return html`${isChoosing && renderToChoose(delivery, store)} ${form}`;
  }
  const ways = () =>
    renderWays({ ...page, chosen: typed?.get("method") ?? null, isOther: step !== null });
  if (delivery === null) return ways();
  const address = renderAddressForm(delivery, store);
  return html`${delivery.chosen === null ? renderToChoose(delivery, store) : ways()} ${address}`;
}

/** Returns a line of the bill as pages and emails list it, with what is told of what was chosen. */
export function shownLine(
  { name, quantity, unitPrice, total }: BillLine,
  { words }: Localized,
  told: readonly string[] = [],
): ShownLine {
  const each = unitPrice === null ? words.cart.leftOut : `${quantity} × ${unitPrice}`;
  return { name, total, remarks: [each, ...told], isGone: total === null };
}
