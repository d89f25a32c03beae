// Shared by the pages of links: their style, their frame, and the lists of lines and sums. Invariant:
// they work without script, send requests only to this server and the gateway, and escape every text that a
// caller supplied.

import { DELIVERY_STYLE } from "#pay-page/delivery/delivery-page.ts";
import { framePage, type ShownPage } from "#pay-page/frame/shop-frame.ts";
import type { LocalizedStore } from "#pay-page/words/localize.ts";
import type { Mode } from "#platform/database/shop.ts";
import { PAGE_STYLE } from "#platform/html/html-document.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";

import type { NextStep } from "./next-step.ts";
import type { RecoveryBill } from "./recovery-bill.ts";
import { SUMS_STYLE } from "./sums.ts";
import { WAYS_STYLE } from "./ways-page.ts";
import type { WayToPay } from "./ways-to-pay.ts";

/** The style of the page of an order, beside what all pages of links have in common. */
const ORDER_STYLE = `
.order { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.5rem; overflow-wrap: anywhere; }
.order h1 { display: grid; gap: .15rem; }
.order h1 .headline { font-size: 2rem; line-height: 1.15; font-weight: 700; color: var(--ink); }
.paid .order .headline { color: var(--done); }
.cancelled .order .headline { color: var(--stop); }
.paid .order h1, .cancelled .order h1 { font-weight: 500; color: var(--faint); }
.order h2 { margin: 0 0 .5rem; font-size: .9375rem; font-weight: 600; }
.order .top { display: grid; gap: .5rem; }
.way-of { display: flex; }
.way-of li { flex: 1; position: relative; padding-top: 1.4rem; font-size: .875rem; line-height: 1.35; overflow-wrap: break-word; color: var(--faint); }
.way-of li::before { content: ""; position: absolute; top: .45rem; left: 0; right: 0; height: 2px; background: color-mix(in srgb, var(--line) 35%, transparent); }
.way-of li:last-child::before { right: auto; width: 1rem; }
.way-of li::after { content: ""; position: absolute; top: 0; left: 0; width: 1rem; height: 1rem; border: 2px solid var(--line); border-radius: 50%; background: var(--sheet); }
.way-of .done { color: var(--ink); }
.way-of .done:not(:last-child)::before { background: var(--done); }
.way-of .done::after { border-color: var(--done); background: var(--done); }
.way-of .stopped::after { border-color: var(--stop); background: var(--stop); }
.way-of strong { display: block; font-weight: 600; }
.pay-now { display: grid; gap: .75rem; }
.pay-now > h2 { margin-bottom: -.5rem; }
.pay-now .amount { font-size: 1.75rem; }
.parcel { padding: .9rem 1rem; border: 1px solid color-mix(in srgb, var(--line) 35%, transparent); border-radius: .6rem; }
.parcel + .parcel { margin-top: .75rem; }
.parcel h2 { margin-bottom: .25rem; }
.parcel p, .parcel li { font-size: .9375rem; overflow-wrap: anywhere; }
.parcel .number { color: var(--faint); }
.parcel .button { margin-top: .75rem; }
.account { margin-top: .75rem; padding-top: .75rem; border-top: 1px solid color-mix(in srgb, var(--line) 35%, transparent); }
dl.settled div:last-child { font-size: inherit; font-weight: inherit; }
dl.settled div:last-child dt { color: var(--faint); }
.people { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 1.25rem; }
.people address { font-style: normal; font-size: .9375rem; overflow-wrap: anywhere; }
.people address span { display: block; }
`;

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
