// Where a PostgreSQL is, as its operator wrote it. More than one host may be named, as libpq has it: then
// the shop is on whichever of them is the primary.

/** One server that may be the primary. */
export interface PostgresHost {
  readonly hostname: string;
  readonly port: number;
}

export interface PostgresAddress {
  /** In the order in which they are tried; never empty. */
  readonly hosts: readonly PostgresHost[];
  readonly database: string;
  readonly username: string;
  readonly password: string;
  readonly tls: "disable" | "prefer" | "require" | "verify-full";
  /** Without user and password, for people. */
  readonly told: string;
}

const DEFAULT_PORT = 5432;
const SHAPE = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^@/?#]+)\/([^/?#]+)(?:\?([^#]*))?$/;
const tlsModes = ["disable", "prefer", "require", "verify-full"] as const;

/**
 * Reads `postgres://user:password@host:port,host:port/database?sslmode=require`. Throws RangeError,
 * which never repeats what was written, since a password may be anywhere in it.
 */
export function parsePostgresAddress(text: string): PostgresAddress {
  const [, login = "", places = "", database = "", query = ""] = SHAPE.exec(text) ?? [];
  if (places === "") throw new RangeError("is not postgres://user:password@host:port/database");
  const [username = "", password = ""] = login.split(/:(.*)/s).map(decoded);
  if (username === "")
    throw new RangeError("names no user: postgres://user:password@host/database");
  const hosts = places.split(",").map(readHost);
  const tls = readTlsMode(new URLSearchParams(query));
  const name = decoded(database);
  const told = `${hosts.map(({ hostname, port }) => `${hostname}:${port}`).join(",")}/${name}`;
  return { hosts, database: name, username, password, tls, told };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RangeError("has a % that begins no percent-encoded character");
  }
}

function readHost(text: string): PostgresHost {
  const [, bracketed, plain, port = String(DEFAULT_PORT)] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const hostname = bracketed ?? plain;
  const number = Number(port);
  if (hostname === undefined || number < 1 || number > 65_535) {
    throw new RangeError("has a host that is neither name nor address, with a port or without");
  }
  return { hostname, port: number };
}

/** By the names of libpq; unknown options are refused, since none of them may be without effect. */
function readTlsMode(options: URLSearchParams): PostgresAddress["tls"] {
  for (const name of options.keys()) {
    if (name !== "sslmode") throw new RangeError("knows no option but sslmode");
  }
  const asked = options.get("sslmode") ?? "prefer";
  const mode = tlsModes.find((one) => one === asked);
  if (mode === undefined) throw new RangeError(`has an sslmode other than ${tlsModes.join(", ")}`);
  return mode;
}
