// Answers to publishable keys that stay as long as the tables of their route do. Invariant: what is kept is what would be
// read now. A tag names the state before the rows were read, so that an answer may be newer than its tag, never older.

import { type Answer, isUnchanged } from "#platform/http/contract/answer.ts";

import type { Call } from "./perform.ts";

/** Answers that stay, and the characters of the longest of them: 16 MB in all. */
const ANSWERS_MAX = 256;
const LENGTH_MAX = 65_536;

export class KeptAnswers {
  /** By question and state; the oldest first. */
  readonly #answers = new Map<string, Answer>();

  /**
   * The answer to the call. It is not made where it is kept, or where the caller has it by `condition`, the header
   * `If-None-Match`: its text is empty then, and its tag is that of the caller.
   */
  async answer(call: Call, condition: string | null, make: () => Promise<Answer>): Promise<Answer> {
    const question = questionOf(call);
    if (question === null) return tagged(call, await make());
    call.take?.();
    const key = question();
    const kept = this.#answers.get(key);
    if (kept !== undefined) return kept;
    const tag = `W/"${hashOf(key)}"`;
    const headers = { ETag: tag };
    if (condition?.trim() !== "*" && isUnchanged(condition, tag)) {
      return { status: 200, headers, text: "" };
    }
    const made = await make();
    if (made.status !== 200) return made;
    const answer = { ...made, headers: { ...made.headers, ...headers }, coded: new Map() };
    // The state before a change is not asked for again.
    if (question() === key) this.#keep(key, answer);
    return answer;
  }

  #keep(key: string, answer: Answer): void {
    if (answer.text.length > LENGTH_MAX) return;
    const [oldest] = this.#answers.keys();
    if (oldest !== undefined && this.#answers.size >= ANSWERS_MAX) this.#answers.delete(oldest);
    this.#answers.set(key, answer);
  }
}

/** An answer that is not kept has the tag of its version, or one of its text. */
function tagged({ route }: Call, answer: Answer): Answer {
  if (route.keptWhile === null || answer.status !== 200) return answer;
  return { ...answer, headers: { ETag: `W/"h${hashOf(answer.text)}"`, ...answer.headers } };
}

function hashOf(text: string): string {
  return Bun.hash(text).toString(36);
}

/** Writes what is asked, and the state of its tables now; null if no answer to it is kept. */
function questionOf({ route, shop, path, query, publicUrl, input }: Call): (() => string) | null {
  const { memory } = shop.database.read;
  const { caller, customerToken, orderToken } = input;
  const isAnybodys = caller.isPublic && customerToken === null && orderToken === null;
  if (route.keptWhile === null || memory === undefined || !isAnybodys) return null;
  const tables = route.keptWhile;
  const asked = JSON.stringify([
    caller.mode,
    [...caller.scopes].sort(),
    publicUrl,
    path,
    Object.entries(query).sort(([one], [other]) => (one < other ? -1 : 1)),
  ]);
  return () => `${asked} ${memory.stateOf(tables)}`;
}
