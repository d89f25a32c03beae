// The options that every command shares, and the settings they result in. Precedence: options of the
// command line, then the environment, then the file of --env-file.

import { type Config, parseConfig } from "#platform/config/config.ts";
import { describeConfig } from "#platform/config/describe-config.ts";
import {
  ConfigFaults,
  readEnvironment,
  readEnvironmentFile,
} from "#platform/process/environment.ts";
import { print } from "#platform/process/output.ts";
import { ownRuntime, runtimeFaults } from "#platform/process/runtime-faults.ts";

import { renderTable } from "./table.ts";

/** The options that stand for a setting, as commander names them. */
export interface SettingOptions {
  readonly envFile?: string;
  readonly dataDir?: string;
  readonly host?: string;
  readonly port?: string;
}

/** The options of a command that may create the shop. */
export type InitOptions = SettingOptions & { readonly init?: true };

/** The options of a command that prints a table, or JSON with --json. */
export type JsonOptions = SettingOptions & { readonly json?: true };

/** An option with an invalid value. Thrown before the command does anything; exit code 2. */
export class UsageFault extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = "UsageFault";
  }
}

/** A step on this machine failed, such as one of its programs; the sentence has what it printed. */
export class StepFailed extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = "StepFailed";
  }
}

/**
 * The settings in effect. Throws ConfigFaults, which lists every invalid setting, or first what Bun has read
 * for itself: it explains the others.
 */
export function readSettings(options: SettingOptions): Config {
  const { envFile, dataDir, host, port } = options;
  const variables = readEnvironment();
  const faults = runtimeFaults(ownRuntime(variables));
  if (faults.length > 0) throw new ConfigFaults(faults);
  const file = envFile === undefined ? {} : readEnvironmentFile(envFile);
  const overrides = {
    ...(dataDir === undefined ? {} : { DUKA_DATA_DIR: dataDir }),
    ...(host === undefined ? {} : { DUKA_HOST: host }),
    ...(port === undefined ? {} : { DUKA_PORT: port }),
  };
  return parseConfig({ ...variables, ...overrides }, file);
}

/**
 * The value of an option in epoch milliseconds; null if it is not given. A date means midnight UTC. A time of
 * day needs an offset: a zone is never assumed for it.
 */
export function readInstant(text: string | undefined, option: string): number | null {
  if (text === undefined) return null;
  try {
    const instant = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text;
    return Temporal.Instant.from(instant).epochMilliseconds;
  } catch {
    throw new UsageFault(
      `${option} must be an instant such as 2030-01-31 or 2030-01-31T12:00:00Z, not "${text}".`,
    );
  }
}

// `duka config`: the value of every setting and where it comes from.

/** Prints the settings; a secret's value is never printed. */
export function showConfig(options: JsonOptions): void {
  const rows = describeConfig(readSettings(options));
  print(
    options.json === true
      ? JSON.stringify(rows, null, 2)
      : renderTable(
          ["NAME", "VALUE", "ORIGIN", "MEANING"],
          rows.map((row) => [row.name, row.value || "-", row.origin, row.meaning]),
        ),
  );
}
