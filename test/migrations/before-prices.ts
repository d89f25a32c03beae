// Takes a stopped shop back to the schema 0020, which knew no prices but amounts: the tables, indexes and columns
// that the migrations after it make are dropped, and events and refunds lose the members that were not written
// then.

import { engine } from "#platform/database/engine.ts";
import { postgresMigrations } from "#platform/database/postgres/migrate.ts";
import { sqliteMigrations } from "#platform/database/sqlite/migrate.ts";

import { rowsBehind, tamper } from "../support/behind-the-shop.ts";

const migrations = engine === "postgres" ? postgresMigrations : sqliteMigrations;
/** The last one is undone first. */
const later = migrations.filter(({ name }) => name > "0021").toReversed();

/** A table that is made anew under another name is dropped by its own. */
const MADE = /CREATE TABLE [`"](?!__new_)(?<table>\w+)/gu;
const ADDED = /ALTER TABLE [`"](?<table>\w+)[`"] ADD (?:COLUMN )?[`"](?<column>\w+)/gu;
const INDEXED = /CREATE (?:UNIQUE )?INDEX [`"](?<index>\w+)/gu;

/** References to a table go with it. */
const WITH_KEYS = engine === "postgres" ? " CASCADE" : "";

function undo(text: string): string[] {
  // Those of dropped tables are gone with them; the others stand on tables that stay.
  const indexes = [...text.matchAll(INDEXED)].map(
    ({ groups }) => `DROP INDEX IF EXISTS ${groups?.["index"]}`,
  );
  // A later one may have dropped it.
  const tables = [...text.matchAll(MADE)].map(
    ({ groups }) => `DROP TABLE IF EXISTS ${groups?.["table"]}${WITH_KEYS}`,
  );
  const columns = [...text.matchAll(ADDED)].map(
    ({ groups }) => `ALTER TABLE ${groups?.["table"]} DROP COLUMN ${groups?.["column"]}`,
  );
  return [...tables, ...indexes, ...columns];
}

/** Members of events by their names, and those of refunds within them. */
const newer = /^(?:discounts|tax_lines|included_tax_total|shipping_discount_total)/u;
const newerOfRefund = /^(?:tax_|included_tax_|shipping_total|discount_total)/u;

function withoutNewer(value: unknown, isRefund = false): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => withoutNewer(one, isRefund));
  if (typeof value !== "object" || value === null) return value;
  const names = isRefund ? newerOfRefund : newer;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !names.test(name))
      .map(([name, one]) => [name, withoutNewer(one, isRefund || name === "refund")]),
  );
}

/** PostgreSQL's migrations drop a key by its name, which is the one that drizzle gave it. */
const formerKeys =
  engine === "postgres"
    ? [
        `ALTER TABLE inventory_movements DROP CONSTRAINT inventory_movements_pkey,
          ADD CONSTRAINT inventory_movements_variant_id_id_pk PRIMARY KEY (variant_id, id)`,
      ]
    : [];

/** Later migrations drop these, and fill what a consumer of the log goes on with. */
const formerIndexes = [
  "CREATE INDEX order_lines_product_index ON order_lines (product_id, order_id)",
  "CREATE INDEX order_lines_sku_index ON order_lines (sku, order_id) WHERE sku IS NOT NULL",
  "DELETE FROM log_cursors WHERE consumer = 'order_line_terms'",
];

const quoted = (value: unknown): string => `'${JSON.stringify(value).replaceAll("'", "''")}'`;

/** Afterwards the test shop of the directory has the rows and the tables of the schema 0020. */
export async function takeBackTo0020(directory: string): Promise<void> {
  const events = await rowsBehind(directory, "SELECT id, data FROM events");
  const refunds = await rowsBehind(directory, "SELECT id, lines FROM refunds");
  const named = later.map(({ name }) => `'${name}'`).join(", ");
  await tamper(
    directory,
    ...events.map(
      ({ id, data }) =>
        `UPDATE events SET data = ${quoted(withoutNewer(JSON.parse(String(data))))} WHERE id = '${String(id)}'`,
    ),
    ...refunds.map(({ id, lines }) => {
      const old = JSON.parse(String(lines)).map((line: Readonly<Record<string, unknown>>) => ({
        lineItemId: line["lineItemId"],
        quantity: line["quantity"],
        amountMinor: line["amountMinor"],
        restocked: line["restocked"],
      }));
      return `UPDATE refunds SET lines = ${quoted(old)} WHERE id = '${String(id)}'`;
    }),
    "ALTER TABLE payments ADD COLUMN gateway_id text",
    "UPDATE payments SET gateway_id = (SELECT name FROM gateway_names WHERE payment_id = payments.id)",
    ...later.flatMap(({ text }) => undo(text)),
    ...formerKeys,
    ...formerIndexes,
    `DELETE FROM migrations WHERE name IN (${named})`,
  );
}
