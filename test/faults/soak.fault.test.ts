// The short form of the soak: too short to judge memory, long enough to see a leaking handle.

import { expect, test } from "bun:test";

import { briefly } from "./fault.ts";
import { soak } from "./soak.ts";

test("a busy shop opens no more and more files, and its log stays within bounds", async () => {
  const { figures, broken } = await soak.run(briefly(soak));

  expect(broken).toEqual([]);
  expect(Number(figures["samples"])).toBeGreaterThan(10);
}, 90_000);
