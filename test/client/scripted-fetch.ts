// A `fetch` that answers what a test says, in order, and remembers what it was asked.

import { type DukaOptions, Transport } from "#client/runtime/transport.ts";

/** A status with headers and a body, or a connection that breaks. */
export type Scripted = Response | "broken";

export interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: unknown;
  /** All that `fetch` was given. */
  readonly init: RequestInit;
}

/** The answer of Duka to a refused request. */
export function refused(status: number, code: string, headers: Record<string, string> = {}) {
  const isFleeting = status === 429 || status >= 500 || code === "idempotency_in_progress";
  const problem = {
    code,
    status,
    detail: "It is refused.",
    request_id: "req_1",
    retryable: isFleeting,
    errors: [{ pointer: "#/email", code: "invalid_format", detail: "It is no address." }],
  };
  return Response.json(problem, { status, headers: { "X-Request-Id": "req_1", ...headers } });
}

/** A transport over these answers. */
export function scripted(answers: readonly Scripted[], options: Partial<DukaOptions> = {}) {
  const sent: Sent[] = [];
  const transport = new Transport({
    baseUrl: "http://duka.example/",
    key: "test_sk_1",
    ...options,
    fetch: async (url, init) => {
      const { method = "", body } = init;
      sent.push({ url, method, headers: new Headers(init.headers), body, init });
      init.signal?.throwIfAborted();
      const answer = answers[sent.length - 1] ?? "broken";
      if (answer === "broken") throw new TypeError("The connection broke.");
      return answer;
    },
  });
  return { transport, sent };
}
