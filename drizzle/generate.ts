// Writes the next migration from the tables: `bun run migration <name>`. drizzle-kit finds out what
// changed; what it cannot write (STRICT, WITHOUT ROWID) is added here. Review what comes out, then
// add its hash to test/migrations/released.json when it is released.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dir, "sqlite");

/**
 * Tables whose primary key is what every lookup and page uses: the rows live in the key's own tree,
 * which saves a second tree per table. Wide rows stay ordinary: above a quarter of a page they would
 * spill, and an event or a stored answer would cost a page of its own.
 */
const keyed = new Set([
  "analytics_buyers",
  "analytics_checkouts",
  "analytics_figures",
  "analytics_parts",
  "analytics_purchases",
  "analytics_refunded",
  "api_key_changes",
  "counters",
  "customer_tags",
  "fulfillments",
  "inventory_levels",
  "inventory_movements",
  "log_cursors",
  "order_lines",
  "product_tags",
  "timers",
  "webhook_attempts",
  "webhook_health",
  "webhook_replays",
]);

/** Adds the table options to every CREATE TABLE of a migration. */
export function finishMigration(text: string): string {
  return text.replaceAll(
    /CREATE TABLE `(\w+)` \([\s\S]*?\n\);/g,
    (statement, name: string) =>
      statement.replace(/\);$/, keyed.has(name.replace(/^__new_/, "")) ? ") STRICT, WITHOUT ROWID;" : ") STRICT;"),
  );
}

function migrationNames(): string[] {
  return readdirSync(folder).filter((file) => file.endsWith(".sql"));
}

if (import.meta.main) {
  const before = new Set(migrationNames());
  const [name = "change", ...options] = process.argv.slice(2);
  const kit = Bun.spawnSync(
    [
      "drizzle-kit",
      "generate",
      "--dialect=sqlite",
      "--schema=./src/**/tables.ts",
      "--out=./drizzle/sqlite",
      `--name=${name}`,
      ...options,
    ],
    { stdio: ["inherit", "inherit", "inherit"] },
  );
  if (kit.exitCode !== 0) process.exit(kit.exitCode);
  for (const file of migrationNames().filter((one) => !before.has(one))) {
    const path = join(folder, file);
    writeFileSync(path, finishMigration(readFileSync(path, "utf8")));
  }
}
