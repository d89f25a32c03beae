// Reads from an answer of Paystack's API no more than it proves. Invariant: one that does not prove that nothing was
// done, or what was, is `unknown`. The `status` of an answer is of the call: what became of the money stands in its
// `data`.

import { Fields, Surprise } from "#payments/gateways/answers/fields.ts";
import {
  notSent,
  rateLimited,
  surpriseAt,
  type UnknownAnswer,
  unsent,
} from "#payments/gateways/answers/unclear.ts";
import type { NotSent } from "#payments/port/gateway.ts";
import { parseStrictJson } from "#platform/http/strict-json.ts";
import type { Reply } from "#platform/net/ask.ts";

/** The refusal of a call that had no effect. */
export interface Refused {
  readonly kind: "refused";
  readonly status: number;
  readonly message: string;
  readonly code: string | null;
}

/** The whole answer: `data` and, in lists, `meta`. */
export type Answer =
  { readonly kind: "ok"; readonly answer: Fields } | Refused | NotSent | UnknownAnswer;

/** The meaning of the reply, without a word of its text. */
export function answerOf(reply: Reply): Answer {
  if (reply.failure !== null) return reply.isSent ? { kind: "unknown" } : unsent(reply.failure);
  const { status, bytes } = reply;
  if (status >= 500) return { kind: "unknown" };
  // The secret is wrong, or is only taken from other addresses.
  if (status === 401 || status === 403) return notSent("misconfigured");
  if (status === 429) return rateLimited(reply.headers.get("x-ratelimit-reset"));
  const parsed = parseStrictJson(bytes);
  if (!parsed.ok) return surpriseAt("");
  try {
    return reported(new Fields(parsed.value), status);
  } catch (error) {
    if (error instanceof Surprise) return surpriseAt(error.pointer);
    throw error;
  }
}

/** Invalid, unknown, and in another state. Others, such as 408 and 409, may be of a call that is under way. */
const refusing: ReadonlySet<number> = new Set([400, 404, 422]);

function reported(answer: Fields, status: number): Answer {
  const isDone = answer.flag("status");
  if (isDone && status >= 200 && status < 300) return { kind: "ok", answer };
  if (isDone || !refusing.has(status)) throw answer.surprise("status");
  return {
    kind: "refused",
    status,
    message: answer.text("message"),
    code: answer.textIfAny("code"),
  };
}

/** Returns true if the reference stands for an attempt that is there already. */
export function isDuplicate({ code, message }: Refused): boolean {
  return code === "duplicate_reference" || /duplicate/i.test(message);
}

/** Returns true if there is nothing under the name that was asked for. */
export function isNotFound({ status, code, message }: Refused): boolean {
  return status === 404 || (status === 400 && /not.?found/i.test(`${code ?? ""} ${message}`));
}

/** An answer that says nothing of what was asked. */
export function unclear(answer: Exclude<Answer, { kind: "ok" }>): UnknownAnswer {
  if (answer.kind === "unknown") return answer;
  if (answer.kind === "not_sent") return { kind: "unknown", trouble: answer.trouble };
  return isNotFound(answer)
    ? { kind: "unknown", trouble: "misconfigured" }
    : { kind: "unknown", trouble: "surprise", pointer: "/code" };
}
