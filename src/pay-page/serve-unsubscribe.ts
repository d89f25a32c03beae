// Serves the link with which the owner of an email ends marketing to it (RFC 8058). Invariant: only a POST ends it, since
// programs that look for dangerous links open each one in an email.

import { findContactVault, hasWithdrawn } from "#customers/consent/lookups.ts";
import { withdrawConsent } from "#customers/update-customer.ts";
import { answerPage, framePage, renderWayOn, type ShownPage } from "#pay-page/frame/shop-frame.ts";
import { localize, type LocalizedStore } from "#pay-page/words/localize.ts";
import type { Mode } from "#platform/database/shop.ts";
import { ownPaths } from "#platform/html/html-document.ts";
import { html } from "#platform/html/html.ts";
import { type Router, unlisted } from "#platform/http/router.ts";
import { readUnsubscribeLink, UNSUBSCRIBE_PATH } from "#sales/links/link-addresses.ts";
import { getStore } from "#shop/store/lookups.ts";

import { findSigner } from "./find-signer.ts";
import { pageOfFault } from "./link-fault.ts";
import type { LinkTerms } from "./open-link.ts";
import { PAY_PAGE_STYLE } from "./page-frame.ts";

const ALLOW = "GET, HEAD, POST, OPTIONS";

/**
 * Adds `/u/{token}`, which needs no key and no cookie: the token is the authorization. The body of a POST is not read: the
 * page and mail programs send the same, some of them as `multipart/form-data`.
 */
export function mountUnsubscribe(app: Router, terms: LinkTerms): void {
  app.all(
    `${UNSUBSCRIBE_PATH}/:token`,
    async ({ request, params }) => {
      const { method } = request;
      if (method === "OPTIONS") return bare(204);
      if (method !== "GET" && method !== "HEAD" && method !== "POST") return bare(405);
      const paths = { publicUrl: terms.publicUrl(), paths: [`${UNSUBSCRIBE_PATH}/`] };
      try {
        const page = await openPage(terms, params["token"] ?? "", method === "POST");
        return answerPage(200, page, ownPaths(request, paths));
      } catch (error) {
        const { status, page } = await pageOfFault(error, terms);
        return answerPage(status, page, "'none'");
      }
    },
    unlisted,
  );
}

async function openPage(
  { shops }: LinkTerms,
  token: string,
  isPressed: boolean,
): Promise<ShownPage> {
  const { shop, opened: email } = await findSigner(shops, async ({ database }) =>
    readUnsubscribeLink(token, await findContactVault(database.read)),
  );
  const { database, mode } = shop;
  if (isPressed) await database.write((tx) => withdrawConsent(tx, email));
  const store = await localize(await getStore(database.read));
  return renderUnsubscribePage({ store, mode, isDone: await hasWithdrawn(database.read, email) });
}

function bare(status: 204 | 405): Response {
  return new Response(null, { status, headers: { Allow: ALLOW } });
}

// The page on which the owner of an email ends marketing to it. Invariant: it does not show the email, since links are
// passed on.

interface UnsubscribePage {
  readonly store: LocalizedStore;
  readonly mode: Mode;
  /** True if the email gets no marketing any more. */
  readonly isDone: boolean;
}

/** Renders the whole page. */
function renderUnsubscribePage({ store, mode, isDone }: UnsubscribePage): ShownPage {
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
