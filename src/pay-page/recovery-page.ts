// The page of a recovery link. Invariant: it contains no personal data.

import { renderAddressForm, renderToChoose } from "./delivery/delivery-page.ts";
import {
  type PayPage,
  renderLines,
  renderNotices,
  renderShopPage,
  type ShownLine,
} from "./page-frame.ts";
import type { BillLine } from "./recovery-bill.ts";
import { renderIncluded, renderSums } from "./sums-page.ts";
import { renderNextStep, renderWays } from "./ways-page.ts";

/** Renders the whole page. */
export function renderRecoveryPage(page: PayPage): string {
  const { bill, step } = page;
  return renderShopPage(page, {
    title: bill.heading,
    body: `<h1>${Bun.escapeHTML(bill.heading)}</h1>
<p class="amount">${Bun.escapeHTML(bill.amount)}</p>
${renderNotices(noticesOf(page), bill)}
${step === null || bill.obstacle !== null ? "" : renderNextStep(step)}
${renderLines(bill.lines.map(shownLine))}
<section aria-label="Amounts">
${renderSums(bill.sums)}
${renderIncluded(bill.included)}
</section>
${bill.obstacle === null ? renderForms(page) : ""}`,
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

/** Nothing is paid before the delivery is chosen, because the customer would not know how much. */
function renderForms(page: PayPage): string {
  const { delivery } = page.bill;
  const ways = () => renderWays({ ...page, isOther: page.step !== null });
  if (delivery === null) return ways();
  const address = renderAddressForm(delivery);
  return `${delivery.chosen === null ? renderToChoose(delivery) : ways()}\n${address}`;
}

function shownLine({ name, quantity, unitPrice, total }: BillLine): ShownLine {
  const each = unitPrice === null ? "Left out" : `${quantity} × ${unitPrice}`;
  return { name, total, remarks: [each], isGone: total === null };
}
