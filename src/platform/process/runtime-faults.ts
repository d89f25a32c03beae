// Finds what Bun obeys before the first line of this program runs, so that a start can refuse it: files of the
// working directory where the program runs from source, and BUN_OPTIONS in the binary, which could load other
// code into it. BUN_BE_BUN cannot be refused: the binary is then Bun itself.

import { existsSync } from "node:fs";
import { join } from "node:path";

import type { Environment, SettingFault } from "./environment.ts";

/** The folder of the source, whose own bunfig.toml switches `.env` off. */
const ROOT = join(import.meta.dir, "../../..");

/** Bun reads them from the working directory alone. */
const DOTENV = ["", ".local", ...["development", "production", "test"].flatMap(namesOfKind)];

function namesOfKind(kind: string): string[] {
  return [`.${kind}`, `.${kind}.local`];
}

/** A process of Bun, as far as its own settings go. */
export interface Runtime {
  readonly variables: Environment;
  readonly directory: string;
  /** The arguments in front of the program's. */
  readonly flags: readonly string[];
  readonly isBinary: boolean;
}

/** This process. */
export function ownRuntime(variables: Environment): Runtime {
  return {
    variables,
    directory: process.cwd(),
    flags: process.execArgv,
    isBinary: Bun.isStandaloneExecutable,
  };
}

/** The faults of all that Bun obeyed and should not have; none if it obeyed nothing. */
export function runtimeFaults({ variables, directory, flags, isBinary }: Runtime): SettingFault[] {
  if (isBinary) {
    const detail = "is read by Bun, which may load other code into this program; unset it";
    return (variables["BUN_OPTIONS"] ?? "").trim() === ""
      ? []
      : [{ setting: "BUN_OPTIONS", detail }];
  }
  if (directory === ROOT) return [];
  const isGiven = (...names: string[]) =>
    flags.some((flag) => names.includes(flag.split("=", 1).join("")));
  const names = [
    ...(isGiven("--no-env-file", "--env-file") ? [] : DOTENV.map((kind) => `.env${kind}`)),
    ...(isGiven("--config", "-c") ? [] : ["bunfig.toml"]),
  ];
  const start = `bun --no-env-file --config=${join(ROOT, "bunfig.toml")} ${Bun.main}`;
  return names
    .map((name) => join(directory, name))
    .filter((file) => existsSync(file))
    .map((file) => ({
      setting: file,
      detail: `is read by Bun, because Duka runs from source; start it in ${ROOT}, or with ${start}`,
    }));
}
