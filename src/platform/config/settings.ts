// The table of all settings: default, unit, range, and the reasons for them. The program, `duka
// config` and the README use this table.

import { logFormats } from "#platform/log/log-format.ts";
import { logLevels } from "#platform/process/environment.ts";

import { acmeSettings } from "./acme-settings.ts";
import { mailSettings } from "./mail-settings.ts";
import { backupBucket, backupPrefix, mediaSettings } from "./media-settings.ts";
import {
  contact,
  host,
  hostsOrRanges,
  hostUrl,
  oneOf,
  onOff,
  origins,
  path,
  postgresUrl,
  proxies,
  publicUrl,
  schedule,
  sealingKeys,
  type Setting,
  type SettingValue,
  token,
  wholeNumber,
} from "./setting.ts";
import { paymentSettings, vendorSettings } from "./vendor-settings.ts";

/** The settings of backups: when they are made, where they are, and how many are kept. */
const backupSettings = {
  backupSchedule: {
    name: "DUKA_BACKUP_SCHEDULE",
    kind: schedule,
    default: null,
    unit: null,
    meaning: "When the server makes a backup, such as 30 3 * * * for 03:30 each day.",
    reason: "Off: a trial needs no backups, and only the operator knows the shop's quiet hour.",
  },
  backupFolder: {
    name: "DUKA_BACKUP_FOLDER",
    kind: path,
    default: null,
    unit: null,
    meaning: "The folder of the backups; by default backups in the data directory.",
    reason: "Use another disk, so that one fault does not take databases and backups.",
  },
  backupKeep: {
    name: "DUKA_BACKUP_KEEP",
    kind: wholeNumber(1, 10_000),
    default: 7,
    unit: "backups",
    meaning: "How many backups of this shop the schedule keeps; older ones are deleted.",
    reason: "A week of daily backups; the newest one always stays.",
  },
  copyEndpoint: backupBucket.endpoint,
  copyBucket: backupBucket.bucket,
  copyPrefix: backupPrefix,
  copyKey: backupBucket.key,
  copySecret: backupBucket.secret.value,
  copySecretFile: backupBucket.secret.file,
  copyRegion: backupBucket.region,
} satisfies Readonly<Record<string, Setting<SettingValue>>>;

export const settings = {
  host: {
    name: "DUKA_HOST",
    kind: host,
    default: "127.0.0.1",
    unit: null,
    meaning: "The address to listen on.",
    reason: "Loopback: a fresh install is not reachable from the network.",
  },
  port: {
    name: "DUKA_PORT",
    kind: wholeNumber(0, 65_535),
    default: 4000,
    unit: "port",
    meaning: "The port to listen on; 0 takes any free one. Without it PORT is read.",
    reason: "Above 1023, so that root is not needed.",
  },
  dataDirectory: {
    name: "DUKA_DATA_DIR",
    kind: path,
    default: "./data",
    unit: null,
    meaning: "The directory of the databases, the lock and the administrative socket.",
    reason: "Beside the program, so that a trial leaves nothing elsewhere.",
  },
  ...mediaSettings,
  allowSharedFiles: {
    name: "DUKA_ALLOW_SHARED_FILES",
    kind: onOff,
    default: false,
    unit: null,
    meaning: "Whether other users of the machine may have access to files of the data directory.",
    reason: "Off: they contain customers, orders and the key of all secrets.",
  },
  diskReserve: {
    name: "DUKA_DISK_RESERVE",
    kind: wholeNumber(0, 1_000_000),
    default: null,
    unit: "MiB",
    meaning:
      "The free space below which test mode and publishable keys change nothing; 0 keeps none.",
    reason:
      "By default the smaller of 1 GiB and 5 % of the disk, so that strangers cannot fill it before live orders find room.",
  },
  testMode: {
    name: "DUKA_TEST_MODE",
    kind: oneOf(["on", "off"]),
    default: "on" as const,
    unit: null,
    meaning: "Whether the server has a test mode: its keys, pages, inbox and background work.",
    reason: "On: a fresh install is tried out; a live server that needs no tests offers less.",
  },
  publicUrl: {
    name: "DUKA_PUBLIC_URL",
    kind: publicUrl,
    default: null,
    unit: null,
    meaning: "The URL at which customers and gateways reach this server.",
    reason:
      "By default the host and port it listens on, which only works on one machine: the server answers to no other name.",
  },
  dashboard: {
    name: "DUKA_DASHBOARD",
    kind: oneOf(["on", "off"]),
    default: "on" as const,
    unit: null,
    meaning: "Whether the server has a dashboard, under /dashboard.",
    reason: "On: a fresh install is run from it; a server of programs alone offers less.",
  },
  dashboardUrl: {
    name: "DUKA_DASHBOARD_URL",
    kind: hostUrl,
    default: null,
    unit: null,
    meaning: "The URL of the dashboard, if it has a host of its own.",
    reason: "By default the public URL; no other page shares the origin of a host of its own.",
  },
  requestsPerMinute: {
    name: "DUKA_RATE_LIMIT_PER_MINUTE",
    kind: wholeNumber(0, 1_000_000),
    default: 1_000,
    unit: "requests in any 60 s, per store and mode",
    meaning: "The limit of all secret keys together; 0 means none.",
    reason: "The limit that the API reference states; each request is remembered for 60 s.",
  },
  addressReadsPerMinute: {
    name: "DUKA_ADDRESS_READS_PER_MINUTE",
    kind: wholeNumber(0, 1_000_000),
    default: 600,
    unit: "requests in any 60 s, per client address and mode",
    meaning: "The limit of reads with publishable keys; 0 means no limit.",
    reason: "Many visitors of a mobile carrier share one address; a script has one of its own.",
  },
  addressWritesPerMinute: {
    name: "DUKA_ADDRESS_WRITES_PER_MINUTE",
    kind: wholeNumber(0, 1_000_000),
    default: 120,
    unit: "requests in any 60 s, per client address and mode",
    meaning: "The limit of writes with publishable keys; 0 means no limit.",
    reason: "A checkout takes about ten writes; a write costs more than a read.",
  },
  storefrontPerMinute: {
    name: "DUKA_STOREFRONT_REQUESTS_PER_MINUTE",
    kind: wholeNumber(0, 10_000_000),
    default: 60_000,
    unit: "requests in any 60 s, per mode",
    meaning:
      "The limit of all publishable keys together, above which only networks are refused that had their share; 0 means none.",
    reason:
      "What one machine answers with room to spare; no visitor is refused for what others do.",
  },
  storefrontServers: {
    name: "DUKA_STOREFRONT_SERVERS",
    kind: proxies,
    default: [],
    unit: null,
    meaning:
      "The servers that render a storefront with a publishable key: the visitor whom X-Forwarded-For names is counted; without it the request is not.",
    reason:
      "None: requests of such a server come from many visitors, but from one address. Name this machine, too, if it renders one.",
  },
  idempotencyHours: {
    name: "DUKA_IDEMPOTENCY_HOURS",
    kind: wholeNumber(1, 720),
    default: 96,
    unit: "hours",
    meaning: "How long the response to an Idempotency-Key is stored; to a web page, a day at most.",
    reason: "Longer than the last webhook attempt (91 h); not for ever: responses contain names.",
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
    meaning: "The proxies whose X-Forwarded-For is trusted.",
    reason: "None: other senders of the header could choose their own address.",
  },
  allowPlainHttp: {
    name: "DUKA_ALLOW_PLAIN_HTTP",
    kind: onOff,
    default: false,
    unit: null,
    meaning: "Whether to serve a network without TLS and without a trusted proxy.",
    reason: "Off: API keys would be readable on the network.",
  },
  testLoopback: {
    name: "DUKA_TEST_LOOPBACK",
    kind: onOff,
    default: false,
    unit: null,
    meaning: "Whether webhooks of test mode may go to this machine in any case.",
    reason: "Off: they may where the server listens on loopback without DUKA_PUBLIC_URL.",
  },
  testDoors: {
    name: "DUKA_TEST_DOORS",
    kind: onOff,
    default: false,
    unit: null,
    meaning:
      "Whether the example storefront, unsigned messages to the inbox, and pages of no origin stay once a live key was used.",
    reason: "Off: they need no key, and a shop that sells has strangers.",
  },
  testWebhookHosts: {
    name: "DUKA_TEST_WEBHOOK_HOSTS",
    kind: hostsOrRanges,
    default: [],
    unit: null,
    meaning:
      "The hosts and ranges of addresses to which webhooks of test mode may go although they are private, over plain HTTP too.",
    reason: "None: name those of receivers in containers. Webhooks of live mode never go there.",
  },
  corsOrigins: {
    name: "DUKA_CORS_ORIGINS",
    kind: origins,
    default: [],
    unit: null,
    meaning:
      "The web sites whose pages may call the API; http://localhost:* is any port, for test keys only.",
    reason: "None: only a site that uses a publishable key needs to be named.",
  },
  ...acmeSettings,
  ...paymentSettings,
  ...mailSettings,
  logLevel: {
    name: "DUKA_LOG_LEVEL",
    kind: oneOf(logLevels),
    default: "info" as const,
    unit: null,
    meaning: "The lowest level of lines written to stderr.",
    reason: "Everything an operator acts on, without a line per request.",
  },
  logFormat: {
    name: "DUKA_LOG_FORMAT",
    kind: oneOf(logFormats),
    default: "auto" as const,
    unit: null,
    meaning: "The form of those lines: pretty for people, json for programs.",
    reason: "Pretty at a terminal, JSON where stderr is a file or a pipe.",
  },
  shutdownSeconds: {
    name: "DUKA_SHUTDOWN_SECONDS",
    kind: wholeNumber(0, 600),
    default: 20,
    unit: "seconds",
    meaning: "How long requests in flight may take after SIGTERM.",
    reason: "Less than the 30 s after which Kubernetes kills a process.",
  },
  securityContact: {
    name: "DUKA_SECURITY_CONTACT",
    kind: contact,
    default: null,
    unit: null,
    meaning: "Where vulnerabilities are reported, for /.well-known/security.txt.",
    reason: "None: only the operator knows who reads the reports.",
  },
  metricsToken: {
    name: "DUKA_METRICS_TOKEN",
    kind: token,
    default: null,
    unit: null,
    meaning: "The bearer token that gives access to /metrics.",
    reason:
      "None: only this machine has access, and without a public URL alone, because the figures reveal how much a shop sells.",
    isSecret: true,
  },
  secretKey: {
    name: "DUKA_SECRET_KEY",
    kind: sealingKeys,
    default: null,
    unit: null,
    meaning: "The key that encrypts the secrets of webhooks and links, and signs backups.",
    reason: "By default a key is created once in the file secret.key of the data directory.",
    isSecret: true,
  },
  ...backupSettings,
  databaseUrl: {
    name: "DUKA_DATABASE_URL",
    kind: postgresUrl,
    default: null,
    unit: null,
    meaning: "The PostgreSQL database to use instead of files.",
    reason: "By default the shop is in files of the data directory, served by one program.",
    isSecret: true,
  },
  databaseConnections: {
    name: "DUKA_DATABASE_CONNECTIONS",
    kind: wholeNumber(4, 1_000),
    default: 24,
    unit: "connections",
    meaning: "The most connections to PostgreSQL of one program, for both modes together.",
    reason: "Four programs fit into PostgreSQL's default of 100 connections.",
  },
} satisfies Readonly<Record<string, Setting<SettingValue>>>;

/** Those, and the settings of each vendor of gateways. */
export const allSettings: readonly Setting<SettingValue>[] = [
  ...Object.values(settings),
  ...vendorSettings,
];
