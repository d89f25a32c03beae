// The only way in which this program calls addresses that others chose. Invariant: a connection is
// made only to an address that was judged for this very call, and nothing is sent twice.

import { monotonicMs } from "#kernel/time.ts";

import { isAddress, isLoopback } from "./addresses.ts";
import { type CallFailure, callFailure } from "./call-failure.ts";
import { openDeadline, untilAborted } from "./deadline.ts";
import { isOwnAddress, isPublicAddress } from "./public-address.ts";
import { readExcerpt } from "./read-excerpt.ts";
import { type Resolve, systemResolve } from "./resolve.ts";
import { plainHost, type Reach } from "./target-url.ts";

export interface OutboundCall {
  /** Judged by `targetFaults` when it was registered. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly reach: Reach;
  /** For everything together: name, connection, TLS, headers, body. 15 s unless told. */
  readonly timeoutMs?: number;
  /** Ends the call early, which is then told as a timeout. */
  readonly signal?: AbortSignal;
}

export interface CallResult {
  /** The status of the answer; also beside a failure, when only its body broke off. */
  readonly status: number | null;
  /** Null when the answer arrived, whatever its status. */
  readonly failure: CallFailure | null;
  /** The address that was connected to, or tried last; null when none was. */
  readonly address: string | null;
  readonly headers: Headers | null;
  /** The first 16 KiB of the body as text, without NUL. */
  readonly excerpt: string;
  readonly durationMs: number;
}

/** Sends one POST. Never rejects for what the network or the other side does. */
export type CallOut = (call: OutboundCall) => Promise<CallResult>;

export interface CallOutOptions {
  /** Who is asked for addresses; the system unless told. */
  readonly resolve?: Resolve;
  /** Certificates (PEM) of the only authorities believed, in place of the machine's own. */
  readonly tlsAuthorities?: readonly string[];
}

type Unmeasured = Omit<CallResult, "durationMs">;

/** How calls leave: what all calls of one `CallOut` share. */
interface Exit {
  readonly resolve: Resolve;
  readonly authorities: readonly string[] | null;
  readonly session: Bun.FetchSession;
}

const CALL_MS_MAX = 15_000;
/** In seconds. Below the 5 s after which common servers drop an idle connection: a request that
 * meets the drop is lost, and may not be sent again. */
const IDLE_SECONDS_MAX = 4;

/** Opens a way out with a pool of connections of its own. */
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
  const addresses = await addressesOf(plainHost(url.hostname), exit.resolve, signal);
  if (typeof addresses === "string") return failed(addresses);
  const isEncrypted = url.protocol === "https:";
  if (!addresses.every((address) => mayCall(address, call.reach, isEncrypted))) {
    return failed("blocked_address");
  }
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

/** Plain HTTP stays on this machine. Its own other addresses lead to what listens for nobody else. */
function mayCall(address: string, reach: Reach, isEncrypted: boolean): boolean {
  if (isLoopback(address)) return reach === "public_or_loopback";
  return isEncrypted && isPublicAddress(address) && !isOwnAddress(address);
}

/** One request to one address that was judged. */
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

/** The same URL with the address in place of the name. Credentials and fragment stay behind. */
function literalUrl(url: URL, address: string): string {
  const host = address.includes(":") ? `[${address}]` : address;
  const port = url.port === "" ? "" : `:${url.port}`;
  return `${url.protocol}//${host}${port}${url.pathname}${url.search}`;
}

/** No coding: an absent Accept-Encoding would permit any, and nothing is unpacked here. */
function headersOf(call: OutboundCall, url: URL): Headers {
  const headers = new Headers(call.headers);
  if (!headers.has("user-agent")) headers.set("user-agent", "Duka");
  headers.set("host", url.host.replace(/\.(?=:\d+$|$)/, ""));
  headers.set("accept-encoding", "identity");
  return headers;
}

/** Said although it is the default, because the environment can switch the default off. */
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
