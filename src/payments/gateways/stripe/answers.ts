// Reads from an answer of Stripe's API no more than it proves. Invariant: one that does not prove that nothing was
// done, or what was, is `unknown`.

import { Fields, Surprise } from "#payments/gateways/answers/fields.ts";
import {
  notSent,
  rateLimited,
  surpriseAt,
  type UnknownAnswer,
  unsent,
} from "#payments/gateways/answers/unclear.ts";
import type { NotSent } from "#payments/port/gateway.ts";
import type { Reply } from "#platform/net/ask.ts";

/** The refusal of a call that had no effect, or whose effect is said in the error, as a decline is. */
export interface Refused {
  readonly kind: "refused";
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly declineCode: string | null;
}

export type Answer =
  { readonly kind: "ok"; readonly object: Fields } | Refused | NotSent | UnknownAnswer;

/** The meaning of the reply, without a word of its text. */
export function answerOf(reply: Reply): Answer {
  if (reply.failure !== null) return reply.isSent ? { kind: "unknown" } : unsent(reply.failure);
  const { status, bytes } = reply;
  // A request that broke there may have had its effect, and the key answers the same from now on.
  if (status >= 500 || status === 409) return { kind: "unknown" };
  if (status === 401 || status === 403) return notSent("misconfigured");
  const object = objectOf(bytes);
  if (status === 429) return limited(object, reply.headers);
  return object === null ? surpriseAt("") : reported(object, status);
}

function reported(object: Fields, status: number): Answer {
  if (status >= 400) return refusalOf(object, status);
  return status >= 200 && status < 300 ? { kind: "ok", object } : surpriseAt("");
}

function objectOf(bytes: Uint8Array): Fields | null {
  try {
    return new Fields(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    // No JSON, or another value than an object.
    return null;
  }
}

/** Two calls about one object at once are refused as if there were too many: one of them runs. */
function limited(object: Fields | null, headers: Headers): Answer {
  const refused = object === null ? null : refusalOf(object, 429);
  if (refused?.kind === "refused" && refused.code === "lock_timeout") return { kind: "unknown" };
  return rateLimited(headers.get("retry-after"));
}

function refusalOf(object: Fields, status: number): Answer {
  try {
    const error = object.fields("error");
    const type = error.text("type");
    // The key stands for another request: a fault of this program, which no other key mends.
    if (type === "idempotency_error") return surpriseAt("/error/type");
    const [code, declineCode] = [error.textOrNull("code"), error.textOrNull("decline_code")];
    return { kind: "refused", status, type, code, declineCode };
  } catch (error) {
    if (error instanceof Surprise) return surpriseAt(error.pointer);
    throw error;
  }
}
