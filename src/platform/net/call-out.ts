// Sends requests to addresses that merchants chose; no other module does. Invariant: a connection
// is made only to an address that was checked for this call, and no request is sent twice.

import { monotonicMs } from "#kernel/time.ts";

import { isAddress, isLoopback, isWithin } from "./addresses.ts";
import { type CallFailure, callFailure } from "./call-failure.ts";
import { openDeadline, untilAborted } from "./deadline.ts";
import { isOwnAddress, isPublicAddress } from "./public-address.ts";
import { readExcerpt } from "./read-excerpt.ts";
import { type Resolve, systemResolve } from "./resolve.ts";
import { plainHost, type Reach } from "./target-url.ts";

export interface OutboundCall {
  /** Checked by `targetFaults` when it was registered. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly reach: Reach;
  /** Covers name resolution, connection, TLS, headers and body. 15 s by default. */
  readonly timeoutMs?: number;
  /** Ends the call early, with the failure `timeout`. */
  readonly signal?: AbortSignal;
}

export interface CallResult {
  /** The response's status; set beside a failure if only the body broke off. */
  readonly status: number | null;
  /** Null if the response arrived, whatever its status. */
  readonly failure: CallFailure | null;
  /** The address that was connected to, or tried last; null if there was none. */
  readonly address: string | null;
  readonly headers: Headers | null;
  /** The first 16 KiB of the body as text, without NUL. */
  readonly excerpt: string;
  readonly durationMs: number;
}

/** Sends one POST. Never rejects because of the network or the receiver. */
export type CallOut = (call: OutboundCall) => Promise<CallResult>;

export interface CallOutOptions {
  /** Resolves host names; by default the system does. */
  readonly resolve?: Resolve;
  /** The only trusted authorities (PEM), in place of the machine's. */
  readonly tlsAuthorities?: readonly string[];
}

type Unmeasured = Omit<CallResult, "durationMs">;

/** What all calls of one `CallOut` share. */
interface Exit {
  readonly resolve: Resolve;
  readonly authorities: readonly string[] | null;
  readonly session: Bun.FetchSession;
}

const CALL_MS_MAX = 15_000;
/**
 * Below the 5 s after which common servers close idle connections: a request sent at that moment is
 * lost and cannot be repeated.
 */
const IDLE_SECONDS_MAX = 4;

/** Opens a `CallOut` with its own connection pool. */
export function openCallOut(options: CallOutOptions = {}): CallOut {
  const exit: Exit = {
    resolve: options.resolve ?? systemResolve,
    authorities: options.tlsAuthorities ?? null,
    session: new Bun.FetchSession({ proxy: false, keepAlive: { idleTimeout: IDLE_SECONDS_MAX } }),
  };
  return async (call) => {
    const startedAtMs = monotonicMs();
    using deadline = openDeadline(call.timeoutMs ?? CALL_MS_MAX, call.signal);
    const outcome = await attempt(exit, call, deadline.signal);
    return { ...outcome, durationMs: monotonicMs() - startedAtMs };
  };
}

async function attempt(exit: Exit, call: OutboundCall, signal: AbortSignal): Promise<Unmeasured> {
  const url = URL.parse(call.url);
  if (url === null || !/^https?:$/.test(url.protocol)) return failed("blocked_address");
  const host = plainHost(url.hostname);
  const addresses = await addressesOf(host, exit.resolve, signal);
  if (typeof addresses === "string") return failed(addresses);
  const isEncrypted = url.protocol === "https:";
  const mayCallAll = addresses.every((address) => mayCall(address, call.reach, isEncrypted));
  if (!mayCallAll && !call.reach.hosts.includes(host)) return failed("blocked_address");
  let outcome = failed("dns");
  for (const address of addresses) {
    outcome = await send(exit, { call, url, address }, signal);
    if (outcome.failure !== "connect" || signal.aborted) break;
  }
  return outcome;
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
async function send(
  exit: Exit,
  { call, url, address }: { call: OutboundCall; url: URL; address: string },
  signal: AbortSignal,
): Promise<Unmeasured> {
  let response: Response;
  try {
    response = await fetch(literalUrl(url, address), {
      method: "POST",
      headers: headersOf(call, url),
      body: call.body,
      redirect: "manual",
      decompress: false,
      proxy: false,
      session: exit.session,
      tls: tlsOf(exit, plainHost(url.hostname)),
      signal,
    });
  } catch (error) {
    return { ...failed(signal.aborted ? "timeout" : callFailure(error)), address };
  }
  const { status, headers } = response;
  const { text, error } = await readExcerpt(response.body);
  if (status < 100) return { ...failed("protocol"), address };
  const broken = signal.aborted ? "timeout" : callFailure(error);
  return { status, failure: error === null ? null : broken, address, headers, excerpt: text };
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
function headersOf(call: OutboundCall, url: URL): Headers {
  const headers = new Headers(call.headers);
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

function failed(failure: CallFailure): Unmeasured {
  return { status: null, failure, address: null, headers: null, excerpt: "" };
}
