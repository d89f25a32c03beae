// The options of `duka sandbox`, as they are typed and as they are read.

import { readInstant, type SettingOptions, UsageFault } from "#cli/operator/settings.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#kernel/time.ts";
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
  readonly detach?: true;
  readonly name?: string;
  readonly for?: string;
  /** The directory that a detached sandbox was given by the program that starts it. */
  readonly into?: string;
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

/** How a detached sandbox is found, and when it ends. */
export interface Detachment {
  readonly name: string;
  readonly forMs: number;
}

const NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;
const NAME_DEFAULT = "default";
/** A sandbox that everybody has forgotten ends within a day. */
const FOR_DEFAULT = "24h";
const FOR = /^(\d{1,5})([mhd])$/;
const unitsMs = new Map([
  ["m", MINUTE_MS],
  ["h", HOUR_MS],
  ["d", DAY_MS],
]);
const FOR_MS_MAX = 30 * DAY_MS;

/** Null without --detach. Throws UsageFault for a name or a time that is none, and for either without --detach. */
export function readDetachment(options: SandboxOptions): Detachment | null {
  const { detach, name, for: time } = options;
  if (detach === true) return { name: readName(name), forMs: readTime(time) };
  if (name !== undefined) throw new UsageFault("--name needs --detach.");
  if (time !== undefined) throw new UsageFault("--for needs --detach.");
  return null;
}

function readName(name = NAME_DEFAULT): string {
  if (NAME.test(name)) return name;
  throw new UsageFault(
    `--name has 1 to 63 letters a to z, digits, hyphens and underscores, not "${name}".`,
  );
}

function readTime(time = FOR_DEFAULT): number {
  const [, count, unit = ""] = FOR.exec(time) ?? [];
  const forMs = Number(count) * (unitsMs.get(unit) ?? 0);
  if (forMs >= MINUTE_MS && forMs <= FOR_MS_MAX) return forMs;
  throw new UsageFault(`--for must be a time from 1m to 30d, such as 90m or 24h, not "${time}".`);
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
