// Serves the page of a recovery link. Invariant: the link alone decides the mode and the cart,
// because each mode accepts only links signed with its own secret; a GET never places an order.

import { Refusal } from "#kernel/refusal.ts";
import { pollPayment } from "#payments/attempts/poll-payment.ts";
import { isOpen } from "#payments/payments/payment.ts";
import { type PaymentsShop, takesMethod } from "#payments/payments/payments-shop.ts";
import { closedHeaders, pagePolicy } from "#platform/html/content-policy.ts";
import { type Router, unlisted } from "#platform/http/router.ts";
import { recoveryLinkInvalid } from "#sales/recovery/recovery.ts";
import { getStore } from "#shop/store/get-store.ts";

import { continueRecovery, RECOVERY_METHOD } from "./continue-recovery.ts";
import { getRecovery, type Recovery } from "./get-recovery.ts";
import { billOf, type RecoveryBill } from "./recovery-bill.ts";
import { RECOVERY_PAGE_STYLE, renderRecoveryFault, renderRecoveryPage } from "./recovery-page.ts";

const ALLOW = "GET, HEAD, POST, OPTIONS";

export interface RecoveryPageTerms {
  /** The shops of both modes. */
  readonly shops: readonly PaymentsShop[];
  /** The address at which browsers reach this server. */
  readonly publicUrl: () => string;
  readonly onFault: (error: unknown) => void;
}

/** A page, or a redirect. */
type Reply =
  | { readonly status: number; readonly page: string }
  | { readonly status: 303; readonly location: string };

/** Adds `/recover/{token}`, which needs no key: the token is the authorization. */
export function mountRecoveryPage(app: Router, terms: RecoveryPageTerms): void {
  const running = new Map<string, Promise<Reply>>();
  app.all(
    "/recover/:token",
    async ({ request, params }) => {
      const token = params["token"] ?? "";
      if (request.method === "OPTIONS") return bare(204);
      const isRead = request.method === "GET" || request.method === "HEAD";
      if (!isRead && request.method !== "POST") return bare(405);
      return responseOf(
        await (isRead ? replyOrFault(terms, token, showBill) : submitOnce(running, terms, token)),
      );
    },
    unlisted,
  );
}

/** A second POST of the same link during the first gets the reply of the first. */
function submitOnce(
  running: Map<string, Promise<Reply>>,
  terms: RecoveryPageTerms,
  token: string,
): Promise<Reply> {
  const first = running.get(token);
  if (first !== undefined) return first;
  const reply = replyOrFault(terms, token, continueToPayment).finally(() => running.delete(token));
  running.set(token, reply);
  return reply;
}

interface Opened {
  readonly shop: PaymentsShop;
  readonly recovery: Recovery;
  readonly bill: RecoveryBill;
  /** The address of this page, to which the gateway returns the customer. */
  readonly address: string;
}

async function replyOrFault(
  terms: RecoveryPageTerms,
  token: string,
  reply: (opened: Opened) => Promise<Reply>,
): Promise<Reply> {
  try {
    const { shop, recovery } = await openLink(terms.shops, token);
    const bill = billOf(recovery, takesMethod(shop, RECOVERY_METHOD));
    const address = `${terms.publicUrl()}/recover/${token}`;
    return await reply({ shop, recovery, bill, address });
  } catch (error) {
    if (error instanceof Refusal) return faultOf(error);
    terms.onFault(error);
    const sentence = "Something went wrong on our side. Please try again later.";
    return { status: 500, page: renderRecoveryFault("Not available", sentence) };
  }
}

/** Finds the shop that signed the link. Refuses as `getRecovery` does. */
async function openLink(
  shops: readonly PaymentsShop[],
  token: string,
): Promise<Pick<Opened, "shop" | "recovery">> {
  for (const shop of shops) {
    try {
      return { shop, recovery: await getFreshRecovery(shop, token) };
    } catch (error) {
      if (!(error instanceof Refusal) || error.definition !== recoveryLinkInvalid) throw error;
    }
  }
  throw recoveryLinkInvalid();
}

/** Polls open attempts first: a returning customer may be faster than the gateway's notice. */
async function getFreshRecovery(shop: PaymentsShop, token: string): Promise<Recovery> {
  const link = { token, now: shop.clock.now() };
  const found = await getRecovery(shop.database.read, link);
  const attempts = found.kind === "order" ? found.payments.filter(isOpen) : [];
  if (attempts.length === 0) return found;
  for (const { id } of attempts) await pollPayment(shop, id, "politely");
  return getRecovery(shop.database.read, link);
}

async function showBill(opened: Opened): Promise<Reply> {
  const isGone = opened.bill.obstacle?.status === 410;
  return { status: isGone ? 410 : 200, page: await pageOf(opened, null) };
}

async function continueToPayment(opened: Opened): Promise<Reply> {
  const { shop, recovery, bill, address } = opened;
  if (bill.obstacle !== null) {
    return { status: bill.obstacle.status, page: await pageOf(opened, null) };
  }
  try {
    const location = await continueRecovery(shop, recovery, address);
    if (location !== null) return { status: 303, location };
    return { status: 503, page: await pageOf(opened, NOT_READY) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return replyToRefusal(opened, error);
  }
}

const NOT_READY = "The payment could not be started. Please try again in a few minutes.";
const NOT_HERE = "This cannot be paid here. Please contact the shop.";

/**
 * Reads the recovery again: its obstacle, if any, explains the refusal better than a general
 * sentence.
 */
async function replyToRefusal(before: Opened, { definition }: Refusal): Promise<Reply> {
  const token = before.address.slice(before.address.lastIndexOf("/") + 1);
  const recovery = await getFreshRecovery(before.shop, token);
  const bill = billOf(recovery, takesMethod(before.shop, RECOVERY_METHOD));
  const isTemporary = definition.kind === "unavailable";
  const problem = bill.obstacle !== null ? null : isTemporary ? NOT_READY : NOT_HERE;
  const page = await pageOf({ ...before, bill }, problem);
  return { status: bill.obstacle?.status ?? (isTemporary ? 503 : 409), page };
}

async function pageOf({ shop, bill }: Opened, problem: string | null): Promise<string> {
  const { name } = await getStore(shop.database.read);
  return renderRecoveryPage({ shopName: name, isTest: shop.mode === "test", bill, problem });
}

/**
 * A link without a valid signature never existed (404); every other refusal means that it is gone
 * (410).
 */
function faultOf({ definition }: Refusal): Reply {
  if (definition === recoveryLinkInvalid) {
    const sentence = "This link is not valid. Please check that you copied all of it.";
    return { status: 404, page: renderRecoveryFault("Not found", sentence) };
  }
  const sentence = "This link has expired. Please visit the shop again.";
  return { status: 410, page: renderRecoveryFault("No longer available", sentence) };
}

/** The form redirects to the page of a gateway. */
const POLICY = pagePolicy(RECOVERY_PAGE_STYLE, "'self' https:");

function responseOf(reply: Reply): Response {
  if ("location" in reply) {
    return new Response(null, {
      status: 303,
      headers: { ...closedHeaders, Location: reply.location },
    });
  }
  return new Response(reply.page, {
    status: reply.status,
    headers: {
      ...closedHeaders,
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": POLICY,
    },
  });
}

function bare(status: 204 | 405): Response {
  return new Response(null, { status, headers: { ...closedHeaders, Allow: ALLOW } });
}
