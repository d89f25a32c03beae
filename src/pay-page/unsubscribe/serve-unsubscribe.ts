// Serves the link with which the owner of an email ends marketing to it (RFC 8058). Invariant: only a POST ends it, since
// programs that look for dangerous links open each one in an email.

import { findContactVault, hasWithdrawn } from "#customers/consent/lookups.ts";
import { withdrawConsent } from "#customers/consent/withdraw-consent.ts";
import { ownPaths } from "#platform/html/content-policy.ts";
import { type Router, unlisted } from "#platform/http/router.ts";
import { readUnsubscribeLink, UNSUBSCRIBE_PATH } from "#sales/links/unsubscribe-link.ts";
import { getStore } from "#shop/store/lookups.ts";

import { findSigner } from "../find-signer.ts";
import { answerPage, type ShownPage } from "../frame/shop-frame.ts";
import { pageOfFault } from "../link-fault.ts";
import type { LinkTerms } from "../open-link.ts";
import { localize } from "../words/localize.ts";
import { renderUnsubscribePage } from "./unsubscribe-page.ts";

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
