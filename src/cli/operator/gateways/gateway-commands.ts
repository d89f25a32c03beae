// The commands of the administrative socket for secrets of gateways. Input is validated here, since it may come from the
// command line of another version. Invariant: no answer and no refusal repeats a secret.

import type { Databases } from "#cli/operator/key-commands.ts";
import { listMember, member, textMember } from "#cli/operator/members.ts";
import { toIso } from "#kernel/time.ts";
import { givenCredentials, type VendorConfig } from "#open-gateways.ts";
import {
  findStoredCredentials,
  listAccounts,
  removeAccount,
  setAccount,
  type ShownAccount,
} from "#payments/gateways/accounts.ts";
import { isCustomId } from "#payments/gateways/known-gateways.ts";
import {
  secretFault,
  shownSecret,
  signsWithSecret,
  type Vendor,
  webhookSecretsFault,
} from "#payments/gateways/vendors.ts";
import { type Mode, modes } from "#platform/database/shop.ts";
import type { Commands } from "#platform/operator/serve-administration.ts";
import { SealBroken } from "#platform/vault/vault.ts";

import { checkOwn, customCommands, ownLines, removeOwn } from "./custom-acts.ts";
import {
  changed,
  check,
  connect,
  type GatewayChange,
  type GatewayCommandTerms,
  gatewaySecretInvalid,
  getVendor,
  readMode,
  requireSettings,
  write,
} from "./gateway-acts.ts";

/** The input of `gateways.set`. */
export interface SetGatewayInput {
  readonly gateway: string;
  readonly mode: Mode;
  readonly secret: string;
  /** Null leaves those that are stored. */
  readonly webhookSecrets: readonly string[] | null;
}

/** A secret as `duka gateways list --json` prints it. */
export interface GatewayLine {
  readonly gateway: string;
  readonly mode: Mode;
  /** Such as `sk_live_…1234`. */
  readonly secret: string;
  readonly has_webhook_secret: boolean;
  /** The name of a setting, or `stored`; of a gateway of the shop's own the URL of its adapter. */
  readonly source: string;
  readonly state: "in use" | "overridden" | "unreadable" | "unknown gateway" | "new" | "retired";
  /** Null for a secret of the environment. */
  readonly set_at: string | null;
  readonly set_by: string | null;
}

/** The commands of gateways. */
export function gatewayCommands(databases: Databases, terms: GatewayCommandTerms): Commands {
  return {
    "gateways.set": async (input, by = null) =>
      set(databases, terms, { ...readSetInput(input), by }),
    "gateways.remove": async (input, by = null) => {
      const mode = readMode(input);
      const gateway = textMember(input, "gateway");
      if (isCustomId(gateway)) return removeOwn(databases, terms, { id: gateway, mode, by });
      await write(databases, { mode, action: "gateways remove", gateway, by }, (tx) =>
        removeAccount(tx, gateway),
      );
      return changed(terms, gateway, mode);
    },
    "gateways.connect": async (input, by = null) => connect(databases, terms, { input, by }),
    "gateways.list": () => list(databases, terms),
    "gateways.check": async (input, by = null) => {
      const id = textMember(input, "gateway");
      if (!isCustomId(id)) return check(databases, terms, input);
      return { lines: await checkOwn(databases, terms, { id, mode: readMode(input), by }) };
    },
    ...customCommands(databases, terms),
  };
}

async function set(
  databases: Databases,
  terms: GatewayCommandTerms,
  input: SetGatewayInput & { readonly by: string | null },
): Promise<GatewayChange> {
  const { gateway, mode, secret, webhookSecrets, by } = input;
  const vendor = getVendor(terms.vendors, gateway);
  const fault = secretFault(vendor, mode, secret);
  if (fault !== null) throw gatewaySecretInvalid({ detail: `The secret ${fault}.` });
  const signing = webhookSecretsFault(vendor, webhookSecrets ?? []);
  if (signing !== null) throw gatewaySecretInvalid({ detail: `The webhook secret ${signing}.` });
  requireSettings(vendor, mode, terms);
  const display = shownSecret(vendor, mode, secret);
  const signsNotices = signsWithSecret(vendor);
  await write(databases, { mode, action: "gateways set", gateway, by, shown: display }, (tx) =>
    setAccount(tx, { gateway, mode, secret, webhookSecrets, signsNotices, display, by }),
  );
  return changed(terms, gateway, mode);
}

async function list(
  databases: Databases,
  { vendors, config }: GatewayCommandTerms,
): Promise<GatewayLine[]> {
  const lines: GatewayLine[] = [];
  for (const mode of modes) {
    const given = vendors.flatMap((vendor) => givenLine(vendor, mode, config));
    const { read } = databases[mode];
    const stored = await Promise.all(
      (await listAccounts(read)).map(async (account) => {
        const { gateway } = account;
        if (given.some((one) => one.gateway === gateway))
          return storedLine(account, mode, "overridden");
        const vendor = vendors.find(({ id }) => id === gateway);
        if (vendor === undefined) return storedLine(account, mode, "unknown gateway");
        const isReadable = await isStoredReadable(databases, mode, gateway);
        // A vendor that signs with its secret has no other: what is stored beside it is the former one.
        const hasWebhookSecrets = account.hasWebhookSecrets && vendor.webhookPrefix !== null;
        const shown = { ...account, hasWebhookSecrets };
        return storedLine(shown, mode, isReadable ? "in use" : "unreadable");
      }),
    );
    lines.push(...given, ...stored, ...(await ownLines(databases, mode)));
  }
  return lines;
}

function givenLine(vendor: Vendor, mode: Mode, config: VendorConfig["config"]): GatewayLine[] {
  const given = givenCredentials(vendor, mode, config);
  if (given === null) return [];
  return [
    {
      gateway: vendor.id,
      mode,
      secret: shownSecret(vendor, mode, given.secret),
      has_webhook_secret: given.webhookSecrets.length > 0,
      source: given.setting,
      state: "in use",
      set_at: null,
      set_by: null,
    },
  ];
}

function storedLine(account: ShownAccount, mode: Mode, state: GatewayLine["state"]): GatewayLine {
  return {
    gateway: account.gateway,
    mode,
    secret: account.display,
    has_webhook_secret: account.hasWebhookSecrets,
    source: "stored",
    state,
    set_at: toIso(account.setAt),
    set_by: account.setBy,
  };
}

async function isStoredReadable(
  databases: Databases,
  mode: Mode,
  gateway: string,
): Promise<boolean> {
  try {
    await findStoredCredentials(databases[mode].read, gateway, mode);
    return true;
  } catch (error) {
    if (error instanceof SealBroken) return false;
    throw error;
  }
}

function readSetInput(input: unknown): SetGatewayInput {
  const isGiven = member(input, "webhookSecrets") !== null;
  return {
    gateway: textMember(input, "gateway"),
    mode: readMode(input),
    secret: textMember(input, "secret"),
    webhookSecrets: isGiven ? listMember(input, "webhookSecrets").map(String) : null,
  };
}
