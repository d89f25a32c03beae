// Requests of our own command line, to the server it belongs to and to programs its user names.
// There is no address policy: who types the command may reach what the machine reaches.

import { type CallFailure, callFailure } from "./call-failure.ts";
import { openDeadline } from "./deadline.ts";

export interface PlainCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** For everything together, the body of the answer included. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface PlainAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const sentences: Record<CallFailure, string> = {
  dns: "is unknown",
  blocked_address: "may not be called",
  connect: "does not accept connections",
  tls: "has no certificate that can be believed",
  timeout: "did not answer in time",
  reset: "broke off the connection",
  too_large: "answered with endless headers",
  protocol: "did not answer in HTTP",
};

/** Sends one request; redirects are answers. Rejects with a sentence when no answer came. */
export async function callAnywhere(call: PlainCall): Promise<PlainAnswer> {
  const url = URL.parse(call.url);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Error("Write a whole URL that begins with http:// or https://.");
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
      throw new Error("The request was stopped.", { cause: error });
    const failure = deadline.signal.aborted ? "timeout" : callFailure(error);
    throw new Error(`${url.host} ${sentences[failure]}.`, { cause: error });
  }
}
