// HTTP requests of the command line, to its server and to programs that its user names, and of a server to its own public
// URL. Addresses are not restricted: who runs Duka may reach whatever the machine reaches.

import { type CallFailure, callFailure } from "./call-failure.ts";
import { openDeadline } from "./deadline.ts";

export interface PlainCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Covers the whole call, including the response's body. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** True takes any certificate: for a program of the user's own machine. */
  readonly trustsAnyCertificate?: boolean;
}

export interface PlainAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const sentences: Record<CallFailure, string> = {
  dns: "has no known address",
  blocked_address: "must not be called",
  connect: "does not accept connections",
  tls: "has no trusted certificate",
  timeout: "did not answer in time",
  reset: "closed the connection",
  too_large: "sent too large headers",
  protocol: "did not answer in HTTP",
};

/**
 * Sends one request without following redirects. Rejects with a readable sentence if no response
 * arrived.
 */
export async function callAnywhere(call: PlainCall): Promise<PlainAnswer> {
  const url = webUrl(call.url);
  using deadline = openDeadline(call.timeoutMs, call.signal);
  try {
    const response = await fetch(url, {
      method: call.method,
      headers: call.headers,
      ...(call.body === undefined ? {} : { body: call.body }),
      redirect: "manual",
      proxy: false,
      ...(call.trustsAnyCertificate === true ? { tls: { rejectUnauthorized: false } } : {}),
      signal: deadline.signal,
    });
    const { status, headers } = response;
    return { status, headers, text: new TextDecoder().decode(await response.arrayBuffer()) };
  } catch (error) {
    if (call.signal?.aborted === true)
      throw new Error("The request was cancelled.", { cause: error });
    throw asSentence(error, { url, isLate: deadline.signal.aborted });
  }
}

/** Throws a readable sentence for what is no complete URL of HTTP. */
export function webUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Error("The URL must be complete and begin with http:// or https://.");
  }
  return url;
}

/** The error of a call as a sentence that names its host. */
export function asSentence(
  error: unknown,
  { url, isLate }: { readonly url: URL; readonly isLate: boolean },
): Error {
  const failure = isLate ? "timeout" : callFailure(error);
  return new Error(`${url.host} ${sentences[failure]}.`, { cause: error });
}
