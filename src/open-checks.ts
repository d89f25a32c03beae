// Joins the checks to what they look at: the running server, or what is there without one.

import type { AskedGateway, CheckRow, Place, Served, Stored } from "#checks/check.ts";
import { Checklist } from "#checks/checklist.ts";
import { allChecks, checksOfPlace, checksOfShop } from "#checks/checks.ts";
import { measureSyncs } from "#checks/disk-syncs.ts";
import { readOpenFilesMax } from "#checks/open-files.ts";
import { askProbe } from "#checks/probe.ts";
import { realClock } from "#kernel/time.ts";
import { findNoticeRecord } from "#payments/reconciliation/notices.ts";
import type { Config } from "#platform/config/config.ts";
import type { Reader } from "#platform/database/database.ts";
import { hasDatabases, openSnapshot } from "#platform/database/open-database.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { Log } from "#platform/log/log.ts";
import type { OutsideClock } from "#platform/net/ask.ts";
import { certificateIn, readCertificate } from "#platform/net/shown-certificate.ts";
import { type DiskRoom, diskRoomOf } from "#platform/process/disk-reserve.ts";
import { lazy } from "#platform/process/lazy.ts";
import { openVault, SealBroken } from "#platform/vault/vault.ts";

import { findVendorTerms, type VendorConfig } from "./open-gateways.ts";
import type { OpenShop, Shops } from "./open-shops.ts";

export interface ChecklistTerms extends VendorConfig {
  readonly config: Config;
  readonly log: Log;
  /** By default the disk of the data directory. */
  readonly readDisk?: (() => DiskRoom) | undefined;
  /** The address at which the server answers. */
  readonly servedAt: () => string;
  readonly outsideClock: OutsideClock;
}

/** The checklists of both shops, as the server that serves them sees them. */
export function openChecklists(
  shops: Shops,
  terms: ChecklistTerms,
): Readonly<Record<Mode, Checklist<Served>>> {
  const listOf = (mode: Mode) =>
    new Checklist<Served>({
      checks: allChecks,
      mode,
      see: () => servedBy(shops, mode, terms),
      onFault: (check, error) => terms.log.error("A check could not look.", { check, error }),
    });
  return { test: listOf("test"), live: listOf("live") };
}

function servedBy(shops: Shops, mode: Mode, terms: ChecklistTerms): Served {
  const { config, readDisk, servedAt, outsideClock } = terms;
  const { database, clock } = shops[mode];
  const { publicUrl } = config;
  const { read: live, vault } = shops.live.database;
  return {
    ...placeOf(config, mode),
    ...(readDisk === undefined ? {} : { readDisk }),
    servedAt: servedAt(),
    isWritable: database.isWritable(),
    db: database.read,
    live,
    findUnsigned: () => findUnsigned(config, live),
    openFilesMax: readOpenFilesMax(),
    skewMs: outsideClock.skewMs,
    shopNow: () => clock.now(),
    // Two checks read one answer.
    probe: lazy(async () => (publicUrl === null ? null : askProbe(publicUrl, vault))),
    askGateways: () => askGateways(shops[mode], terms),
  };
}

/** Asks each vendor that the shop has a secret of about the account. */
async function askGateways(shop: OpenShop, terms: ChecklistTerms): Promise<AskedGateway[]> {
  const asked = terms.vendors.map(async (vendor): Promise<AskedGateway[]> => {
    const { id: gateway } = vendor;
    const found = await findVendorTerms(vendor, shop, terms).catch((error: unknown) => {
      if (error instanceof SealBroken) return "unreadable" as const;
      throw error;
    });
    if (found === null) return [];
    const { lastAt: noticedAt, lastPaidAt: paidAt } = await findNoticeRecord(
      shop.database.read,
      gateway,
    );
    const lines = found === "unreadable" ? [] : ((await vendor.check?.(found)) ?? []);
    const refused = lines.flatMap(({ ok, text }) => (ok ? [] : [text]));
    const unreadable = `The stored secret of ${gateway} cannot be read.`;
    return [
      { gateway, refused: found === "unreadable" ? [unreadable] : refused, noticedAt, paidAt },
    ];
  });
  return (await Promise.all(asked)).flat();
}

/** Finds out what can be told of the live shop while no server runs. Throws what keeps its databases from being read. */
export async function lookWithoutServer(
  config: Config,
  onFault: (check: string, error: unknown) => void,
): Promise<readonly CheckRow[]> {
  const { dataDirectory: directory, server, secretKey } = config;
  const mode = "live";
  const place = placeOf(config, mode);
  const databases = { directory, server };
  if (!(await hasDatabases(databases))) {
    return new Checklist<Place>({ checks: checksOfPlace, mode, see: () => place, onFault }).rows();
  }
  await using snapshot = await openSnapshot(mode, databases, openVault(directory, secretKey));
  const { reader: live } = snapshot;
  const unsigned = { findUnsigned: () => findUnsigned(config, live) };
  const stored: Stored = { ...place, ...unsigned, db: live, live };
  return await new Checklist({ checks: checksOfShop, mode, see: () => stored, onFault }).rows();
}

function placeOf(config: Config, mode: Mode): Place {
  const { dataDirectory, listen } = config;
  return {
    config,
    mode,
    now: () => realClock.now(),
    servedAt: null,
    isWritable: true,
    readDisk: () => diskRoomOf(dataDirectory),
    measureSyncs: () => measureSyncs(dataDirectory),
    // A server that cannot call itself still has the file.
    readCertificate: (url, signal) =>
      readCertificate(url, signal).catch((error: unknown) => {
        if (listen.tls === null) throw error;
        return certificateIn(listen.tls.certificatePath);
      }),
    findUnsigned: async () => null,
  };
}

/** Null as well where the server has no certificate signed for itself. */
async function findUnsigned({ acme }: Config, live: Reader): Promise<string | null> {
  if (acme === null) return null;
  const { findCertificate } = await import("#platform/acme/queries.ts");
  return (await findCertificate(live))?.problem ?? null;
}
