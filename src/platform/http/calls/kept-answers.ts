// Answers to publishable keys that stay as long as the tables of their route do. Invariant: what is kept is what would be
// read now. A tag names the state before the rows were read, so that an answer may be newer than its tag, never older.

import type { Shop } from "#platform/database/shop.ts";
import { chooseCoding } from "#platform/http/content-coding.ts";
import { type Answer, knownTag } from "#platform/http/contract/answer.ts";

import type { Call } from "./perform.ts";

/** Answers that stay, and the characters of the longest of them: 16 MB in all. */
const ANSWERS_MAX = 256;
const LENGTH_MAX = 65_536;

/** How long caches may keep what publishable keys are answered, seconds; 0 means not at all. */
export type CacheSeconds = (shop: Shop) => Promise<number>;

export class KeptAnswers {
  readonly #secondsOf: CacheSeconds;
  /** By question and state; the oldest first. */
  readonly #answers = new Map<string, Answer>();

  constructor(secondsOf: CacheSeconds) {
    this.#secondsOf = secondsOf;
  }

  /**
   * The answer to the call. It is not made where it is kept, or where the client has it by `If-None-Match` of its request:
   * its text is empty then, and its tag is that of the client.
   */
  async answer(call: Call, request: Request | null, make: () => Promise<Answer>): Promise<Answer> {
    if (call.route.edge === null) return make();
    if (!isAnybodys(call)) return tagged(await make());
    const [answer, seconds] = await Promise.all([
      this.#found(call, request, make),
      this.#secondsOf(call.shop),
    ]);
    return seconds === 0 || answer.status !== 200 ? answer : shared(answer, seconds);
  }

  async #found(call: Call, request: Request | null, make: () => Promise<Answer>): Promise<Answer> {
    const question = questionOf(call);
    if (question === null) return tagged(await make());
    call.take?.();
    const key = question();
    const kept = this.#answers.get(key);
    if (kept !== undefined) return kept;
    const tag = `W/"${hashOf(key)}"`;
    const known = request === null ? undefined : tagHeldBy(request, tag);
    if (known !== undefined) return { status: 200, headers: { ETag: known }, text: "" };
    const made = await make();
    if (made.status !== 200) return made;
    const answer = { ...made, headers: { ...made.headers, ETag: tag }, coded: new Map() };
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

/** True if everyone with a key of the same scopes is answered the same. */
function isAnybodys({ input: { caller, customerToken, orderToken } }: Call): boolean {
  return caller.isPublic && customerToken === null && orderToken === null;
}

/** A minute in which a cache tells what it has and asks for what is new meanwhile. */
const STALE_SECONDS = 60;

function shared(answer: Answer, seconds: number): Answer {
  const headers = {
    ...answer.headers,
    "Cache-Control": `public, max-age=${seconds}, stale-while-revalidate=${STALE_SECONDS}`,
    // The key names the mode and what its holder may see.
    Vary: "Authorization, Customer-Token",
  };
  return { ...answer, headers, isShared: true };
}

/** An answer that is not kept has the tag of its version, or one of its text. */
function tagged(answer: Answer): Answer {
  if (answer.status !== 200) return answer;
  return { ...answer, headers: { ETag: `W/"h${hashOf(answer.text)}"`, ...answer.headers } };
}

/** The tag under which the client has the answer. With `*` it asks whether there is one, which is not known here. */
function tagHeldBy(request: Request, tag: string): string | undefined {
  const { headers } = request;
  if (headers.get("if-none-match")?.trim() === "*") return undefined;
  return knownTag(request, tag, chooseCoding(headers.get("accept-encoding")));
}

function hashOf(text: string): string {
  return Bun.hash(text).toString(36);
}

/** Writes what is asked, and the state of its tables now; null if no answer to it is kept. */
function questionOf({ route, shop, path, query, publicUrl, input }: Call): (() => string) | null {
  const { memory } = shop.database.read;
  const { edge } = route;
  if (edge === null || edge === "read" || memory === undefined) return null;
  const asked = JSON.stringify([
    input.caller.mode,
    [...input.caller.scopes].sort(),
    publicUrl,
    path,
    sorted(query),
    // The days in it are those of a time zone, which may be another one by now.
    input.query === query ? null : sorted(input.query),
  ]);
  return () => `${asked} ${memory.stateOf(edge)}`;
}

function sorted(query: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  return Object.entries(query).sort(([one], [other]) => (one < other ? -1 : 1));
}
