// Serves the address to which gateways return customers. Invariant: it leads nowhere but to the address that was
// stored with the payment, and the token is in no log.

import { type Router, unlisted } from "#platform/http/router.ts";
import { RETURN_PATH } from "#sales/links/return-link.ts";
import { getOrder } from "#sales/orders/lookups.ts";
import { getStore } from "#shop/store/lookups.ts";

import { answerPage } from "../frame/shop-frame.ts";
import { pageOfFault } from "../link-fault.ts";
import type { LinkTerms } from "../open-link.ts";
import { localize } from "../words/localize.ts";
import { type OpenedReturn, openReturn } from "./open-return.ts";
import { renderReturnPage } from "./return-page.ts";
import { hintOf, onwardUrlOf } from "./returned.ts";

const ALLOW = "GET, HEAD, OPTIONS";
/** The headers with which browsers say that they only prepare to open the address. */
const EARLY_HEADERS = ["sec-purpose", "purpose", "x-moz"];

type ReturnTerms = Pick<LinkTerms, "shops" | "onFault">;

/** Adds `/pay/return/{token}`, which needs no key: it only shows how the payment of the token stands. */
export function mountReturn(app: Router, terms: ReturnTerms): void {
  app.all(
    `${RETURN_PATH}/:token`,
    async ({ request, params }) => {
      const { method } = request;
      if (method === "OPTIONS") return bare(204, { Allow: ALLOW });
      if (method !== "GET" && method !== "HEAD") return bare(405, { Allow: ALLOW });
      // Without an answer that a browser could keep, it asks again once the customer comes.
      if (isEarly(request)) return bare(204, {});
      const token = params["token"] ?? "";
      try {
        const isVisit = method === "GET";
        return await leadOn(await openReturn({ ...terms, token, isVisit }), request);
      } catch (error) {
        const { status, page } = await pageOfFault(error, terms);
        return answerPage(status, page, "'none'");
      }
    },
    unlisted,
  );
}

function isEarly({ headers }: Request): boolean {
  return EARLY_HEADERS.some((name) => /prefetch|prerender/i.test(headers.get(name) ?? ""));
}

/** On to the merchant's page, or a page of this server. */
async function leadOn({ shop, payment }: OpenedReturn, request: Request): Promise<Response> {
  const isCancelled = new URL(request.url).searchParams.has("cancelled");
  const hint = hintOf(payment, isCancelled);
  const location = onwardUrlOf(payment, hint);
  if (location !== null) return bare(303, { Location: location });
  const { read } = shop.database;
  const store = await localize(await getStore(read));
  const { orderId } = payment;
  const orderNumber = orderId === null ? null : (await getOrder(read, orderId)).order.number;
  const page = renderReturnPage({ store, mode: shop.mode, payment, orderNumber, hint });
  return answerPage(200, page, "'none'");
}

function bare(status: 204 | 303 | 405, headers: Readonly<Record<string, string>>): Response {
  return new Response(null, { status, headers });
}
