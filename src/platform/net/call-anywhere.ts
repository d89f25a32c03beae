// HTTP requests of the command line, to its server and to programs that its user names, and those to the operator's own
// object store. Addresses are not restricted: the user may reach whatever the machine reaches.

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
  /** Whether certificates are verified also where the environment switches that off. */
  readonly alwaysVerifies?: true;
}

export interface PlainAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface PlainBytes extends Omit<PlainAnswer, "text"> {
  readonly bytes: ArrayBuffer;
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
  const { bytes, ...answer } = await callForBytes(call);
  return { ...answer, text: new TextDecoder().decode(bytes) };
}

/** The same for what is no text. */
export async function callForBytes(call: PlainCall): Promise<PlainBytes> {
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
      ...(call.alwaysVerifies === true ? { tls: { rejectUnauthorized: true } } : {}),
      signal: deadline.signal,
    });
    const { status, headers } = response;
    return { status, headers, bytes: await response.arrayBuffer() };
  } catch (error) {
    if (call.signal?.aborted === true)
      throw new Error("The request was cancelled.", { cause: error });
    const failure = deadline.signal.aborted ? "timeout" : callFailure(error);
    throw new Error(`${url.host} ${sentences[failure]}.`, { cause: error });
  }
}
