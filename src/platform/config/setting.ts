// Declares a setting.

import type { Kind } from "./kinds.ts";

export interface Setting<T> {
  readonly name: `DUKA_${string}`;
  readonly kind: Kind<T>;
  /** The default; null if there is none. */
  readonly default: T | null;
  /** The unit of a number; null for words. */
  readonly unit: string | null;
  readonly meaning: string;
  /** The reason for this default and range. */
  readonly reason: string;
  readonly isSecret?: true;
}

/** The values that a setting can have. */
export type SettingValue = string | number | boolean | readonly string[] | null;

/** A setting that has a default. */
export interface SettingWithDefault<T> extends Setting<T> {
  readonly default: T;
}
