// Serves the test page at its unguessable URL. Invariant: it serves the test shop only, an unknown URL
// is a plain 404, and no other site learns the URL (no referrer).

import { answerPage, type Shopfront } from "#pay-page/frame/shop-frame.ts";
import { includedTaxesOf, print, totalOfOrder } from "#pay-page/sums.ts";
import { inEnglish } from "#pay-page/words/localize.ts";
import { pollPayment } from "#payments/attempts/poll-payment.ts";
import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import { type FailureCode, failureCodes } from "#payments/rows/payment-life.ts";
import { ownPaths } from "#platform/html/html-document.ts";
import { readForm } from "#platform/html/read-form.ts";
import type { Bodies } from "#platform/http/intake/bodies.ts";
import { type Router, unlisted } from "#platform/http/router.ts";
import { getOrder } from "#sales/orders/lookups.ts";
import type { Order } from "#sales/rows/order.ts";
import { getStore } from "#shop/store/lookups.ts";

import { testPagePath } from "./open-simulated-gateway.ts";
import { findChargeByPage, type SimulatedCharge } from "./queries.ts";
import { type Decision, endingAt } from "./script.ts";
import { type SimulatedGateway, simulatedGatewayOf } from "./simulated.ts";
import { renderTestPage, renderTestPageFault, type TestPage } from "./test-page.ts";

const ALLOW = "GET, HEAD, POST, OPTIONS";

export interface TestPageTerms {
  readonly shop: PaymentsShop;
  readonly bodies: Bodies;
  /** The address at which browsers reach this server. */
  readonly publicUrl: () => string;
}

/** Mounts `/test/pay/{token}`, which needs no key: the URL is the secret. Throws for a live shop. */
export function mountTestPage(app: Router, terms: TestPageTerms): void {
  if (terms.shop.mode !== "test") throw new Error("Live mode has no test page.");
  app.all(
    testPagePath(":token"),
    async ({ request, params }) => respond({ ...terms, request }, params["token"] ?? ""),
    unlisted,
  );
}

interface Asked extends TestPageTerms {
  readonly request: Request;
}

interface Stage extends Asked {
  readonly gateway: SimulatedGateway;
  readonly store: Shopfront;
}

async function respond(asked: Asked, token: string): Promise<Response> {
  const { shop, request } = asked;
  if (request.method === "OPTIONS") return bare(204, { Allow: ALLOW });
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (!isRead && request.method !== "POST") return bare(405, { Allow: ALLOW });
  const charge = await findChargeByPage(shop.database.read, token);
  const gateway = simulatedGatewayOf(shop);
  // Developers read it.
  const store = inEnglish(await getStore(shop.database.read));
  if (charge === undefined || gateway === null) {
    const fault = renderTestPageFault(store, "Not found", "There is no such test payment.");
    return answerPage(404, fault, formActionFor(asked, null));
  }
  if (!isRead) return act({ ...asked, gateway, store }, charge);
  const page = await describe(
    { ...asked, store },
    charge,
    new URL(request.url).searchParams.get("done"),
  );
  return answerPage(200, renderTestPage(page), formActionFor(asked, page.returnUrl));
}

/** The decision of each button; `push` repeats the notice and decides nothing. */
const buttons: Readonly<Record<string, Decision | "push">> = {
  pay: "approved",
  decline: "declined",
  cancel: "cancelled",
  leave: "left",
  push: "push",
};

/** The content of a submitted form. */
interface ButtonPress {
  readonly does: Decision | "push";
  readonly failureCode: FailureCode | null;
}

/** Applies the button, then redirects to the return URL, or to this page if there is none. */
async function act(stage: Stage, charge: SimulatedCharge): Promise<Response> {
  const { shop, gateway } = stage;
  const press = readPress(await readForm(stage.request, stage.bodies));
  if (press === null) {
    const sentence = "The form contains an unknown action. Go back and choose again.";
    const fault = renderTestPageFault(stage.store, "Unknown action", sentence);
    return answerPage(400, fault, formActionFor(stage, null));
  }
  const { does, failureCode } = press;
  const here = testPagePath(charge.pageToken);
  if (does === "push") {
    await gateway.pushAgain(charge.gatewayReference);
    return bare(303, { Location: `${here}?done=push` });
  }
  await gateway.play(charge.gatewayReference, { decision: does, failureCode });
  await pollPayment(shop, charge.paymentId, "due");
  const done = does === "left" ? "?done=leave" : "";
  const returnUrl = returnUrlOf(charge, { isCancelled: does === "cancelled" });
  return bare(303, { Location: returnUrl ?? `${here}${done}` });
}

/** Null for an unknown button or an unknown reason to decline. */
function readPress(form: URLSearchParams): ButtonPress | null {
  const button = form.get("action") ?? "";
  const does = Object.hasOwn(buttons, button) ? buttons[button] : undefined;
  if (does === undefined) return null;
  if (does === "cancelled") return { does, failureCode: "not_approved" };
  if (does !== "declined") return { does, failureCode: null };
  const given = form.get("failure_code") ?? "declined";
  const failureCode = failureCodes.find((code) => code === given);
  return failureCode === undefined ? null : { does, failureCode };
}

async function describe(
  { shop, store }: Asked & Pick<Stage, "store">,
  charge: SimulatedCharge,
  done: string | null,
): Promise<TestPage> {
  const db = shop.database.read;
  const order = charge.orderId === null ? null : (await getOrder(db, charge.orderId)).order;
  const standing = stateOf(charge, shop.clock.now());
  return {
    shop: store,
    amount: print(charge.amountMinor, charge.currency, store.locale),
    orderNumber: order?.number ?? null,
    ...(order === null ? noSums : sumsOf(order, store)),
    reference: charge.reference,
    ...standing,
    returnUrl: returnUrlOf(charge, { isCancelled: standing.state === "cancelled" }),
    done: done === "push" || done === "leave" ? done : null,
  };
}

const noSums = { sums: [], included: [] };

/** The parts of the order's total, the total and its taxes; nothing for goods alone without a tax. */
function sumsOf(order: Order, shop: Shopfront): Pick<TestPage, "sums" | "included"> {
  const [sums, included] = [totalOfOrder(order, shop), includedTaxesOf(order, shop)];
  return sums.length + included.length > 1 ? { sums, included } : noSums;
}

function stateOf(charge: SimulatedCharge, now: number): Pick<TestPage, "state" | "failureCode"> {
  const ending = endingAt(charge, now);
  if (typeof ending === "string") return { state: "open", failureCode: null };
  if (ending.state === "succeeded") return { state: "paid", failureCode: null };
  if (charge.decision === "cancelled") return { state: "cancelled", failureCode: null };
  return { state: "declined", failureCode: ending.failureCode };
}

/** The return URL with a reference added, as real gateways do; it proves nothing. */
function returnUrlOf(
  { returnUrl, gatewayReference }: SimulatedCharge,
  { isCancelled }: { readonly isCancelled: boolean },
): string | null {
  if (returnUrl === null) return null;
  const url = new URL(returnUrl);
  url.searchParams.set("reference", gatewayReference);
  if (isCancelled) url.searchParams.set("cancelled", "1");
  return url.href;
}

function bare(status: 204 | 303 | 405, headers: Record<string, string>): Response {
  return new Response(null, { status, headers: headers });
}

/** The form leads to the shop's own page, where there is one, and wherever that redirects to. */
function formActionFor({ request, publicUrl }: Asked, returnUrl: string | null): string {
  const own = ownPaths(request, { publicUrl: publicUrl(), paths: [testPagePath("")] });
  return returnUrl === null ? own : `${own} http: https:`;
}
