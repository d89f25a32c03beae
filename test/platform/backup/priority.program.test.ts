// A backup leaves the processor to the shop.

import { expect, test } from "bun:test";

/** Compresses on a thread of its own, lowers its priority, and prints that of each thread (proc(5), field 19). */
const PROGRAM = `
  import { readdirSync, readFileSync } from "node:fs";
  import { promisify } from "node:util";
  import { zstdCompress } from "node:zlib";
  import { lowerPriority } from "#platform/backup/steps.ts";

  await promisify(zstdCompress)(Buffer.alloc(1_000_000));
  lowerPriority();
  const threads = readdirSync("/proc/self/task");
  const stats = threads.map((thread) => readFileSync("/proc/self/task/" + thread + "/stat", "utf8"));
  console.log(JSON.stringify(stats.map((stat) => stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16])));
`;

test("every thread of a backup has a low priority, those that compress included", async () => {
  const child = Bun.spawn([process.execPath, "-e", PROGRAM], { stdout: "pipe", stderr: "inherit" });

  const priorities: unknown = JSON.parse(await new Response(child.stdout).text());

  expect(await child.exited).toBe(0);
  expect(new Set(Array.isArray(priorities) ? priorities : [])).toEqual(new Set(["10"]));
});
