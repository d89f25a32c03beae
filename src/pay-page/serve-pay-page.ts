// Serves the pages of links. Invariant: the link alone decides the mode and what is shown, because each mode
// accepts only links signed with its own secret; a GET never places an order.

import { PAYMENT_METHOD_DEFAULT } from "#kernel/payment-method.ts";
import { Refusal } from "#kernel/refusal.ts";
import { pollPayment } from "#payments/attempts/poll-payment.ts";
import { tooManyPrompts } from "#payments/attempts/public-attempts.ts";
import { submitOtp } from "#payments/attempts/submit-otp.ts";
import { isOpen } from "#payments/payments/payment.ts";
import { type PaymentsShop, takesMethod } from "#payments/payments/payments-shop.ts";
import type { Reader } from "#platform/database/database.ts";
import { pagePolicy } from "#platform/html/content-policy.ts";
import { readForm } from "#platform/html/read-form.ts";
import type { Bodies } from "#platform/http/intake/bodies.ts";
import { type Router, unlisted } from "#platform/http/router.ts";
import { linkInvalid } from "#sales/links/link-token.ts";
import { totalChanged } from "#sales/orders/order.ts";
import { getStore } from "#shop/store/get-store.ts";
import type { Store } from "#shop/store/store.ts";

import { continueRecovery } from "./continue-recovery.ts";
import type { Recovery } from "./get-recovery.ts";
import { nextStepOf } from "./next-step.ts";
import { PAY_PAGE_STYLE, type PayPage, renderFault } from "./page-frame.ts";
import { billOf, type RecoveryBill } from "./recovery-bill.ts";
import { type Choice, readChoice, waysToPay, type WayToPay } from "./ways-to-pay.ts";

const ALLOW = "GET, HEAD, POST, OPTIONS";

export interface PayPageTerms {
  /** The shops of both modes. */
  readonly shops: readonly PaymentsShop[];
  /** The address at which browsers reach this server. */
  readonly publicUrl: () => string;
  readonly bodies: Bodies;
  readonly onFault: (error: unknown) => void;
}

/** What a link opens, and the page that shows it. */
export interface OpenedLink {
  readonly recovery: Recovery;
  readonly render: (page: PayPage) => string;
}

/** Pages whose address is `path` and a token. */
export interface LinkPages {
  readonly path: "/recover" | "/o";
  /** Refuses with `recovery_link_invalid` what this shop did not sign; any other refusal means that it is gone. */
  readonly open: (
    db: Reader,
    link: { readonly token: string; readonly now: number },
  ) => Promise<OpenedLink>;
  /** Whether there is something to see of an order that can no longer be paid. */
  readonly showsCancelled: boolean;
}

/** A page, or a redirect. */
type Reply =
  | { readonly status: number; readonly page: string }
  | { readonly status: 303; readonly location: string };

/** Adds `{path}/{token}`, which needs no key: the token is the authorization. */
export function mountPayPage(app: Router, pages: LinkPages, terms: PayPageTerms): void {
  const running = new Map<string, Promise<Reply>>();
  app.all(
    `${pages.path}/:token`,
    async ({ request, params }) => {
      const link = { ...terms, pages, token: params["token"] ?? "" };
      if (request.method === "OPTIONS") return bare(204);
      const isRead = request.method === "GET" || request.method === "HEAD";
      if (!isRead && request.method !== "POST") return bare(405);
      return responseOf(
        await (isRead
          ? replyOrFault(link, showBill)
          : submitOnce(running, link, await readForm(request, terms.bodies))),
      );
    },
    unlisted,
  );
}

/** A second POST of the same link during the first gets the reply of the first. */
function submitOnce(
  running: Map<string, Promise<Reply>>,
  link: Link,
  form: URLSearchParams,
): Promise<Reply> {
  const { token } = link;
  const first = running.get(token);
  if (first !== undefined) return first;
  const submit = (opened: Opened) =>
    form.has("otp") ? submitCode(opened, form) : continueToPayment(opened, form);
  const reply = replyOrFault(link, submit).finally(() => running.delete(token));
  running.set(token, reply);
  return reply;
}

/** A link that is opened, and everything needed for it. */
interface Link extends PayPageTerms {
  readonly pages: LinkPages;
  readonly token: string;
}

interface Opened extends OpenedLink {
  readonly link: Link;
  readonly shop: PaymentsShop;
  readonly bill: RecoveryBill;
  readonly store: Store;
  readonly ways: readonly WayToPay[];
  /** The address of this page, to which the gateway returns the customer. */
  readonly address: string;
}

async function replyOrFault(link: Link, reply: (opened: Opened) => Promise<Reply>): Promise<Reply> {
  try {
    const found = await openLink(link);
    const address = `${link.publicUrl()}${link.pages.path}/${link.token}`;
    return await reply({ ...found, ...(await offer(found)), link, address });
  } catch (error) {
    if (error instanceof Refusal) return faultOf(error);
    link.onFault(error);
    const sentence = "Something went wrong on our side. Please try again later.";
    return { status: 500, page: renderFault("Not available", sentence) };
  }
}

/** What the shop offers for the recovery as it is now. */
async function offer({ shop, recovery }: Pick<Opened, "shop" | "recovery">) {
  const store = await getStore(shop.database.read);
  const ways = waysToPay(store, (method) => takesMethod(shop, method));
  const { depositPercent } = store;
  const bill = billOf(recovery, { offersPayment: ways.length > 0, depositPercent });
  return { store, ways, bill };
}

/** Finds the shop that signed the link. Refuses as its pages do. */
async function openLink(link: Link): Promise<OpenedLink & Pick<Opened, "shop">> {
  for (const shop of link.shops) {
    try {
      return { shop, ...(await openFresh(link, shop)) };
    } catch (error) {
      if (!(error instanceof Refusal) || error.definition !== linkInvalid) throw error;
    }
  }
  throw linkInvalid();
}

/** Polls open attempts first: a returning customer may be faster than the gateway's notice. */
async function openFresh({ pages, token }: Link, shop: PaymentsShop): Promise<OpenedLink> {
  const link = { token, now: shop.clock.now() };
  const found = await pages.open(shop.database.read, link);
  const { recovery } = found;
  const attempts = recovery.kind === "order" ? recovery.payments.filter(isOpen) : [];
  if (attempts.length === 0) return found;
  for (const { id } of attempts) await pollPayment(shop, id, "politely");
  return pages.open(shop.database.read, link);
}

async function showBill(opened: Opened): Promise<Reply> {
  const isGone = opened.bill.obstacle?.status === 410 && !opened.link.pages.showsCancelled;
  return { status: isGone ? 410 : 200, page: pageOf(opened, failureOf(opened.recovery)) };
}

/** A sentence where the last attempt to pay failed; null otherwise. */
function failureOf(recovery: Recovery): string | null {
  const last = recovery.kind === "order" ? recovery.payments.at(-1) : undefined;
  return last?.status === "failed" ? NOT_PAID : null;
}

async function continueToPayment(opened: Opened, form: URLSearchParams): Promise<Reply> {
  const { shop, recovery, bill, ways, address } = opened;
  const refuse = (status: number, problem: string | null): Reply => ({
    status,
    page: pageOf(opened, problem, form.get("method")),
  });
  if (bill.obstacle !== null) return refuse(bill.obstacle.status, null);
  if (form.has("amount") && form.get("amount") !== bill.amount) return refuse(409, CHANGED);
  const isDeposit = form.has("deposit");
  if (isDeposit && form.get("deposit") !== bill.deposit) return refuse(409, CHANGED);
  const choice = bill.isFree ? freeChoice(ways) : readChoice(form, ways);
  if (typeof choice === "string") return refuse(422, choice);
  if (isDeposit && choice.method === "cash_on_delivery") return refuse(422, DEPOSIT_BEFORE);
  return orExplain(opened, async () => {
    const continuation = { choice, isDeposit, returnUrl: address };
    const location = await continueRecovery(shop, recovery, continuation);
    return location === null ? refuse(503, NOT_READY) : { status: 303, location };
  });
}

/** Nothing is paid for an order of no amount, so the way does not matter. */
function freeChoice(ways: readonly WayToPay[]): Choice {
  return { method: ways[0]?.method ?? PAYMENT_METHOD_DEFAULT, phone: null, provider: null };
}

/** Passes the code of the customer on; without an attempt that waits for one, shows what is now. */
async function submitCode(opened: Opened, form: URLSearchParams): Promise<Reply> {
  const { shop, recovery, store, address } = opened;
  const step = nextStepOf(recovery, store);
  if (step?.awaits !== "code" || step.paymentId === null) return { status: 303, location: address };
  const { paymentId } = step;
  const code = (form.get("otp") ?? "").replaceAll(/\s/g, "");
  if (!/^[0-9A-Za-z]{3,12}$/.test(code)) return { status: 422, page: pageOf(opened, NO_CODE) };
  return orExplain(opened, async () => {
    await submitOtp(shop, paymentId, code);
    return { status: 303, location: address };
  });
}

async function orExplain(opened: Opened, work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return replyToRefusal(opened, error);
  }
}

const NOT_READY = "The payment could not be started. Please try again in a few minutes.";
const NOT_PAID = "Your last payment did not go through. You can try again, or pay another way.";
const CHANGED = "The amount has changed since you opened this page. Please look at it again.";
const DEPOSIT_BEFORE =
  "The deposit is paid before the delivery. Please choose another way to pay it.";
const NO_CODE = "Please type the code as you received it: letters and digits only.";
const NOT_HERE = "This cannot be paid here. Please contact the shop.";
const TOO_OFTEN =
  "This phone was asked too often in the last hour. Please try again later, or pay another way.";

/** What the customer reads about a refusal, and the status of the page that says so. */
function explain({ definition }: Refusal): { status: number; sentence: string } {
  if (definition === totalChanged) return { status: 409, sentence: CHANGED };
  if (definition === tooManyPrompts) return { status: 429, sentence: TOO_OFTEN };
  if (definition.kind === "unavailable") return { status: 503, sentence: NOT_READY };
  return { status: 409, sentence: NOT_HERE };
}

/**
 * Reads the recovery again: its obstacle, if any, explains the refusal better than a general
 * sentence.
 */
async function replyToRefusal(before: Opened, refusal: Refusal): Promise<Reply> {
  const { link, shop } = before;
  const found = { shop, ...(await openFresh(link, shop)) };
  const after = { ...before, ...found, ...(await offer(found)) };
  const { bill } = after;
  const { status, sentence } = explain(refusal);
  const page = pageOf(after, bill.obstacle === null ? sentence : null);
  return { status: bill.obstacle?.status ?? status, page };
}

function pageOf(opened: Opened, problem: string | null, chosen: string | null = null): string {
  const { shop, recovery, bill, store, ways } = opened;
  return opened.render({
    store,
    isTest: shop.mode === "test",
    bill,
    problem,
    ways,
    chosen,
    step: nextStepOf(recovery, store),
  });
}

/**
 * A link without a valid signature never existed (404); every other refusal means that it is gone
 * (410).
 */
function faultOf({ definition }: Refusal): Reply {
  if (definition === linkInvalid) {
    const sentence = "This link is not valid. Please check that you copied all of it.";
    return { status: 404, page: renderFault("Not found", sentence) };
  }
  const sentence = "This link has expired. Please visit the shop again.";
  return { status: 410, page: renderFault("No longer available", sentence) };
}

/** The form redirects to the page of a gateway. */
const POLICY = pagePolicy(PAY_PAGE_STYLE, "'self' https:");

function responseOf(reply: Reply): Response {
  if ("location" in reply) {
    return new Response(null, {
      status: 303,
      headers: { Location: reply.location },
    });
  }
  return new Response(reply.page, {
    status: reply.status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": POLICY,
    },
  });
}

function bare(status: 204 | 405): Response {
  return new Response(null, { status, headers: { Allow: ALLOW } });
}
