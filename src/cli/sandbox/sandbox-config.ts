// The settings of a sandbox. Those that say where a shop is do not come from the environment: a sandbox never opens
// the shop of the settings, and never listens where others can reach it.

import { type SettingOptions, UsageFault } from "#cli/operator/settings.ts";
import { type Config, parseConfig } from "#platform/config/config.ts";
import { engine } from "#platform/database/engine.ts";
import {
  type Environment,
  readEnvironment,
  readEnvironmentFile,
} from "#platform/process/environment.ts";
import { ownRuntime, runtimeFaults } from "#platform/process/runtime-faults.ts";
import { ConfigFaults } from "#platform/process/setting-faults.ts";

/** What a sandbox takes from the environment, and the values that it has otherwise. */
const taken: Readonly<Record<string, string>> = {
  DUKA_CORS_ORIGINS: "http://localhost:*",
  DUKA_LOG_FORMAT: "",
  DUKA_LOG_LEVEL: "warn",
  // A suite asks more in a minute than a shop's programs.
  DUKA_RATE_LIMIT_PER_MINUTE: "0",
  DUKA_RETURN_HOSTS: "",
  DUKA_TEST_WEBHOOK_HOSTS: "",
};

/** Requests in flight end sooner in a test suite. */
const SHUTDOWN_SECONDS = "2";

/** What the environment and the file of the option say. Throws ConfigFaults for what Bun has read for itself. */
export function readSandboxEnvironment({ envFile }: SettingOptions): Environment {
  const variables = readEnvironment();
  const faults = runtimeFaults(ownRuntime(variables));
  if (faults.length > 0) throw new ConfigFaults(faults);
  return { ...(envFile === undefined ? {} : readEnvironmentFile(envFile)), ...variables };
}

/** Throws ConfigFaults for a setting that is not valid, and UsageFault where the settings name a PostgreSQL server. */
export function sandboxConfig(
  environment: Environment,
  { directory, port }: { readonly directory: string; readonly port: string | null },
): Config {
  if (engine !== "sqlite") {
    throw new UsageFault("A sandbox keeps its shop in files: run it without DUKA_DATABASE_URL.");
  }
  const settings = Object.fromEntries(
    Object.entries(taken).map(([name, usual]) => [name, environment[name] ?? usual]),
  );
  const config = parseConfig({
    ...settings,
    DUKA_DATA_DIR: directory,
    DUKA_PORT: port ?? "0",
    DUKA_SHUTDOWN_SECONDS: SHUTDOWN_SECONDS,
  });
  return { ...config, modes: ["test"] };
}
