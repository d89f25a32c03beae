// Serves the address to which gateways return customers. Invariant: it leads nowhere but to the address that was
// stored with the payment, and the token is in no log.

import type { Id } from "#kernel/id.ts";
import { answerPage, framePage, renderWayOn, type ShownPage } from "#pay-page/frame/shop-frame.ts";
import type { Words } from "#pay-page/words/en.ts";
import { localize, type LocalizedStore } from "#pay-page/words/localize.ts";
import { pollBriefly } from "#payments/attempts/poll-payment.ts";
import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import { getPayment } from "#payments/rows/lookups.ts";
import type { PaymentStatus } from "#payments/rows/payment-life.ts";
import { isOpenAttempt, type Payment } from "#payments/rows/payment.ts";
import type { Reader } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import { type Html, html } from "#platform/html/html.ts";
import { type Router, unlisted } from "#platform/http/router.ts";
import { orderLinkOf, readReturnLink, RETURN_PATH } from "#sales/links/link-addresses.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { getOrder } from "#sales/orders/lookups.ts";
import { getStore } from "#shop/store/lookups.ts";

import { findSigner } from "./find-signer.ts";
import { pageOfFault } from "./link-fault.ts";
import type { LinkTerms } from "./open-link.ts";
import { PAY_PAGE_STYLE } from "./page-frame.ts";
import { print } from "./sums.ts";

// The page of a customer who comes back from a gateway, where the merchant named no page of their own.

const STYLE = `${PAY_PAGE_STYLE}
.reference { align-self: center; font-size: .8125rem; white-space: normal; }
.button.pay { color: var(--pay-ink); background: var(--pay); border-color: var(--pay-edge); }
`;

interface ReturnPage {
  readonly store: LocalizedStore;
  readonly mode: Mode;
  readonly payment: Payment;
  /** Null for a payment link. */
  readonly orderNumber: number | null;
  readonly hint: PaymentStatus;
}

type Shown = keyof Words["returned"]["states"];

/** The state as a customer sees it. */
const shownAs: Readonly<Record<PaymentStatus, Shown>> = {
  pending: "awaited",
  requires_action: "awaited",
  processing: "awaited",
  succeeded: "paid",
  partially_refunded: "paid",
  refunded: "refunded",
  review: "checked",
  failed: "unpaid",
  expired: "unpaid",
  cancelled: "unpaid",
};

/** Renders the whole page. */
function renderReturnPage(page: ReturnPage): ShownPage {
  const { store, mode, payment, orderNumber, hint } = page;
  const { returned: says, number } = store.words;
  const shown = shownAs[hint];
  const { heading, sentence } = says.states[shown];
  return framePage({
    shop: store,
    mode,
    title: heading,
    style: STYLE,
    state: shown,
    body: html`<h1>${heading}</h1>
      <p class="amount">${print(payment.amountMinor, payment.currency, store.locale)}</p>
      <dl>
        ${orderNumber !== null && row(says.order, number(orderNumber), "order")}
        ${row(says.reference, payment.reference, "reference")}
      </dl>
      <p role="status">${sentence}</p>
      ${renderWaysOn(page, shown)}`,
  });
}

function row(name: string, value: string, style: string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd class="${style}">${value}</dd>
  </div>`;
}

/** Another look while nothing is known, back to the payment while it can be made, and on to the shop. */
function renderWaysOn({ store, payment }: ReturnPage, shown: Shown): Html {
  const { nextAction } = payment;
  const says = store.words.returned;
  const url = isOpenAttempt(payment) && nextAction?.type === "redirect" ? nextAction.url : null;
  return html`${shown === "awaited" && html`<p><a class="button pay" href="?">${says.again}</a></p>`}
  ${url !== null && html`<p><a class="button" href="${url}">${says.back}</a></p>`}
  ${renderWayOn(store)}`;
}

// How a payment stands when its customer comes back, and where they go on. Pure. Invariant: the address is the one
// that was stored with the payment, whatever the request says.

/** Said of a customer who gave up on a page of the gateway, as long as no money came. */
const CANCELLED = "cancelled";
const unpaidStates: ReadonlySet<PaymentStatus> = new Set([
  "pending",
  "requires_action",
  "failed",
  "expired",
]);

/** A hint for the customer's shop: the payment itself is the proof. */
function hintOf({ status }: Pick<Payment, "status">, isCancelled: boolean): PaymentStatus {
  return isCancelled && unpaidStates.has(status) ? CANCELLED : status;
}

/** The parameters that are appended; those of an earlier return are left out. */
const APPENDED = /^(?:payment|status|order_token)(?:=|$)/;

/**
 * Returns the merchant's address with the payment, the hint and the order's token appended; null where there is none. The
 * token is that of the link without contact: the address is in the log of the merchant's server.
 */
async function onwardUrlOf(
  db: Reader,
  { id, returnUrl, orderId }: Pick<Payment, "id" | "returnUrl" | "orderId">,
  hint: PaymentStatus,
): Promise<string | null> {
  if (returnUrl === null) return null;
  const url = new URL(returnUrl);
  // As text: what the merchant's own parameters say is not written anew.
  const given = url.search.slice(1).split("&");
  const kept = given.filter((one) => one !== "" && !APPENDED.test(one));
  const token = orderId === null ? [] : [`order_token=${await orderTokenOf(db, orderId)}`];
  url.search = [...kept, `payment=${id}`, `status=${hint}`, ...token].join("&");
  return url.href;
}

async function orderTokenOf(db: Reader, id: Id<"order">): Promise<string> {
  const { order } = await getOrder(db, id);
  return orderLinkOf(await getLinkTerms(db), order, { showsContact: false }).orderToken;
}

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
  const { read } = shop.database;
  const location = await onwardUrlOf(read, payment, hint);
  if (location !== null) return bare(303, { Location: location });
  const store = await localize(await getStore(read));
  const { orderId } = payment;
  const orderNumber = orderId === null ? null : (await getOrder(read, orderId)).order.number;
  const page = renderReturnPage({ store, mode: shop.mode, payment, orderNumber, hint });
  return answerPage(200, page, "'none'");
}

function bare(status: 204 | 303 | 405, headers: Readonly<Record<string, string>>): Response {
  return new Response(null, { status, headers });
}

// Workflow: opens the link to which a gateway returns a customer. Invariant: it has no effect but a poll.

interface ReturnToOpen {
  readonly shops: readonly PaymentsShop[];
  readonly token: string;
  /** True if the customer came: a request for the headers alone is no return. */
  readonly isVisit: boolean;
}

interface OpenedReturn {
  readonly shop: PaymentsShop;
  readonly payment: Payment;
}

/**
 * Returns the payment of the link as its gateway knows it now. Refuses with `recovery_link_invalid` unless one of the
 * shops signed the link, with `recovery_link_expired`, and with `payment_not_found`.
 */
async function openReturn({ shops, token, isVisit }: ReturnToOpen): Promise<OpenedReturn> {
  const { shop, opened: id } = await findSigner(shops, async ({ database, clock }) => {
    const { secret } = await getLinkTerms(database.read);
    return readReturnLink(token, { secret, now: clock.now() });
  });
  const { payment } = isVisit
    ? await pollBriefly(shop, id, "return")
    : await getPayment(shop.database.read, id);
  return { shop, payment };
}
