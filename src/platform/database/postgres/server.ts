// The connections of one schema to the primary among the named hosts. When a connection is lost the
// primary is searched again, so that a promoted standby is found without a restart.

import type { ReservedSQL, SQL } from "bun";

import { monotonicMs } from "#kernel/time.ts";

import type { PostgresAddress, PostgresHost } from "./address.ts";
import { isLostConnection, NoPrimary, translatePostgresError } from "./errors.ts";

/** How long a host may take to accept a connection, seconds. */
const CONNECT_SECONDS = 5;
/** How long statements on a replaced pool may take to finish, seconds. */
const FINISH_SECONDS = 1;
/** Pause between two searches for the primary, milliseconds. */
const SEARCH_PAUSE_MS = 100;
/** How long a search may take before callers get the error, milliseconds. */
const SEARCH_MS_MAX = 5_000;
/** An idle transaction keeps its locks at most this long, milliseconds. */
const IDLE_IN_TRANSACTION_MS = 30_000;
/** How long a statement waits for a lock, milliseconds. */
const LOCK_MS = 20_000;
/** How often connections of other programs are looked for, and the pause between, milliseconds. */
const LOOKS_MAX = 20;
const LOOK_PAUSE_MS = 100;
/** Unused connections are closed before a firewall drops them, seconds. */
const UNUSED_SECONDS = 200;

interface PostgresServerTerms {
  readonly address: PostgresAddress;
  /** The search path of the connections. */
  readonly schema: string;
  readonly connectionsMax: number;
}

/** The host that takes writes, and its connections. */
interface Primary {
  readonly host: PostgresHost;
  readonly pool: SQL;
}

export class PostgresServer {
  readonly #terms: PostgresServerTerms;
  #pool: SQL;
  #host: PostgresHost;
  #searching: Promise<void> | null = null;
  #checking: Promise<void> | null = null;
  #searchedAtMs = 0;
  /** Connections of the pool that wait for the answer to an abandoned COMMIT. */
  #waiting = 0;
  #isClosed = false;

  private constructor(terms: PostgresServerTerms, { host, pool }: Primary) {
    this.#terms = terms;
    this.#host = host;
    this.#pool = pool;
  }

  /** Connects to the primary. Throws NoPrimary if there is none. */
  static async open(terms: PostgresServerTerms): Promise<PostgresServer> {
    return new PostgresServer(terms, await findPrimary(terms));
  }

  /** The rows of one statement in the driver's form. Retried once if the connection is lost. */
  async ask(text: string, values: unknown[] = []): Promise<unknown[][]> {
    try {
      try {
        return await this.#pool.unsafe(text, values).values();
      } catch (error) {
        if (!isLostConnection(error)) throw error;
        await this.#searchPrimary();
        return await this.#pool.unsafe(text, values).values();
      }
    } catch (error) {
      throw translatePostgresError(error, text);
    }
  }

  /** Takes a connection out of the pool until it is released. Throws the errors of `errors.ts`. */
  async reserve(): Promise<ReservedSQL> {
    try {
      try {
        return await this.#pool.reserve();
      } catch (error) {
        if (!isLostConnection(error)) throw error;
        await this.#searchPrimary();
        return await this.#pool.reserve();
      }
    } catch (error) {
      throw translatePostgresError(error, "");
    }
  }

  /**
   * Counts a reserved connection whose COMMIT was abandoned, until it is answered. When the pool has
   * no other left, it is replaced, so that later stories are refused and do not wait as well.
   */
  async setAside(unanswered: Promise<void>): Promise<void> {
    this.#waiting += 1;
    const pool = this.#pool;
    if (this.#waiting >= this.#terms.connectionsMax) this.#replacePool(this.#host, 0);
    await unanswered;
    if (pool === this.#pool) this.#waiting -= 1;
  }

  /** Searches the primary again after a connection was lost. */
  async reconnect(): Promise<void> {
    try {
      await this.#searchPrimary();
    } catch (error) {
      // The next statement throws it.
      if (!(error instanceof NoPrimary)) throw error;
    }
  }

  /**
   * Checks a server that has not answered for long. If it is not a primary that accepts
   * connections, replaces the pool, so that pending statements fail as lost. If it is only slow,
   * nothing changes.
   */
  async checkPrimary(): Promise<void> {
    this.#checking ??= this.#checkHost().finally(() => (this.#checking = null));
    await this.#checking;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#checking?.catch(() => {});
    await this.#searching?.catch(() => {});
    await this.#pool.close({ timeout: 1 });
  }

  #searchPrimary(): Promise<void> {
    this.#searching ??= this.#search().finally(() => (this.#searching = null));
    return this.#searching;
  }

  async #search(): Promise<void> {
    const beganAtMs = monotonicMs();
    for (;;) {
      await Bun.sleep(Math.max(0, this.#searchedAtMs + SEARCH_PAUSE_MS - monotonicMs()));
      this.#searchedAtMs = monotonicMs();
      if (this.#isClosed) return;
      try {
        this.#switchTo(await this.#findHost());
        return;
      } catch (error) {
        if (monotonicMs() - beganAtMs + SEARCH_PAUSE_MS > SEARCH_MS_MAX) throw error;
      }
    }
  }

  async #checkHost(): Promise<void> {
    try {
      this.#switchTo(await this.#findHost());
    } catch (error) {
      if (!(error instanceof NoPrimary)) throw error;
      this.#replacePool(this.#host, 0);
    }
  }

  /** Asks with one connection to each host: the pool may have all of those that this program may open. */
  async #findHost(): Promise<PostgresHost> {
    const { host, pool } = await findPrimary({ ...this.#terms, connectionsMax: 1 });
    closePool(pool, 0);
    return host;
  }

  #switchTo(host: PostgresHost): void {
    if (host.hostname === this.#host.hostname && host.port === this.#host.port) return;
    this.#replacePool(host, FINISH_SECONDS);
  }

  /** Statements on the old pool have this many seconds to finish, then fail as lost. */
  #replacePool(host: PostgresHost, seconds: number): void {
    if (this.#isClosed) return;
    closePool(this.#pool, seconds);
    this.#host = host;
    this.#pool = openPool(this.#terms, host);
    this.#waiting = 0;
  }
}

/** How many connections other Dukas have. The server lists those of one that ended for a moment, so that is waited for. */
export async function otherConnections(server: Pick<PostgresServer, "ask">): Promise<number> {
  for (let look = 1; ; look += 1) {
    // Within a transaction the statistics are one snapshot unless it is cleared.
    await server.ask("SELECT pg_stat_clear_snapshot()");
    const others = await server.ask(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
         AND application_name LIKE 'duka%' AND pid <> pg_backend_pid()`,
    );
    if (others.length === 0 || look === LOOKS_MAX) return others.length;
    await Bun.sleep(LOOK_PAUSE_MS);
  }
}

/**
 * The first host that reports to be the primary, with the pool that asked it: what it opened is used on. All are asked
 * at once, so that a silent host causes no delay.
 */
async function findPrimary(terms: PostgresServerTerms): Promise<Primary> {
  const { hosts, label } = terms.address;
  const asked = hosts.map((host) => ({ host, pool: openPool(terms, host) }));
  let primary: Primary | undefined;
  try {
    primary = await Promise.any(
      asked.map(async (one) => {
        const [row] = await one.pool.unsafe("SELECT pg_is_in_recovery()").values();
        if (row?.[0] === false) return one;
        throw new Error(`${one.host.hostname}:${one.host.port} is a standby`);
      }),
    );
    return primary;
  } catch (error) {
    const reasons = error instanceof AggregateError ? error.errors : [error];
    throw new NoPrimary(label, reasons.at(-1));
  } finally {
    for (const one of asked) if (one !== primary) closePool(one.pool, 0);
  }
}

function openPool(
  { address, schema, connectionsMax }: PostgresServerTerms,
  host: PostgresHost,
): SQL {
  return new Bun.SQL({
    adapter: "postgres",
    url: urlOf(address, host),
    max: connectionsMax,
    connectionTimeout: CONNECT_SECONDS,
    idleTimeout: UNUSED_SECONDS,
    connection: {
      search_path: schema,
      application_name: "duka",
      default_transaction_isolation: "read committed",
      idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
      lock_timeout: String(LOCK_MS),
    },
  });
}

/** Statements on it have this many seconds to finish. */
function closePool(pool: SQL, seconds: number): void {
  void pool.close({ timeout: seconds }).catch(() => {});
}

function urlOf({ username, password, database, tls }: PostgresAddress, host: PostgresHost): string {
  const { hostname, port } = host;
  const place = `${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
  const login = [username, password].map(encodeURIComponent).join(":");
  return `postgres://${login}@${place}/${encodeURIComponent(database)}?sslmode=${tls}`;
}

// Requirements on a PostgreSQL server, checked at every start: acknowledged commits must be on its
// disk.

/** The oldest tested version, in the form of server_version_num. */
const VERSION_MIN = 140_000;

/** The server does not meet the requirements; nothing was changed on it. */
export class UnusableServer extends Error {
  constructor(faults: readonly string[]) {
    super(`This PostgreSQL server cannot be used for a shop: ${faults.join("; ")}.`);
    this.name = "UnusableServer";
  }
}

/** Throws UnusableServer with every requirement that is not met. */
export async function requireUsable(server: PostgresServer): Promise<void> {
  const [row = []] = await server.ask(`
    SELECT current_setting('server_version_num')::int, current_setting('server_version'),
      current_setting('server_encoding'), current_setting('synchronous_commit'),
      current_setting('transaction_isolation'), current_setting('search_path')`);
  const [number, version, encoding, commit, isolation] = row;
  const faults: string[] = [];
  if (Number(number) < VERSION_MIN)
    faults.push(`it is version ${String(version)}, and 14 is the oldest supported`);
  if (encoding !== "UTF8")
    faults.push(`its database is encoded in ${String(encoding)}, and must be UTF8`);
  if (commit === "off") {
    faults.push("synchronous_commit is off, so acknowledged orders could be lost");
  }
  if (isolation !== "read committed") {
    faults.push(
      "it ignores the settings of a connection, as a pooler in transaction mode does: connect to the " +
        "server directly, or use a pooler in session mode",
    );
  }
  if (faults.length > 0) throw new UnusableServer(faults);
}
