// `bun run faults [--long] [--seed n] [--rounds n] [--minutes n] [name…]`: runs faults against Duka and
// prints figures. Exit code 1 if a promise was broken.

import "#nouns.ts";

import { parseArgs } from "node:util";

import { abuse } from "./abuse.ts";
import { clockJumps } from "./clock-jumps.ts";
import { diskFull } from "./disk-full.ts";
import { failover } from "./failover.ts";
import { type Fault, written } from "./fault.ts";
import { fuzz } from "./fuzz.ts";
import { gatewayDown } from "./gateway-down.ts";
import { gatewayMatrix } from "./gateway-matrix.ts";
import { ghanaWeek } from "./ghana-week.ts";
import { kill } from "./kill.ts";
import { pictures } from "./pictures.ts";
import { powerCut } from "./power-cut.ts";
import { soak } from "./soak.ts";
import { wholeShop } from "./whole-shop.ts";

/**
 * Every fault in the order of running. The last one needs a PostgreSQL on this machine, and reports where
 * there is none.
 */
const faults: readonly Fault[] = [
  kill,
  powerCut,
  diskFull,
  fuzz,
  wholeShop,
  clockJumps,
  gatewayMatrix,
  gatewayDown,
  ghanaWeek,
  abuse,
  pictures,
  soak,
  failover,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    long: { type: "boolean", default: false },
    seed: { type: "string" },
    rounds: { type: "string" },
    minutes: { type: "string" },
  },
});

/** The faults that were named, by default all. */
function chosenFaults(): readonly Fault[] {
  const unknown = positionals.filter((name) => !faults.some((fault) => fault.name === name));
  if (unknown.length === 0) {
    return faults.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  }
  const known = faults.map(({ name, what }) => `  ${name}: ${what}\n`).join("");
  process.stderr.write(`There is no fault ${unknown.join(", ")}. There are:\n${known}`);
  process.exit(2);
}

function numberOf(name: "seed" | "rounds" | "minutes", otherwise: number): number {
  const number = Number(values[name] ?? otherwise);
  if (number >= 0) return number;
  process.stderr.write(`--${name} is a number.\n`);
  process.exit(2);
}

let isSound = true;
for (const fault of chosenFaults()) {
  const extent = values.long ? fault.long : fault.short;
  const seed = Math.floor(numberOf("seed", Date.now() % 1_000_000));
  process.stdout.write(`${fault.name}: ${fault.what} (seed ${seed})\n`);
  const beganAt = performance.now();
  const report = await fault.run({
    rounds: numberOf("rounds", extent.rounds),
    minutes: numberOf("minutes", extent.minutes),
    seed,
    progress: (line) => process.stderr.write(`  ${line}\n`),
  });
  process.stdout.write(`${written(fault, report, (performance.now() - beganAt) / 1000)}\n`);
  isSound &&= report.broken.length === 0;
}
process.exit(isSound ? 0 : 1);
