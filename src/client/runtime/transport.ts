// Sends calls with their keys and retries. Part of the emitted file.

import { DukaError } from "./duka-error.ts";
import { type Problem, type RefusalCode, VERSION } from "./emitted-types.ts";
import { type AnyPage, List, type Page } from "./list.ts";

export interface DukaOptions {
  /** Where the server is, such as `https://shop.example`. */
  baseUrl: string;
  /** An API key. In a browser use one with the preset `storefront`: everybody can read it there. */
  key: string;
  /** The `token` of a customer who is signed in, for `me`, carts and orders; a function where it changes. */
  customerToken?: string | (() => string | undefined | Promise<string | undefined>);
  /** How often a request is repeated after it failed for a moment: 3 unless set. */
  maxRetries?: number;
  /** Milliseconds until an attempt without an answer is given up: 60,000 unless set. */
  timeoutMs?: number;
  /** Replaces the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** The terms that `fetch` takes beside what the client sends, such as `cache`, or what a framework adds to it, such as `next`. */
export type CallInit = Omit<RequestInit, "method" | "body" | "headers" | "signal"> & {
  readonly [name: string]: unknown;
};

export interface ReadOptions {
  /** The customer of this call, in place of the client's: for a server, which calls for many. */
  customerToken?: string;
  /** The `order_token` of an order, for calls about it. */
  orderToken?: string;
  /** Further headers, such as the `X-Forwarded-For` of the visitor whom a server calls for. */
  headers?: Readonly<Record<string, string>>;
  /** Further terms of `fetch`. */
  init?: CallInit;
  /** Ends the request and its retries; the call throws the signal's reason. */
  signal?: AbortSignal;
}

export interface WriteOptions extends ReadOptions {
  /**
   * The request takes effect once, however often it is sent with the same key. Every call has a random
   * key of its own unless set: set it to repeat a call later, such as after a restart.
   */
  idempotencyKey?: string;
}

export interface UpdateOptions extends WriteOptions {
  /** The `version` that was read: a resource that has changed since is refused with `stale_version`. */
  ifMatch?: number;
}

/** The bytes of a file, such as a `File` of a form. */
export type FileBody = Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

type Values = string | number | boolean | readonly (string | number)[];
type QueryValue = Values | Readonly<Record<string, Values | undefined>> | undefined;

interface Call {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly body?: object | undefined;
  readonly options?: UpdateOptions | undefined;
}

const RETRIES = 3;
const TIMEOUT_MS = 60_000;
/** A retry waits up to 0.5, 1, 2 … seconds longer than `Retry-After` asks. */
const RETRY_DELAY_MS = 500;
/** A server that asks for a longer pause is not waited for. */
const RETRY_AFTER_SECONDS_MAX = 60;

/** Sends calls. Invariant: every attempt of a call has the same idempotency key. */
export class Transport {
  readonly #options: DukaOptions;
  #hasWarned = false;

  constructor(options: DukaOptions) {
    this.#options = options;
  }

  get<T>(path: string, query?: object, options?: ReadOptions): Promise<T> {
    return this.#call<T>({ method: "GET", path, query: { ...query }, options });
  }

  list<T, P extends AnyPage<T> = Page<T>>(path: string, query?: object, options?: ReadOptions) {
    return new List<T, P>((place) => this.get<P>(path, { ...query, ...place }, options));
  }

  post<T>(path: string, body?: object, options?: UpdateOptions): Promise<T> {
    return this.#write<T>({ method: "POST", path, body, options });
  }

  put<T>(path: string, body?: object, options?: UpdateOptions): Promise<T> {
    return this.#write<T>({ method: "PUT", path, body, options });
  }

  delete<T>(path: string, query?: object, options?: UpdateOptions): Promise<T> {
    return this.#write<T>({ method: "DELETE", path, query: { ...query }, options });
  }

  #write<T>(call: Call): Promise<T> {
    const idempotencyKey = call.options?.idempotencyKey ?? randomKey();
    return this.#call<T>({ ...call, options: { ...call.options, idempotencyKey } });
  }

  async #call<T>(call: Call): Promise<T> {
    const { maxRetries = RETRIES } = this.#options;
    for (let retries = 0; ; retries += 1) {
      try {
        return await this.#attempt<T>(call);
      } catch (error) {
        call.options?.signal?.throwIfAborted();
        const delayMs = error instanceof DukaError ? delayOf(error, retries) : null;
        if (delayMs === null || retries >= maxRetries) throw error;
        await sleep(delayMs, call.options?.signal);
      }
    }
  }

  async #attempt<T>(call: Call): Promise<T> {
    const { response, text } = await this.#exchange(call);
    const answer = parse(text);
    if (response.ok && (answer !== undefined || response.status === 204)) return answer;
    throw refusalOf(response, answer);
  }

  #warnIfOutdated(server: string): void {
    if (this.#hasWarned || !isOutdatedFor(server)) return;
    this.#hasWarned = true;
    const fresh = `${this.#options.baseUrl.replace(/\/+$/, "")}/client.ts`;
    console.warn(`The server is Duka ${server}, this client is of ${VERSION}. Update it: ${fresh}`);
  }

  async #exchange(call: Call) {
    const { timeoutMs = TIMEOUT_MS, fetch: send = fetch } = this.#options;
    const url = this.#options.baseUrl.replace(/\/+$/, "") + call.path;
    const signals = [AbortSignal.timeout(timeoutMs), call.options?.signal];
    const signal = AbortSignal.any(signals.filter((one) => one !== undefined));
    const request = { ...call.options?.init, ...(await requestOf(call, this.#options)), signal };
    try {
      const response = await send(url + searchOf(call.query), request);
      this.#warnIfOutdated(response.headers.get("x-duka-version") ?? "");
      return { response, text: await response.text() };
    } catch (cause) {
      const message = `${call.method} ${url} got no answer.`;
      throw new DukaError("connection_failed", message, { retryable: true, cause });
    }
  }
}

/** Whether the server may have changed what the client relies on: a major version, before 1.0.0 a minor one. */
function isOutdatedFor(server: string): boolean {
  const [major = 0, minor = 0] = server.split(".").map(Number);
  const [ownMajor = 0, ownMinor = 0] = VERSION.split(".").map(Number);
  return major > ownMajor || (major === 0 && ownMajor === 0 && minor > ownMinor);
}

/** The headers of a call. Throws TypeError for one of the caller that the client sends itself. */
async function headersOf(
  { options = {} }: Call,
  { key, customerToken }: DukaOptions,
): Promise<Headers> {
  const { idempotencyKey, ifMatch, orderToken, headers: further = {} } = options;
  const known = typeof customerToken === "function" ? customerToken : () => customerToken;
  const own = {
    Authorization: `Bearer ${key}`,
    "Duka-Client": `js/${VERSION}`,
    "Content-Type": undefined,
    "Customer-Token": options.customerToken ?? (await known()),
    "Order-Token": orderToken,
    "Idempotency-Key": idempotencyKey,
    "If-Match": ifMatch === undefined ? undefined : `"${ifMatch}"`,
  };
  const headers = new Headers(further);
  for (const [name, value] of Object.entries(own)) {
    if (headers.has(name)) throw new TypeError(`The client sends ${name} itself.`);
    if (value !== undefined) headers.set(name, value);
  }
  return headers;
}

async function requestOf(call: Call, terms: DukaOptions): Promise<RequestInit> {
  const { method, body } = call;
  const headers = await headersOf(call, terms);
  if (body === undefined) return { method, headers };
  if (isFile(body)) {
    const type = body instanceof Blob ? body.type : "";
    headers.set("Content-Type", type === "" ? "application/octet-stream" : type);
    return { method, headers, body };
  }
  headers.set("Content-Type", "application/json");
  return { method, headers, body: JSON.stringify(body) };
}

function isFile(body: object): body is FileBody {
  return body instanceof Blob || body instanceof ArrayBuffer || body instanceof Uint8Array;
}

/** Throws where an id would lead to another path. */
export function pathOf(parts: TemplateStringsArray, ...ids: readonly string[]): string {
  const segments = ids.map((id) => {
    if (/^\.{0,2}$/.test(id)) throw new TypeError(`"${id}" is no id.`);
    return encodeURIComponent(id);
  });
  return String.raw({ raw: parts }, ...segments);
}

/** Values of one parameter are separated by commas; members of one are parameters of their own: `option[Size]`. */
function searchOf(query: Call["query"] = {}): string {
  const search = new URLSearchParams();
  const set = (name: string, value: QueryValue) => {
    if (value === undefined) return;
    if (typeof value !== "object" || Array.isArray(value)) search.set(name, String(value));
    else for (const [member, one] of Object.entries(value)) set(`${name}[${member}]`, one);
  };
  for (const [name, value] of Object.entries(query)) set(name, value);
  return search.size === 0 ? "" : `?${search.toString()}`;
}

/** The answer as the document describes it; undefined for what is no JSON, such as a proxy's page. */
function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Refused = Problem & { readonly code: RefusalCode };

function refusalOf({ status, headers }: Response, problem: Refused | undefined): DukaError {
  if (typeof problem?.code !== "string" || !Array.isArray(problem.errors)) {
    const retryable = status === 429 || (status >= 502 && status <= 504);
    const message = `The answer with status ${status} is not one of Duka.`;
    return new DukaError("answer_invalid", message, { status, retryable, headers });
  }
  const faults = problem.errors.map(({ pointer, parameter, header, detail }) =>
    [pointer ?? parameter ?? header, detail].filter(Boolean).join(": "),
  );
  const message = [problem.detail, ...faults].join("\n");
  const { code, retryable } = problem;
  return new DukaError(code, message, { status, retryable, problem, headers });
}

/** Milliseconds until the next attempt, spread at random; null where none makes sense. */
function delayOf({ retryable, retryAfter }: DukaError, retries: number): number | null {
  if (!retryable || retryAfter > RETRY_AFTER_SECONDS_MAX) return null;
  return retryAfter * 1000 + Math.random() * RETRY_DELAY_MS * 2 ** retries;
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** `crypto.randomUUID` is missing on pages without TLS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
