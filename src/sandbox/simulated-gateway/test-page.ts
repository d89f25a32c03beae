// The page on which a developer decides a simulated payment. Invariant: it works without scripts and
// loads nothing from elsewhere.

import {
  frameFault,
  framePage,
  type Shopfront,
  type ShownPage,
} from "#pay-page/frame/shop-frame.ts";
import { renderIncluded, renderSums, type SumLine, SUMS_STYLE } from "#pay-page/sums.ts";
import { failureCodes } from "#payments/rows/payment-life.ts";
import { PAGE_STYLE } from "#platform/html/html-document.ts";
import { type Html, html } from "#platform/html/html.ts";

// The style of the test page: that of all payment pages, plus its own elements.

const TEST_PAGE_STYLE = `${PAGE_STYLE}${SUMS_STYLE}
.declined h1, .cancelled h1 { font-weight: 700; color: var(--stop); }
.reference { align-self: center; font-size: .8125rem; }
label { display: block; margin-bottom: .35rem; font-size: .9375rem; color: var(--faint); }
button.decline { color: var(--stop); border-color: var(--stop); width: auto; }
.together { display: flex; gap: .5rem; }
.together select { flex: 1; min-width: 0; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem; }
`;

type TestPageState = "open" | "paid" | "declined" | "cancelled";

export interface TestPage {
  readonly shop: Shopfront;
  /** With its currency, such as `GHS 249.50`. */
  readonly amount: string;
  readonly orderNumber: number | null;
  /** The parts of the order's total, and the total. */
  readonly sums: readonly SumLine[];
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
  push: "The notice was sent again.",
  leave: "Left pending. You can come back to this page.",
} as const;

/** The whole page. */
export function renderTestPage(page: TestPage): ShownPage {
  const { shop, state } = page;
  return framePage({
    shop,
    mode: "test",
    title: headings[state],
    style: TEST_PAGE_STYLE,
    state,
    body: html`${page.done !== null && html`<p class="notice" role="status">${notices[page.done]}</p>`}
    ${renderBill(page)} ${state === "open" ? renderChoices(page) : renderEnd(page)}
    ${button("push", "Send the notice again", "plain")}`,
  });
}

/** An error page with a heading and a sentence. */
export function renderTestPageFault(shop: Shopfront, heading: string, sentence: string): ShownPage {
  return frameFault(shop, { heading, sentence, style: TEST_PAGE_STYLE });
}

function renderBill(page: TestPage): Html {
  const { amount, orderNumber, reference, state, sums, included } = page;
  return html`<h1>${headings[state]}</h1>
    <p class="amount">${amount}</p>
    <dl>
      ${orderNumber !== null && row("Order", `#${orderNumber}`, "order")}
      ${row("Reference", reference, "reference")}
    </dl>
    ${
      sums.length > 0 &&
      html`<section aria-label="Order">${renderSums(sums)} ${renderIncluded(included)}</section>`
    }`;
}

function row(name: string, value: string, style: string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd class="${style}">${value}</dd>
  </div>`;
}

function renderChoices({ amount }: TestPage): Html {
  const options = failureCodes.map(
    (code) => html`<option value="${code}">${reasons[code]}</option>`,
  );
  return html`${button("pay", `Pay ${amount}`, "pay")}
    <form method="post" class="decline">
      <label for="failure_code">Reason to decline</label>
      <div class="together">
        <select id="failure_code" name="failure_code">
          ${options}
        </select>
        <button name="action" value="decline" class="decline">Decline</button>
      </div>
    </form>
    <div class="pair">
      ${button("cancel", "Cancel", "quiet")} ${button("leave", "Leave pending", "quiet")}
    </div>`;
}

function renderEnd({ state, failureCode, returnUrl }: TestPage): Html {
  const sentence = {
    open: "",
    paid: "Thank you. The payment was made, and the shop was told.",
    declined: `The payment was declined: ${reasonOf(failureCode)}.`,
    cancelled: "The payment was cancelled. Nothing can be paid here any more.",
  }[state];
  return html`<p role="status">${sentence}</p>
    ${returnUrl !== null && html`<p><a class="button" href="${returnUrl}">Back to the shop</a></p>`}`;
}

function reasonOf(failureCode: string | null): string {
  const code = failureCodes.find((one) => one === failureCode) ?? "other";
  return `${reasons[code].toLowerCase().replace("pin", "PIN")} (${code})`;
}

function button(action: string, label: string, style: "pay" | "quiet" | "plain"): Html {
  return html`<form method="post">
    <button name="action" value="${action}" class="${style}">${label}</button>
  </form>`;
}
