// What the commands of gateways share: their input, what they refuse, and how a change is written.

import type { Databases } from "#cli/operator/key-commands.ts";
import { member } from "#cli/operator/members.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import { givenCredentials, publicUrlFault, type VendorConfig } from "#open-gateways.ts";
import { addressFault, type Vendor } from "#payments/gateways/vendors.ts";
import { settings } from "#platform/config/settings.ts";
import { operator, type Story } from "#platform/database/database.ts";
import { type Mode, modes } from "#platform/database/shop.ts";
import { recordAct } from "#shop/audit/record-act.ts";

export interface GatewayCommandTerms extends VendorConfig {
  /** Makes the gateways of a mode anew; null where no server runs, whose next start makes them. */
  readonly reopen: ((mode: Mode) => Promise<void>) | null;
}

/** What became of a change. */
export interface GatewayChange {
  /** True if a running server uses it already. */
  readonly is_in_use: boolean;
  /** The setting that comes before what is stored; null without one. */
  readonly overridden_by: string | null;
}

const modeUnknown = defineRefusal("mode_unknown", "invalid", "The mode must be test or live.");
const gatewayUnknown = defineRefusal(
  "gateway_unknown",
  "invalid",
  "This program has no such gateway.",
);
export const gatewaySecretInvalid = defineRefusal(
  "gateway_secret_invalid",
  "invalid",
  "The text is not a secret key of this gateway.",
);
export const gatewayNeedsSetting = defineRefusal(
  "gateway_needs_setting",
  "conflict",
  "The settings of the server do not allow this gateway.",
);

export const gatewayNotConnected = defineRefusal(
  "gateway_not_connected",
  "conflict",
  "The gateway does not send its notices here.",
);

/** The mode of the input. Refuses with `mode_unknown`. */
export function readMode(input: unknown): Mode {
  const given = member(input, "mode");
  const mode = modes.find((known) => known === given);
  if (mode === undefined) throw modeUnknown();
  return mode;
}

/** The vendor of this id. Refuses with `gateway_unknown`. */
export function getVendor(vendors: readonly Vendor[], gateway: string): Vendor {
  const found = vendors.find(({ id }) => id === gateway);
  if (found === undefined) throw gatewayUnknown();
  return found;
}

/** Refuses with `gateway_needs_setting`: a live secret that is stored regardless would stop the next start. */
export function requireSettings(vendor: Vendor, mode: Mode, { config }: GatewayCommandTerms): void {
  if (mode !== "live") return;
  const given = config.vendors[vendor.id];
  const address = addressFault(vendor, given?.url ?? null, [mode]);
  if (address !== null) {
    throw gatewayNeedsSetting({ detail: `${given?.urlSetting ?? ""} ${address}.` });
  }
  const fault = publicUrlFault(config.publicUrl);
  if (fault !== null) throw gatewayNeedsSetting({ detail: `${settings.publicUrl.name} ${fault}.` });
}

/** Has a running server take note of the change. */
export async function changed(
  terms: GatewayCommandTerms,
  gateway: string,
  mode: Mode,
): Promise<GatewayChange> {
  await terms.reopen?.(mode);
  const vendor = terms.vendors.find(({ id }) => id === gateway);
  const given = vendor === undefined ? null : givenCredentials(vendor, mode, terms.config);
  return { is_in_use: terms.reopen !== null, overridden_by: given?.setting ?? null };
}

interface GatewayAct {
  readonly mode: Mode;
  readonly action: string;
  readonly gateway: string;
  readonly by: string | null;
  /** What is shown of the secret. */
  readonly shown?: string;
}

/** Runs the story with its entry of the audit log. */
export function write(databases: Databases, act: GatewayAct, story: Story<void>): Promise<void> {
  const { mode, action, gateway, by, shown } = act;
  return databases[mode].write(
    async (tx) => {
      await story(tx);
      const difference =
        shown === undefined ? null : { fields: ["secret"], before: null, after: { secret: shown } };
      await recordAct(tx, { actorName: by, action, subject: gateway, difference });
    },
    { actor: operator },
  );
}
