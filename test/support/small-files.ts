// Small files with one importer in their noun: a reader opens two files for one topic, so they are one.

import { dirname, join } from "node:path";

import { importedModules } from "./source-text.ts";

interface TextFile {
  readonly path: string;
  readonly text: string;
}

const SMALL_LINES_MAX = 40;

/** Kinds of file that are found by their name, and the only writers of a state. */
const FOUND_BY_NAME =
  /(?:^|[/-])(?:routes|queries|tables|schema|events|jobs)\.ts$|\/advance-[^/]+$/;

/** Files that stand alone although they are small, each with the reason. */
const standAlone: Readonly<Record<string, string>> = {
  "src/cli/operator/db-copy-documents.ts": "loaded later, with the code of all stores",
  "src/client/runtime-text.ts": "runs as a macro where the program is built",
  "src/client/runtime/list.ts": "text of the emitted client, in parts of one class each",
};

/** The small files of src that one other file imports, which is of their noun. What a test imports has two importers. */
export function smallFilesOfOneImporter(files: readonly TextFile[]): string[] {
  return lonely(files)
    .filter(({ path }) => !(path in standAlone))
    .map(({ path, by }) => `${path}: move it into ${by}, its only importer`);
}

/** Files of the list that need no reason any more. */
export function needlesslyAlone(files: readonly TextFile[]): string[] {
  const found = new Set(lonely(files).map(({ path }) => path));
  return Object.keys(standAlone).filter((path) => !found.has(path));
}

function lonely(files: readonly TextFile[]): { readonly path: string; readonly by: string }[] {
  const importers = importersOf(files);
  return files.flatMap(({ path, text }) => {
    const [by, ...others] = importers.get(path) ?? [];
    const isSmall = text.split("\n").length <= SMALL_LINES_MAX + 1;
    if (by === undefined || others.length > 0 || !isSmall || FOUND_BY_NAME.test(path)) return [];
    return nounOf(by) === nounOf(path) ? [{ path, by }] : [];
  });
}

/** The files that import a file, by its path. */
function importersOf(files: readonly TextFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  const importers = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    for (const module of importedModules(text)) {
      const target = module.startsWith("#")
        ? `src/${module.slice(1)}`
        : join(dirname(path), module);
      importers.set(target, (importers.get(target) ?? new Set()).add(path));
    }
  }
  return importers;
}

/** The folder directly below src; files of src itself and of tests have none of a noun. */
function nounOf(path: string): string {
  return /^src\/([^/]+)\//.exec(path)?.[1] ?? path;
}
