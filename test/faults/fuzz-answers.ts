// What must hold for every answer: it is no bug, it conforms to the document, it reveals nothing internal,
// and it repeats nothing that the caller sent.

import { type ContractCheck, contractCheck } from "../support/answer-check.ts";
import { described, objectOf } from "./fuzz-document.ts";
import type { FuzzRequest } from "./fuzz-request.ts";
import { MARKED } from "./fuzz-values.ts";

export interface FuzzAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Words that occur only inside the program. */
const INSIDE =
  /sqlite|drizzle|node_modules|\.ts:\d|\bat (?:async )?[\w.<>]+ \(|\bstack|bun:|TypeError|RangeError|SELECT |INSERT |constraint failed|undefined|\[object /i;

/** Above this size the runtime answers before Duka sees the request. */
const HEAD_BYTES_MAX = 15_000;

const documented = new Set(described.map(({ name }) => name));

export class AnswerRules {
  readonly #check: ContractCheck = contractCheck();
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Everything wrong with an answer, as a sentence; null for a valid one. */
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
      this.#check.answer({ method, path: pathname, status, headers, text });
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

/**
 * Pointers name places of the caller's body, the letters of a request id mean nothing, and a label is that of a
 * delivery option, which an earlier request made.
 */
function leakOf({ text }: FuzzAnswer): string | null {
  const compared = text.replaceAll(/"(?:pointer|request_id|label)":"(?:[^"\\]|\\.)*"/g, "");
  const inside = INSIDE.exec(compared)?.[0];
  if (inside !== undefined) return `it speaks of the inside: ${inside}`;
  const repeated = MARKED.exec(compared)?.[0];
  return repeated === undefined ? null : `it repeats what was sent: ${repeated}`;
}

/** What no document describes is refused like everything else. */
function oddAnswer({ status, text }: FuzzAnswer): string | null {
  if (status === 204 && text === "") return null;
  if (![401, 403, 404, 405].includes(status)) return `${status} to an undocumented request`;
  if (text === "") return null;
  const problem = objectOf(JSON.parse(text));
  return problem["status"] === status ? null : "its problem says another status";
}
