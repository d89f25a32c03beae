// `bun run bench`: what Duka can do, measured from outside, all of it or the named parts (`sales`,
// `deliveries`, or of these `drain`, `delay`, `selling`, `dead`). Absolute figures belong to the machine.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type DeliveryPart, deliveryParts, measureDeliveries } from "./deliveries.ts";
import { endAll, programName } from "./programs.ts";
import { measureSales } from "./sales.ts";
import { CONNECTIONS, ROUNDS, SECONDS } from "./shop.ts";

/** Something hangs where a measurement takes longer, milliseconds. */
const MS_MAX = 600_000;

const all = ["sales", "deliveries", ...deliveryParts];
const asked = process.argv.slice(2);
const wants = (...names: string[]) =>
  asked.length === 0 || names.some((one) => asked.includes(one));
const isDeliveryPart = (part: DeliveryPart) => wants("deliveries", part);
const folders = new Set<string>();

/** Runs one part in a folder of its own. */
async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "duka-bench-"));
  folders.add(folder);
  try {
    await run(folder);
  } finally {
    await tidyUp();
  }
}

async function tidyUp(): Promise<void> {
  await endAll();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

async function end(reason: string): Promise<never> {
  console.error(reason);
  await tidyUp();
  process.exit(1);
}

for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => void end("Ended."));
const timer = setTimeout(() => void end(`Not done after ${MS_MAX / 1000} s.`), MS_MAX);
if (asked.some((name) => !all.includes(name))) await end(`There is: ${all.join(", ")}.`);
console.log(`program: ${programName}`);
console.log(
  `${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s each, load from a third process`,
);
if (wants("sales")) await inFolder(measureSales);
const parts = deliveryParts.filter(isDeliveryPart);
if (parts.length > 0) await inFolder((folder) => measureDeliveries(folder, parts));
clearTimeout(timer);
