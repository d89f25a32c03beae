// Collects all faulty settings, so that an operator can correct them at once.

/** A setting that cannot be used. The detail never contains a secret. */
export interface SettingFault {
  readonly setting: string;
  readonly detail: string;
}

/** Thrown before anything starts with these settings. */
export class ConfigFaults extends Error {
  readonly faults: readonly SettingFault[];

  constructor(faults: readonly SettingFault[]) {
    const lines = faults.map((fault) => `  ${fault.setting}: ${fault.detail}`);
    super(["The settings cannot be used:", ...lines].join("\n"));
    this.name = "ConfigFaults";
    this.faults = faults;
  }
}

// Log levels, from the most to the least verbose.

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];
