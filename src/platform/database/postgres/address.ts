// Parses the address of a PostgreSQL server. Several hosts may be named, as in libpq; the shop uses
// the one that is the primary.

import { isLoopback } from "#platform/net/addresses.ts";

/** A server that may be the primary. */
export interface PostgresHost {
  readonly hostname: string;
  readonly port: number;
}

export interface PostgresAddress {
  /** Never empty. */
  readonly hosts: readonly PostgresHost[];
  readonly database: string;
  readonly username: string;
  readonly password: string;
  readonly tls: "disable" | "prefer" | "require" | "verify-full";
  /** Hosts and database for messages, without user and password. */
  readonly label: string;
}

const DEFAULT_PORT = 5432;
const SCHEME = /^postgres(?:ql)?:\/\//;
const SHAPE = /^(?:([^@/?#]*)@)?([^@/?#]*)(?:\/([^/?#]*))?(?:\?([^#]*))?$/;
const EXAMPLE = "postgres://user:password@host:port/database";
const tlsModes = ["disable", "prefer", "require", "verify-full"] as const;

/**
 * Parses `postgres://user:password@host:port,host:port/database?sslmode=require`. Throws
 * RangeError, whose message never repeats the address, because the password may be anywhere in it.
 */
export function parsePostgresAddress(text: string): PostgresAddress {
  const [login = "", places = "", database = "", query = ""] = splitAddress(text);
  const [username = "", password = ""] = login.split(/:(.*)/s).map(decoded);
  const named = { user: username, host: places, database };
  for (const [part, name] of Object.entries(named)) {
    if (name === "") throw new RangeError(`names no ${part}: ${EXAMPLE}`);
  }
  const hosts = places.split(",").map(readHost);
  const tls = readTlsMode(new URLSearchParams(query), hosts);
  const name = decoded(database);
  const label = `${hosts.map(({ hostname, port }) => `${hostname}:${port}`).join(",")}/${name}`;
  return { hosts, database: name, username, password, tls, label };
}

/** User and password, hosts, database and options. */
function splitAddress(text: string): (string | undefined)[] {
  if (!SCHEME.test(text)) throw new RangeError(`must begin with postgres://: ${EXAMPLE}`);
  const parts = SHAPE.exec(text.replace(SCHEME, ""));
  if (parts !== null) return parts.slice(1);
  throw new RangeError("has a @ / ? or # too many: write those of a password as %40 %2F %3F %23");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RangeError("has a % that begins no percent-encoded character");
  }
}

function readHost(text: string, index: number): PostgresHost {
  const [, bracketed, plain, port = String(DEFAULT_PORT)] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const hostname = bracketed ?? plain;
  const number = Number(port);
  if (hostname === undefined) throw new RangeError(`host ${index + 1} is neither name nor address`);
  if (number < 1 || number > 65_535) throw new RangeError(`host ${index + 1} has an invalid port`);
  return { hostname, port: number };
}

/**
 * Uses libpq's names. Unknown options are refused: ignoring one could weaken security. Without an
 * sslmode a server that offers no TLS would be sent password and customers in clear text, so that is
 * allowed on this machine only.
 */
function readTlsMode(
  options: URLSearchParams,
  hosts: readonly PostgresHost[],
): PostgresAddress["tls"] {
  for (const name of options.keys()) {
    if (name !== "sslmode") throw new RangeError("knows no option but sslmode");
  }
  const given = options.get("sslmode");
  if (given === null && !hosts.every(({ hostname }) => isThisMachine(hostname))) {
    throw new RangeError(
      "names a host on a network and no sslmode, so password and data could cross it readable: add " +
        "?sslmode=verify-full, or accept it with ?sslmode=disable",
    );
  }
  const asked = given ?? "prefer";
  const mode = tlsModes.find((one) => one === asked);
  if (mode === undefined) throw new RangeError(`has an sslmode other than ${tlsModes.join(", ")}`);
  return mode;
}

function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || isLoopback(hostname);
}
