// The program of a later version: this tree with further migrations.

import { cpSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { ownSchema } from "#platform/database/migrations.ts";

import { openScratchFolder } from "./scratch.ts";

const root = join(import.meta.dir, "../..");
const COPIED = /^(?:src|drizzle|[A-Z]\w*(?:\.md)?|\w+\.(?:json|toml))$/;

/** A migration that only adds: a table, a column of an old table and an index. */
export const expanding = `-- expand
CREATE TABLE "parcels" ("id" text PRIMARY KEY NOT NULL);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "parcel" text;
--> statement-breakpoint
CREATE INDEX "orders_by_parcel" ON "orders" ("parcel");
`;

export interface LaterProgram extends Disposable {
  /** The command that starts it; arguments follow. */
  readonly program: readonly string[];
}

/** A copy of the tree with these further migrations, of both engines. */
export function openLaterProgram(...texts: readonly string[]): LaterProgram {
  const folder = openScratchFolder();
  for (const name of readdirSync(root).filter((one) => COPIED.test(one))) {
    cpSync(join(root, name), folder.file(name), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), folder.file("node_modules"));
  texts.forEach((text, index) => {
    const number = String(ownSchema.schema + 1 + index).padStart(4, "0");
    const sqlite = text.replaceAll(/^(CREATE TABLE .*)\);$/gm, "$1) STRICT;");
    writeFileSync(folder.file(`drizzle/postgres/${number}_later.sql`), text);
    writeFileSync(folder.file(`drizzle/sqlite/${number}_later.sql`), sqlite);
  });
  return {
    program: [process.execPath, folder.file("src/main.ts")],
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
