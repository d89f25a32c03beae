// The settings in typed form, checked against each other, and frozen. Invariant: a Config exists
// only if every setting is valid; no setting falls back silently.

import { join, resolve } from "node:path";

import { HOUR_MS, SECOND_MS } from "#kernel/time.ts";
import type { CopyPlace } from "#platform/backup/copies.ts";
import type { DatabaseServer } from "#platform/database/open-database.ts";
import { parsePostgresAddress } from "#platform/database/postgres/address.ts";
import { type Mode, modes } from "#platform/database/shop.ts";
import type { FilePlace } from "#platform/files/file-store.ts";
import type { ServedHosts } from "#platform/http/server/listen.ts";
import type { LogOptions } from "#platform/log/log.ts";
import { type AddressRanges, isAddress, parseRanges } from "#platform/net/addresses.ts";
import {
  type Mailbox,
  readMailbox,
  readSmtpUrl,
  type SmtpServer,
} from "#platform/net/mail-addresses.ts";
import { alsoLoopback, isLoopbackHost, onlyPublic, type Reach } from "#platform/net/target-url.ts";
import { ConfigFaults, type Environment } from "#platform/process/environment.ts";

import { type GivenSetting, Intake } from "./intake.ts";
import { mailSettings } from "./mail-settings.ts";
import { readCopyPlace, readMedia } from "./read-media.ts";
import { type AcmeConfig, readAcme, readPublicUrl, readTls, refusePlainHttp } from "./read-tls.ts";
import { type GivenVendor, readVendors } from "./read-vendors.ts";
import { hasPath, hostOfOrigin, type Setting } from "./setting.ts";
import { allSettings, settings } from "./settings.ts";

export interface Config {
  readonly listen: {
    readonly host: string;
    /** 0 takes any free port. */
    readonly port: number;
    readonly tls: { readonly certificatePath: string; readonly keyPath: string } | null;
    readonly shutdownMs: number;
    readonly hosts: ServedHosts;
  };
  /** Null where the server has no certificate signed for itself. */
  readonly acme: AcmeConfig | null;
  /** Without a final slash; null means the address it listens on, see `publicUrlAt`. */
  readonly publicUrl: string | null;
  readonly dashboard: {
    readonly isServed: boolean;
    /** Without a final slash; null means that the dashboard has no host of its own. */
    readonly url: string | null;
  };
  /** The addresses to which webhooks of test mode may go. */
  readonly testReach: Reach;
  /** True if the doors of test mode that need no key stay open once a live key was used. */
  readonly keepsTestDoors: boolean;
  /** An absolute path. */
  readonly dataDirectory: string;
  /** The place of the files of media; null if the shop has no place for them. */
  readonly media: FilePlace | null;
  /** True if other users of the machine may have access to the files of the data directory. */
  readonly allowSharedFiles: boolean;
  /** In MiB; null means the usual share of the disk. */
  readonly diskReserveMib: number | null;
  /** The modes that are served. */
  readonly modes: readonly Mode[];
  readonly http: {
    /** 0 means no limit. */
    readonly requestsPerMinute: number;
    /** With publishable keys, by client address; 0 means no limit. */
    readonly addressReadsPerMinute: number;
    readonly addressWritesPerMinute: number;
    readonly storefrontPerMinute: number;
    readonly storefrontServers: AddressRanges;
    readonly idempotencyMs: number;
    readonly trustedProxies: AddressRanges;
    readonly corsOrigins: readonly string[];
    /** Host names beside that of the public URL. */
    readonly returnHosts: readonly string[];
  };
  /** The ids of gateways in the order in which they are asked; others come after them. */
  readonly gateways: Readonly<Record<Mode, readonly string[]>>;
  /** The settings of the vendors of gateways, by the ids of their gateways. */
  readonly vendors: Readonly<Record<string, GivenVendor>>;
  /** Keys in base64, the present one first; null means the key file in the data directory. */
  readonly secretKey: string | null;
  /** A URI; null means that there is no security.txt. */
  readonly securityContact: string | null;
  /** Null means that only this machine may read the metrics. */
  readonly metricsToken: string | null;
  readonly log: Omit<Required<LogOptions>, "write">;
  readonly mail: MailConfig;
  readonly backup: BackupConfig;
  /** The PostgreSQL server of the shop; null if its databases are files. */
  readonly server: DatabaseServer | null;
  /** The given values and their sources, for `describeConfig`. */
  readonly given: Readonly<Record<string, GivenSetting>>;
}

interface BackupConfig {
  /** A cron pattern in UTC; null if no backups are scheduled. */
  readonly schedule: string | null;
  /** An absolute path. */
  readonly folder: string;
  /** The number of backups that the schedule keeps. */
  readonly keep: number;
  /** The bucket to which each backup is copied; null if there is none. */
  readonly copies: CopyPlace | null;
}

/**
 * Reads the settings of the environment, and of a file that the environment overrides. An empty
 * value counts as not set. Throws ConfigFaults with every fault, including unknown DUKA_ names.
 */
export function parseConfig(environment: Environment, file: Environment = {}): Config {
  const intake = new Intake(environment, file);
  const directories = readDirectories(intake);
  const corsOrigins = intake.value(settings.corsOrigins);
  const [host, port] = [intake.value(settings.host), intake.value(settings.port)];
  const acme = readAcme(intake);
  const publicUrl = readPublicUrl(intake, acme, port);
  // A server that others reach would read the services of its machine to them.
  const isAlone = isLoopbackHost(host) && publicUrl === null;
  const vendors = readVendors(intake);
  const backup = readBackup(intake, directories.dataDirectory);
  const config: Config = {
    listen: readListen(intake, { host, port, acme, isAlone, ...directories }),
    acme,
    publicUrl,
    dashboard: {
      isServed: intake.value(settings.dashboard) === "on",
      url: intake.option(settings.dashboardUrl),
    },
    testReach: readTestReach(intake, isAlone),
    keepsTestDoors: intake.value(settings.testDoors),
    ...directories,
    allowSharedFiles: intake.value(settings.allowSharedFiles),
    modes: intake.value(settings.testMode) === "on" ? modes : ["live"],
    diskReserveMib: intake.option(settings.diskReserve),
    http: {
      requestsPerMinute: intake.value(settings.requestsPerMinute),
      addressReadsPerMinute: intake.value(settings.addressReadsPerMinute),
      addressWritesPerMinute: intake.value(settings.addressWritesPerMinute),
      storefrontPerMinute: intake.value(settings.storefrontPerMinute),
      storefrontServers: parseRanges(intake.value(settings.storefrontServers)),
      idempotencyMs: intake.value(settings.idempotencyHours) * HOUR_MS,
      trustedProxies: parseRanges(intake.value(settings.trustedProxies)),
      corsOrigins,
      returnHosts: intake.option(settings.returnHosts) ?? corsOrigins.map(hostOfOrigin),
    },
    gateways: { test: intake.value(settings.testGateways), live: intake.value(settings.gateways) },
    vendors,
    secretKey: intake.option(settings.secretKey),
    securityContact: intake.option(settings.securityContact),
    metricsToken: intake.option(settings.metricsToken),
    log: {
      level: intake.value(settings.logLevel),
      format: intake.value(settings.logFormat),
      secrets: secretValues(intake.given, vendors, [directories.media, backup.copies]),
    },
    mail: readMail(intake),
    backup,
    server: readServer(intake),
    given: intake.given,
  };
  refusePlainHttp(config.listen.host, intake);
  refuseDashboardBelowPath(config, intake);
  if (intake.faults.length > 0) throw new ConfigFaults(intake.faults);
  return freeze(config);
}

/** The server's public URL, given the port it listens on; without a final slash. */
export function publicUrlAt(config: Config, port: number): string {
  if (config.publicUrl !== null) return config.publicUrl;
  const { host, tls } = config.listen;
  const reachable = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  const bracketed = reachable.includes(":") ? `[${reachable}]` : reachable;
  return `${tls === null ? "http" : "https"}://${bracketed}:${port}`;
}

/** Returns true if strangers reach the server: its public URL is set, and is not this machine. */
export function isPublic({ publicUrl }: Pick<Config, "publicUrl">): boolean {
  return publicUrl !== null && !isLoopbackHost(new URL(publicUrl).hostname);
}

/**
 * Returns true if strangers may arrive from this machine, by a proxy on it. Its defaults name this machine and no
 * client, so that a request of theirs looks like one of the operator's.
 */
export function isExposed(config: Config): boolean {
  return isPublic(config) || config.http.trustedProxies.length > 0;
}

/** Several programs may serve a database: where one keeps files by itself, the others would not find them. */
function readDirectories(intake: Intake): Pick<Config, "dataDirectory" | "media"> {
  const dataDirectory = resolve(intake.value(settings.dataDirectory));
  const isServer = intake.given[settings.databaseUrl.name] !== undefined;
  const usual = isServer ? null : join(dataDirectory, "media");
  return { dataDirectory, media: readMedia(intake, usual) };
}

function readBackup(intake: Intake, dataDirectory: string): BackupConfig {
  return {
    schedule: intake.option(settings.backupSchedule),
    folder: resolve(intake.option(settings.backupFolder) ?? join(dataDirectory, "backups")),
    keep: intake.value(settings.backupKeep),
    copies: readCopyPlace(intake),
  };
}

/** The advice for a shop in PostgreSQL: a copy of the data directory would not contain it. */
export const BACK_UP_SERVER =
  "back it up with PostgreSQL's own tools (pg_dump, base backups), or copy it into a data directory with `duka db copy`";

function readServer(intake: Intake): DatabaseServer | null {
  const url = intake.option(settings.databaseUrl);
  const connectionsMax = intake.value(settings.databaseConnections);
  if (url === null) {
    refuseWithout(intake, settings.databaseConnections);
    return null;
  }
  for (const setting of [settings.backupSchedule, settings.copyEndpoint]) {
    if (intake.given[setting.name] === undefined) continue;
    intake.add(setting, `backs up files, and the shop is in PostgreSQL: ${BACK_UP_SERVER}`);
  }
  return { address: parsePostgresAddress(url), connectionsMax };
}

/** A setting of PostgreSQL would have no effect without DUKA_DATABASE_URL. */
function refuseWithout(intake: Intake, setting: Setting<unknown>): void {
  if (intake.given[setting.name] === undefined) return;
  // If the URL is given but faulty, only that fault is reported.
  if (intake.given[settings.databaseUrl.name] !== undefined) return;
  intake.add(setting, `has no effect without ${settings.databaseUrl.name}`);
}

/** The addresses to which webhooks of test mode may go beside the public internet. */
function readTestReach(intake: Intake, isAlone: boolean): Reach {
  const named = intake.value(settings.testWebhookHosts);
  const mayCallLoopback = intake.value(settings.testLoopback) || isAlone;
  return {
    ...(mayCallLoopback ? alsoLoopback : onlyPublic),
    hosts: named.filter((entry) => !isRange(entry)),
    ranges: parseRanges(named.filter(isRange)),
  };
}

function isRange(entry: string): boolean {
  return entry.includes("/") || isAddress(entry);
}

function readListen(
  intake: Intake,
  {
    host,
    port,
    acme,
    isAlone,
    dataDirectory,
  }: Pick<Config, "acme" | "dataDirectory"> &
    Pick<Config["listen"], "host" | "port"> & { readonly isAlone: boolean },
): Config["listen"] {
  return {
    host,
    port,
    tls: readTls(intake, { acme, dataDirectory }),
    shutdownMs: intake.value(settings.shutdownSeconds) * SECOND_MS,
    hosts: readHosts(intake, isAlone),
  };
}

/** A server with a public URL, or behind a proxy of the operator's, has names that only they know. */
function readHosts(intake: Intake, isAlone: boolean): ServedHosts {
  if (isAlone) return "local";
  const isNamed = [settings.publicUrl, settings.trustedProxies].some(
    ({ name }) => intake.given[name] !== undefined,
  );
  return intake.value(settings.allowPlainHttp) && !isNamed ? "network" : "any";
}

/** The pages of the dashboard, and the link of the first owner, would lead to another server of the host. */
function refuseDashboardBelowPath({ publicUrl, dashboard }: Config, intake: Intake): void {
  if (publicUrl === null || !hasPath(publicUrl)) return;
  if (!dashboard.isServed || intake.given[settings.dashboardUrl.name] !== undefined) return;
  intake.add(
    settings.publicUrl,
    "has a path, below which there is no dashboard. Give the dashboard a host of its own with " +
      "DUKA_DASHBOARD_URL, or serve none with DUKA_DASHBOARD=off",
  );
}

/** Freezes a tree of plain objects and arrays. */
function freeze<T extends object>(tree: T): T {
  for (const branch of Object.values(tree)) {
    if (typeof branch === "object" && branch !== null) freeze(branch);
  }
  return Object.freeze(tree);
}

/** The values of secret settings that are given, for a log that shows none of them: those in files included; of several in one setting each on its own, too. */
function secretValues(
  given: Readonly<Record<string, Pick<GivenSetting, "text">>>,
  vendors: Readonly<Record<string, GivenVendor>>,
  places: readonly (FilePlace | CopyPlace | null)[],
): string[] {
  const texts = allSettings
    .filter(({ isSecret }) => isSecret === true)
    .flatMap(({ name }) => given[name]?.text ?? []);
  const ofVendors = Object.values(vendors)
    .flatMap(({ secret, webhookSecret }) => [secret, webhookSecret])
    .flatMap(({ test, live }) => [test?.text ?? [], live?.text ?? []].flat());
  const ofBuckets = places.flatMap((place) =>
    place !== null && "bucket" in place ? place.bucket.secret : [],
  );
  const several = [given[settings.secretKey.name]?.text ?? "", ...ofVendors];
  const parts = several.flatMap((text) => text.split(",").map((part) => part.trim()));
  return [...new Set([...texts, ...ofVendors, ...ofBuckets, ...parts])].filter(
    (text) => text !== "",
  );
}

/** The settings of emails to customers. */
export interface MailConfig {
  /** Null means that no email leaves this program. */
  readonly server: SmtpServer | null;
  /** Not null beside a server. */
  readonly from: Mailbox | null;
}

/** Reads both settings, the second of which the first one needs. */
function readMail(intake: Intake): MailConfig {
  const url = intake.option(mailSettings.smtpUrl);
  const from = intake.option(mailSettings.mailFrom);
  if (url !== null && intake.given[mailSettings.mailFrom.name] === undefined) {
    intake.add(mailSettings.mailFrom, `must be set with ${mailSettings.smtpUrl.name}`);
  }
  return {
    server: url === null ? null : readSmtpUrl(url),
    from: from === null ? null : readMailbox(from),
  };
}
