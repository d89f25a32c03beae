// Macros that run when the program is bundled: they read the migrations into the binary.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface EmbeddedMigration {
  readonly name: string;
  readonly text: string;
}

/** The migrations of an engine, sorted by name. */
export function embeddedMigrations(engine: "sqlite" | "postgres"): EmbeddedMigration[] {
  const folder = join(import.meta.dir, "../../../drizzle", engine);
  return readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .toSorted()
    .map((file) => ({
      name: file.slice(0, -".sql".length),
      text: readFileSync(join(folder, file), "utf8"),
    }));
}

/** Which databases a program serves, as numbers of migrations; they are the same on both engines. */
export interface SchemaNumbers {
  /** The newest migration. */
  readonly schema: number;
  /**
   * The newest migration that a program without it cannot work beside. Those whose file begins with `-- expand` only add
   * what such a program does not see.
   */
  readonly oldestBeside: number;
}

/** The numbers of the migrations. */
export function embeddedNumbers(): SchemaNumbers {
  const migrations = embeddedMigrations("sqlite");
  const contracting = migrations.findLast((migration) => !isExpanding(migration));
  return { schema: numberOf(migrations.at(-1)), oldestBeside: numberOf(contracting) };
}

/** True if programs without the migration can work beside it. */
export function isExpanding({ text }: EmbeddedMigration): boolean {
  return text.startsWith("-- expand");
}

/** The number that a migration's name begins with; 0 for none. */
export function numberOf(migration: { readonly name: string } | undefined): number {
  return Number.parseInt(migration?.name ?? "0", 10);
}
