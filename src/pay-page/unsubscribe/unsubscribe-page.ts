// The page on which the owner of an email ends marketing to it. Invariant: it does not show the email, since links are
// passed on.

import type { Mode } from "#platform/database/shop.ts";
import { html } from "#platform/html/html.ts";

import { framePage, renderWayOn, type ShownPage } from "../frame/shop-frame.ts";
import { PAY_PAGE_STYLE } from "../page-frame.ts";
import type { LocalizedStore } from "../words/localize.ts";

export interface UnsubscribePage {
  readonly store: LocalizedStore;
  readonly mode: Mode;
  /** True if the email gets no marketing any more. */
  readonly isDone: boolean;
}

/** Renders the whole page. */
export function renderUnsubscribePage({ store, mode, isDone }: UnsubscribePage): ShownPage {
  const says = store.words.unsubscribe;
  const heading = isDone ? says.done : says.heading;
  const body = isDone
    ? html`<p role="status">${says.doneWhat(store.name)}</p>
        <p class="remark">${says.orders}</p>
        ${renderWayOn(store)}`
    : html`<p>${says.what(store.name)}</p>
        <form method="post">
          <button name="List-Unsubscribe" value="One-Click">${says.act}</button>
        </form>
        <p class="remark">${says.orders}</p>`;
  return framePage({
    shop: store,
    mode,
    title: heading,
    style: PAY_PAGE_STYLE,
    state: null,
    body: html`<h1>${heading}</h1>
      ${body}`,
  });
}
