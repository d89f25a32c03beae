// The PostgreSQL side of a copy: both schemas in one transaction. Invariant: no other connection
// writes to the shop meanwhile, and no other Duka is connected at the beginning or the end.

import type { Clock } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import {
  DatabaseMissing,
  missingMigrations,
  SchemaMismatch,
} from "#platform/database/migrations.ts";
import type { PostgresAddress } from "#platform/database/postgres/address.ts";
import { isHeldUp } from "#platform/database/postgres/errors.ts";
import { PostgresLink } from "#platform/database/postgres/link.ts";
import {
  migratePostgres,
  postgresMigrations,
  readStored,
} from "#platform/database/postgres/migrate.ts";
import { readerOver } from "#platform/database/postgres/reading.ts";
import {
  otherConnections,
  PostgresServer,
  requireUsable,
} from "#platform/database/postgres/server.ts";
import { lexemesOf } from "#platform/database/search.ts";
import type { Mode } from "#platform/database/shop.ts";

import { CopyFault } from "./fault.ts";
import {
  type CopiedColumn,
  copiedModes,
  type CopiedRow,
  type CopiedTable,
  type CopySide,
  type IndexedSubject,
  keyColumns,
  keyOf,
  type PostgresColumns,
  ROWS_AT_ONCE,
  type SearchDocument,
  SEQUENCE_COUNTER,
} from "./tables-to-copy.ts";

// One schema of a copy: rows with all values as text, in the transaction of both schemas.

/** Characters of rows per statement; a single row may be as long as a request. */
const STATEMENT_LENGTH_MAX = 4_000_000;

/** One schema under copy; the caller owns the link and its transaction. */
class PostgresSide implements CopySide {
  readonly engine = "postgres";
  readonly label: string;
  readonly #link: PostgresLink;
  readonly #schema: Mode;

  constructor(label: string, link: PostgresLink, schema: Mode) {
    this.label = label;
    this.#link = link;
    this.#schema = schema;
  }

  /** One schema at a time, because statements name no schema. */
  async openReader(): Promise<Reader> {
    await this.#link.ask(`SET LOCAL search_path TO "${this.#schema}"`);
    return readerOver((text, values) => this.#link.ask(text, values));
  }

  async count({ name, condition }: CopiedTable): Promise<number> {
    const [row] = await this.#link.ask(
      `SELECT count(*) FROM ${this.#named(name)} t WHERE ${condition}`,
    );
    return Number(row?.[0] ?? 0);
  }

  async rowsAfter(table: CopiedTable, last: CopiedRow | null): Promise<CopiedRow[]> {
    const keys = keyColumns(table);
    const order = keys.map(({ name }) => `t."${name}"`).join();
    const values = keys.map((column, at) => fromText(column, `$${at + 1}::text`));
    const after = last === null ? "" : ` AND (${order}) > (${values.join()})`;
    const rows = await this.#link.ask(
      `SELECT ${table.columns.map(asText).join()} FROM ${this.#named(table.name)} t ` +
        `WHERE ${table.condition}${after} ORDER BY ${order} LIMIT ${ROWS_AT_ONCE}`,
      last === null ? [] : keyOf(table, last),
    );
    return rows.map((row) => row.map(asCell));
  }

  async put(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void> {
    for (const row of rows) requireNoNul(table, row);
    const { name, columns } = table;
    const values = columns.map((column, at) => fromText(column, `(r ->> ${at})`));
    const text =
      `INSERT INTO ${this.#named(name)} (${columns.map((column) => `"${column.name}"`).join()}) ` +
      `SELECT ${values.join()} FROM json_array_elements($1::text::json) r`;
    for (const some of inPortions(rows)) await this.#link.ask(text, [some]);
  }

  async lastSequence(): Promise<string> {
    const [row] = await this.#link.ask(
      `SELECT greatest(coalesce((SELECT max(sequence) FROM ${this.#named("events")}), 0),
         coalesce((SELECT value FROM ${this.#named("counters")} WHERE name = $1), 0))::text`,
      [SEQUENCE_COUNTER],
    );
    return asCell(row?.[0]) ?? "0";
  }

  async keepSequence(sequence: string): Promise<void> {
    await this.#link.ask(
      `INSERT INTO ${this.#named("counters")} (name, value) VALUES ($1, $2::text::bigint)
       ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [SEQUENCE_COUNTER, sequence],
    );
  }

  async indexedAfter(last: IndexedSubject | null): Promise<IndexedSubject[]> {
    const rows = await this.#link.ask(
      `SELECT kind, subject FROM ${this.#named("search_documents")}
       WHERE (kind, subject) > ($1::text, $2::text) ORDER BY kind, subject LIMIT ${ROWS_AT_ONCE}`,
      [last?.kind ?? "", last?.subject ?? ""],
    );
    return rows.map(([kind, subject]) => ({ kind: String(kind), subject: String(subject) }));
  }

  async index(documents: readonly SearchDocument[]): Promise<void> {
    const rows = documents.map(({ kind, subject, text }) => [kind, subject, lexemesOf(kind, text)]);
    const text = `
      INSERT INTO ${this.#named("search_documents")} (kind, subject, words)
      SELECT r ->> 0, r ->> 1, (r ->> 2)::tsvector FROM json_array_elements($1::text::json) r`;
    for (const some of inPortions(rows)) await this.#link.ask(text, [some]);
  }

  #named(table: string): string {
    return `"${this.#schema}"."${table}"`;
  }
}

/** The rows as JSON arrays, each within the limit of a statement or of a single row. */
function* inPortions(rows: readonly CopiedRow[]): Generator<string> {
  let lines: string[] = [];
  let length = 0;
  for (const row of rows) {
    const line = JSON.stringify(row);
    if (lines.length > 0 && length + line.length > STATEMENT_LENGTH_MAX) {
      yield `[${lines.join()}]`;
      lines = [];
      length = 0;
    }
    lines.push(line);
    length += line.length;
  }
  if (lines.length > 0) yield `[${lines.join()}]`;
}

/** All values are read as text. */
function asCell(value: unknown): string | null {
  if (value === null || typeof value === "string") return value;
  throw new Error(`PostgreSQL returned ${typeof value} instead of text.`);
}

/** PostgreSQL cannot store U+0000. */
function requireNoNul(table: CopiedTable, row: CopiedRow): void {
  const at = row.findIndex((value) => value?.includes("\0") === true);
  if (at < 0) return;
  throw new CopyFault(
    `${table.name}.${table.columns[at]?.name} of ${keyOf(table, row).join(", ")} contains a NUL character, ` +
      "which PostgreSQL cannot store. Change it first.",
  );
}

function asText({ name, kind }: CopiedColumn): string {
  if (kind === "text") return `t."${name}"`;
  return kind === "boolean" ? `t."${name}"::integer::text` : `t."${name}"::text`;
}

function fromText({ kind }: CopiedColumn, value: string): string {
  if (kind === "text") return value;
  return kind === "boolean" ? `${value}::integer::boolean` : `${value}::${kind}`;
}

/** How long another transaction may keep the tables locked, seconds. */
const LOCK_SECONDS = 5;

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
  const { applied } = await readStored(server, mode);
  // Without the newest program: tables that this one does not know would be left behind.
  const missing = missingMigrations({ applied, newest: null }, postgresMigrations);
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
    throw isHeldUp(error) ? new CopyFault(BUSY_TABLES, { cause: error }) : error;
  }
  if (part === "source") await link.ask("SET TRANSACTION READ ONLY");
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
