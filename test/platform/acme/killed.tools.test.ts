// A program that is killed at any call to the authority has its certificate after the next start.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { join } from "node:path";

import { type Bundle, bundle } from "../../support/bundled.ts";
import { runs } from "../../support/runs.ts";
import { openScratchFolder } from "../../support/scratch.ts";
import { TOOL_MS_MAX } from "../../tools/tools.ts";
import { openPebble, type Pebble } from "./pebble.ts";
import { DOMAINS, openRenewing } from "./renewing.ts";

setDefaultTimeout(TOOL_MS_MAX);

/** More than the calls of an order, most with a nonce that the authority refuses. */
const POINTS_MAX = 200;
/** An order of two names has more, if no nonce is refused. */
const CALLS_MIN = 10;
/** Each point where tests run ten times as long. */
const STEP = Math.max(1, 7 - runs(1));

let pebble: Pebble;
let script: Bundle;

beforeAll(async () => {
  pebble = await openPebble();
  script = await bundle(join(import.meta.dir, "renew-until-killed.ts"));
});

afterAll(async () => {
  script[Symbol.dispose]();
  await pebble[Symbol.asyncDispose]();
});

/** Runs the program until it has ended; returns false if it was killed at the point. */
async function run(folder: string, point: number): Promise<boolean> {
  const { directory, authorityPath, challengePort } = pebble;
  const place = JSON.stringify({ directory, authorityPath, challengePort });
  const child = Bun.spawn([...script.command, String(point), folder, place], { stderr: "inherit" });
  return (await child.exited) === 0;
}

test("killed at any call, it has its certificate after the next start", async () => {
  let points = 0;

  for (let point = 0; point < POINTS_MAX; point += STEP) {
    using folder = openScratchFolder();
    if (await run(folder.path, point)) break;
    points += 1;
    expect(await run(folder.path, POINTS_MAX)).toBe(true);
    await using program = await openRenewing({ pebble, folder: folder.path, answers: false });
    const { chain, failures, problem } = await program.row();
    const leaf = new X509Certificate(chain ?? "");
    expect([DOMAINS.map((name) => leaf.checkHost(name)), failures, problem]).toEqual([
      DOMAINS,
      0,
      null,
    ]);
  }

  expect(points * STEP).toBeGreaterThan(CALLS_MIN);
});
