// What the pages of links have in common: their style, their frame, and the lists of lines and sums. Invariant:
// they work without script, send requests only to this server and the gateway, and escape every text that a
// caller supplied.

import { htmlDocument } from "#platform/html/html-document.ts";
import { PAGE_STYLE } from "#platform/html/page-style.ts";
import type { Store } from "#shop/store/store.ts";

import { DELIVERY_STYLE } from "./delivery/delivery-page.ts";
import type { NextStep } from "./next-step.ts";
import { ORDER_STYLE } from "./order/order-style.ts";
import type { RecoveryBill } from "./recovery-bill.ts";
import { SUMS_STYLE } from "./sums-page.ts";
import { WAYS_STYLE } from "./ways-page.ts";
import type { WayToPay } from "./ways-to-pay.ts";

/** The style of every page of a link, so that one policy allows it. */
export const PAY_PAGE_STYLE = `${PAGE_STYLE}
.cancelled h1 { font-weight: 700; color: var(--stop); }
ul, ol { margin: 0; padding: 0; list-style: none; }
.lines li { display: grid; grid-template-columns: 1fr auto; gap: 0 1rem; padding: .75rem 0; border-top: 1px solid color-mix(in srgb, var(--line) 35%, transparent); }
.lines li:last-child { border-bottom: 1px solid color-mix(in srgb, var(--line) 35%, transparent); }
.name { min-width: 0; font-weight: 600; overflow-wrap: anywhere; }
.sum, dd { font-variant-numeric: tabular-nums; white-space: nowrap; }
.each { grid-column: 1 / -1; font-size: .875rem; color: var(--faint); }
.gone .name, .gone .each { color: var(--stop); }
.gone .name { text-decoration: line-through; }
.notice p + p { margin-top: .35rem; }
.remark { font-size: .875rem; color: var(--faint); text-align: center; }
${SUMS_STYLE}${WAYS_STYLE}${DELIVERY_STYLE}${ORDER_STYLE}`;

/** What a page shows of what its link opened. */
export interface PayPage {
  readonly store: Store;
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

/** Renders a page of the shop; `body` is HTML, already escaped. */
export function renderShopPage(
  { store, isTest, bill }: PayPage,
  { title, body }: { readonly title: string; readonly body: string },
): string {
  return pageOf(
    `${title} · ${store.name}`,
    `<header>
<p class="shop">${Bun.escapeHTML(store.name)}</p>
${isTest ? '<p class="mode">Test mode: no money moves</p>' : ""}
</header>
<main class="${bill.state}">
${body}
</main>`,
  );
}

/** Renders a page with a heading and a sentence, for a link that opens nothing. */
export function renderFault(heading: string, sentence: string): string {
  return pageOf(
    heading,
    `<main>
<h1>${Bun.escapeHTML(heading)}</h1>
<p>${Bun.escapeHTML(sentence)}</p>
</main>`,
  );
}

/** Renders sentences that the customer has to know; nothing without one. */
export function renderNotices(
  notices: readonly (string | null)[],
  { state }: Pick<RecoveryBill, "state">,
): string {
  const sentences = [...new Set(notices)].filter((sentence) => sentence !== null);
  if (sentences.length === 0) return "";
  const paragraphs = sentences.map((sentence) => `<p>${Bun.escapeHTML(sentence)}</p>`);
  return `<div role="status"${state === "open" ? ' class="notice"' : ""}>${paragraphs.join("\n")}</div>`;
}

/** One line of a list: its remarks stand below its name. */
export interface ShownLine {
  readonly name: string;
  readonly total: string | null;
  readonly remarks: readonly string[];
  readonly isGone: boolean;
}

/** Renders the lines; nothing without one. */
export function renderLines(lines: readonly ShownLine[]): string {
  return lines.length === 0 ? "" : `<ul class="lines">\n${lines.map(renderLine).join("\n")}\n</ul>`;
}

function renderLine({ name, total, remarks, isGone }: ShownLine): string {
  return `<li${isGone ? ' class="gone"' : ""}>
<span class="name">${Bun.escapeHTML(name)}</span>
<span class="sum">${Bun.escapeHTML(total ?? "–")}</span>
${remarks.map((remark) => `<span class="each">${Bun.escapeHTML(remark)}</span>`).join("\n")}
</li>`;
}

function pageOf(title: string, body: string): string {
  return htmlDocument({ title, style: PAY_PAGE_STYLE, body });
}
