// The connections of one schema, to whichever of the named hosts is the primary. When a connection is
// lost the primary is looked for anew, so that a standby which was promoted is found without a restart.

import { type ReservedSQL, SQL } from "bun";

import { monotonicMs } from "#kernel/time.ts";

import type { PostgresAddress, PostgresHost } from "./address.ts";
import { isLostConnection, NoPrimary, translatePostgresError } from "./errors.ts";

/** How long a host has to answer, seconds. */
const CONNECT_SECONDS = 5;
/** How long what runs may take to end where another host is the primary now, seconds. */
const LAST_WORDS_SECONDS = 1;
/** Between two searches for a primary, milliseconds: a host that refuses is not asked without pause. */
const SEARCH_PAUSE_MS = 100;
/** How long somebody waits for a primary before they are told no, milliseconds. */
const SEARCH_MS_MAX = 5_000;
/** A transaction whose program stands still keeps its locks this long, milliseconds. */
const IDLE_IN_TRANSACTION_MS = 30_000;
/** How long a statement waits for what another transaction holds, milliseconds. */
const LOCK_MS = 20_000;
/** Unused connections are ended before a firewall on the way forgets them, seconds. */
const UNUSED_SECONDS = 200;

export interface PostgresServerTerms {
  readonly address: PostgresAddress;
  /** Where names without a schema belong. */
  readonly schema: string;
  readonly connectionsMax: number;
}

export class PostgresServer {
  readonly #terms: PostgresServerTerms;
  #pool: SQL;
  #host: PostgresHost;
  #searching: Promise<void> | null = null;
  #doubting: Promise<void> | null = null;
  #searchedAtMs = 0;
  #isClosed = false;

  private constructor(terms: PostgresServerTerms, host: PostgresHost) {
    this.#terms = terms;
    this.#host = host;
    this.#pool = openPool(terms, host);
  }

  /** Connects to the primary. Throws NoPrimary where there is none. */
  static async open(terms: PostgresServerTerms): Promise<PostgresServer> {
    return new PostgresServer(terms, await findPrimary(terms));
  }

  /** The rows of one statement, as the driver has them. Tried once more where the connection was lost. */
  async ask(text: string, values: unknown[] = []): Promise<unknown[][]> {
    try {
      try {
        return await this.#pool.unsafe(text, values).values();
      } catch (error) {
        if (!isLostConnection(error)) throw error;
        await this.#lost();
        return await this.#pool.unsafe(text, values).values();
      }
    } catch (error) {
      throw translatePostgresError(error, text);
    }
  }

  /** A connection for oneself, until it is released. Throws in the words of `errors.ts`. */
  async reserve(): Promise<ReservedSQL> {
    try {
      try {
        return await this.#pool.reserve();
      } catch (error) {
        if (!isLostConnection(error)) throw error;
        await this.#lost();
        return await this.#pool.reserve();
      }
    } catch (error) {
      throw translatePostgresError(error, "");
    }
  }

  /** Somebody's connection failed: the primary may be another one by now. */
  async lost(): Promise<void> {
    try {
      await this.#lost();
    } catch (error) {
      // Whoever asks next is told.
      if (!(error instanceof NoPrimary)) throw error;
    }
  }

  /**
   * Nothing was answered for long. Where the host is no primary that answers new connections either,
   * whoever waits is told that theirs are lost; else it is slow, and nothing changes.
   */
  async doubt(): Promise<void> {
    this.#doubting ??= this.#lookAtHost().finally(() => (this.#doubting = null));
    await this.#doubting;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#doubting?.catch(() => {});
    await this.#searching?.catch(() => {});
    await this.#pool.close({ timeout: 1 });
  }

  #lost(): Promise<void> {
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
        this.#turnTo(await findPrimary(this.#terms));
        return;
      } catch (error) {
        if (monotonicMs() - beganAtMs + SEARCH_PAUSE_MS > SEARCH_MS_MAX) throw error;
      }
    }
  }

  async #lookAtHost(): Promise<void> {
    try {
      this.#turnTo(await findPrimary(this.#terms));
    } catch (error) {
      if (!(error instanceof NoPrimary)) throw error;
      this.#replacePool(this.#host, 0);
    }
  }

  #turnTo(host: PostgresHost): void {
    if (host.hostname === this.#host.hostname && host.port === this.#host.port) return;
    this.#replacePool(host, LAST_WORDS_SECONDS);
  }

  /** What runs on the connections until now has so long to end; then it is told that they are lost. */
  #replacePool(host: PostgresHost, seconds: number): void {
    if (this.#isClosed) return;
    const before = this.#pool;
    this.#host = host;
    this.#pool = openPool(this.#terms, host);
    void before.close({ timeout: seconds }).catch(() => {});
  }
}

/** Whichever host says first that it takes writes: one that swallows the question keeps nobody waiting. */
async function findPrimary(terms: PostgresServerTerms): Promise<PostgresHost> {
  const { hosts, told } = terms.address;
  const probes = hosts.map((host) => ({
    host,
    pool: openPool({ ...terms, connectionsMax: 1 }, host),
  }));
  try {
    return await Promise.any(
      probes.map(async ({ host, pool }) => {
        const [row] = await pool.unsafe("SELECT pg_is_in_recovery()").values();
        if (row?.[0] === false) return host;
        throw new Error(`${host.hostname}:${host.port} is a standby`);
      }),
    );
  } catch (error) {
    const reasons = error instanceof AggregateError ? error.errors : [error];
    throw new NoPrimary(told, reasons.at(-1));
  } finally {
    for (const { pool } of probes) void pool.close({ timeout: 0 }).catch(() => {});
  }
}

function openPool(
  { address, schema, connectionsMax }: PostgresServerTerms,
  host: PostgresHost,
): SQL {
  return new SQL({
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

function urlOf({ username, password, database, tls }: PostgresAddress, host: PostgresHost): string {
  const { hostname, port } = host;
  const place = `${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
  const login = [username, password].map(encodeURIComponent).join(":");
  return `postgres://${login}@${place}/${encodeURIComponent(database)}?sslmode=${tls}`;
}
