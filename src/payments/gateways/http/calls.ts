// Calls of an adapter: signed, and answered in JSON. Invariant: an answer counts only with status 200 and in its form;
// 401 and 429 with `Retry-After` promise that nothing was done, and everything else says nothing of what was.

import { newRequestId } from "#kernel/id.ts";
import { realClock, SECOND_MS } from "#kernel/time.ts";
import type { FormerSecret } from "#payments/gateways/accounts.ts";
import { Surprise } from "#payments/gateways/answers/fields.ts";
import {
  notSent,
  rateLimited,
  surpriseAt,
  type UnknownAnswer,
  unsent,
} from "#payments/gateways/answers/unclear.ts";
import { CALL_TIMES, type CallKind } from "#payments/port/gateway-times.ts";
import type { NotSent } from "#payments/port/gateway.ts";
import type { Mode } from "#platform/database/shop.ts";
import { parseStrictJson } from "#platform/http/strict-json.ts";
import { type Ask, openAsk, type Question, type Reply } from "#platform/net/ask.ts";
import { signatureHeaders } from "#platform/net/signature.ts";
import type { Reach } from "#platform/net/target-url.ts";

import type { Part } from "./parts.ts";

/** The address of an adapter, and what signs between it and the shop. */
export interface AdapterTerms {
  readonly mode: Mode;
  /** Without a final slash. */
  readonly url: string;
  readonly secret: string;
  /** The one before a rotation, which signs beside it for a while. */
  readonly former?: FormerSecret | undefined;
  readonly reach: Reach;
  readonly onSkew?: ((skewMs: number) => void) | undefined;
}

/** The secrets that sign now, the newest first. */
export function secretsOf({ secret, former }: Pick<AdapterTerms, "secret" | "former">): string[] {
  const isHeld = former !== undefined && former.until > realClock.now();
  return isHeld ? [secret, former.secret] : [secret];
}

/** Milliseconds. */
const DESCRIBE_MS = 10_000;

export interface CallTerms<T> {
  /** The answer. */
  readonly part: Part<T>;
  readonly signal: AbortSignal;
  /** The reference for which the call has one effect; absent where it has none, or any number of them is one. */
  readonly key?: string;
}

/** The paths of the calls of the port. */
const paths = {
  initiate: "initiate",
  submitAction: "submit-action",
  verify: "verify",
  cancel: "cancel",
  refund: "refund",
  verifyRefund: "verify-refund",
  findRefunds: "find-refunds",
  findDisputes: "find-disputes",
  listDisputes: "list-disputes",
  listRefunds: "list-refunds",
  listPayouts: "list-payouts",
  findPayoutLines: "find-payout-lines",
} as const satisfies Readonly<Record<CallKind, string>>;

/** The calls that are not of the port; `test-payer` is asked by the kit of tests alone. */
type OtherCall = "describe" | "test-payer";
type AdapterCall = CallKind | OtherCall;

/** The paths of all calls. */
export type AdapterPath = (typeof paths)[CallKind] | OtherCall;

/** The value that was read; else the reason for which none was. */
type Answer<T> =
  | { readonly isRead: true; readonly value: T }
  | { readonly isRead: false; readonly why: NotSent | UnknownAnswer };

export class AdapterCalls {
  readonly #terms: AdapterTerms;
  readonly #ask: Ask;

  constructor(terms: AdapterTerms) {
    this.#terms = terms;
    this.#ask = openAsk({ onSkew: terms.onSkew });
  }

  /** The answer to a call that may have an effect. */
  async act<T>(call: AdapterCall, body: object, terms: CallTerms<T>) {
    const answer = await this.#answer(call, body, terms);
    return answer.isRead ? answer.value : answer.why;
  }

  /** The answer to a question: one that was not sent says nothing of what was asked. */
  async read<T>(call: AdapterCall, body: object, terms: CallTerms<T>): Promise<T | UnknownAnswer> {
    const answer = await this.#answer(call, body, terms);
    if (answer.isRead) return answer.value;
    const { why } = answer;
    return why.kind === "unknown" ? why : { kind: "unknown", trouble: why.trouble };
  }

  async #answer<T>(
    call: AdapterCall,
    body: object,
    { part, signal, key }: CallTerms<T>,
  ): Promise<Answer<T>> {
    const isOfPort = call !== "describe" && call !== "test-payer";
    const question = questionOf(this.#terms, {
      path: isOfPort ? paths[call] : call,
      content: JSON.stringify(body),
      key,
      timeoutMs: isOfPort ? CALL_TIMES[call] : DESCRIBE_MS,
    });
    const reply = await this.#ask({ ...question, signal });
    return answerOf(reply, part, this.#terms.mode);
  }
}

interface SignedCall {
  readonly path: string;
  readonly content: string;
  readonly key?: string | undefined;
  readonly timeoutMs: number;
  /** Seconds; now if absent. */
  readonly timestamp?: number | undefined;
  /** By default those of the terms. */
  readonly secrets?: readonly string[] | undefined;
}

/** The call as it is sent, signed. */
export function questionOf(terms: AdapterTerms, call: SignedCall): Question {
  const { url, mode, reach } = terms;
  const { content, key, timeoutMs, secrets = secretsOf(terms) } = call;
  const { timestamp = Math.floor(realClock.now() / SECOND_MS) } = call;
  const message = { id: newRequestId(), timestamp, body: content };
  const keyed = key === undefined ? {} : { "idempotency-key": key };
  return {
    method: "POST",
    url: `${url}/${call.path}`,
    headers: { ...signatureHeaders(message, secrets), "duka-mode": mode, ...keyed },
    body: { type: "application/json", content },
    reach,
    reads: "whole",
    timeoutMs,
  };
}

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

function answerOf<T>(reply: Reply, part: Part<T>, mode: Mode): Answer<T> {
  if (reply.failure !== null) {
    return without(reply.isSent ? { kind: "unknown" } : unsent(reply.failure));
  }
  const { status, headers, bytes } = reply;
  if (status !== 200) return without(refusalOf(status, headers));
  const parsed = parseStrictJson(bytes);
  const isJson = JSON_TYPE.test(headers.get("content-type") ?? "");
  if (!isJson || !parsed.ok) return without(surpriseAt(""));
  try {
    return { isRead: true, value: part.read(parsed.value, { pointer: "", mode }) };
  } catch (error) {
    if (!(error instanceof Surprise)) throw error;
    return without(surpriseAt(error.pointer));
  }
}

/** The meaning of another status than 200. */
function refusalOf(status: number, headers: Headers): NotSent | UnknownAnswer {
  if (status === 401) return notSent("misconfigured");
  const retryAfter = headers.get("retry-after");
  return status === 429 && retryAfter !== null ? rateLimited(retryAfter) : { kind: "unknown" };
}

function without(why: NotSent | UnknownAnswer) {
  return { isRead: false, why } as const;
}
