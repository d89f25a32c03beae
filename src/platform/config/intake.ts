// Takes the settings out of the environment and a file, and collects what is wrong with them.

import type { Environment, SettingFault } from "#platform/process/environment.ts";
import { nearestName } from "#platform/process/nearest-name.ts";

import type { Setting, SettingWithDefault } from "./setting.ts";
import { allSettings } from "./settings.ts";

export interface GivenSetting {
  readonly text: string;
  readonly origin: "environment" | "file";
}

/** Names the sandbox that test suites use, and none of the settings of a server. */
const OF_SUITES = "DUKA_SANDBOX";

const settingNames: readonly string[] = allSettings.map(({ name }) => name);

/** Reads settings one by one and collects faults instead of stopping at the first. */
export class Intake {
  readonly faults: SettingFault[] = [];
  readonly given: Record<string, GivenSetting> = {};

  constructor(environment: Environment, file: Environment) {
    this.#collect(file, "file");
    this.#collect(environment, "environment");
  }

  /** The value of a setting, or its default if it is not set or not valid. */
  value<T>(setting: SettingWithDefault<T>): T {
    return this.option(setting) ?? setting.default;
  }

  /** The same for a setting without default. */
  option<T>(setting: Setting<T>): T | null {
    const given = this.given[setting.name];
    if (given === undefined) return setting.default;
    try {
      return setting.kind.read(given.text);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.add(setting, error.message);
      return setting.default;
    }
  }

  add(setting: Setting<unknown>, detail: string): void {
    this.faults.push({ setting: setting.name, detail });
  }

  #collect(variables: Environment, origin: GivenSetting["origin"]): void {
    for (const [name, value] of Object.entries(variables)) {
      const text = value.trim();
      if (!name.startsWith("DUKA_") || name === OF_SUITES || text === "") continue;
      if (settingNames.includes(name)) this.given[name] = { text, origin };
      else this.faults.push({ setting: name, detail: unknownName(name) });
    }
  }
}

/** The fault of an unknown name, with the setting that was probably meant. */
function unknownName(written: string): string {
  const isExtended = (name: string) => written.startsWith(name) || name.startsWith(written);
  const meant = nearestName(written, settingNames) ?? settingNames.find(isExtended);
  return `is not a setting${meant === undefined ? "" : `; did you mean ${meant}?`}`;
}
