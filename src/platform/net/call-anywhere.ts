// HTTP requests of the command line, to its server and to programs that its user names. Addresses
// are not restricted: the user may reach whatever the machine reaches.

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
  const url = URL.parse(call.url);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Error("The URL must be complete and begin with http:// or https://.");
  }
  using deadline = openDeadline(call.timeoutMs, call.signal);
  try {
    const response = await fetch(url, {
      method: call.method,
      headers: call.headers,
      ...(call.body === undefined ? {} : { body: call.body }),
      redirect: "manual",
      proxy: false,
      signal: deadline.signal,
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    if (call.signal?.aborted === true)
      throw new Error("The request was cancelled.", { cause: error });
    const failure = deadline.signal.aborted ? "timeout" : callFailure(error);
    throw new Error(`${url.host} ${sentences[failure]}.`, { cause: error });
  }
}
