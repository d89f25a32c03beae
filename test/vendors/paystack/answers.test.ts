// What an answer of Paystack's API proves, and what it says of the pause that it wants.

import { expect, test } from "bun:test";

import { answerOf } from "#payments/gateways/paystack/answers.ts";

function answer(status: number, body = "", headers: Readonly<Record<string, string>> = {}) {
  const bytes = new TextEncoder().encode(body);
  const address = "127.0.0.1";
  return answerOf({ failure: null, address, status, headers: new Headers(headers), bytes });
}

function limited(reset: string) {
  return answer(429, "", { "x-ratelimit-reset": reset });
}

const refusal = JSON.stringify({ status: false, message: "No." });

test.each([400, 404, 422])("a refusal with status %p had no effect", (status) => {
  expect(answer(status, refusal)).toMatchObject({ kind: "refused", status });
});

test.each([200, 202, 302, 402, 405, 408, 409, 410, 423, 425, 499, 500, 503])(
  "a refusal with status %p, which Paystack's documents do not have, proves nothing",
  (status) => {
    expect(answer(status, refusal)).toMatchObject({ kind: "unknown" });
  },
);

test.each([
  ["30", 30_000],
  ["3600", 3_600_000],
  ["1795000000", 3_600_000],
  ["soon", null],
])("a limit until %s is a pause of %p ms", (reset, retryAfterMs) => {
  expect(limited(reset)).toEqual({ kind: "not_sent", trouble: "rate_limited", retryAfterMs });
});
