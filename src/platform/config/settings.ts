// Every setting there is, in one table: its default, unit, range, and the reason of both. What the
// program reads, what `duka config` prints and what the README lists all come from here.

import { logLevels } from "#platform/process/log-level.ts";

import {
  host,
  type Kind,
  oneOf,
  onOff,
  origins,
  path,
  postgresUrl,
  proxies,
  publicUrl,
  schedule,
  sealingKey,
  token,
  wholeNumber,
} from "./kinds.ts";

export interface Setting<T> {
  readonly name: `DUKA_${string}`;
  readonly kind: Kind<T>;
  /** What holds when it is not set; null where there is no such thing then. */
  readonly default: T | null;
  /** What the number counts, null for words. */
  readonly unit: string | null;
  readonly meaning: string;
  /** Why this default and this range. */
  readonly reason: string;
  readonly isSecret?: true;
}

/** What a setting can hold. */
export type SettingValue = string | number | boolean | readonly string[] | null;

/** A setting that always has a value. */
export interface SettingWithDefault<T> extends Setting<T> {
  readonly default: T;
}

export const settings = {
  host: {
    name: "DUKA_HOST",
    kind: host,
    default: "127.0.0.1",
    unit: null,
    meaning: "The address to listen on.",
    reason: "Loopback: a fresh install is not on the network until somebody says so.",
  },
  port: {
    name: "DUKA_PORT",
    kind: wholeNumber(0, 65_535),
    default: 4000,
    unit: "port",
    meaning: "The port to listen on; 0 takes any free one.",
    reason: "Above 1023, so that no root is needed.",
  },
  dataDirectory: {
    name: "DUKA_DATA_DIR",
    kind: path,
    default: "./data",
    unit: null,
    meaning: "The directory of the databases, the lock and the administrative socket.",
    reason: "Beside the program, so that a trial leaves nothing elsewhere.",
  },
  publicUrl: {
    name: "DUKA_PUBLIC_URL",
    kind: publicUrl,
    default: null,
    unit: null,
    meaning: "Where customers and gateways reach this server.",
    reason: "Else the host and the port it got, which is right on one machine only.",
  },
  requestsPerMinute: {
    name: "DUKA_RATE_LIMIT_PER_MINUTE",
    kind: wholeNumber(0, 1_000_000),
    default: 1_000,
    unit: "requests in any 60 s, per store and mode",
    meaning: "How many requests are answered; 0 sets no limit.",
    reason: "The limit the interface document promises; each request is remembered for 60 s.",
  },
  idempotencyHours: {
    name: "DUKA_IDEMPOTENCY_HOURS",
    kind: wholeNumber(1, 720),
    default: 96,
    unit: "hours",
    meaning: "How long the answer to an Idempotency-Key is kept.",
    reason: "Longer than the last webhook attempt (91 h); a month at most, answers hold names.",
  },
  tlsCertificate: {
    name: "DUKA_TLS_CERT",
    kind: path,
    default: null,
    unit: null,
    meaning: "The certificate chain (PEM) to serve HTTPS with.",
    reason: "Together with DUKA_TLS_KEY, or not at all.",
  },
  tlsKey: {
    name: "DUKA_TLS_KEY",
    kind: path,
    default: null,
    unit: null,
    meaning: "The private key (PEM) of that certificate.",
    reason: "Together with DUKA_TLS_CERT, or not at all.",
  },
  trustedProxies: {
    name: "DUKA_TRUSTED_PROXIES",
    kind: proxies,
    default: [],
    unit: null,
    meaning: "The proxies whose X-Forwarded-For is believed.",
    reason: "None: whoever else sent that header could choose the address it is known by.",
  },
  allowPlainHttp: {
    name: "DUKA_ALLOW_PLAIN_HTTP",
    kind: onOff,
    default: false,
    unit: null,
    meaning: "Whether to serve a network without TLS and without a trusted proxy.",
    reason: "Off: API keys would cross the network readable.",
  },
  corsOrigins: {
    name: "DUKA_CORS_ORIGINS",
    kind: origins,
    default: [],
    unit: null,
    meaning: "The web sites whose pages may call the interface.",
    reason: "None: a browser holds no secret key; name a site that uses a storefront key.",
  },
  logLevel: {
    name: "DUKA_LOG_LEVEL",
    kind: oneOf(logLevels),
    default: "info" as const,
    unit: null,
    meaning: "The least severe lines to write to stderr.",
    reason: "What an operator acts on, without a line for every request.",
  },
  shutdownSeconds: {
    name: "DUKA_SHUTDOWN_SECONDS",
    kind: wholeNumber(0, 600),
    default: 20,
    unit: "seconds",
    meaning: "How long requests in flight may take after SIGTERM.",
    reason: "Less than the 30 s after which Kubernetes kills.",
  },
  metricsToken: {
    name: "DUKA_METRICS_TOKEN",
    kind: token,
    default: null,
    unit: null,
    meaning: "Opens /metrics to whoever sends it as a bearer token.",
    reason: "Without it only this machine reads them: they tell how much a shop sells.",
    isSecret: true,
  },
  secretKey: {
    name: "DUKA_SECRET_KEY",
    kind: sealingKey,
    default: null,
    unit: null,
    meaning: "The key that the signing secrets of webhooks are sealed with.",
    reason: "Else a key is made once and kept in the data directory, in the file secret.key.",
    isSecret: true,
  },
  backupSchedule: {
    name: "DUKA_BACKUP_SCHEDULE",
    kind: schedule,
    default: null,
    unit: null,
    meaning: "When the serving program backs itself up, such as 30 3 * * * for 03:30 each day.",
    reason: "Off: a trial fills no disk, and only its owner knows the quiet hour of a shop.",
  },
  backupFolder: {
    name: "DUKA_BACKUP_FOLDER",
    kind: path,
    default: null,
    unit: null,
    meaning: "Where backups are kept; backups in the data directory if it is not set.",
    reason: "Name one on another disk: what takes the databases may take their neighbors.",
  },
  backupKeep: {
    name: "DUKA_BACKUP_KEEP",
    kind: wholeNumber(1, 10_000),
    default: 7,
    unit: "backups",
    meaning: "How many backups of this shop the schedule leaves; older ones are deleted.",
    reason: "A week of daily ones; the one just made always stays.",
  },
  databaseUrl: {
    name: "DUKA_DATABASE_URL",
    kind: postgresUrl,
    default: null,
    unit: null,
    meaning: "The PostgreSQL database to use in place of the files.",
    reason: "Else the shop is in files of the data directory, and one program serves it.",
    isSecret: true,
  },
  databaseConnections: {
    name: "DUKA_DATABASE_CONNECTIONS",
    kind: wholeNumber(4, 1_000),
    default: 24,
    unit: "connections",
    meaning:
      "How many connections to PostgreSQL one program opens at most, for both modes together.",
    reason: "Four programs fit into the 100 that a PostgreSQL takes when nobody has told it more.",
  },
} satisfies Readonly<Record<string, Setting<SettingValue>>>;

/** The names of all settings. */
export const settingNames: readonly string[] = Object.values(settings).map(({ name }) => name);
