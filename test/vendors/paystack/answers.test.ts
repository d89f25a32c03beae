// What an answer of Paystack's API says of the pause that it wants.

import { expect, test } from "bun:test";

import { answerOf } from "#payments/gateways/paystack/answers.ts";

function limited(reset: string) {
  const headers = new Headers({ "x-ratelimit-reset": reset });
  const address = "127.0.0.1";
  return answerOf({ failure: null, address, status: 429, headers, bytes: new Uint8Array() });
}

test.each([
  ["30", 30_000],
  ["3600", 3_600_000],
  ["1795000000", 3_600_000],
  ["soon", null],
])("a limit until %s is a pause of %p ms", (reset, retryAfterMs) => {
  expect(limited(reset)).toEqual({ kind: "not_sent", trouble: "rate_limited", retryAfterMs });
});
