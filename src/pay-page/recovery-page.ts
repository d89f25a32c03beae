// The page of a recovery link. Invariant: it works without script, sends requests only to this
// server and the gateway, contains no personal data, and escapes every text that a caller supplied.

import { htmlDocument } from "#platform/html/html-document.ts";
import { PAGE_STYLE } from "#platform/html/page-style.ts";

import type { NextStep } from "./next-step.ts";
import type { BillLine, RecoveryBill } from "./recovery-bill.ts";
import { renderNextStep, renderWays, WAYS_STYLE } from "./ways-page.ts";
import type { WayToPay } from "./ways-to-pay.ts";

/** The style of every payment page, and of a list of lines. */
export const RECOVERY_PAGE_STYLE = `${PAGE_STYLE}
.cancelled h1 { font-weight: 700; color: var(--stop); }
ul { margin: 0; padding: 0; list-style: none; }
.lines li { display: grid; grid-template-columns: 1fr auto; gap: 0 1rem; padding: .75rem 0; border-top: 1px solid color-mix(in srgb, var(--line) 35%, transparent); }
.lines li:last-child { border-bottom: 1px solid color-mix(in srgb, var(--line) 35%, transparent); }
.name { min-width: 0; font-weight: 600; overflow-wrap: anywhere; }
.sum, dd { font-variant-numeric: tabular-nums; white-space: nowrap; }
.each { grid-column: 1 / -1; font-size: .875rem; color: var(--faint); }
.gone .name, .gone .each { color: var(--stop); }
.gone .name { text-decoration: line-through; }
dl div:last-child { font-size: 1.0625rem; font-weight: 700; }
dl div:last-child dt { color: inherit; }
.notice p + p { margin-top: .35rem; }
.remark { font-size: .875rem; color: var(--faint); text-align: center; }
${WAYS_STYLE}`;

export interface RecoveryPage {
  readonly shopName: string;
  readonly isTest: boolean;
  readonly bill: RecoveryBill;
  /** A sentence about an attempt that failed and may be repeated. */
  readonly problem: string | null;
  /** The ways to pay that are offered; the chosen one is selected. */
  readonly ways: readonly WayToPay[];
  readonly chosen: string | null;
  /** What the customer must do now. */
  readonly step: NextStep | null;
}

/** Renders the whole page. */
export function renderRecoveryPage(page: RecoveryPage): string {
  const { shopName, isTest, bill, problem, step } = page;
  return pageOf(
    `${bill.heading} · ${shopName}`,
    `<header>
<p class="shop">${Bun.escapeHTML(shopName)}</p>
${isTest ? '<p class="mode">Test mode: no money moves</p>' : ""}
</header>
<main class="${bill.state}">
<h1>${Bun.escapeHTML(bill.heading)}</h1>
<p class="amount">${Bun.escapeHTML(bill.amount)}</p>
${renderNotices(bill, problem)}
${step === null || bill.obstacle !== null ? "" : renderNextStep(step)}
${renderLines(bill.lines)}
${renderSums(bill.sums)}
${bill.obstacle === null ? renderWays({ ...page, isOther: step !== null }) : ""}
</main>`,
  );
}

/** Renders a page with a heading and a sentence, for a link that opens nothing. */
export function renderRecoveryFault(heading: string, sentence: string): string {
  return pageOf(
    heading,
    `<main>
<h1>${Bun.escapeHTML(heading)}</h1>
<p>${Bun.escapeHTML(sentence)}</p>
</main>`,
  );
}

function renderNotices({ changes, obstacle, state }: RecoveryBill, problem: string | null): string {
  const notices = [problem, ...changes, obstacle?.sentence ?? null];
  const sentences = notices.filter((sentence) => sentence !== null);
  if (sentences.length === 0) return "";
  const paragraphs = sentences.map((sentence) => `<p>${Bun.escapeHTML(sentence)}</p>`);
  return `<div role="status"${state === "open" ? ' class="notice"' : ""}>${paragraphs.join("\n")}</div>`;
}

function renderLines(lines: readonly BillLine[]): string {
  return lines.length === 0 ? "" : `<ul class="lines">\n${lines.map(renderLine).join("\n")}\n</ul>`;
}

function renderLine({ name, quantity, unitPrice, total }: BillLine): string {
  const each = unitPrice === null ? "Left out" : `${quantity} × ${unitPrice}`;
  return `<li${total === null ? ' class="gone"' : ""}>
<span class="name">${Bun.escapeHTML(name)}</span>
<span class="sum">${Bun.escapeHTML(total ?? "–")}</span>
<span class="each">${Bun.escapeHTML(each)}</span>
</li>`;
}

function renderSums(sums: RecoveryBill["sums"]): string {
  const rows = sums.map(
    ([name, amount]) =>
      `<div><dt>${Bun.escapeHTML(name)}</dt><dd>${Bun.escapeHTML(amount)}</dd></div>`,
  );
  return `<dl>\n${rows.join("\n")}\n</dl>`;
}

function pageOf(title: string, body: string): string {
  return htmlDocument({ title, style: RECOVERY_PAGE_STYLE, body });
}
