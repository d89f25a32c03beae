// The page of an order's link: how far it is, what is to be paid, what was sent, and to whom.

import { type PayPage, renderLines, renderNotices, renderShopPage } from "#pay-page/page-frame.ts";
import { renderIncluded, renderSums, totalOfOrder } from "#pay-page/sums.ts";
import { attribute, type Html, html, isolated } from "#platform/html/html.ts";
import { dueOf } from "#sales/rows/balance.ts";

import { renderThanks, type ShownPage } from "../frame/shop-frame.ts";
import { stepByHandOf } from "../next-step.ts";
import { renderNextStep, renderWays } from "../ways-page.ts";
import type { Words } from "../words/en.ts";
import {
  accountOf,
  detailsOf,
  linesOf,
  type OrderOnPage,
  type Parcel,
  parcelsOf,
  type ShownCustomer,
  standingOf,
  type Step,
  stepsOf,
} from "./order-status.ts";

/** Renders the whole page. */
export function renderOrderPage(page: PayPage, status: OrderOnPage): ShownPage {
  const { store, bill } = page;
  const { order } = status.whole;
  const { words } = store;
  const { headline, sentence } = standingOf(status, bill, store);
  const isDue = dueOf(order) > 0;
  const number = words.order(order.number);
  return renderShopPage(page, {
    title: `${number}${words.colon} ${headline}`,
    body: html`<div class="order">
      <div class="top">
        <h1>${number} <span class="headline">${headline}</span></h1>
        ${sentence !== null && html`<p>${sentence}</p>`}
        ${isDue && renderNotices([page.problem, bill.obstacle?.sentence ?? null], bill)}
      </div>
      ${renderSteps(stepsOf(status, store), words.status)}
      ${isDue && bill.obstacle === null && renderPaying(page, status)}
      ${renderParcels(parcelsOf(status, store), words.status)}
      <section>
        <h2>${words.yourOrder}</h2>
        ${renderLines(linesOf(status, store))}
      </section>
      <section aria-label="${words.amounts}">
        ${renderSums(totalOfOrder(order, store))} ${renderIncluded(bill.included)}
        ${renderSums(accountOf(status, store), isDue ? "account" : "account settled")}
      </section>
      ${renderCustomer(detailsOf(status, store), words.status)} ${!isDue && renderThanks(store)}
    </div>`,
  });
}

function renderSteps(steps: readonly Step[], says: Words["status"]): Html {
  return html`<ol class="way-of" aria-label="${says.progress}">
    ${steps.map((step) => renderStep(step, says))}
  </ol>`;
}

function renderStep({ name, on, isStop }: Step, { notYet }: Words["status"]): Html {
  const style = on !== null && `done${isStop ? " stopped" : ""}`;
  return html`<li ${attribute("class", style)}><strong>${name}</strong> ${on ?? notYet}</li>`;
}

/** The amount that is due, what to do for it, and the ways to pay it. */
function renderPaying(page: PayPage, { whole: { order } }: OrderOnPage): Html {
  const { bill, store } = page;
  const step = page.step ?? stepByHandOf(order, store);
  const chosen = page.typed?.get("method") ?? order.paymentMethod;
  return html`<section class="pay-now">
    <h2>${store.words.sums.toPay}</h2>
    <p class="amount">${bill.amount}</p>
    ${step !== null && renderNextStep(step, store)}
    ${renderWays({ ...page, chosen, isOther: step !== null })}
  </section>`;
}

function renderParcels(parcels: readonly Parcel[], says: Words["status"]): Html | null {
  if (parcels.length === 0) return null;
  return html`<section>${parcels.map((parcel) => renderParcel(parcel, says))}</section>`;
}

function renderParcel(
  { heading, items, carrier, number, url }: Parcel,
  says: Words["status"],
): Html {
  const tracking = [isolated(carrier ?? ""), number ?? ""]
    .filter((part) => part !== "")
    .join(" · ");
  const link = carrier === null ? says.track : says.trackWith(carrier);
  return html`<div class="parcel">
    <h2>${heading}</h2>
    <ul>
      ${items.map((item) => html`<li>${item}</li>`)}
    </ul>
    ${tracking !== "" && html`<p class="number">${tracking}</p>`}
    ${url !== null && html`<a class="button" href="${url}" rel="noreferrer">${link}</a>`}
  </div>`;
}

function renderCustomer(
  { delivery, billing, contact, remark }: ShownCustomer,
  says: Words["status"],
): Html | null {
  if (remark !== null) return html`<p class="remark">${remark}</p>`;
  const parts: [string, readonly string[]][] = [
    [says.deliveryAddress, delivery],
    [says.billingAddress, billing],
    [says.contact, contact],
  ];
  const shown = parts.filter(([, lines]) => lines.length > 0);
  if (shown.length === 0) return null;
  return html`<section class="people">${shown.map(renderPart)}</section>`;
}

function renderPart([heading, lines]: readonly [string, readonly string[]]): Html {
  return html`<div>
    <h2>${heading}</h2>
    <address>${lines.map((line) => html`<span>${line}</span>`)}</address>
  </div>`;
}
