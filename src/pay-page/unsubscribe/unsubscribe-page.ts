// The page on which the owner of an email ends marketing to it. Invariant: it does not show the email, since links are
// passed on.

import type { Mode } from "#platform/database/shop.ts";
import { html } from "#platform/html/html.ts";
import type { Store } from "#shop/store/store.ts";

import { framePage, renderWayOn, type ShownPage } from "../frame/shop-frame.ts";
import { en } from "../frame/words.ts";
import { PAY_PAGE_STYLE } from "../page-frame.ts";

const says = en.unsubscribe;

export interface UnsubscribePage {
  readonly store: Store;
  readonly mode: Mode;
  /** Whether the email gets no marketing any more. */
  readonly isDone: boolean;
}

/** Renders the whole page. */
export function renderUnsubscribePage({ store, mode, isDone }: UnsubscribePage): ShownPage {
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
