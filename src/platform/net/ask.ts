// Asks other programs over HTTP: gateways, and the receivers of webhooks. No other module calls out but
// `smtp.ts`, to the mail server that the operator names, and what asks the server's own public URL.
// Invariant: a connection is made only to an address that was checked for this call, no request is sent twice, and
// `isSent` is false only where no byte of the request was written.

import { isUtf8 } from "node:buffer";

import { realClock } from "#kernel/time.ts";

import { isAddress, isLoopback, isWithin } from "./addresses.ts";
import { type CallFailure, callFailure, isUnsent } from "./call-failure.ts";
import { openDeadline, untilAborted } from "./deadline.ts";
import { isOwnAddress, isPublicAddress } from "./public-address.ts";
import { plainHost, type Reach, type Resolve, systemResolve } from "./target-url.ts";

export interface Question {
  readonly method: "GET" | "POST" | "PUT";
  /** With https, or http where the reach allows it. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null for none. A header of the call replaces its type. */
  readonly body: {
    readonly type:
      "application/json" | "application/x-www-form-urlencoded" | "application/jose+json";
    readonly content: string | Uint8Array;
  } | null;
  readonly reach: Reach;
  /** `whole`: all of a body of at most 4 MiB, which must be UTF-8. `beginning`: its first 64 KiB, of any bytes. */
  readonly reads: "whole" | "beginning";
  /** Covers name resolution, connection, TLS, headers and body. */
  readonly timeoutMs: number;
  /** Ends the call early, with the failure `timeout`. */
  readonly signal?: AbortSignal;
}

interface Answer {
  readonly failure: null;
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** The address that was connected to. */
  readonly address: string;
}

/** Beside a failure, what had arrived by then. */
interface Failure {
  readonly failure: CallFailure;
  /** False where nothing was sent, so that the same may be asked again. */
  readonly isSent: boolean;
  readonly status: number | null;
  readonly headers: Headers | null;
  readonly bytes: Uint8Array;
  /** The address that was connected to, or tried last; null if there was none. */
  readonly address: string | null;
}

export type Reply = Answer | Failure;

/** Asks once. Never rejects because of the network or the other side. */
export type Ask = (question: Question) => Promise<Reply>;

export interface AskOptions {
  /** Resolves host names; by default the system does. */
  readonly resolve?: Resolve;
  /** Called with the distance of another server's clock from this machine's, milliseconds, where its answer has one. */
  readonly onSkew?: ((skewMs: number) => void) | undefined;
  /** The only trusted authorities (PEM), in place of the machine's. */
  readonly tlsAuthorities?: readonly string[];
}

/** Shared by all questions of one `Ask`. */
interface Exit {
  readonly resolve: Resolve;
  readonly authorities: readonly string[] | null;
  readonly session: Bun.FetchSession;
}

/** Below the limit a body is read to its end, so that the connection can be used again. */
const BYTES_MAX: Readonly<Record<Question["reads"], number>> = {
  whole: 4_194_304,
  beginning: 65_536,
};
/**
 * Below the 5 s after which common servers close idle connections: a request sent at that moment is
 * lost and cannot be repeated.
 */
const IDLE_SECONDS_MAX = 4;
const NOTHING = new Uint8Array();

/** A server whose own clock is wrong does not outvote the others. */
const SKEWS_MAX = 8;

/** Remembers how far the clocks of other servers are, as their answers happen to say: no server is asked for the time. */
export class OutsideClock {
  readonly #skewsMs: number[] = [];

  readonly note = (skewMs: number): void => {
    this.#skewsMs.push(skewMs);
    if (this.#skewsMs.length > SKEWS_MAX) this.#skewsMs.shift();
  };

  /** The least of the last eight, milliseconds; null if no answer had a date. */
  get skewMs(): number | null {
    return this.#skewsMs.length === 0 ? null : Math.min(...this.#skewsMs);
  }
}

/** Opens an `Ask` with its own connection pool. */
export function openAsk(options: AskOptions = {}): Ask {
  const exit: Exit = {
    resolve: options.resolve ?? systemResolve,
    authorities: options.tlsAuthorities ?? null,
    session: new Bun.FetchSession({ proxy: false, keepAlive: { idleTimeout: IDLE_SECONDS_MAX } }),
  };
  return async (question) => {
    using deadline = openDeadline(question.timeoutMs, question.signal);
    const reply = await attempt(exit, question, deadline.signal);
    const skewMs = Math.abs(Date.parse(reply.headers?.get("date") ?? "") - realClock.now());
    if (!Number.isNaN(skewMs)) options.onSkew?.(skewMs);
    return reply;
  };
}

async function attempt(exit: Exit, question: Question, signal: AbortSignal): Promise<Reply> {
  const { reach } = question;
  const url = URL.parse(question.url);
  if (url === null || !/^https?:$/.test(url.protocol)) return failed("blocked_address");
  const host = plainHost(url.hostname);
  const addresses = await addressesOf(host, exit.resolve, signal);
  if (typeof addresses === "string") return failed(addresses);
  const isEncrypted = url.protocol === "https:";
  const mayCallAll = addresses.every((address) => mayCall(address, reach, isEncrypted));
  if (!mayCallAll && !reach.hosts.includes(host)) return failed("blocked_address");
  let reply: Reply = failed("dns");
  for (const address of addresses) {
    reply = await send(exit, { question, url, address }, signal);
    if (reply.failure !== "connect" || signal.aborted) break;
  }
  return reply;
}

interface OneRequest {
  readonly question: Question;
  readonly url: URL;
  readonly address: string;
}

/** The addresses of a host, or why there are none. */
async function addressesOf(
  host: string,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<readonly string[] | CallFailure> {
  if (isAddress(host)) return [host];
  try {
    return await untilAborted(resolve(host, signal), signal);
  } catch {
    return signal.aborted ? "timeout" : "dns";
  }
}

/**
 * Plain HTTP is limited to loopback and to ranges that the operator named. The machine's other own addresses
 * are refused, because local services listen there.
 */
function mayCall(address: string, reach: Reach, isEncrypted: boolean): boolean {
  if (isWithin(address, reach.ranges)) return true;
  if (isLoopback(address)) return reach.loopback;
  return isEncrypted && isPublicAddress(address) && !isOwnAddress(address);
}

/** One request to one checked address. */
async function send(exit: Exit, request: OneRequest, signal: AbortSignal): Promise<Reply> {
  const { question, url, address } = request;
  let response: Response;
  try {
    response = await fetch(literalUrl(url, address), {
      method: question.method,
      headers: headersOf(question, url),
      ...(question.body === null ? {} : { body: question.body.content }),
      redirect: "manual",
      decompress: false,
      proxy: false,
      session: exit.session,
      tls: tlsOf(exit, plainHost(url.hostname)),
      signal,
    });
  } catch (error) {
    const isSent = signal.aborted || !isUnsent(error);
    return { ...failed(signal.aborted ? "timeout" : callFailure(error)), isSent, address };
  }
  return receive(response, request, signal);
}

async function receive(
  { status, headers, body }: Response,
  { question: { reads }, address }: OneRequest,
  signal: AbortSignal,
): Promise<Reply> {
  const { bytes, isCut, error } = await readBody(body, BYTES_MAX[reads]);
  if (status < 100) return { ...failed("protocol"), isSent: true, address };
  const broken = signal.aborted ? "timeout" : callFailure(error);
  const failure = error === null ? faultOf({ reads, bytes, isCut }) : broken;
  const arrived = { status, headers, bytes, address };
  return failure === null ? { failure, ...arrived } : { failure, isSent: true, ...arrived };
}

/** The fault of a body that arrived. */
function faultOf({
  reads,
  bytes,
  isCut,
}: {
  readonly reads: Question["reads"];
  readonly bytes: Uint8Array;
  readonly isCut: boolean;
}): CallFailure | null {
  if (reads === "beginning") return null;
  if (isCut) return "too_large";
  return isUtf8(bytes) ? null : "protocol";
}

/** The URL with the address in place of the name, without credentials and fragment. */
function literalUrl(url: URL, address: string): string {
  const host = address.includes(":") ? `[${address}]` : address;
  const port = url.port === "" ? "" : `:${url.port}`;
  return `${url.protocol}//${host}${port}${url.pathname}${url.search}`;
}

/**
 * Asks for no compression: without Accept-Encoding any coding would be allowed, and bodies are not
 * decompressed here.
 */
function headersOf({ headers: given, body }: Question, url: URL): Headers {
  const headers = new Headers(given);
  if (body !== null && !headers.has("content-type")) headers.set("content-type", body.type);
  if (!headers.has("user-agent")) headers.set("user-agent", "Duka");
  headers.set("host", url.host.replace(/\.(?=:\d+$|$)/, ""));
  headers.set("accept-encoding", "identity");
  return headers;
}

/** Set explicitly, because the environment can switch the default off. */
function tlsOf(exit: Exit, host: string): Bun.TLSOptions {
  return {
    rejectUnauthorized: true,
    ...(isAddress(host) ? {} : { serverName: host }),
    ...(exit.authorities === null ? {} : { ca: [...exit.authorities] }),
  };
}

/** Nothing was sent, and nothing arrived. */
function failed(failure: CallFailure): Failure {
  return { failure, isSent: false, status: null, headers: null, bytes: NOTHING, address: null };
}

/** The body of a response. At most the limit and one chunk are read, however much the sender sends. */
interface ReadBody {
  /** At most as many bytes as the limit says. */
  readonly bytes: Uint8Array;
  /** True if the body is longer. */
  readonly isCut: boolean;
  /** The error that ended reading; null if the body ended or exceeded the limit. */
  readonly error: unknown;
}

/** Reads the body up to the limit and discards the rest. Never rejects. */
async function readBody(
  body: ReadableStream<Uint8Array> | null,
  bytesMax: number,
): Promise<ReadBody> {
  const kept: Uint8Array[] = [];
  let error: unknown = null;
  let seen = 0;
  try {
    for await (const chunk of body ?? []) {
      kept.push(chunk.subarray(0, bytesMax - seen));
      seen += chunk.length;
      if (seen > bytesMax) break;
    }
  } catch (broken) {
    error = broken ?? new Error("The body ended early");
  }
  return { bytes: Buffer.concat(kept), isCut: seen > bytesMax, error };
}
