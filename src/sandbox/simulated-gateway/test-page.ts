// The page on which a developer decides a simulated payment. Invariant: it works without scripts, loads
// nothing from elsewhere, and escapes every text that a caller supplied.

import { renderIncluded, renderSums } from "#pay-page/sums-page.ts";
import type { Sum } from "#pay-page/sums.ts";
import { failureCodes } from "#payments/payments/payment-life.ts";
import { htmlDocument } from "#platform/html/html-document.ts";

import { TEST_PAGE_STYLE } from "./test-page-style.ts";

export type TestPageState = "open" | "paid" | "declined" | "cancelled";

export interface TestPage {
  readonly shopName: string;
  /** With its currency, such as `GHS 249.50`. */
  readonly amount: string;
  readonly orderNumber: number | null;
  /** The parts of the order's total, and the total. */
  readonly sums: readonly Sum[];
  /** The taxes that the total contains. */
  readonly included: readonly string[];
  readonly reference: string;
  readonly state: TestPageState;
  /** The reason it was declined; null otherwise. */
  readonly failureCode: string | null;
  /** The URL of the link back to the shop. */
  readonly returnUrl: string | null;
  /** The last action on the page, if it decided nothing. */
  readonly done: "push" | "leave" | null;
}

/** The labels of failure codes. */
const reasons: Readonly<Record<(typeof failureCodes)[number], string>> = {
  insufficient_funds: "Insufficient funds",
  declined: "Declined without a reason",
  wrong_pin: "Wrong PIN",
  payer_not_found: "Customer unknown",
  payer_limit: "Over the customer's limit",
  not_approved: "Not approved by the customer",
  timeout: "Timed out",
  provider_unavailable: "Provider unavailable",
  fraud_suspected: "Fraud suspected",
  invalid_number: "Invalid number",
  expired_card: "Expired card",
  other: "Another reason",
};

const headings: Readonly<Record<TestPageState, string>> = {
  open: "Payment",
  paid: "Paid",
  declined: "Declined",
  cancelled: "Cancelled",
};

const notices = {
  push: "The notice was pushed again.",
  leave: "Left pending. You can come back to this page.",
} as const;

/** The whole page. */
export function renderTestPage(page: TestPage): string {
  return pageOf(
    `${headings[page.state]} · ${page.shopName}`,
    `<header>
<p class="shop">${Bun.escapeHTML(page.shopName)}</p>
<p class="mode">Test mode: no money moves</p>
</header>
<main class="${page.state}">
${page.done === null ? "" : `<p class="notice" role="status">${notices[page.done]}</p>\n`}${renderBill(page)}
${page.state === "open" ? renderChoices(page) : renderEnd(page)}
${button("push", "Push the notice again", "plain")}
</main>`,
  );
}

/** An error page with a heading and a sentence. */
export function renderTestPageFault(heading: string, sentence: string): string {
  return pageOf(
    heading,
    `<main>
<h1>${heading}</h1>
<p>${sentence}</p>
</main>`,
  );
}

function pageOf(title: string, body: string): string {
  return htmlDocument({ title, style: TEST_PAGE_STYLE, body });
}

function renderBill(page: TestPage): string {
  const { amount, orderNumber, reference, state, sums, included } = page;
  const order = orderNumber === null ? "" : row("Order", `#${orderNumber}`, "order");
  return `<h1>${headings[state]}</h1>
<p class="amount">${Bun.escapeHTML(amount)}</p>
<dl>
${order}${row("Reference", reference, "reference")}
</dl>
${sums.length === 0 ? "" : `<section aria-label="Order">\n${renderSums(sums)}\n${renderIncluded(included)}\n</section>`}`;
}

function row(name: string, value: string, style: string): string {
  return `<div><dt>${name}</dt><dd class="${style}">${Bun.escapeHTML(value)}</dd></div>`;
}

function renderChoices({ amount }: TestPage): string {
  const options = failureCodes.map(
    (code) => `<option value="${code}">${Bun.escapeHTML(reasons[code])}</option>`,
  );
  return `${button("pay", `Pay ${Bun.escapeHTML(amount)}`, "pay")}
<form method="post" class="decline">
<label for="failure_code">Reason to decline</label>
<div class="together">
<select id="failure_code" name="failure_code">${options.join("")}</select>
<button name="action" value="decline" class="decline">Decline</button>
</div>
</form>
<div class="pair">
${button("cancel", "Cancel", "quiet")}
${button("leave", "Leave pending", "quiet")}
</div>`;
}

function renderEnd({ state, failureCode, returnUrl }: TestPage): string {
  const reason = reasonOf(failureCode);
  const sentence = {
    open: "",
    paid: "The payment was made.",
    declined: `The payment was declined: ${reason}.`,
    cancelled: "The payment was cancelled. Nothing can be paid here any more.",
  }[state];
  const back =
    returnUrl === null
      ? ""
      : `\n<p><a class="button" href="${Bun.escapeHTML(returnUrl)}">Back to the shop</a></p>`;
  return `<p role="status">${Bun.escapeHTML(sentence)}</p>${back}`;
}

function reasonOf(failureCode: string | null): string {
  const code = failureCodes.find((one) => one === failureCode) ?? "other";
  return `${reasons[code].toLowerCase().replace("pin", "PIN")} (${code})`;
}

function button(action: string, label: string, style: "pay" | "quiet" | "plain"): string {
  return `<form method="post"><button name="action" value="${action}" class="${style}">${label}</button></form>`;
}
