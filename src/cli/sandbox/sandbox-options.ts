// The options of `duka sandbox`, as they are typed and as they are read.

import { readInstant, type SettingOptions, UsageFault } from "#cli/operator/settings.ts";
import { nearestName } from "#platform/process/nearest-name.ts";
import {
  scenarioFacts,
  type ScenarioName,
  scenarioNames,
} from "#sandbox/scenarios/scenario-list.ts";

export const seeds = ["small", "full", "none"] as const;
export type Seed = (typeof seeds)[number];

/** The folder in which a sandbox is kept without a name. */
const KEPT_DEFAULT = "duka-sandbox";

/** As commander names them. */
export type SandboxOptions = SettingOptions & {
  readonly json?: true;
  readonly seed?: string;
  readonly scenario?: string;
  readonly clock?: string;
  readonly keep?: string | true;
};

/** The sandbox that is asked for. */
export interface SandboxWish {
  /** Null takes any free port. */
  readonly port: string | null;
  /** Null where none was asked for: a new sandbox gets the small one. */
  readonly seed: Seed | null;
  readonly scenario: ScenarioName | null;
  /** The instant at which the shop's clock begins, epoch milliseconds; null is now. */
  readonly clockAt: number | null;
  /** The directory that outlives the sandbox; null throws it away. */
  readonly keep: string | null;
}

/** Throws UsageFault for a seed, scenario or instant that does not exist, and for options of a server. */
export function readWish(options: SandboxOptions): SandboxWish {
  const { host, dataDir, keep } = options;
  if (host !== undefined) throw new UsageFault("A sandbox listens on 127.0.0.1 alone.");
  if (dataDir !== undefined) throw new UsageFault("Name the directory of a sandbox with --keep.");
  const seed = oneOf(options.seed, { option: "--seed", known: seeds });
  const scenario = oneOf(options.scenario, { option: "--scenario", known: scenarioNames });
  const needsProducts = scenario !== null && scenarioFacts[scenario].needsProducts === true;
  if (needsProducts && seed === "none") {
    throw new UsageFault(`--scenario ${scenario} needs products: choose --seed small or full.`);
  }
  return {
    port: options.port ?? null,
    seed,
    scenario,
    clockAt: readInstant(options.clock, "--clock"),
    keep: keep === true ? KEPT_DEFAULT : (keep ?? null),
  };
}

function oneOf<T extends string>(
  text: string | undefined,
  { option, known }: { readonly option: string; readonly known: readonly T[] },
): T | null {
  if (text === undefined) return null;
  const found = known.find((one) => one === text);
  if (found !== undefined) return found;
  const nearest = nearestName(text, known);
  const hint = nearest === null ? "" : ` Did you mean ${nearest}?`;
  throw new UsageFault(`${option} must be one of ${known.join(", ")}, not "${text}".${hint}`);
}
