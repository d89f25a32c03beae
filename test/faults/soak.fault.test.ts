// The short form of the soak: too short for memory, long enough to detect leaking file handles.

import { expect, test } from "bun:test";

import { briefly } from "./fault.ts";
import { soak } from "./soak.ts";

test("a busy shop keeps its open files and its log within bounds", async () => {
  const { figures, broken } = await soak.run(briefly(soak));

  expect(broken).toEqual([]);
  expect(Number(figures["samples"])).toBeGreaterThan(10);
}, 90_000);
