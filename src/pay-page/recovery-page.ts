// The page a recovery link leads to. Invariant: it works without script, asks nobody but this server
// and the one who takes the payment, names no person, and every text of a caller's is escaped.

import { htmlDocument } from "#platform/html/html-document.ts";

import type { BillLine, RecoveryBill } from "./recovery-bill.ts";
import { RECOVERY_PAGE_STYLE } from "./recovery-page-style.ts";

export interface RecoveryPage {
  readonly shopName: string;
  readonly isTest: boolean;
  readonly bill: RecoveryBill;
  /** What just went wrong, though the button may be pressed again. */
  readonly problem: string | null;
}

/** The whole page. */
export function renderRecoveryPage({ shopName, isTest, bill, problem }: RecoveryPage): string {
  return pageOf(
    `${bill.heading} · ${shopName}`,
    `<header>
<p class="shop">${Bun.escapeHTML(shopName)}</p>
${isTest ? '<p class="mode">Test mode: no money moves</p>' : ""}
</header>
<main class="${bill.look}">
<h1>${Bun.escapeHTML(bill.heading)}</h1>
<p class="amount">${Bun.escapeHTML(bill.amount)}</p>
${renderTold(bill, problem)}
${renderLines(bill.lines)}
${renderSums(bill.sums)}
${bill.obstacle === null ? BUTTON : ""}
</main>`,
  );
}

/** A page with a heading and a sentence, for what cannot be shown. */
export function renderRecoveryFault(heading: string, sentence: string): string {
  return pageOf(
    heading,
    `<main>
<h1>${Bun.escapeHTML(heading)}</h1>
<p>${Bun.escapeHTML(sentence)}</p>
</main>`,
  );
}

const BUTTON = `<form method="post"><button class="pay">Continue to payment</button></form>
<p class="remark">You see the amount again before you pay.</p>`;

/** What changed, what stands in the way, and what just went wrong. */
function renderTold({ changes, obstacle, look }: RecoveryBill, problem: string | null): string {
  const told = [...changes, obstacle?.sentence ?? null, problem];
  const sentences = told.filter((sentence) => sentence !== null);
  if (sentences.length === 0) return "";
  const paragraphs = sentences.map((sentence) => `<p>${Bun.escapeHTML(sentence)}</p>`);
  return `<div role="status"${look === "open" ? ' class="notice"' : ""}>${paragraphs.join("\n")}</div>`;
}

function renderLines(lines: readonly BillLine[]): string {
  return lines.length === 0 ? "" : `<ul class="lines">\n${lines.map(renderLine).join("\n")}\n</ul>`;
}

function renderLine({ name, quantity, unitPrice, total }: BillLine): string {
  const each = unitPrice === null ? "Not for sale" : `${quantity} × ${unitPrice}`;
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
