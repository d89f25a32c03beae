// The settings of a command: options of the command line over the environment over the named file.

import { type Config, parseConfig } from "#platform/config/config.ts";
import { readEnvironment, readEnvironmentFile } from "#platform/process/environment.ts";

/** The options that stand for a setting, as commander names them. */
export interface SettingOptions {
  readonly envFile?: string;
  readonly dataDir?: string;
  readonly host?: string;
  readonly port?: string;
}

/** The settings that hold. Throws ConfigFaults with everything that is wrong with them. */
export function readSettings(options: SettingOptions): Config {
  const { envFile, dataDir, host, port } = options;
  const file = envFile === undefined ? {} : readEnvironmentFile(envFile);
  const overruled = {
    ...(dataDir === undefined ? {} : { DUKA_DATA_DIR: dataDir }),
    ...(host === undefined ? {} : { DUKA_HOST: host }),
    ...(port === undefined ? {} : { DUKA_PORT: port }),
  };
  return parseConfig({ ...readEnvironment(), ...overruled }, file);
}
