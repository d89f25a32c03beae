// Writes the next migration of both engines from the tables, under one name: `bun run migration <name>`.
// drizzle-kit finds out what changed; what it cannot write (STRICT, WITHOUT ROWID, collations) is added
// here. The first line says whether programs of before can work beside it: `-- expand` or `-- contract`. Review what
// comes out, then add its hash to test/migrations/released.json when it is released.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Tables whose primary key is what every lookup and page uses: the rows live in the key's own tree,
 * which saves a second tree per table. Wide rows stay ordinary: above a quarter of a page they would
 * spill, and an event or a stored answer would cost a page of its own.
 */
const keyed = new Set([
  "abuse_marks",
  "analytics_buyers",
  "analytics_checkouts",
  "analytics_figures",
  "analytics_parts",
  "analytics_purchases",
  "analytics_refunded",
  "booking_days",
  "bookings",
  "cart_reminders",
  "consent_withdrawals",
  "code_counts",
  "collection_products",
  "collection_slugs",
  "counters",
  "customer_challenges",
  "customer_codes",
  "customer_sessions",
  "customer_tags",
  "discount_buyers",
  "discount_codes",
  "discount_uses",
  "fulfillments",
  "gateway_keys",
  "gateway_names",
  "inventory_levels",
  "inventory_movements",
  "leases",
  "log_cursors",
  "order_line_terms",
  "order_lines",
  "order_returns",
  "passkey_challenges",
  "product_media",
  "product_prices",
  "product_slugs",
  "product_tags",
  "rate_uses",
  "search_spellings",
  "timers",
  "variant_options",
  "versions",
  "webhook_attempts",
  "webhook_health",
  "webhook_replays",
]);

/** Adds the table options to every CREATE TABLE of a migration for SQLite. */
export function finishMigration(text: string): string {
  return text.replaceAll(
    /CREATE TABLE `(\w+)` \([\s\S]*?\n\);/g,
    (statement, name: string) =>
      statement.replace(/\);$/, keyed.has(name.replace(/^__new_/, "")) ? ") STRICT, WITHOUT ROWID;" : ") STRICT;"),
  );
}

/**
 * The same for PostgreSQL: references stay within the schema that is migrated, and texts are ordered
 * by their bytes whatever the database's own collation is, since cursors of lists rely on it.
 */
export function finishPostgresMigration(text: string): string {
  return text
    .replaceAll('"public".', "")
    .replaceAll(/^(\t"\w+" text|ALTER TABLE "\w+" ADD COLUMN "\w+" text)\b/gm, '$1 COLLATE "C"');
}

/** The word that a migration begins with. Programs without it work beside one that expands, and not beside one that contracts. */
export type Word = "expand" | "contract";

/**
 * The word for statements: `expand` if they only create tables and indexes, and add columns that are null or have a
 * default. An index that is unique, and a constraint, must be of a table that the migration itself makes.
 */
export function wordFor(text: string): Word {
  const statements = text.replaceAll(/^--(?!> statement-breakpoint).*$/gm, "").split("--> statement-breakpoint");
  const made = new Set(
    [...text.matchAll(/^CREATE TABLE [`"](?!__new_)(\w+)[`"]/gm)].map(([, table = ""]) => table),
  );
  const isExpanding = statements
    .flatMap((part) => part.split(/;\s*$/m))
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "")
    .every((statement) => expands(statement, made));
  return isExpanding && made.size + statements.join("").trim().length > 0 ? "expand" : "contract";
}

function expands(statement: string, made: ReadonlySet<string>): boolean {
  const table = /^(?:CREATE TABLE|ALTER TABLE|CREATE (?:UNIQUE )?INDEX [`"]\w+[`"] ON) [`"](\w+)[`"]/.exec(statement)?.[1];
  if (table === undefined) return false;
  if (made.has(table)) return true;
  if (/^CREATE INDEX /.test(statement)) return true;
  return /^ALTER TABLE \S+ ADD (?:COLUMN )?[`"]/.test(statement) && (!/NOT NULL/.test(statement) || /DEFAULT/.test(statement));
}

interface Dialect {
  readonly folder: string;
  readonly dialect: string;
  /** What the kit of columns is chosen by. */
  readonly variables: Readonly<Record<string, string>>;
  readonly finish: (text: string) => string;
}

const dialects: readonly Dialect[] = [
  { folder: "sqlite", dialect: "sqlite", variables: {}, finish: finishMigration },
  {
    folder: "postgres",
    dialect: "postgresql",
    variables: { DUKA_DATABASE_URL: "postgres://definitions-only" },
    finish: finishPostgresMigration,
  },
];

function migrationNames(folder: string): string[] {
  const path = join(import.meta.dir, folder);
  return existsSync(path) ? readdirSync(path).filter((file) => file.endsWith(".sql")) : [];
}

/** Every snapshot holds the whole of the tables, and drizzle-kit compares with the newest one only. */
function keepNewestSnapshot(folder: string): void {
  const path = join(import.meta.dir, folder, "meta");
  const snapshots = readdirSync(path).filter((file) => file.endsWith("_snapshot.json"));
  for (const file of snapshots.toSorted().slice(0, -1)) rmSync(join(path, file));
}

/** Returns the paths of the new migrations. */
function generate({ folder, dialect, variables, finish }: Dialect, name: string, options: readonly string[]): string[] {
  const before = new Set(migrationNames(folder));
  const kit = Bun.spawnSync(
    [
      "drizzle-kit",
      "generate",
      `--dialect=${dialect}`,
      "--schema=./src/**/tables.ts",
      `--out=./drizzle/${folder}`,
      `--name=${name}`,
      ...options,
    ],
    { stdio: ["inherit", "inherit", "inherit"], env: { ...process.env, ...variables } },
  );
  if (kit.exitCode !== 0) process.exit(kit.exitCode);
  const written = migrationNames(folder)
    .filter((one) => !before.has(one))
    .map((file) => join(import.meta.dir, folder, file));
  for (const path of written) writeFileSync(path, finish(readFileSync(path, "utf8")));
  keepNewestSnapshot(folder);
  return written;
}

if (import.meta.main) {
  const [name = "change", ...options] = process.argv.slice(2);
  // Both engines count on from the same number, so that a copy between them can compare names.
  const written = dialects.flatMap((dialect) => generate(dialect, name, options));
  const texts = written.map((path) => readFileSync(path, "utf8"));
  // Change `expand` to `contract` where the program begins to write what the one before does not know.
  const word = texts.every((text) => wordFor(text) === "expand") ? "expand" : "contract";
  written.forEach((path, index) => writeFileSync(path, `-- ${word}\n${texts[index]}`));
}
