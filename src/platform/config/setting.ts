// Declares a setting, and kinds of them: how each is parsed, and the description of its range. The error of a kind that
// may be secret never repeats the value.

import { parsePostgresAddress } from "#platform/database/postgres/address.ts";
import { ANY_LOCAL_PORT } from "#platform/http/server/cors.ts";
import { isAddress, parseRanges } from "#platform/net/addresses.ts";
import { readPattern } from "#platform/scheduler/scheduler.ts";
import { parseKeys } from "#platform/vault/keys.ts";

const TOKEN_MIN = 16;
const TOKEN_MAX = 256;

export interface Kind<T> {
  /** The allowed values, for the manual. */
  readonly range: string;
  /** The parsed value. Throws a RangeError, written to follow "DUKA_X: ". */
  read(text: string): T;
}

/** A whole number, both bounds included. */
export function wholeNumber(least: number, most: number): Kind<number> {
  const range = `${least} to ${most}`;
  return {
    range,
    read(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (value >= least && value <= most) return value;
      throw new RangeError(`"${text}" is not a whole number from ${range}`);
    },
  };
}

/** One of several words. */
export function oneOf<const W extends string>(words: readonly W[]): Kind<W> {
  return {
    range: words.join(", "),
    read(text) {
      const word = words.find((candidate) => candidate === text);
      if (word !== undefined) return word;
      throw new RangeError(`"${text}" is not one of ${words.join(", ")}`);
    },
  };
}

/** A switch: 1 is on, 0 is off. Other words are refused, because programs disagree about them. */
export const onOff: Kind<boolean> = {
  range: "0 or 1",
  read(text) {
    if (text === "0" || text === "1") return text === "1";
    throw new RangeError(`"${text}" is neither 0 nor 1`);
  },
};

/** A path. Whether it exists is checked where it is used. */
export const path: Kind<string> = { range: "a path", read: (text) => text };

/** An address or host name to listen on. */
export const host: Kind<string> = {
  range: "an IP address or a host name",
  read(text) {
    const isName = /^[A-Za-z0-9][A-Za-z0-9.-]*$/.test(text) && !/^[\d.]+$/.test(text);
    if (isName || isAddress(text)) return text;
    throw new RangeError(`"${text}" is neither an IP address nor a host name`);
  },
};

/** A public URL, kept without a final slash so that paths can be appended. */
export const publicUrl: Kind<string> = {
  range: "an http or https URL",
  read(text) {
    const url = parseWebUrl(text);
    if (url.search !== "" || url.hash !== "") {
      throw new RangeError("must have neither a query nor a fragment");
    }
    return url.href.replace(/\/+$/, "");
  },
};

/** A public URL without a path: the links of its pages begin at the root of their host. */
export const hostUrl: Kind<string> = {
  range: "an http or https URL without a path",
  read(text) {
    const url = publicUrl.read(text);
    if (hasPath(url)) throw new RangeError("must have no path");
    return url;
  },
};

/** Returns true if a public URL has a path. */
export function hasPath(url: string): boolean {
  return new URL(url).pathname !== "/";
}

/** Origins as browsers send them: scheme, host and port only (RFC 6454). */
export const origins: Kind<readonly string[]> = {
  range: "origins, separated by commas",
  read: (text) =>
    splitList(text).map((entry, index) => {
      if (entry === "*") {
        throw new RangeError("* would allow every web site: name the origins");
      }
      if (entry === ANY_LOCAL_PORT) return entry;
      if (entry.includes("*")) {
        throw new RangeError(`"${entry}" has a wildcard: the only one is ${ANY_LOCAL_PORT}`);
      }
      const { origin } = parseWebUrl(entry, `entry ${index + 1} `);
      if (origin !== entry) throw new RangeError(`"${entry}" is not an origin such as ${origin}`);
      return origin;
    }),
};

/** The host name of an allowed origin. */
export function hostOfOrigin(origin: string): string {
  return new URL(origin === ANY_LOCAL_PORT ? "http://localhost" : origin).hostname;
}

/** Hosts, without ports. */
export const hosts: Kind<readonly string[]> = {
  range: "host names and IP addresses, separated by commas",
  read: (text) => splitList(text).map((entry) => host.read(entry).toLowerCase()),
};

/** Names such as those of gateways, each once. */
export const names: Kind<readonly string[]> = {
  range: "names in lower case, separated by commas",
  read(text) {
    const list = splitList(text);
    for (const [index, name] of list.entries()) {
      if (!/^[a-z][a-z0-9_-]*$/.test(name)) throw new RangeError(`"${name}" is not a name`);
      if (list.indexOf(name) < index) throw new RangeError(`"${name}" is named twice`);
    }
    return list;
  },
};

/** Hosts, without ports, and ranges of addresses. */
export const hostsOrRanges: Kind<readonly string[]> = {
  range: "host names, IP addresses and CIDR blocks, separated by commas",
  read: (text) =>
    splitList(text).map((entry) => {
      if (!entry.includes("/")) return host.read(entry).toLowerCase();
      parseRanges([entry]);
      return entry;
    }),
};

/** Addresses and ranges of proxies. */
export const proxies: Kind<readonly string[]> = {
  range: "IP addresses and CIDR blocks, separated by commas",
  read(text) {
    const list = splitList(text);
    parseRanges(list);
    return list;
  },
};

/** A cron pattern. */
export const schedule: Kind<string> = {
  range: "a cron pattern in UTC: minute hour day month weekday",
  read: readPattern,
};

/** The address of a PostgreSQL server. Errors never repeat it, because it contains a password. */
export const postgresUrl: Kind<string> = {
  range: "postgres://user:password@host:port/database, with more hosts between commas",
  read(text) {
    parsePostgresAddress(text);
    return text;
  },
};

/** The address to which people report something: a URI (RFC 9116, 2.5.3). */
export const contact: Kind<string> = {
  range: "a mailto:, https: or tel: URI",
  read(text) {
    if (/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+?[\d-]+)$/.test(text)) return text;
    throw new RangeError(`"${text}" is not a URI such as mailto:security@shop.example`);
  },
};

/** A bearer token, long enough not to be guessed. Errors never repeat it. */
export const token: Kind<string> = {
  range: `${TOKEN_MIN} to ${TOKEN_MAX} characters without spaces`,
  read(text) {
    if (/[^\x21-\x7e]/.test(text)) throw new RangeError("has a space or a letter beyond ASCII");
    if (text.length >= TOKEN_MIN && text.length <= TOKEN_MAX) return text;
    throw new RangeError(`has ${text.length} characters, not ${TOKEN_MIN} to ${TOKEN_MAX}`);
  },
};

/** A secret of a vendor, which is validated against the vendor where it is used. Errors never repeat it. */
export const secrets: Kind<string> = { range: "a secret of the vendor", read: (text) => text };

/** An encryption key, and former ones while a rotation is unfinished. Errors never repeat them. */
export const sealingKeys: Kind<string> = {
  range: "32 bytes in base64; former keys may follow after commas",
  read(text) {
    if (parseKeys(text) !== null) return text;
    if (text.includes(",")) throw new RangeError("has a key that is not 32 bytes in base64");
    const bytes = Buffer.from(text, "base64");
    const isBase64 = bytes.toString("base64") === text;
    throw new RangeError(isBase64 ? `has ${bytes.length} bytes, not 32` : "is not base64");
  },
};

/** Splits a list at commas; an empty entry is refused as a probable mistake. */
function splitList(text: string): string[] {
  const entries = text.split(",").map((entry) => entry.trim());
  const empty = entries.indexOf("");
  if (empty !== -1) throw new RangeError(`entry ${empty + 1} is empty`);
  return entries;
}

/** The URL. A fault begins with `part`, where the setting has several. */
function parseWebUrl(text: string, part = ""): URL {
  if (!/^https?:\/\//i.test(text)) {
    throw new RangeError(`${part}must begin with http:// or https://`);
  }
  const url = URL.parse(text);
  if (url === null) throw new RangeError(`${part}has an invalid host or port`);
  if (url.username !== "" || url.password !== "") {
    throw new RangeError(`${part}must not contain a user name or a password`);
  }
  return url;
}

export interface Setting<T> {
  readonly name: `DUKA_${string}`;
  readonly kind: Kind<T>;
  /** The default; null if there is none. */
  readonly default: T | null;
  /** The unit of a number; null for words. */
  readonly unit: string | null;
  readonly meaning: string;
  /** The reason for this default and range. */
  readonly reason: string;
  readonly isSecret?: true;
}

/** The values that a setting can have. */
export type SettingValue = string | number | boolean | readonly string[] | null;

/** A setting that has a default. */
export interface SettingWithDefault<T> extends Setting<T> {
  readonly default: T;
}
