// What is right about an answer whatever was asked: never a bug, always what the document promises,
// nothing of the inside, and nothing repeated of what a caller sent.

import { type AnswerCheck, answerCheck } from "../support/answer-check.ts";
import { described, objectOf } from "./fuzz-document.ts";
import type { FuzzRequest } from "./fuzz-request.ts";
import { MARKED } from "./fuzz-values.ts";

export interface FuzzAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Words that only the inside of the program knows. */
const INSIDE =
  /sqlite|drizzle|node_modules|\.ts:\d|\bat (?:async )?[\w.<>]+ \(|stack|bun:|TypeError|RangeError|SELECT |INSERT |constraint failed|undefined|\[object /i;

/** Beyond this the runtime answers by itself, before any of ours is asked. */
const HEAD_BYTES_MAX = 15_000;

const documented = new Set(described.map(({ name }) => name));

export class Judge {
  readonly #check: AnswerCheck = answerCheck();
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Everything that is wrong with an answer, in a sentence; null for a right one. */
  complaint(request: FuzzRequest, answer: FuzzAnswer): string | null {
    if (answer.status === 431 && lengthOf(request) > HEAD_BYTES_MAX) return null;
    if (isFault(answer)) return `a ${answer.status}`;
    if (answer.text.includes(this.#secret)) return "the caller's key is in it";
    if (answer.status >= 400) {
      const leak = leakOf(answer);
      if (leak !== null) return leak;
    }
    const odd = this.#isUndocumented(request)
      ? oddAnswer(answer)
      : this.#difference(request, answer);
    return odd;
  }

  #isUndocumented({ method, operation }: FuzzRequest): boolean {
    const served = method === "HEAD" ? "GET" : method;
    return !documented.has(`${served} ${operation.path}`);
  }

  #difference({ method, path }: FuzzRequest, { status, headers, text }: FuzzAnswer): string | null {
    const pathname = path.split("?")[0] ?? "";
    try {
      this.#check({ method, path: pathname, status, headers, text });
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

function lengthOf({ path, headers }: FuzzRequest): number {
  return path.length + JSON.stringify(headers).length;
}

/** A gateway that could not be reached is the only thing that may be out of order. */
function isFault({ status, text }: FuzzAnswer): boolean {
  return status >= 500 && !(status === 503 && text.includes('"gateway_unavailable"'));
}

/** Pointers name places of the caller's body, and the letters of a request id mean nothing. */
function leakOf({ text }: FuzzAnswer): string | null {
  const told = text.replaceAll(/"(?:pointer|request_id)":"(?:[^"\\]|\\.)*"/g, "");
  const inside = INSIDE.exec(told)?.[0];
  if (inside !== undefined) return `it speaks of the inside: ${inside}`;
  const repeated = MARKED.exec(told)?.[0];
  return repeated === undefined ? null : `it repeats what was sent: ${repeated}`;
}

/** What no document describes is refused like everything else. */
function oddAnswer({ status, text }: FuzzAnswer): string | null {
  if (status === 204 && text === "") return null;
  if (![401, 403, 404, 405].includes(status)) return `${status} to what nobody described`;
  if (text === "") return null;
  const problem = objectOf(JSON.parse(text));
  return problem["status"] === status ? null : "its problem says another status";
}
