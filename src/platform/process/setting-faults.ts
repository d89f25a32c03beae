// Everything that is wrong with the settings, told at once: an operator corrects them in one go.

/** One setting that cannot be used. The detail never repeats a secret. */
export interface SettingFault {
  readonly setting: string;
  readonly detail: string;
}

/** Thrown instead of starting with settings that were not meant. */
export class ConfigFaults extends Error {
  readonly faults: readonly SettingFault[];

  constructor(faults: readonly SettingFault[]) {
    const lines = faults.map((fault) => `  ${fault.setting}: ${fault.detail}`);
    super(["The settings cannot be used:", ...lines].join("\n"));
    this.name = "ConfigFaults";
    this.faults = faults;
  }
}
