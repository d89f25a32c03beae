// The PostgreSQL side of a copy: both schemas in one transaction. Invariant: no other connection
// writes to the shop meanwhile, and no other Duka is connected at the beginning or the end.

import type { Clock } from "#kernel/time.ts";
import {
  DatabaseMissing,
  missingMigrations,
  SchemaMismatch,
} from "#platform/database/migrations.ts";
import type { PostgresAddress } from "#platform/database/postgres/address.ts";
import { PostgresLink } from "#platform/database/postgres/link.ts";
import { migratePostgres, postgresMigrations } from "#platform/database/postgres/migrate.ts";
import { otherConnections, PostgresServer } from "#platform/database/postgres/server.ts";
import { requireUsable } from "#platform/database/postgres/settings.ts";
import type { Mode } from "#platform/database/shop.ts";

import { CopyFault } from "./fault.ts";
import { PostgresSide } from "./postgres-schema.ts";
import { copiedModes, type PostgresColumns } from "./tables-to-copy.ts";

/** How long another transaction may keep the tables locked, seconds. */
const LOCK_SECONDS = 5;
/** The SQLSTATE of a lock timeout. */
const LOCK_TIMEOUT = "55P03";

const BUSY_TABLES =
  `Another transaction has locked the tables of the shop for ${LOCK_SECONDS} seconds. Find it in ` +
  "pg_stat_activity, end it, and try again.";

/** The schemas are read, or written. */
type CopyPart = "source" | "target";

/** Both schemas of one server under copy. Closing it before `commit` leaves them unchanged. */
export class PostgresPlace {
  readonly columns: PostgresColumns;
  readonly #address: PostgresAddress;
  readonly #server: PostgresServer;
  readonly #link: PostgresLink;

  private constructor(
    address: PostgresAddress,
    parts: { server: PostgresServer; link: PostgresLink; columns: PostgresColumns },
  ) {
    this.#address = address;
    this.#server = parts.server;
    this.#link = parts.link;
    this.columns = parts.columns;
  }

  /**
   * Begins the transaction and locks out all writers. Creates and migrates a missing target. Throws
   * CopyFault, DatabaseMissing, NoPrimary, SchemaMismatch or UnusableServer.
   */
  static async open(
    address: PostgresAddress,
    part: CopyPart,
    clock: Clock,
  ): Promise<PostgresPlace> {
    const server = await PostgresServer.open({ address, schema: "live", connectionsMax: 1 });
    try {
      await requireUsable(server);
      await requireNoOtherProgram(server, address);
      for (const mode of copiedModes) {
        const isMissing = !(await hasMigrations(server, mode));
        if (isMissing && part === "source") throw new DatabaseMissing(named(address, mode));
        if (isMissing) await migratePostgres(server, mode, { clock });
        await requireThisSchema(server, address, mode);
      }
      const columns = await readColumns(server, address);
      const link = new PostgresLink(await server.reserve());
      await beginHolding(link, part, [...columns.keys()]);
      return new PostgresPlace(address, { server, link, columns });
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  side(mode: Mode): PostgresSide {
    return new PostgresSide(named(this.#address, mode), this.#link, mode);
  }

  /** A Duka that connected meanwhile would go on using only one of the two shops. */
  async requireStillAlone(): Promise<void> {
    await requireNoOtherProgram(
      { ask: (text, values) => this.#link.ask(text, values) },
      this.#address,
    );
  }

  /** Commits both schemas together. */
  async commit(): Promise<void> {
    await this.#link.ask("COMMIT");
  }

  async close(): Promise<void> {
    this.#link.send("ROLLBACK");
    await this.#link.settled();
    await this.#link.release();
    await this.#server.close();
  }
}

function named(address: PostgresAddress, mode: Mode): string {
  return `${address.label}, schema ${mode}`;
}

async function hasMigrations(server: PostgresServer, mode: Mode): Promise<boolean> {
  const [row] = await server.ask("SELECT to_regclass($1) IS NOT NULL", [`"${mode}".migrations`]);
  return row?.[0] === true;
}

async function requireThisSchema(
  server: PostgresServer,
  address: PostgresAddress,
  mode: Mode,
): Promise<void> {
  const applied = await server.ask(`SELECT name, hash FROM "${mode}".migrations ORDER BY name`);
  const missing = missingMigrations(
    applied.map(([name, hash]) => ({ name: String(name), hash: String(hash) })),
    postgresMigrations,
  );
  if (missing.length === 0) return;
  throw new SchemaMismatch(
    `${named(address, mode)} has the tables of an older Duka: run \`duka migrate\` on it first.`,
  );
}

/** The columns of both schemas, which must be equal. */
async function readColumns(
  server: PostgresServer,
  address: PostgresAddress,
): Promise<PostgresColumns> {
  const ofMode = async (mode: Mode) =>
    server.ask(
      `SELECT c.table_name::text, c.column_name::text, c.data_type::text
       FROM information_schema.columns c JOIN information_schema.tables t
         ON t.table_schema = c.table_schema AND t.table_name = c.table_name
       WHERE c.table_schema = $1 AND t.table_type = 'BASE TABLE'
       ORDER BY c.table_name, c.ordinal_position`,
      [mode],
    );
  const live = (await ofMode("live")).map((row) => row.map(String));
  const test = (await ofMode("test")).map((row) => row.map(String));
  if (!Bun.deepEquals(live, test)) {
    throw new CopyFault(`The schemas live and test of ${address.label} have different tables.`);
  }
  const columns = new Map<string, Map<string, string>>();
  for (const [table = "", column = "", type = ""] of live) {
    const known = columns.get(table) ?? new Map<string, string>();
    columns.set(table, known.set(column, type));
  }
  return columns;
}

/** Locks before the first read, so that the snapshot has everything that was committed. */
async function beginHolding(
  link: PostgresLink,
  part: CopyPart,
  tables: readonly string[],
): Promise<void> {
  const all = copiedModes.flatMap((mode) => tables.map((name) => `"${mode}"."${name}"`)).join();
  link.begin();
  link.send("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
  // A copy may take long, and is idle while it waits for the other side.
  link.send("SET LOCAL idle_in_transaction_session_timeout = 0");
  link.send("SET LOCAL statement_timeout = 0");
  link.send(`SET LOCAL lock_timeout = '${LOCK_SECONDS}s'`);
  try {
    await link.ask(`LOCK TABLE ${all} IN ${part === "source" ? "SHARE" : "EXCLUSIVE"} MODE`);
  } catch (error) {
    throw isLockTimeout(error) ? new CopyFault(BUSY_TABLES, { cause: error }) : error;
  }
  if (part === "source") await link.ask("SET TRANSACTION READ ONLY");
}

function isLockTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.cause instanceof Bun.SQL.PostgresError && error.cause.errno === LOCK_TIMEOUT;
}

async function requireNoOtherProgram(
  server: Pick<PostgresServer, "ask">,
  { label }: PostgresAddress,
): Promise<void> {
  const others = await otherConnections(server);
  if (others === 0) return;
  throw new CopyFault(
    `Another Duka uses ${label} (${others} connections). Stop every Duka first: ` +
      "its writes during the copy would reach only one of the two shops.",
  );
}
