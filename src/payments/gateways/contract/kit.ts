// The kit: the contract of the port, and what HTTP adds to it, run against an adapter in test mode. Each row has an
// attempt of its own, so that an adapter with a memory can be tested again and again.

import assert from "node:assert/strict";

import { newId } from "#kernel/id.ts";
import { HOUR_MS, MINUTE_MS, monotonicMs, realClock, SECOND_MS } from "#kernel/time.ts";
import { AdapterCalls, type AdapterTerms, questionOf } from "#payments/gateways/http/calls.ts";
import { openHttpGateway } from "#payments/gateways/http/http-gateway.ts";
import { record } from "#payments/gateways/http/parts.ts";
import { attemptPart, type Description, type Taking } from "#payments/gateways/http/wire.ts";
import type { Gateway, GatewayAttempt, GatewayCallTerms } from "#payments/port/gateway.ts";
import type { ArrivedNotice } from "#payments/port/notice.ts";
import { openAsk } from "#platform/net/ask.ts";

import { type AdapterRow, adapterRows, type AdapterWorld } from "./adapter-rows.ts";
import { contractRows } from "./rows.ts";
import type { Need, PayerAnswer } from "./world.ts";

/** The payment that the kit begins in each row. */
export type KitAttempt = Pick<GatewayAttempt, "method" | "currency" | "provider" | "phone">;

/** Shows the person at the terminal the act of the payer, and its page, if there is one. */
export type AskPayer = (task: {
  readonly answer: PayerAnswer;
  readonly reference: string;
  readonly url: string | null;
}) => void;

export interface KitTerms {
  readonly adapter: AdapterTerms;
  readonly description: Description;
  readonly asked: KitAttempt;
  /** Null without a person at the terminal: the adapter's own payer answers then, if it has one. */
  readonly askPayer: AskPayer | null;
  /** Receives the adapter's notices; null where it cannot reach this machine. */
  readonly notices: { readonly url: string; readonly all: readonly ArrivedNotice[] } | null;
  /** Kills the adapter and starts it again; null where that is not possible. */
  readonly restart: (() => Promise<void>) | null;
}

export interface KitResult {
  readonly id: string;
  readonly what: string;
  readonly state: "held" | "failed" | "left_out";
  /** The reason for another state than `held`. */
  readonly why: string | null;
}

const POLL_MS = 50;
/** So long a payer's answer and a refund may take at the vendor, milliseconds. */
const VENDOR_MS = 10 * SECOND_MS;
const PERSON_MS = 5 * MINUTE_MS;
const NOTICE_MS = 3 * SECOND_MS;
const RESTART_MS = 30 * SECOND_MS;
/** Two parts of it can be refunded. */
const AMOUNT_MINOR = 2_000;
/** Nothing listens there. */
const NOWHERE = "http://127.0.0.1:9/notices";

/** Runs all rows, one after the other, and tells of each at once. */
export async function runKit(
  terms: KitTerms,
  tell: (result: KitResult) => void,
): Promise<readonly KitResult[]> {
  const results: KitResult[] = [];
  for (const row of [...contractRows, ...adapterRows]) {
    const result = await runRow(row, terms);
    tell(result);
    results.push(result);
  }
  return results;
}

async function runRow({ id, what, needs, run }: AdapterRow, terms: KitTerms): Promise<KitResult> {
  const missing = needs.filter((need) => !hasNeed(terms, need));
  if (missing.length > 0) {
    const why = missing.map((need) => LEFT_OUT[need]).join(" ");
    return { id, what, state: "left_out", why };
  }
  try {
    await run(openWorld(terms));
    return { id, what, state: "held", why: null };
  } catch (error) {
    return { id, what, state: "failed", why: error instanceof Error ? error.message : "" };
  }
}

const LEFT_OUT: Readonly<Record<Need, string>> = {
  payer: "The payer is missing: the adapter has no test payer, and --person was not given.",
  refunds: "The adapter refunds nothing.",
  notices: "The adapter cannot reach this machine.",
  restart: "No command restarts the adapter: give one as --restart.",
};

function hasNeed(terms: KitTerms, need: Need): boolean {
  const has: Readonly<Record<Need, boolean>> = {
    payer: terms.askPayer !== null || terms.description.testPayer === true,
    refunds: terms.description.refunds !== "none",
    notices: terms.notices !== null,
    restart: terms.restart !== null,
  };
  return has[need];
}

/** The first payment of the method that the adapter says it takes. */
export function firstTaken({ takes }: Description): KitAttempt | null {
  const [taking] = takes;
  if (taking === undefined) return null;
  const { method, currency, providers, phonePrefixes } = taking;
  const prefix = phonePrefixes?.[0] ?? "+233";
  const phone = method === "mobile_money" ? prefix.padEnd(PHONE_LENGTH, "551234987") : null;
  return { method, currency, provider: providers?.[0] ?? null, phone };
}

const PHONE_LENGTH = 13;

function openWorld(terms: KitTerms): AdapterWorld {
  const { adapter, description, notices, restart } = terms;
  let notifyUrl = notices?.url ?? null;
  const gateway = openHttpGateway({
    ...adapter,
    id: "kit-adapter",
    standing: "open",
    description,
    notifyUrl: () => notifyUrl,
  });
  const attempt = newAttempt(gateway, terms);
  const ask = openAsk();
  const isEnded = async () => {
    const found = await gateway.findRefunds(attempt, call);
    return found.kind === "found" && !found.refunds.some(({ outcome }) => isUnderWay(outcome.kind));
  };
  return {
    gateway,
    attempt,
    secret: adapter.secret,
    failureCode: "any",
    tellsFewFacts: true,
    refundsWhole: description.refunds === "full",
    initiation: { attempt: attemptPart.write(attempt), notify_url: notifyUrl },
    send: (path, body, { timeoutMs = VENDOR_MS, ...given } = {}) => {
      const content = JSON.stringify(body);
      return ask(questionOf(adapter, { path, content, timeoutMs, ...given }));
    },
    loseNotices: () => {
      notifyUrl = NOWHERE;
    },
    answer: async (made, answer) => {
      await payerAnswers(gateway, terms, { made, answer });
      if (notices === null || notifyUrl === NOWHERE) return null;
      return findNotice(notices.all, made.gatewayReference);
    },
    endRefunds: async () => {
      await until("the refund has ended", VENDOR_MS, isEnded);
      return null;
    },
    restart: async () => {
      await restart?.();
      await until("the adapter answers again", RESTART_MS, async () => {
        const question = questionOf(adapter, {
          path: "describe",
          content: "{}",
          timeoutMs: VENDOR_MS,
        });
        return (await ask(question)).status === 200;
      });
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

const call: GatewayCallTerms = {
  signal: new AbortController().signal,
  name: async () => {},
  keyed: async () => {},
};

/** Has the payer answer, and waits until the adapter tells it. */
async function payerAnswers(
  gateway: Gateway,
  { adapter, askPayer }: KitTerms,
  { made, answer }: { readonly made: GatewayAttempt; readonly answer: PayerAnswer },
): Promise<void> {
  if (askPayer === null) await answerInTest(adapter, { made, answer });
  else {
    // Has no further effect by contract, and tells the page.
    const begun = await gateway.initiate({ ...made, wasAsked: true }, call);
    const url = begun.kind === "redirect" ? begun.url : null;
    askPayer({ answer, reference: made.gatewayReference, url });
  }
  const patienceMs = askPayer === null ? VENDOR_MS : PERSON_MS;
  await until("the payer's answer is known", patienceMs, async () => {
    const { state } = await gateway.verify(made, call);
    return state !== "pending" && state !== "unknown";
  });
}

function isUnderWay(kind: string): boolean {
  return kind === "pending" || kind === "processing";
}

function newAttempt(gateway: Gateway, { asked, description, notices }: KitTerms): GatewayAttempt {
  const now = realClock.now();
  const paymentId = newId("payment", now);
  const taking = description.takes.find(
    ({ method, currency }) => method === asked.method && currency === asked.currency,
  );
  return {
    ...asked,
    paymentId,
    gatewayReference: gateway.newReference(paymentId, 1),
    reference: `kit-${paymentId}`,
    orderId: null,
    customerId: null,
    amountMinor: amountOf(taking),
    cardToken: null,
    email: "payer@example.com",
    returnUrl: `${new URL(notices?.url ?? NOWHERE).origin}/return`,
    names: [],
    wasAsked: false,
    gatewayEndsAt: now + HOUR_MS,
    gatewayAskedAt: now,
    createdAt: now,
  };
}

function amountOf(taking: Taking | undefined): number {
  const { minimumMinor = 1, maximumMinor = AMOUNT_MINOR, multipleMinor = 1 } = taking ?? {};
  const wanted = Math.min(Math.max(minimumMinor, AMOUNT_MINOR), maximumMinor);
  return Math.max(Math.floor(wanted / multipleMinor) * multipleMinor, multipleMinor);
}

/** Has the adapter's own payer of test mode answer. */
async function answerInTest(
  adapter: AdapterTerms,
  { made, answer }: { readonly made: GatewayAttempt; readonly answer: PayerAnswer },
): Promise<void> {
  const body = { reference: made.gatewayReference, answer };
  const { signal } = new AbortController();
  const part = record<object>()({});
  const answered = await new AdapterCalls(adapter).read("test-payer", body, { part, signal });
  assert.ok(!("kind" in answered), "test-payer did not answer 200 with {}.");
}

async function findNotice(
  all: readonly ArrivedNotice[],
  reference: string,
): Promise<ArrivedNotice | null> {
  const find = () => all.find(({ bytes }) => Buffer.from(bytes).includes(reference)) ?? null;
  const endsAt = monotonicMs() + NOTICE_MS;
  while (find() === null && monotonicMs() < endsAt) await Bun.sleep(POLL_MS);
  return find();
}

async function until(
  what: string,
  patienceMs: number,
  isSo: () => Promise<boolean>,
): Promise<void> {
  const endsAt = monotonicMs() + patienceMs;
  while (!(await isSo())) {
    if (monotonicMs() > endsAt) assert.fail(`It took too long until ${what}.`);
    await Bun.sleep(POLL_MS);
  }
}
