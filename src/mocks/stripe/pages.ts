// The vendor's pages: the hosted page of a session, which takes try after try, and the bank's question about a card.

import type { Asked, Reply } from "#mocks/vendor-server.ts";

import type { Account, IntentRow, SessionRow } from "./account.ts";
import { StripeRefusal } from "./errors.ts";
import type { Payments } from "./pay.ts";

/** Answers a request for a page; null for every other request. */
export function servePage(asked: Asked, account: Account, payments: Payments): Reply | null {
  const [, kind, id = ""] = /^\/(c\/pay|3ds)\/(\w+)$/.exec(asked.path) ?? [];
  const session = kind === "c/pay" ? account.sessions.find(id) : undefined;
  if (session !== undefined) return servePayment(asked, session, payments);
  const intent = kind === "3ds" ? account.intents.find(id) : undefined;
  if (intent === undefined) return null;
  if (asked.method !== "POST") return bankPage(intent);
  const answer = new URLSearchParams(asked.body).get("answer");
  payments.answerChallenge(intent, answer === "approve" ? "approved" : "failed");
  return redirect(afterChallenge(account, intent));
}

function servePayment(asked: Asked, session: SessionRow, payments: Payments): Reply {
  if (asked.method !== "POST" || session.status !== "open") return paymentPage(session, "");
  return pay(session, payments, new URLSearchParams(asked.body).get("card") ?? "");
}

function pay(session: SessionRow, payments: Payments, card: string): Reply {
  try {
    const intent = payments.payOnPage(session, card);
    if (intent.status === "requires_action") return redirect(`/3ds/${intent.id}`);
    if (intent.decline !== null) return paymentPage(session, intent.decline.message);
    return redirect(successUrlOf(session));
  } catch (error) {
    if (error instanceof StripeRefusal) return paymentPage(session, error.message);
    throw error;
  }
}

/** Back to the merchant once it is paid, or to the page for another try. */
function afterChallenge(account: Account, intent: IntentRow): string {
  const session = intent.session === null ? undefined : account.sessions.find(intent.session);
  const isPaid = intent.status === "succeeded";
  if (session !== undefined) return isPaid ? successUrlOf(session) : `/c/pay/${session.id}`;
  const url = new URL(intent.returnUrl ?? "http://127.0.0.1/");
  url.searchParams.set("payment_intent", intent.id);
  url.searchParams.set("redirect_status", isPaid ? "succeeded" : "failed");
  return url.href;
}

function successUrlOf({ id, successUrl }: SessionRow): string {
  return successUrl.replaceAll("{CHECKOUT_SESSION_ID}", id);
}

function paymentPage(session: SessionRow, message: string): Reply {
  const { status, amountMinor, currency, cancelUrl } = session;
  if (status !== "open") return page(`<p>This session is ${status}.</p>`);
  const back = cancelUrl === null ? "" : `<a href="${Bun.escapeHTML(cancelUrl)}">Back</a>`;
  return page(
    `<p role="alert">${Bun.escapeHTML(message)}</p>
    <form method="post"><label>Card <input name="card" required></label>
    <button>Pay ${amountMinor} ${currency}</button></form>${back}`,
  );
}

function bankPage({ status }: IntentRow): Reply {
  if (status !== "requires_action") return page("<p>There is nothing to approve.</p>");
  return page(
    `<form method="post"><button name="answer" value="approve">Approve</button>
    <button name="answer" value="fail">Fail</button></form>`,
  );
}

function page(body: string): Reply {
  const headers = { "content-type": "text/html; charset=utf-8" };
  return { status: 200, headers, body: `<!doctype html><title>Stripe</title>${body}` };
}

function redirect(location: string): Reply {
  return { status: 303, headers: { location }, body: "" };
}
