// The page of a recovery link. Invariant: it contains no personal data.

import {
  type PayPage,
  renderLines,
  renderNotices,
  renderShopPage,
  renderSums,
  type ShownLine,
} from "./page-frame.ts";
import type { BillLine } from "./recovery-bill.ts";
import { renderNextStep, renderWays } from "./ways-page.ts";

/** Renders the whole page. */
export function renderRecoveryPage(page: PayPage): string {
  const { bill, problem, step } = page;
  return renderShopPage(page, {
    title: bill.heading,
    body: `<h1>${Bun.escapeHTML(bill.heading)}</h1>
<p class="amount">${Bun.escapeHTML(bill.amount)}</p>
${renderNotices([problem, ...bill.changes, bill.obstacle?.sentence ?? null], bill)}
${step === null || bill.obstacle !== null ? "" : renderNextStep(step)}
${renderLines(bill.lines.map(shownLine))}
${renderSums(bill.sums)}
${bill.obstacle === null ? renderWays({ ...page, isOther: step !== null }) : ""}`,
  });
}

function shownLine({ name, quantity, unitPrice, total }: BillLine): ShownLine {
  const each = unitPrice === null ? "Left out" : `${quantity} × ${unitPrice}`;
  return { name, total, remarks: [each], isGone: total === null };
}
