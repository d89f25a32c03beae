// The verdict of `bench stalls`.

import { expect, test } from "bun:test";

import { requireBounds } from "./stalls.ts";

const short = { title: "/v2/orders?status=open", ms: 50, tookMs: 900 };

test("questions that hold others up for 50 ms, and readers that all moved, pass", () => {
  expect(() => requireBounds([short], [])).not.toThrow();
});

test("a question that holds others up for longer fails by its name", () => {
  const long = { title: "/v2/orders?channel=nowhere", ms: 51, tookMs: 900 };

  expect(() => requireBounds([short, long], [])).toThrow(
    "stalls: /v2/orders?channel=nowhere: /livez took 51 ms of 50",
  );
});

test("a reader that does not move within 10 s fails by its name", () => {
  expect(() => requireBounds([short], ["books"])).toThrow("stalls: books did not move in 10 s");
});
