// Sends the request of a form. Invariant: the same form submitted again, by a double tap, a reload or after a lost
// answer, is one effect.

import type { Visit } from "#dashboard/kit/visit.ts";
import type { Answer } from "#platform/http/contract/answer.ts";
import type { JsonValue } from "#platform/http/strict-json.ts";

interface Change {
  readonly params: Readonly<Record<string, string>>;
  readonly body: JsonValue;
  /** The version that the form was made of; null for one that makes something. */
  readonly version: string | null;
  /** Tells two forms that make the same thing apart; null if the form has none. */
  readonly nonce?: string | null;
}

/** How long a form waits for the same one that is still at work, milliseconds. */
const WAIT_MS = 250;
const WAITS_MAX = 40;

/** The answer to the change; that of the first time where it was sent before. */
export async function sendOnce(
  visit: Visit,
  route: string,
  { params, body, version, nonce = null }: Change,
): Promise<Answer> {
  const { id } = visit.caller.actor;
  const seed = [id, route, JSON.stringify(params), version ?? nonce, JSON.stringify(body)];
  const question = {
    params,
    body,
    idempotencyKey: new Bun.CryptoHasher("sha256").update(seed.join("\n")).digest("hex"),
    ...(version === null ? {} : { ifVersion: version }),
  };
  let answer = await visit.send(route, question);
  for (let waits = 0; waits < WAITS_MAX && isAtWork(answer); waits += 1) {
    await Bun.sleep(WAIT_MS);
    answer = await visit.send(route, question);
  }
  return answer;
}

function isAtWork({ status, text }: Answer): boolean {
  return status === 409 && text.includes('"idempotency_in_progress"');
}
