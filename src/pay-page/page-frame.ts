// Shared by the pages of links: their style, their frame, and the lists of lines and sums. Invariant:
// they work without script, send requests only to this server and the gateway, and escape every text that a
// caller supplied.

import type { Mode } from "#platform/database/shop.ts";
import { PAGE_STYLE } from "#platform/html/html-document.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";

import { DELIVERY_STYLE } from "./delivery/delivery-page.ts";
import { framePage, type ShownPage } from "./frame/shop-frame.ts";
import type { NextStep } from "./next-step.ts";
import { ORDER_STYLE } from "./order/order-style.ts";
import type { RecoveryBill } from "./recovery-bill.ts";
import { SUMS_STYLE } from "./sums.ts";
import { WAYS_STYLE } from "./ways-page.ts";
import type { WayToPay } from "./ways-to-pay.ts";
import type { LocalizedStore } from "./words/localize.ts";

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

/** The content of a page. */
export interface PayPage {
  readonly store: LocalizedStore;
  readonly mode: Mode;
  readonly bill: RecoveryBill;
  /** A sentence about an attempt that failed and may be repeated. */
  readonly problem: string | null;
  readonly ways: readonly WayToPay[];
  /** The form of a payment that was refused: its way stays chosen, and keeps what was typed. */
  readonly typed: URLSearchParams | null;
  /** The next step of the customer. */
  readonly step: NextStep | null;
}

/** Renders a page of the shop. */
export function renderShopPage(
  { store, mode, bill }: PayPage,
  { title, body }: { readonly title: string; readonly body: Html },
): ShownPage {
  return framePage({ shop: store, mode, title, style: PAY_PAGE_STYLE, state: bill.state, body });
}

/** Renders sentences that the customer has to know; nothing without one. */
export function renderNotices(
  notices: readonly (string | null)[],
  { state }: Pick<RecoveryBill, "state">,
): Html | null {
  const sentences = [...new Set(notices)].filter((sentence) => sentence !== null);
  if (sentences.length === 0) return null;
  return html`<div role="status" ${attribute("class", state === "open" && "notice")}>
    ${sentences.map((sentence) => html`<p>${sentence}</p>`)}
  </div>`;
}

/** One line of a list: its remarks stand below its name. */
export interface ShownLine {
  readonly name: string;
  readonly total: string | null;
  readonly remarks: readonly string[];
  readonly isGone: boolean;
}

/** Renders the lines; nothing without one. */
export function renderLines(lines: readonly ShownLine[]): Html | null {
  if (lines.length === 0) return null;
  return html`<ul class="lines">
    ${lines.map(renderLine)}
  </ul>`;
}

function renderLine({ name, total, remarks, isGone }: ShownLine): Html {
  return html`<li ${attribute("class", isGone && "gone")}>
    <span class="name">${name}</span>
    <span class="sum">${total ?? "–"}</span>
    ${remarks.map((remark) => html`<span class="each">${remark}</span>`)}
  </li>`;
}
