// A macro that runs when the program is bundled: it reads the migrations into the binary.

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
