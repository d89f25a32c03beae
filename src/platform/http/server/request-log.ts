// The last requests to this program, kept in its memory. Adding one is on the way of each request: it keeps what is
// there anyway, and reads nothing of it. Invariant: of live mode no body is kept, and of addresses only what cannot be
// personal; of test mode none is kept for longer than the customers are.

import { isObject } from "#kernel/assume.ts";
import { MASK } from "#kernel/card-number.ts";
import { kindOfId } from "#kernel/id.ts";
import { type Clock, monotonicMs, realClock } from "#kernel/time.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import type { AnyRoute } from "#platform/http/contract/route.ts";
import { querySchema } from "#platform/http/contract/words.ts";
import { maskJson } from "#platform/log/mask-secrets.ts";

import type { Answered } from "./dispatch.ts";

/**
 * Requests that are kept of a mode.
 * @internal Exported for tests.
 */
export const REQUESTS_MAX = 500;
/**
 * The same of those without a valid key, which anyone can send: they push out no others.
 * @internal Exported for tests.
 */
export const UNKNOWN_MAX = 50;
/** Bytes of a body, and characters of an answer, that are kept. */
const BODY_MAX = 16_384;

/** A request that was answered. */
export interface LoggedRequest extends Pick<
  Answered,
  "requestId" | "method" | "route" | "operation" | "status" | "durationMs"
> {
  /** Counts the requests of the mode to this program. */
  readonly sequence: number;
  /** Epoch milliseconds of real time, when it was answered. */
  readonly at: number;
  /** Null for one without a valid key. */
  readonly caller: Pick<Caller, "actor" | "name" | "scopes"> | null;
  /** The code of its refusal. */
  readonly code: string | null;
  readonly isReplay: boolean;
  /** The path and the query; null where they are not kept. */
  address: string | null;
  /** The body; empty if none was read, null if it is not kept. */
  sent: Uint8Array | string | null;
  answered: string | null;
}

export class RequestLog {
  readonly #mode: Mode;
  readonly #clock: Clock;
  readonly #known = new Ring(REQUESTS_MAX);
  readonly #unknown = new Ring(UNKNOWN_MAX);
  #sequence = 0;
  #forgottenAtMs = 0;

  constructor(mode: Mode, clock: Clock = realClock) {
    this.#mode = mode;
    this.#clock = clock;
  }

  /** Keeps the request. One that does not name a key keeps nothing that its sender chose, except the request id. */
  add(request: Answered): void {
    const { requestId, method, route, operation, status, caller } = request;
    if (operation !== null && unlisted.has(operation.operationId)) return;
    this.#sequence += 1;
    const { address, sent, answered } = caller === null ? nothing : this.#contentOf(request);
    (caller === null ? this.#unknown : this.#known).add({
      sequence: this.#sequence,
      at: this.#clock.now(),
      requestId,
      method,
      route,
      operation,
      status,
      durationMs: request.durationMs,
      caller,
      code: status < 400 ? null : codeOf(request.answer.text),
      isReplay: request.answer.headers["Idempotent-Replayed"] === "true",
      address,
      sent,
      answered,
    });
  }

  /** The requests that pass, newest first. */
  newest(passes: (request: LoggedRequest) => boolean): LoggedRequest[] {
    return [...this.#known.rows, ...this.#unknown.rows]
      .filter(passes)
      .toSorted((one, other) => other.sequence - one.sequence);
  }

  /** Drops what the requests up to this time have of customers, epoch milliseconds; by default of all so far. */
  forget(until = Infinity): void {
    if (until === Infinity) this.#forgottenAtMs = monotonicMs();
    for (const request of this.#known.rows) {
      if (request.at > until) continue;
      Object.assign(request, { ...nothing, address: request.address && plainAddress(request) });
    }
  }

  #contentOf(request: Answered): Pick<LoggedRequest, "address" | "sent" | "answered"> {
    const { operation, path, search, sent, answer, status } = request;
    const address = search === "" ? path : path + search;
    // One that began before customers were forgotten may have read them.
    const isLate = monotonicMs() - request.durationMs <= this.#forgottenAtMs;
    if (this.#mode === "live" || isLate) {
      return { ...nothing, address: plainAddress({ operation, address, status }) };
    }
    const kept = {
      address,
      sent: within(sent ?? ""),
      answered: within(status === 304 ? "" : answer.text),
    };
    return operation !== null && hasSecrets(operation) ? masked(kept, operation.masked) : kept;
  }
}

const nothing = { address: null, sent: null, answered: null };

/** Who reads the list would otherwise fill it. */
const unlisted: ReadonlySet<string> = new Set(["listRequests", "retrieveRequest"]);

/** A secret of these is not even kept in memory. */
function hasSecrets({ answersSecret, fleeting, masked: names }: AnyRoute): boolean {
  return answersSecret || fleeting.length > 0 || names.length > 0;
}

/** The body, unless it is too long to be kept. */
function within<T extends Uint8Array | string>(body: T): T | null {
  return body.length <= BODY_MAX ? body : null;
}

type Kept = Pick<LoggedRequest, "address" | "sent" | "answered">;

function masked({ address, sent, answered }: Kept, names: readonly string[]): Kept {
  return {
    address,
    sent: sent === null ? null : maskJson(textOf(sent), new Set(names)),
    answered: answered === null ? null : maskJson(answered),
  };
}

/** The body as text. */
export function textOf(sent: Uint8Array | string): string {
  return typeof sent === "string" ? sent : new TextDecoder().decode(sent);
}

/** Quotes in the texts before it are escaped, so that the first match is the member. */
function codeOf(problem: string): string | null {
  return /"code":"(\w+)"/.exec(problem)?.[1] ?? null;
}

/** The last so many rows, in no order. */
class Ring {
  readonly rows: LoggedRequest[] = [];
  readonly #size: number;
  #next = 0;

  constructor(size: number) {
    this.#size = size;
  }

  add(row: LoggedRequest): void {
    this.rows[this.#next] = row;
    this.#next = (this.#next + 1) % this.#size;
  }
}

// The address of a request without what may be personal: a search has names in it, and a mistaken path may have more.

interface Addressed {
  readonly operation: AnyRoute | null;
  readonly status: number;
  readonly address: string | null;
}

/**
 * The path with the parameters that the operation takes, and the query with numbers, choices, times and ids. Other
 * values are masked, as are those that were refused, but for ids in the path; an address that leads nowhere is null.
 */
function plainAddress({ operation, status, address }: Addressed): string | null {
  if (operation === null || address === null) return null;
  const [path = "", ...search] = address.split("?");
  const query = search.length === 0 ? "" : plainQuery(operation, status, search.join("?"));
  return plainPath(operation, status, path) + (query === "" ? "" : `?${query}`);
}

/** A reference that was refused may be a number of a phone, typed in its place. */
function plainPath({ path: pattern, params }: AnyRoute, status: number, path: string): string {
  if (!pattern.includes("{")) return pattern;
  const texts = path.split("/");
  return pattern
    .split("/")
    .map((step, index) => {
      if (!step.startsWith("{")) return step;
      const text = texts[index] ?? "";
      const isTaken = params[step.slice(1, -1)]?.accepts(text) === true;
      return isTaken && (status < 400 || kindOfId(text) !== null) ? text : MASK;
    })
    .join("/");
}

function plainQuery(operation: AnyRoute, status: number, search: string): string {
  const schema = querySchema(operation);
  const properties = schema !== null && "properties" in schema ? schema.properties : null;
  if (!isObject(properties)) return "";
  return [...new URLSearchParams(search)]
    .filter(([name]) => Object.hasOwn(properties, name))
    .map(([name, value]) => {
      const isKept = status < 400 && isPlain(properties[name]);
      return `${name}=${isKept ? encodeURIComponent(value) : MASK}`;
    })
    .join("&");
}

/** Returns true if values of the schema can be no text that a person wrote. */
function isPlain(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { type, anyOf, items, format } = schema;
  if (Array.isArray(anyOf)) return anyOf.every(isPlain);
  if (items !== undefined) return isPlain(items);
  if ("enum" in schema || "const" in schema || "x-closed" in schema) return true;
  return type === "integer" || type === "number" || type === "boolean" || isTime(format);
}

function isTime(format: unknown): boolean {
  return format === "date-time" || format === "date";
}
