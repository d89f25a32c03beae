// Serves the pages of links. Invariant: the link alone decides the mode and what is shown, because each mode
// accepts only links signed with its own secret; a GET never places an order.

import { PAYMENT_METHOD_DEFAULT } from "#kernel/payment-method.ts";
import { Refusal } from "#kernel/refusal.ts";
import { chooseDelivery, type DeliveryChange, readOption } from "#pay-page/delivery/delivery.ts";
import { readDetails } from "#pay-page/delivery/details.ts";
import { readAddress } from "#pay-page/delivery/read-address.ts";
import { tooManyPrompts } from "#payments/attempts/public-attempts.ts";
import { submitOtp } from "#payments/attempts/submit-otp.ts";
import { ownPaths } from "#platform/html/html-document.ts";
import { asciiDigits, readForm } from "#platform/html/read-form.ts";
import type { Bodies } from "#platform/http/intake/bodies.ts";
import { type Router, unlisted } from "#platform/http/router.ts";
import { shippingRequired, shippingUnavailable } from "#pricing/quote/refusals.ts";
import {
  contactProofRequired,
  tooManyOpenOrders,
  tooManyOrders,
} from "#sales/placing/public-orders.ts";
import { totalChanged } from "#sales/rows/order.ts";
import { checkoutIncomplete } from "#sales/rows/requirements.ts";

import { continueRecovery } from "./continue-recovery.ts";
import { answerPage, type ShownPage } from "./frame/shop-frame.ts";
import { pageOfFault } from "./link-fault.ts";
import { nextStepOf } from "./next-step.ts";
import {
  type Link,
  type LinkPages,
  type LinkTerms,
  type Opened,
  openLink,
  pageOf,
  reopen,
} from "./open-link.ts";
import { admitStranger, asVisitor, visitingOf, wayToOrder } from "./serve-strangers.ts";
import { type Choice, readChoice, type WayToPay } from "./ways-to-pay.ts";
import type { Words } from "./words/en.ts";

const ALLOW = "GET, HEAD, POST, OPTIONS";

interface PayPageTerms extends LinkTerms, Pick<Link, "strangers"> {
  readonly bodies: Bodies;
}

/** A page, or a redirect. */
type Reply =
  | { readonly status: number; readonly page: ShownPage }
  | { readonly status: 303; readonly location: string };

/** Adds `{path}/{token}`, which needs no key: the token is the authorization. */
export function mountPayPage(app: Router, pages: LinkPages, terms: PayPageTerms): void {
  const running = new Map<string, Promise<Reply>>();
  app.all(
    `${pages.path}/:token`,
    async ({ request, params }) => {
      if (request.method === "OPTIONS") return bare(204);
      const isRead = request.method === "GET" || request.method === "HEAD";
      const token = params["token"] ?? "";
      const link = { ...terms, pages, token, isPressed: !isRead, request };
      if (!isRead && request.method !== "POST") return bare(405);
      return responseOf(
        await (isRead
          ? replyOrFault(link, showBill)
          : submit(running, link, await readForm(request, terms.bodies))),
        formActionFor(link),
      );
    },
    unlisted,
  );
}

/** Answers a form by its fields. Only the forms of a payment have consequences beyond the cart. */
function submit(
  running: Map<string, Promise<Reply>>,
  link: Link,
  form: URLSearchParams,
): Promise<Reply> {
  if (form.has("say")) return replyOrFault(link, (opened) => giveDetails(opened, form));
  if (form.has("country")) return replyOrFault(link, (opened) => giveAddress(opened, form));
  if (form.has("choose")) return replyOrFault(link, (opened) => choose(opened, form));
  return submitOnce(running, link, form);
}

/** A second press of the same link during the first gets the reply of the first. */
function submitOnce(
  running: Map<string, Promise<Reply>>,
  link: Link,
  form: URLSearchParams,
): Promise<Reply> {
  const { token } = link;
  const first = running.get(token);
  if (first !== undefined) return first;
  const press = (opened: Opened) =>
    form.has("otp") ? submitCode(opened, form) : continueToPayment(opened, form);
  const reply = replyOrFault(link, press).finally(() => running.delete(token));
  running.set(token, reply);
  return reply;
}

async function replyOrFault(link: Link, reply: (opened: Opened) => Promise<Reply>): Promise<Reply> {
  try {
    const opened = await openLink(link);
    await admitStranger(opened);
    const location = await wayToOrder(opened);
    return location === null ? await reply(opened) : { status: 303, location };
  } catch (error) {
    return pageOfFault(error, link);
  }
}

async function showBill(opened: Opened): Promise<Reply> {
  const isGone = opened.bill.obstacle?.status === 410 && !opened.link.pages.showsCancelled;
  return { status: isGone ? 410 : 200, page: pageOf(opened, failureOf(opened)) };
}

/** A sentence where the last attempt to pay failed; null otherwise. */
function failureOf({ recovery, store }: Opened): string | null {
  const last = recovery.kind === "order" ? recovery.payments.at(-1) : undefined;
  return last?.status === "failed" ? store.words.refusals.notPaid : null;
}

/** Keeps where the goods go; a link that asks for nothing of the kind any more shows what is now. */
async function giveAddress(opened: Opened, form: URLSearchParams): Promise<Reply> {
  const { recovery, bill, address, store } = opened;
  if (recovery.kind === "order" || bill.delivery === null) {
    return { status: 303, location: address };
  }
  const shippingAddress = readAddress(form, recovery.cart.shippingAddress, store);
  if (typeof shippingAddress === "string") {
    return refused(opened, { status: 422, problem: shippingAddress });
  }
  return keep(opened, { shippingAddress });
}

/** Keeps what the shop asks of its customers; a cart that lacks nothing shows what is now. */
async function giveDetails(opened: Opened, form: URLSearchParams): Promise<Reply> {
  const { recovery, bill, address, store } = opened;
  if (recovery.kind === "order" || bill.details === null) {
    return { status: 303, location: address };
  }
  const given = await readDetails(form, bill.details, { cart: recovery.cart, store });
  return typeof given === "string"
    ? refused(opened, { status: 422, problem: given }, form)
    : keep(opened, given);
}

/** Keeps how the goods are delivered, so that the page shows the new total. */
async function choose(opened: Opened, form: URLSearchParams): Promise<Reply> {
  const { delivery } = opened.bill;
  if (delivery === null) return { status: 303, location: opened.address };
  const optionId = readOption(form, delivery);
  return optionId === null ? refuseOption(opened, form) : keep(opened, { optionId });
}

function keep(opened: Opened, wanted: DeliveryChange): Promise<Reply> {
  return orExplain(opened, async () => {
    await change(opened, wanted);
    return { status: 303, location: opened.address };
  });
}

async function change(opened: Opened, wanted: DeliveryChange): Promise<void> {
  const { shop, recovery } = opened;
  if (recovery.kind === "order") return;
  const cart = { id: recovery.cart.id, filledBy: visitingOf(opened).placedBy };
  await shop.database.write((tx) => chooseDelivery(tx, cart, wanted));
}

function refuseOption(opened: Opened, form: URLSearchParams): Reply {
  const { gone, choose: unchosen } = opened.store.words.delivery;
  const fault = form.has("shipping")
    ? { status: 409, problem: gone }
    : { status: 422, problem: unchosen };
  return refused(opened, fault, form);
}

async function continueToPayment(opened: Opened, form: URLSearchParams): Promise<Reply> {
  const {
    store,
    bill: { delivery, details, obstacle },
  } = opened;
  if (obstacle !== null) return refused(opened, { status: obstacle.status, problem: null });
  if (details !== null) {
    return refused(opened, { status: 409, problem: store.words.details.incomplete });
  }
  if (delivery === null) return pay(opened, form);
  const optionId = readOption(form, delivery);
  if (optionId === null) return refuseOption(opened, form);
  if (optionId === delivery.chosen) return pay(opened, form);
  return orExplain(opened, async () => {
    await change(opened, { optionId });
    const changed = await reopen(opened);
    const { amount, obstacle: now } = changed.bill;
    if (now === null && form.get("amount") === amount) return pay(changed, form);
    const { otherDelivery: problem } = changed.store.words.refusals;
    return refused(changed, { status: now?.status ?? 409, problem }, form);
  });
}

interface Fault {
  readonly status: number;
  readonly problem: string | null;
}

/** The page with what is wrong; the form of a payment keeps what was chosen and typed. */
function refused(opened: Opened, { status, problem }: Fault, form?: URLSearchParams): Reply {
  return { status, page: pageOf(opened, problem, form) };
}

async function pay(opened: Opened, form: URLSearchParams): Promise<Reply> {
  const { shop, recovery, bill, store, ways, address } = opened;
  const says = store.words.refusals;
  const refuse = (status: number, problem: string) => refused(opened, { status, problem }, form);
  // A form without an amount is not one that showed the total, where a delivery is chosen.
  const isAmountDue = form.has("amount") || bill.delivery !== null;
  if (isAmountDue && form.get("amount") !== bill.amount) return refuse(409, says.changed);
  const isDeposit = form.has("deposit");
  if (isDeposit && form.get("deposit") !== bill.deposit) return refuse(409, says.changed);
  const choice = bill.isFree ? freeChoice(ways) : await readChoice(form, ways, store);
  if (typeof choice === "string") return refuse(422, choice);
  if (isDeposit && choice.method === "cash_on_delivery") return refuse(422, says.depositBefore);
  const continuation = { choice, isDeposit, returnUrl: address, by: visitingOf(opened) };
  return orExplain(opened, () =>
    asVisitor(opened, async () => {
      const location = await continueRecovery(shop, recovery, continuation);
      return location === null ? refuse(503, says.notReady) : { status: 303, location };
    }),
  );
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
  const code = asciiDigits((form.get("otp") ?? "").replaceAll(/\s/g, ""));
  if (!/^[0-9A-Za-z]{3,12}$/.test(code)) {
    return { status: 422, page: pageOf(opened, store.words.refusals.noCode) };
  }
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

/** The sentence about each refusal that the customer can do something about, with the status of the page that says it. */
const explained: readonly (readonly [
  Refusal["definition"],
  409 | 429,
  (words: Words) => string,
])[] = [
  [totalChanged, 409, ({ refusals }) => refusals.changed],
  [shippingUnavailable, 409, ({ delivery }) => delivery.gone],
  [shippingRequired, 409, ({ delivery }) => delivery.choose],
  [checkoutIncomplete, 409, ({ details }) => details.incomplete],
  [contactProofRequired, 409, ({ refusals }) => refusals.heldByOthers],
  [tooManyOpenOrders, 409, ({ refusals }) => refusals.payFirst],
  [tooManyOrders, 429, ({ refusals }) => refusals.tooMany],
  [tooManyPrompts, 429, ({ refusals }) => refusals.tooOften],
];

/** The words for the customer about a refusal, and the status of the page that says so. */
function explain({ definition }: Refusal, words: Words): { status: number; sentence: string } {
  for (const [one, status, say] of explained) {
    if (definition === one) return { status, sentence: say(words) };
  }
  return definition.kind === "unavailable"
    ? { status: 503, sentence: words.refusals.notReady }
    : { status: 409, sentence: words.refusals.notHere };
}

/**
 * Reads the recovery again: its obstacle, if any, explains the refusal better than a general
 * sentence.
 */
async function replyToRefusal(before: Opened, refusal: Refusal): Promise<Reply> {
  const after = await reopen(before);
  const { bill, store } = after;
  const { status, sentence } = explain(refusal, store.words);
  const page = pageOf(after, bill.obstacle === null ? sentence : null);
  return { status: bill.obstacle?.status ?? status, page };
}

/** The form redirects to the page of a gateway, whose address is known only then. */
function formActionFor({ request, pages, publicUrl }: Link): string {
  // A cart that became an order leads on to the order's page.
  const paths = [`${pages.path}/`, ...(pages.isStrangers ? ["/o/"] : [])];
  return `${ownPaths(request, { publicUrl: publicUrl(), paths })} https:`;
}

function responseOf(reply: Reply, formAction: string): Response {
  if ("page" in reply) return answerPage(reply.status, reply.page, formAction);
  return new Response(null, { status: 303, headers: { Location: reply.location } });
}

function bare(status: 204 | 405): Response {
  return new Response(null, { status, headers: { Allow: ALLOW } });
}
