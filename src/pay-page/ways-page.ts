// The parts of the page with which a customer chooses a way to pay and follows it. Invariant: they work
// without script.

import type { Localized, LocalizedStore } from "#pay-page/words/localize.ts";
import type { Provider } from "#payments/rows/payment-life.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";

import { renderChosen } from "./delivery/delivery-page.ts";
import type { NextStep } from "./next-step.ts";
import type { RecoveryBill } from "./recovery-bill.ts";
import { PHONE_EXAMPLE, type WayToPay } from "./ways-to-pay.ts";

/** Fields of a way are shown once it is chosen; a browser without `:has` shows them always. */
export const WAYS_STYLE = `
fieldset { margin: 0 0 1rem; padding: 0; border: 0; display: grid; gap: .5rem; }
legend { padding: 0; margin-bottom: .5rem; font-weight: 650; }
.way { display: grid; grid-template-columns: auto 1fr; gap: 0 .75rem; align-items: start; padding: .7rem .9rem; border: 1px solid var(--line); border-radius: .6rem; }
.way label { font-weight: 600; cursor: pointer; }
.way input[type=radio] { width: 1.15rem; height: 1.15rem; margin: .2rem 0 0; accent-color: var(--done); }
.way .hint { grid-column: 2; font-size: .875rem; color: var(--faint); }
.way .fields { grid-column: 2; display: grid; gap: .5rem; margin-top: .6rem; }
.way .fields label { font-size: .875rem; font-weight: 500; color: var(--faint); }
.way:has(input:checked) { border-color: var(--done); box-shadow: inset 0 0 0 1px var(--done); }
@supports selector(:has(*)) { .way:not(:has(input:checked)) .fields { display: none; } }
input:not([type=radio]) { display: block; width: 100%; min-height: 2.875rem; padding: .6rem .9rem; font: inherit; color: var(--ink); background: var(--sheet); border: 1px solid var(--line); border-radius: .6rem; }
.step { display: grid; gap: .75rem; padding: 1rem; border: 1px solid var(--done); border-radius: .6rem; }
.step h2 { margin: 0; font-size: .9375rem; font-weight: 600; color: var(--done); }
.step .do { font-size: 1.0625rem; font-weight: 600; white-space: pre-line; overflow-wrap: anywhere; }
.accounts { display: grid; gap: .5rem; margin: 0; }
.accounts div { display: block; padding: .6rem .9rem; border: 1px solid var(--line); border-radius: .6rem; }
.accounts dt { font-size: .875rem; color: var(--faint); }
.accounts dd { margin: .1rem 0 0; text-align: start; font-weight: 600; white-space: pre-line; overflow-wrap: anywhere; }
.step .also { font-size: .875rem; color: var(--faint); }
.step form { display: grid; gap: .5rem; }
.step label { font-size: .875rem; color: var(--faint); }
summary { padding: .6rem 0; font-weight: 600; cursor: pointer; }
`;

interface OfferedWays {
  readonly store: Pick<LocalizedStore, keyof Localized | "country">;
  readonly bill: RecoveryBill;
  readonly ways: readonly WayToPay[];
  readonly typed: URLSearchParams | null;
  readonly chosen: string | null;
  /** True if another way is chosen already. */
  readonly isOther: boolean;
}

/** The form with every way to pay; closed where a way is chosen already. */
export function renderWays(offered: OfferedWays): Html {
  const { bill, store } = offered;
  const says = store.words.ways;
  const form = html`<form method="post">
    <input type="hidden" name="amount" value="${bill.amount}" />
    ${bill.delivery !== null && renderChosen(bill.delivery, store)} ${renderChoices(offered)}
    <button class="pay">${bill.isFree ? says.placeOrder : says.continue}</button>
    ${
      bill.deposit !== null &&
      html`<button name="deposit" value="${bill.deposit}">${says.deposit(bill.deposit)}</button>`
    }
  </form>`;
  if (!offered.isOther) return form;
  return html`<details>
    <summary>${says.another}</summary>
    ${form}
  </details>`;
}

function renderChoices(offered: OfferedWays): Html | null {
  const { bill, ways, chosen, store } = offered;
  const selected = ways.find(({ method }) => method === chosen) ?? ways[0];
  if (bill.isFree || selected === undefined) return null;
  if (ways.length === 1 && !selected.needsPhone) {
    return html`<input type="hidden" name="method" value="${selected.method}" />
      <p class="remark">${selected.label}. ${selected.hint}</p>`;
  }
  return html`<fieldset>
    <legend>${store.words.ways.legend}</legend>
    ${ways.map((way) => renderWay(offered, way, way === selected))}
  </fieldset>`;
}

function renderWay(
  offered: OfferedWays,
  { method, label, hint, needsPhone, providers }: WayToPay,
  isSelected: boolean,
): Html {
  return html`<div class="way">
    <input
      type="radio"
      name="method"
      value="${method}"
      id="way-${method}"
      ${attribute("checked", isSelected)}
    />
    <label for="way-${method}">${label}</label>
    <p class="hint">${hint}</p>
    ${needsPhone && renderPhoneFields(offered, providers)}
  </div>`;
}

const providerNames: Readonly<Record<Provider, string>> = {
  mtn: "MTN",
  vodafone: "Vodafone",
  telecel: "Telecel",
  airteltigo: "AirtelTigo",
  airtel: "Airtel",
  mpesa: "M-PESA",
  orange: "Orange",
  wave: "Wave",
  tigo: "Tigo",
  halopesa: "HaloPesa",
  moov: "Moov",
  zamtel: "Zamtel",
  free_money: "Free Money",
};

function renderPhoneFields({ store, typed }: OfferedWays, providers: readonly Provider[]): Html {
  const provider = typed?.get("provider");
  const says = store.words.ways;
  return html`<div class="fields">
    <label for="phone">${store.country === null ? says.phoneAbroad : says.phone}</label>
    <input
      id="phone"
      name="phone"
      type="tel"
      autocomplete="tel"
      placeholder="${PHONE_EXAMPLE}"
      value="${typed?.get("phone") ?? ""}"
    />
    <label for="provider">${says.network}</label>
    <select id="provider" name="provider">
      <option value="">${says.chooseNetwork}</option>
      ${providers.map(
        (one) =>
          html`<option value="${one}" ${attribute("selected", one === provider)}>
            ${providerNames[one]}
          </option>`,
      )}
    </select>
  </div>`;
}

/** Shows the next step of the customer. */
export function renderNextStep(
  { heading, text, accounts, remarks, awaits }: NextStep,
  { words }: Localized,
): Html {
  return html`<section class="step">
    <h2>${heading}</h2>
    <p class="do">${text}</p>
    ${accounts.length > 0 && renderAccounts(accounts)}
    ${remarks.map((remark) => html`<p class="also">${remark}</p>`)}
    ${renderEnding(awaits, words.ways)}
  </section>`;
}

function renderAccounts(accounts: NextStep["accounts"]): Html {
  return html`<dl class="accounts">
    ${accounts.map(
      ({ label, instructions }) =>
        html`<div>
          <dt dir="auto">${label}</dt>
          <dd dir="auto">${instructions}</dd>
        </div>`,
    )}
  </dl>`;
}

function renderEnding(awaits: NextStep["awaits"], says: Localized["words"]["ways"]): Html | null {
  switch (awaits) {
    case "code":
      return html`<form method="post">
        <label for="otp">${says.code}</label>
        <input id="otp" name="otp" inputmode="numeric" autocomplete="one-time-code" required />
        <button class="pay">${says.sendCode}</button>
      </form>`;
    case "gateway":
      return html`<form method="get"><button>${says.approved}</button></form>`;
    case "shop":
      return null;
  }
}
