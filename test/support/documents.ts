// The documents for people who use Duka: the README and the guides, as files.

import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");

export interface Document {
  /** From the root of the project. */
  readonly path: string;
  readonly text: string;
}

/** The README first, then every guide in the folder. */
export const documents: readonly Document[] = [
  "README.md",
  ...[...new Bun.Glob("src/guides/*.md").scanSync({ cwd: root })].toSorted(),
].map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
