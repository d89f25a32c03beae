// Makes the gateways of vendors from what the operator set or stored, at the start and whenever that changes.
// Invariant: a live secret goes to its vendor alone, and no message repeats a secret.

import { type Clock, realClock } from "#kernel/time.ts";
import {
  type Credentials,
  findStoredCredentials,
  formerOf,
  listAccounts,
} from "#payments/gateways/accounts.ts";
import { isCustomId, listCustom } from "#payments/gateways/known-gateways.ts";
import { unknownOf } from "#payments/gateways/registry.ts";
import {
  addressFault,
  publicUrlFault,
  secretFault,
  secretTexts,
  signsWithSecret,
  splitWebhookSecrets,
  type Vendor,
  vendorAddressOf,
  type VendorTerms,
  webhookSecretsFault,
} from "#payments/gateways/vendors.ts";
import type { Gateway } from "#payments/port/gateway.ts";
import { noticePath } from "#payments/port/notice.ts";
import type { Config } from "#platform/config/config.ts";
import { settings } from "#platform/config/settings.ts";
import type { Database } from "#platform/database/database.ts";
import { type Mode, modes, type Shop } from "#platform/database/shop.ts";
import type { Log } from "#platform/log/log.ts";
import { ConfigFaults, type SettingFault } from "#platform/process/environment.ts";
import { PollLoop } from "#platform/scheduler/poll-loop.ts";
import { SealBroken } from "#platform/vault/vault.ts";
import { findConnectionsVersion } from "#shop/store/lookups.ts";

import type { OpenedShops, Shops } from "./open-shops.ts";

/** Vendors, and what the operator set of them. */
export interface VendorConfig {
  readonly vendors: readonly Vendor[];
  readonly config: Pick<Config, "vendors" | "publicUrl" | "gateways" | "testReach">;
  /** The machine's clock by default. */
  readonly clockOf?: ((mode: Mode) => Clock) | undefined;
  /** Called with how far the clock of a vendor is from this machine's, milliseconds. */
  readonly onSkew?: ((skewMs: number) => void) | undefined;
}

/** The credentials that the environment has for the vendor; null if it has none. */
export function givenCredentials(
  vendor: Vendor,
  mode: Mode,
  { vendors }: Pick<Config, "vendors">,
): (Credentials & { readonly setting: string }) | null {
  const given = vendors[vendor.id];
  const secret = given?.secret[mode] ?? null;
  if (secret === null) return null;
  const webhookSecret = given?.webhookSecret[mode]?.text;
  return {
    secret: secret.text,
    setting: secret.setting,
    webhookSecrets: webhookSecret === undefined ? [] : splitWebhookSecrets(webhookSecret),
  };
}

/**
 * The terms of which a gateway of the vendor is made; null without credentials. Those of the environment come before
 * stored ones. Throws SealBroken for stored ones that this shop's key does not open at their place.
 */
export async function findVendorTerms(
  vendor: Vendor,
  { mode, database }: Pick<Shop, "mode" | "database">,
  { config, clockOf = () => realClock, onSkew }: VendorConfig,
): Promise<VendorTerms | null> {
  const address = vendorAddressOf(vendor, mode, config.vendors[vendor.id]?.url ?? null);
  const terms = {
    mode,
    clock: clockOf(mode),
    address,
    onSkew: mode === "live" ? onSkew : undefined,
  };
  const given = givenCredentials(vendor, mode, config);
  if (given !== null) {
    const { secret, webhookSecrets } = given;
    return { ...terms, secret, webhookSecrets };
  }
  const stored = await findStoredCredentials(database.read, vendor.id, mode);
  if (stored === undefined) return null;
  const { secret, webhookSecrets, setAt } = stored;
  return signsWithSecret(vendor)
    ? { ...terms, secret, webhookSecrets: [], former: formerOf(webhookSecrets, setAt) }
    : { ...terms, secret, webhookSecrets };
}

/** Throws ConfigFaults for settings of vendors with which no shop may start. Names settings, and repeats no secret. */
async function refuseFaultyVendors(shops: Shops, { vendors, config }: VendorConfig): Promise<void> {
  const faults: SettingFault[] = [];
  let hasLive = false;
  for (const vendor of vendors) {
    const held = await modesWithSecret(vendor, shops, config);
    hasLive ||= held.includes("live");
    faults.push(...settingFaults(vendor, held, config));
  }
  const fault = hasLive ? publicUrlFault(config.publicUrl) : null;
  if (fault !== null) faults.push({ setting: settings.publicUrl.name, detail: fault });
  if (faults.length > 0) throw new ConfigFaults(faults);
}

async function modesWithSecret(
  vendor: Vendor,
  shops: Shops,
  config: VendorConfig["config"],
): Promise<Mode[]> {
  const held: Mode[] = [];
  for (const mode of modes) {
    const stored = await listAccounts(shops[mode].database.read);
    const isStored = stored.some(({ gateway }) => gateway === vendor.id);
    if (isStored || givenCredentials(vendor, mode, config) !== null) held.push(mode);
  }
  return held;
}

function settingFaults(
  vendor: Vendor,
  held: readonly Mode[],
  { vendors }: VendorConfig["config"],
): SettingFault[] {
  const given = vendors[vendor.id];
  if (given === undefined) return [];
  const found = modes.flatMap((mode) => {
    const secret = given.secret[mode];
    const signing = given.webhookSecret[mode];
    return [
      secret && { setting: secret.setting, detail: secretFault(vendor, mode, secret.text) },
      signing && {
        setting: signing.setting,
        detail: webhookSecretsFault(vendor, splitWebhookSecrets(signing.text)),
      },
    ];
  });
  const address = { setting: given.urlSetting, detail: addressFault(vendor, given.url, held) };
  return [...found, address].flatMap((fault) =>
    fault === null || fault.detail === null ? [] : [{ ...fault, detail: fault.detail }],
  );
}

/**
 * Afterwards both shops have a gateway of each vendor that they have credentials of. Returns what makes those of a mode
 * anew, from what is stored then. Throws ConfigFaults, see `refuseFaultyVendors`.
 */
export async function openGateways(
  shops: OpenedShops,
  terms: VendorConfig & { readonly log: Log },
): Promise<(mode: Mode) => Promise<void>> {
  await refuseFaultyVendors(shops, terms);
  let turn: Promise<unknown> = Promise.resolve();
  const reopen = (mode: Mode) => {
    // One after the other: what was read first is not used last.
    const next = Promise.allSettled([turn]).then(() => openGatewaysOf(shops, mode, terms));
    turn = next;
    return next;
  };
  shops.reopening.gateways = reopen;
  await Promise.all(modes.map(reopen));
  refuseUnknownGateways(shops, terms);
  return reopen;
}

/** Between two looks, milliseconds: so soon another program asks a gateway that was added here. */
const FOLLOW_MS = 2_000;

/**
 * Makes the gateways of a shop anew where another program that shares it changed what they are, from what is stored
 * when it starts.
 */
class GatewayFollower {
  readonly #database: Database;
  readonly #reopen: () => Promise<void>;
  readonly #loop: PollLoop;
  #seen: number | undefined;

  constructor(database: Database, reopen: () => Promise<void>, onFault: (error: unknown) => void) {
    this.#database = database;
    this.#reopen = reopen;
    const poll = () => this.poll();
    this.#loop = new PollLoop({ what: "The gateways", poll, onFault, pauseMs: () => FOLLOW_MS });
  }

  start(): void {
    this.#loop.start(FOLLOW_MS);
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async poll(): Promise<void> {
    const version = await findConnectionsVersion(this.#database.read);
    if (version === this.#seen) return;
    await this.#reopen();
    // Last: what failed is done again.
    this.#seen = version;
  }
}

/** Only in a shared shop another program may change what the gateways are. */
export function followGateways(shops: Shops, mode: Mode, log: Log): GatewayFollower[] {
  const { database, reopenGateways } = shops[mode];
  if (!database.isShared) return [];
  return [
    new GatewayFollower(database, reopenGateways, (error) =>
      log.error("The gateways could not be opened anew.", { mode, error }),
    ),
  ];
}

/**
 * Throws ConfigFaults for names of gateways that the shop cannot have: their order would mean nothing. One of the
 * merchant's own may be removed, or not added yet.
 */
function refuseUnknownGateways(
  shops: Shops,
  { vendors, config: { gateways }, log }: VendorConfig & { readonly log: Log },
): void {
  const variables = { test: settings.testGateways, live: settings.gateways };
  const unknown = modes.flatMap((mode) =>
    unknownOf(gateways[mode], [...shops[mode].gateways, ...vendors]).map((id) => ({
      id,
      setting: variables[mode].name,
      detail: `"${id}" is no gateway of the ${mode} shop`,
    })),
  );
  const faults = unknown.filter(({ id }) => !isCustomId(id));
  if (faults.length > 0) throw new ConfigFaults(faults);
  for (const { id: gateway, setting } of unknown) {
    log.warn("The shop has no such gateway of its own.", { setting, gateway });
  }
}

/** A stored secret that cannot be read is reported, and its gateway is left out. No line of the log shows the others. */
async function openGatewaysOf(
  shops: OpenedShops,
  mode: Mode,
  terms: VendorConfig & { readonly log: Log },
): Promise<void> {
  const { vendors, log } = terms;
  const gateways: Gateway[] = [];
  for (const vendor of vendors) {
    try {
      const found = await findVendorTerms(vendor, shops[mode], terms);
      if (found === null) continue;
      const { secret, webhookSecrets, former } = found;
      const others = former === undefined ? webhookSecrets : [...webhookSecrets, former.secret];
      log.hide([...secretTexts(vendor, secret), ...others]);
      gateways.push(vendor.construct(found));
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      log.error("The stored secret of a gateway cannot be read: set it again.", {
        gateway: vendor.id,
        mode,
        error,
      });
    }
  }
  gateways.push(...(await customGatewaysOf(shops, mode, terms)));
  await shops.useGateways(mode, gateways);
}

/** Those of the merchant's own come after the others. */
async function customGatewaysOf(
  shops: OpenedShops,
  mode: Mode,
  { config, log }: VendorConfig & { readonly log: Log },
): Promise<readonly Gateway[]> {
  const notifyUrlOf = (id: string) => {
    const origin = config.publicUrl ?? shops.address.url;
    return origin === "" ? null : `${origin}${noticePath(mode, id)}`;
  };
  const { read } = shops[mode].database;
  const place = { mode, testReach: config.testReach };
  if ((await listCustom(read)).length === 0) return [];
  const { openCustomGateways } = await import("#payments/gateways/http/open-custom.ts");
  const { gateways, secrets, unreadable } = await openCustomGateways(read, place, notifyUrlOf);
  log.hide(secrets);
  for (const { remedy, ...facts } of unreadable) {
    log.error(`A gateway of the shop's own cannot be read: ${remedy}.`, { ...facts, mode });
  }
  return gateways;
}
