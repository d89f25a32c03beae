// The page of an order's link: how far it is, what is to be paid, what was sent, and to whom.

import { dueOf } from "#sales/balance/balance.ts";

import { stepByHandOf } from "../next-step.ts";
import { type PayPage, renderLines, renderNotices, renderShopPage } from "../page-frame.ts";
import { renderIncluded, renderSums } from "../sums-page.ts";
import { totalOfOrder } from "../sums.ts";
import { renderNextStep, renderWays } from "../ways-page.ts";
import type { OrderStatus } from "./get-order-status.ts";
import {
  accountOf,
  type CustomerDetails,
  detailsOf,
  linesOf,
  type Parcel,
  parcelsOf,
  standingOf,
  type Step,
  stepsOf,
} from "./order-status.ts";

/** Renders the whole page. */
export function renderOrderPage(page: PayPage, status: OrderStatus): string {
  const { store, bill } = page;
  const { order } = status.whole;
  const { headline, sentence } = standingOf(status, bill);
  const isDue = dueOf(order) > 0;
  const number = `Order #${order.number}`;
  return renderShopPage(page, {
    title: `${number}: ${headline}`,
    body: `<div class="order">
<div class="top">
<h1>${number} <span class="headline">${headline}</span></h1>
${sentence === null ? "" : `<p>${Bun.escapeHTML(sentence)}</p>`}
${isDue ? renderNotices([page.problem, bill.obstacle?.sentence ?? null], bill) : ""}
</div>
${renderSteps(stepsOf(status, store))}
${isDue && bill.obstacle === null ? renderPaying(page, status) : ""}
${section(parcelsOf(status, store).map(renderParcel).join("\n"))}
<section>
<h2>Your order</h2>
${renderLines(linesOf(status))}
</section>
<section aria-label="Amounts">
${renderSums(totalOfOrder(order))}
${renderIncluded(bill.included)}
${renderSums(accountOf(status, store), isDue ? "account" : "account settled")}
</section>
${renderCustomer(detailsOf(status))}
</div>`,
  });
}

function section(html: string): string {
  return html === "" ? "" : `<section>\n${html}\n</section>`;
}

function renderSteps(steps: readonly Step[]): string {
  return `<ol class="way-of" aria-label="Progress">\n${steps.map(renderStep).join("\n")}\n</ol>`;
}

function renderStep({ name, on }: Step): string {
  const style = on === null ? "" : ` class="done${name === "Cancelled" ? " stopped" : ""}"`;
  return `<li${style}><strong>${name}</strong> ${Bun.escapeHTML(on ?? "not yet")}</li>`;
}

/** The amount that is due, what to do for it, and the ways to pay it. */
function renderPaying(page: PayPage, { whole: { order } }: OrderStatus): string {
  const { bill, store } = page;
  const step = page.step ?? stepByHandOf(order, store);
  const chosen = page.chosen ?? order.paymentMethod;
  return `<section class="pay-now">
<h2>To pay</h2>
<p class="amount">${Bun.escapeHTML(bill.amount)}</p>
${step === null ? "" : renderNextStep(step)}
${renderWays({ ...page, chosen, isOther: step !== null })}
</section>`;
}

function renderParcel({ heading, items, carrier, number, url }: Parcel): string {
  const tracking = [carrier, number].filter((part) => part !== null).join(" · ");
  const link = carrier === null ? "Track it" : `Track it with ${carrier}`;
  return `<div class="parcel">
<h2>${Bun.escapeHTML(heading)}</h2>
<ul>
${items.map((item) => `<li>${Bun.escapeHTML(item)}</li>`).join("\n")}
</ul>
${tracking === "" ? "" : `<p class="number">${Bun.escapeHTML(tracking)}</p>`}
${url === null ? "" : `<a class="button" href="${Bun.escapeHTML(url)}" rel="noreferrer">${Bun.escapeHTML(link)}</a>`}
</div>`;
}

function renderCustomer({ delivery, billing, contact, remark }: CustomerDetails): string {
  if (remark !== null) return `<p class="remark">${Bun.escapeHTML(remark)}</p>`;
  const parts: [string, readonly string[]][] = [
    ["Delivery address", delivery],
    ["Billing address", billing],
    ["Contact", contact],
  ];
  const shown = parts.filter(([, lines]) => lines.length > 0);
  if (shown.length === 0) return "";
  return `<section class="people">\n${shown.map(renderPart).join("\n")}\n</section>`;
}

function renderPart([heading, lines]: readonly [string, readonly string[]]): string {
  const spans = lines.map((line) => `<span>${Bun.escapeHTML(line)}</span>`);
  return `<div>
<h2>${heading}</h2>
<address>${spans.join("\n")}</address>
</div>`;
}
