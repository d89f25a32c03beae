// Pipelined requests: sent on one connection before the first is answered. They are answered where the
// answer comes in the turn of its request; else the runtime closes the connection, and the client repeats
// the unanswered ones (RFC 9112, section 9.3.2).

import { afterAll, beforeAll, expect, test } from "bun:test";

import { openTestShop, type TestShop } from "../support/shop.ts";
import { head, speak } from "./raw-socket.ts";

const host = "Host: localhost";

let still: TestShop;
beforeAll(async () => {
  still = await openTestShop();
});
afterAll(async () => {
  await still[Symbol.asyncDispose]();
});

test("pipelined requests are answered in order", async () => {
  const lines = ["GET /v2/store", "GET /v2/nothing", "DELETE /v2/store", "GET /livez"];

  const answer = await speak(still.url, [lines.map((line) => head(still, line, host)).join("")], {
    answers: 4,
  });

  expect(answer.statuses).toEqual([200, 404, 405, 200]);
});

test("the body of a GET is not read as the next request", async () => {
  const smuggled = head(still, "DELETE /v2/store", host);
  const first = head(still, "GET /v2/store", host, `Content-Length: ${smuggled.length}`);

  const answer = await speak(still.url, [first + smuggled + head(still, "GET /livez", host)], {
    answers: 2,
  });

  expect(answer.statuses).toEqual([200, 200]);
});
