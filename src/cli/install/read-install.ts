// The options of `duka install`, and the settings of the service that they make: a file of settings that is there already
// holds, and is never changed.

import { existsSync } from "node:fs";
import { normalize } from "node:path";

import { UsageFault } from "#cli/operator/settings.ts";
import { base62, numberOf, randomBytes } from "#kernel/random.ts";
import { type Config, parseConfig } from "#platform/config/config.ts";
import { readEnvironmentFile } from "#platform/process/environment.ts";

import type { InstallOptions } from "./install-commands.ts";
import { type Machine, placeOn } from "./machine.ts";
import { SETTINGS_PATH } from "./unit.ts";

/** The service that is installed. */
export interface Service {
  readonly user: string;
  readonly config: Config;
  /** The text of the file of settings; null if there is one. */
  readonly newSettings: string | null;
}

const DATA_DIRECTORY = "/var/lib/duka";
/** Folders that the service does not see or may not write: the unit says so. */
const CLOSED = /^\/(?:home|root|tmp|var\/tmp|run|dev|proc|sys|boot|etc|usr)(?:\/|$)/;
/** A kernel without IPv6 has no such file. */
const IPV6_PATH = "/proc/net/if_inet6";
const TOKEN_BYTES = 24;
const TOKEN_LENGTH = 33;

/** Reads the options. Throws UsageFault, or ConfigFaults for a file of settings that is there. */
export function readInstall(options: InstallOptions, machine: Machine): Service {
  if (options.envFile !== undefined) {
    throw new UsageFault(
      `The settings of the service are in ${SETTINGS_PATH}: leave --env-file out.`,
    );
  }
  const user = readUser(options.user);
  const domain = options.domain === undefined ? null : readDomain(options.domain);
  const { email = null } = options;
  if (email !== null && domain === null) throw new UsageFault("--email needs --domain.");
  const path = placeOn(machine, SETTINGS_PATH);
  if (existsSync(path)) {
    const config = parseConfig(readEnvironmentFile(path));
    requireSame(options, domain, config);
    requireEmail(email, config);
    return { user, config, newSettings: null };
  }
  const directory = readDirectory(options.dataDir ?? DATA_DIRECTORY);
  const given = settingsFor({ directory, domain, email }, machine);
  return { user, config: parseConfig(given), newSettings: textOf(given) };
}

function readUser(name: string): string {
  if (/^[a-z_][a-z0-9_-]{0,30}$/.test(name) && name !== "root") return name;
  throw new UsageFault(`--user must be the name of a user other than root, not "${name}".`);
}

/** The domain as it stands in certificates: of letters beyond ASCII its xn-- form. */
function readDomain(text: string): string {
  const host = /^[^\s/:@?#[\]\\%]+$/.test(text) ? URL.parse(`https://${text}`)?.host : undefined;
  if (host !== undefined && /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(host)) return host;
  throw new UsageFault(`--domain must be the name of a host such as shop.example, not "${text}".`);
}

function readDirectory(path: string): string {
  const isPlain = /^(?:\/[\w.-]+){2,}$/.test(path) && normalize(path) === path;
  if (isPlain && !CLOSED.test(path)) return path;
  throw new UsageFault(
    `--data-dir must be a path such as ${DATA_DIRECTORY} or /srv/duka, which the service may write, not "${path}".`,
  );
}

/** Options that the file of settings contradicts would be passed over in silence. */
function requireSame(options: InstallOptions, domain: string | null, config: Config): void {
  const { dataDirectory, publicUrl } = config;
  const directory = config.given["DUKA_DATA_DIR"] === undefined ? null : dataDirectory;
  if (directory === null) {
    throw new UsageFault(`${SETTINGS_PATH} does not name DUKA_DATA_DIR: add it there.`);
  }
  readDirectory(directory);
  if (options.dataDir !== undefined && options.dataDir !== directory) {
    throw new UsageFault(`${SETTINGS_PATH} has DUKA_DATA_DIR=${directory}: change it there.`);
  }
  if (domain !== null && publicUrl !== `https://${domain}`) {
    const told = publicUrl === null ? "no DUKA_PUBLIC_URL" : `DUKA_PUBLIC_URL=${publicUrl}`;
    throw new UsageFault(`${SETTINGS_PATH} has ${told}: change it there.`);
  }
}

function requireEmail(email: string | null, { acme }: Config): void {
  if (email === null || acme?.email === email) return;
  const told = acme === null ? "no DUKA_ACME_EMAIL" : `DUKA_ACME_EMAIL=${acme.email}`;
  throw new UsageFault(`${SETTINGS_PATH} has ${told}: change it there.`);
}

/**
 * With an email the server has its certificate signed and is reached by everybody; without one the proxy of this machine
 * has the certificate, and alone reaches the server.
 */
function settingsFor(
  {
    directory,
    domain,
    email,
  }: Readonly<{ directory: string; domain: string | null; email: string | null }>,
  machine: Machine,
): Readonly<Record<string, string>> {
  const place = { DUKA_DATA_DIR: directory };
  const local = { ...place, DUKA_HOST: "127.0.0.1", DUKA_PORT: "4000" };
  if (domain === null) return local;
  const known = {
    DUKA_PUBLIC_URL: `https://${domain}`,
    DUKA_METRICS_TOKEN: base62(numberOf(randomBytes(TOKEN_BYTES)), TOKEN_LENGTH),
  };
  if (email === null) return { ...local, ...known, DUKA_TRUSTED_PROXIES: "127.0.0.1,::1" };
  return {
    ...place,
    DUKA_HOST: existsSync(placeOn(machine, IPV6_PATH)) ? "::" : "0.0.0.0",
    DUKA_PORT: "443",
    ...known,
    DUKA_ACME_DOMAINS: domain,
    DUKA_ACME_EMAIL: email,
  };
}

function textOf(given: Readonly<Record<string, string>>): string {
  const lines = Object.entries(given).map(([name, value]) => `${name}=${value}`);
  return [
    "# The settings of the service duka; `duka guide operations` lists them all.",
    "# After a change: systemctl restart duka",
    ...lines,
    "",
  ].join("\n");
}
