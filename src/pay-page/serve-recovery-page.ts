// Serves the page of ours that recovery links lead to. Invariant: the link alone says which cart of
// which mode it opens, each mode knowing only links of its own secret; a GET orders nothing.

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
import { RECOVERY_PAGE_STYLE } from "./recovery-page-style.ts";
import { renderRecoveryFault, renderRecoveryPage } from "./recovery-page.ts";

const ALLOW = "GET, HEAD, POST, OPTIONS";

export interface RecoveryPageTerms {
  /** The shops of both modes. */
  readonly shops: readonly PaymentsShop[];
  /** The address under which a browser finds us. */
  readonly publicUrl: () => string;
  readonly onFault: (error: unknown) => void;
}

/** What is answered: a page, or where to go next. */
type Reply =
  | { readonly status: number; readonly page: string }
  | { readonly status: 303; readonly location: string };

/** Adds `/recover/{token}`, public to whoever has the link. */
export function mountRecoveryPage(app: Router, terms: RecoveryPageTerms): void {
  const pressed = new Map<string, Promise<Reply>>();
  app.all(
    "/recover/:token",
    async ({ request, params }) => {
      const token = params["token"] ?? "";
      if (request.method === "OPTIONS") return bare(204);
      const isRead = request.method === "GET" || request.method === "HEAD";
      if (!isRead && request.method !== "POST") return bare(405);
      return responseOf(
        await (isRead ? replyOrFault(terms, token, show) : press(pressed, terms, token)),
      );
    },
    unlisted,
  );
}

/** Whoever presses twice is answered twice with what the first press led to. */
function press(
  pressed: Map<string, Promise<Reply>>,
  terms: RecoveryPageTerms,
  token: string,
): Promise<Reply> {
  const running = pressed.get(token);
  if (running !== undefined) return running;
  const reply = replyOrFault(terms, token, goOn).finally(() => pressed.delete(token));
  pressed.set(token, reply);
  return reply;
}

interface Opened {
  readonly shop: PaymentsShop;
  readonly recovery: Recovery;
  readonly bill: RecoveryBill;
  /** Where the payer comes back to: this very page. */
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

/** Finds the mode whose link it is. Refuses as `findRecovery` does. */
async function openLink(
  shops: readonly PaymentsShop[],
  token: string,
): Promise<Pick<Opened, "shop" | "recovery">> {
  for (const shop of shops) {
    try {
      return { shop, recovery: await lookUp(shop, token) };
    } catch (error) {
      if (!(error instanceof Refusal) || error.definition !== recoveryLinkInvalid) throw error;
    }
  }
  throw recoveryLinkInvalid();
}

/** A payer who comes back may be faster than the gateway's notice. */
async function lookUp(shop: PaymentsShop, token: string): Promise<Recovery> {
  const link = { token, now: shop.clock.now() };
  const found = await getRecovery(shop.database.read, link);
  const attempts = found.kind === "order" ? found.payments.filter(isOpen) : [];
  if (attempts.length === 0) return found;
  for (const { id } of attempts) await pollPayment(shop, id, "politely");
  return getRecovery(shop.database.read, link);
}

async function show(opened: Opened): Promise<Reply> {
  const isGone = opened.bill.obstacle?.status === 410;
  return { status: isGone ? 410 : 200, page: await pageOf(opened, null) };
}

async function goOn(opened: Opened): Promise<Reply> {
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
    return refused(opened, error);
  }
}

const NOT_READY = "The payment could not be started. Please try again in a few minutes.";
const NOT_HERE = "This cannot be paid here. Please get in touch with the shop.";

/** The page as it is after what was refused: it often says why by itself. */
async function refused(before: Opened, { definition }: Refusal): Promise<Reply> {
  const token = before.address.slice(before.address.lastIndexOf("/") + 1);
  const recovery = await lookUp(before.shop, token);
  const bill = billOf(recovery, takesMethod(before.shop, RECOVERY_METHOD));
  const isLater = definition.kind === "unavailable";
  const problem = bill.obstacle !== null ? null : isLater ? NOT_READY : NOT_HERE;
  const page = await pageOf({ ...before, bill }, problem);
  return { status: bill.obstacle?.status ?? (isLater ? 503 : 409), page };
}

async function pageOf({ shop, bill }: Opened, problem: string | null): Promise<string> {
  const { name } = await getStore(shop.database.read);
  return renderRecoveryPage({ shopName: name, isTest: shop.mode === "test", bill, problem });
}

/** What is signed by nobody was never there; everything else was, once. */
function faultOf({ definition }: Refusal): Reply {
  if (definition === recoveryLinkInvalid) {
    const sentence = "This link leads nowhere. Please check that all of it was copied.";
    return { status: 404, page: renderRecoveryFault("Not found", sentence) };
  }
  const sentence = "This link has run out. Please visit the shop again.";
  return { status: 410, page: renderRecoveryFault("No longer here", sentence) };
}

/** The form leads to the page of a gateway. */
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
