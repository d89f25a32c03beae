// Rules that keep the selection of tests for PostgreSQL closed: what speaks SQL or races is in it.

import { dirname } from "node:path";

import { importedModules } from "./source-text.ts";

interface NamedText {
  readonly path: string;
  readonly text: string;
}

/** Statements of a test's own, rows behind the shop, and what happens at once. */
const SPEAKS_SQL = /^drizzle-orm|\/support\/(?:behind-the-shop|database|at-once)\.ts$/;
/** Tests that `npm run test:postgres:all` does not run either. */
const NEVER_ON_POSTGRES = /\.(?:sqlite|browser|fault|tools)\.test\.ts$/;

/** The tests that say by an import, or by the folder they are about, that they run on both engines, and do not. */
export function outsideTheSelection(
  selection: readonly string[],
  {
    tests,
    source,
  }: { readonly tests: readonly NamedText[]; readonly source: readonly NamedText[] },
): string[] {
  const byEngine = foldersByEngine(source);
  return tests
    .filter(({ path }) => path.endsWith(".test.ts") && !NEVER_ON_POSTGRES.test(path))
    .filter(({ path }) => !selection.some((part) => path.includes(part)))
    .filter(
      ({ path, text }) =>
        importedModules(text).some((module) => SPEAKS_SQL.test(module)) ||
        byEngine.some((folder) => path.startsWith(folder)),
    )
    .map(({ path }) => `${path} belongs in postgresSelection, or is a .sqlite.test.ts`);
}

/** Where the tests are of folders whose queries differ by engine. */
function foldersByEngine(source: readonly NamedText[]): string[] {
  return source
    .filter(({ path }) => path.endsWith("queries.ts"))
    .filter(({ text }) => importedModules(text).some((module) => module.endsWith("/dialect.ts")))
    .map(({ path }) => dirname(path).replace(/^src\//, "test/"));
}

/** The entries that choose no test. */
export function emptyEntries(selection: readonly string[], paths: readonly string[]): string[] {
  const tests = paths.filter((path) => path.endsWith(".test.ts"));
  return selection.filter((part) => !tests.some((path) => path.includes(part)));
}
