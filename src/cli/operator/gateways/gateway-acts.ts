// Shared by the commands of gateways: their input, what they refuse, and how a change is written.

import type { Databases } from "#cli/operator/key-commands.ts";
import { member, textMember } from "#cli/operator/members.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import { toIso } from "#kernel/time.ts";
import { findVendorTerms, givenCredentials, type VendorConfig } from "#open-gateways.ts";
import { setAccount } from "#payments/gateways/accounts.ts";
import {
  addressFault,
  type CheckedLine,
  gatewayNeedsSetting,
  publicUrlFault,
  secretFault,
  shownSecret,
  type Vendor,
} from "#payments/gateways/vendors.ts";
import { noticePath } from "#payments/port/notice.ts";
import { findNoticeRecord, type NoticeRecord } from "#payments/reconciliation/notices.ts";
import { settings } from "#platform/config/settings.ts";
import { operator, type Story } from "#platform/database/database.ts";
import { type Mode, modes } from "#platform/database/shop.ts";
import { SealBroken } from "#platform/vault/vault.ts";
import { recordAct } from "#shop/audit/record-act.ts";

export interface GatewayCommandTerms extends VendorConfig {
  /** Makes the gateways of a mode anew; null where no server runs, whose next start makes them. */
  readonly reopen: ((mode: Mode) => Promise<void>) | null;
}

/** The result of a change. */
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
const gatewayNotConnected = defineRefusal(
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
  /** The part of the secret that is shown. */
  readonly shown?: string;
}

/** Runs the story with its entry of the audit log. */
export function write<T>(databases: Databases, act: GatewayAct, story: Story<T>): Promise<T> {
  const { mode, action, gateway, by, shown } = act;
  return databases[mode].write(
    async (tx) => {
      const done = await story(tx);
      const difference =
        shown === undefined ? null : { fields: ["secret"], before: null, after: { secret: shown } };
      await recordAct(tx, { actorName: by, action, subject: gateway, difference });
      return done;
    },
    { actor: operator },
  );
}

// `gateways.connect`: a vendor sends its notices here, signed with a secret that is not copied by hand.

/**
 * Has the vendor send its notices here, and stores the secret that signs them; the former one holds until the next.
 * The secret that may do that is asked for, and not stored.
 */
export async function connect(
  databases: Databases,
  terms: GatewayCommandTerms,
  { input, by }: { readonly input: unknown; readonly by: string | null },
): Promise<{ readonly url: string } & GatewayChange> {
  const mode = readMode(input);
  const vendor = getVendor(terms.vendors, textMember(input, "gateway"));
  const { id: gateway } = vendor;
  const setup = textMember(input, "secret");
  const fault = secretFault(vendor, mode, setup);
  if (fault !== null) throw gatewaySecretInvalid({ detail: `The secret ${fault}.` });
  const { publicUrl } = terms.config;
  if (publicUrl === null) {
    const detail = `${settings.publicUrl.name} must be set: notices come to it.`;
    throw gatewayNeedsSetting({ detail });
  }
  requireSettings(vendor, mode, terms);
  const given = givenCredentials(vendor, mode, terms.config);
  if (given !== null) {
    throw gatewayNeedsSetting({
      detail: `${given.setting} is set and comes before what is stored.`,
    });
  }
  const database = databases[mode];
  const found = await findVendorTerms(vendor, { mode, database }, terms);
  if (found === null) {
    const detail = `Store the secret of the shop first: duka gateways set ${gateway} --mode ${mode}`;
    throw gatewayNotConnected({ detail });
  }
  const url = `${publicUrl}${noticePath(mode, gateway)}`;
  const connection = await vendor.connect?.({ ...found, secret: setup }, url);
  if (connection === undefined) {
    throw gatewayNotConnected({ detail: `${gateway} has no endpoints that can be set up.` });
  }
  if (connection.kind === "refused") throw gatewayNotConnected({ detail: connection.detail });
  const webhookSecrets = [connection.webhookSecret, ...found.webhookSecrets.slice(0, 1)];
  const { secret } = found;
  const display = shownSecret(vendor, mode, secret);
  await write(databases, { mode, action: "gateways connect", gateway, by }, (tx) =>
    setAccount(tx, { gateway, mode, secret, webhookSecrets, display, by }),
  );
  return { url, ...(await changed(terms, gateway, mode)) };
}

// `gateways.check`: what a vendor says of the account, and whether its notices come in.

/** Asks the vendor, and changes nothing. */
export async function check(
  databases: Databases,
  terms: GatewayCommandTerms,
  input: unknown,
): Promise<{ readonly lines: readonly CheckedLine[] }> {
  const mode = readMode(input);
  const vendor = getVendor(terms.vendors, textMember(input, "gateway"));
  try {
    const database = databases[mode];
    const found = await findVendorTerms(vendor, { mode, database }, terms);
    if (found === null)
      return { lines: [{ ok: false, text: `There is no secret of ${mode} mode.` }] };
    const { address, secret } = found;
    const own = { ok: true, text: `${shownSecret(vendor, mode, secret)} at ${address}` };
    const reported = (await vendor.check?.(found)) ?? [];
    const url = `${terms.config.publicUrl ?? settings.publicUrl.name}${noticePath(mode, vendor.id)}`;
    const record = await findNoticeRecord(database.read, vendor.id);
    return { lines: [own, ...reported, noticesLine(record, { mode, url })] };
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return { lines: [{ ok: false, text: "The stored secret cannot be read: set it again." }] };
  }
}

/** A test shop that no vendor reaches works by polls, so that a missing notice is a fault in live mode alone. */
function noticesLine(
  { lastAt, paid, unnoticed }: NoticeRecord,
  { mode, url }: { readonly mode: Mode; readonly url: string },
): CheckedLine {
  const last = lastAt === null ? "none has come yet" : `the last one came at ${toIso(lastAt)}`;
  const isMissing = paid > 0 && unnoticed === paid;
  const polled = isMissing
    ? ` Polls found the last ${paid} payments that were paid: is the webhook set?`
    : "";
  return {
    ok: !isMissing || mode === "test",
    text: `Notices come to ${url}; ${last}.${polled}`,
  };
}
