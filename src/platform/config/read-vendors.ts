// Reads what the operator set of the vendors of gateways. Invariant: no fault repeats a secret.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import { type Mode, modes } from "#platform/database/shop.ts";

import type { Intake } from "./intake.ts";
import { type SecretSetting, vendors } from "./vendor-settings.ts";

/** A secret, and the setting that it comes from. */
export interface GivenSecret {
  readonly text: string;
  readonly setting: string;
}

/** The operator's settings of a vendor. */
export interface GivenVendor {
  /** Without a final slash; null means the vendor's own address. */
  readonly url: string | null;
  /** The setting of that address. */
  readonly urlSetting: string;
  readonly secret: Readonly<Record<Mode, GivenSecret | null>>;
  /** Several are separated by commas. */
  readonly webhookSecret: Readonly<Record<Mode, GivenSecret | null>>;
}

/** Reads the settings of each vendor, by the ids of their gateways. Faults are added to the intake's. */
export function readVendors(intake: Intake): Readonly<Record<string, GivenVendor>> {
  return Object.fromEntries(
    vendors.map(({ id, url, secret, webhookSecret }) => {
      const given: GivenVendor = {
        url: intake.option(url),
        urlSetting: url.name,
        secret: {
          test: readSecret(intake, secret.test),
          live: readSecret(intake, secret.live),
        },
        webhookSecret: {
          test: webhookSecret === null ? null : readSecret(intake, webhookSecret.test),
          live: webhookSecret === null ? null : readSecret(intake, webhookSecret.live),
        },
      };
      for (const mode of modes) {
        const isAlone = given.webhookSecret[mode] !== null && given.secret[mode] === null;
        if (!isAlone || webhookSecret === null) continue;
        intake.add(webhookSecret[mode].value, `has no effect without ${secret[mode].value.name}`);
      }
      return [id, given];
    }),
  );
}

/** Reads a secret, or the file that has it. */
export function readSecret(intake: Intake, { value, file }: SecretSetting): GivenSecret | null {
  const text = intake.option(value);
  const named = intake.option(file);
  if (named === null) return text === null ? null : { text, setting: value.name };
  if (text !== null) {
    intake.add(file, `must not be set together with ${value.name}`);
    return null;
  }
  const contents = readContents(intake, { value, file }, resolve(named));
  return contents === null ? null : { text: contents, setting: file.name };
}

/** The text of the file, without the line break that editors put at its end. */
function readContents(intake: Intake, { value, file }: SecretSetting, from: string): string | null {
  try {
    const text = readFileSync(from, "utf8").replace(/\r?\n$/, "");
    if (text !== "") return value.kind.read(text);
    intake.add(file, `${from} is empty`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    intake.add(file, error instanceof RangeError ? reason : `cannot be read: ${reason}`);
  }
  return null;
}
