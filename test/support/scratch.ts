// Temporary folders that are deleted after their test, together with their databases.

import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";

import { dropDatabasesIn } from "./postgres-databases.ts";
import { scratchRoot } from "./scratch-root.ts";

export interface ScratchFolder extends Disposable {
  readonly path: string;
  /** The path of a file in it, which need not exist. */
  file(name: string): string;
}

/** A new empty folder; disposing it deletes it with its contents. */
export function openScratchFolder(): ScratchFolder {
  const path = mkdtempSync(join(scratchRoot, "duka-"));
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.dispose]: () => {
      rmSync(path, { recursive: true, force: true });
      dropDatabasesIn(path);
    },
  };
}
