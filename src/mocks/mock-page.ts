// The page of `duka mock`: the attempts that wait for their payers, each with a button to approve and one to decline.

import { htmlDocument, PAGE_STYLE } from "#platform/html/html-document.ts";
import { html } from "#platform/html/html.ts";

/** An attempt that waits for its payer. */
export interface OpenAttempt {
  readonly id: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** The phone that is asked; null for a payer of a page. */
  readonly phone: string | null;
  /** The vendor's own page of it; null without one. */
  readonly url: string | null;
}

const STYLE = `${PAGE_STYLE}
ul { margin: 0; padding: 0; list-style: none; display: grid; gap: 1.25rem; }
li { display: grid; gap: .5rem; }
form { display: flex; gap: .5rem; }
button + button { margin-top: 0; }
.phone { color: var(--faint); overflow-wrap: anywhere; }
`;

/** The document, without scripts. */
export function mockPage(open: readonly OpenAttempt[]): string {
  const attempts = open.map(
    ({ id, amountMinor, currency, phone, url }) =>
      html`<li>
        <p>
          <strong>${amountMinor} ${currency.toUpperCase()}</strong> in the vendor's smallest unit
        </p>
        <p class="phone">${phone ?? "A payer on a page"}, ${id}</p>
        ${url === null ? "" : html`<p><a href="${url}">Its page at the vendor</a></p>`}
        <form method="post" action="/_mock/answer">
          <input type="hidden" name="id" value="${id}" />
          <button class="pay" name="answer" value="approved">Approve</button>
          <button name="answer" value="declined">Decline</button>
        </form>
      </li>`,
  );
  const list =
    open.length === 0
      ? html`<p>No payer is asked now.</p>`
      : html`<ul>
          ${attempts}
        </ul>`;
  return htmlDocument({
    title: "Payers who are asked",
    style: STYLE,
    body: html`<main>
      <h1>Payers who are asked</h1>
      ${list}
      <p><a href="/_mock">Look again</a></p>
    </main>`,
  });
}
