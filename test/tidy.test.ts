// The house as it stands, held against the rules that lint cannot say. A complaint names the file
// and what to do; what each rule means stands in support/tidy-rules.ts.

import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { tooManyClauses } from "./support/clause-comments.ts";
import * as rulesOfDocuments from "./support/document-rules.ts";
import {
  importsOutOfOrder,
  outsideTheLayout,
  outsideTheOrder,
  overfullFolders,
} from "./support/layout.ts";
import { emptyReasons, loopsThatStopOthers } from "./support/loop-rules.ts";
import { postgresSelection } from "./support/postgres-selection.ts";
import { emptyEntries, outsideTheSelection } from "./support/selection-rules.ts";
import { needlesslyAlone, smallFilesOfOneImporter } from "./support/small-files.ts";
import * as tidy from "./support/tidy-rules.ts";
import * as words from "./support/words.ts";

interface HouseFile {
  readonly path: string;
  readonly text: string;
}

const root = join(import.meta.dir, "..");
const source = await filesOf(["src/**/*.ts"]);
const tests = await filesOf(["test/**/*.ts"]);
const release = await filesOf(["release/*.ts"]);
/** Full of what the rules stop, on purpose. */
const SAMPLES = ["test/tidy-rules.test.ts", "test/document-rules.test.ts"];
const documents = await filesOf(["*.md", "src/**/*.md", "examples/**/*.md"]);
const examples = await filesOf(["examples/**/*.{ts,html,css}"]);
const settings = await filesOf(["*.json", "*.toml", ".npmrc", ".ci/*"]);
const migrations = await filesOf(["drizzle/*/*.sql"]);

/** Loaded once the server listens, or by the command that needs it. */
const loadedLater = [
  "src/background.ts",
  "src/cli/operator/db-copy-documents.ts",
  "src/cli/operator-commands.ts",
  "src/cli/operator/rotate-secrets.ts",
  "src/client/emit-client.ts",
  "src/interface.ts",
  "src/open-routes.ts",
  "src/pay-page/frame/not-found-page.ts",
  "src/platform/http/calls/bound-route.ts",
  "src/sandbox/scenarios/scenarios.ts",
  "src/sandbox/simulated-gateway/serve-test-page.ts",
  "src/storefront/store-page.ts",
];
/** A start loads 369 files, of 1 ms for each ten: what it needs for its first answer, with little room. */
const LOADED_MAX = 369;

const sourceRules: Record<string, tidy.TidyRule> = {
  "a file opens with its purpose": tidy.opensWithItsPurpose,
  "a file of stories is named by one of them, or by their topic": tidy.isOneStory,
  "states move by their table": tidy.statesMoveByTheirTable,
  "queries suit both engines": tidy.queriesSuitBothEngines,
  "names say something": tidy.namesSaySomething,
  "the world has one door": tidy.worldHasOneDoor,
  "a file exports its own": tidy.exportsItsOwn,
  "handlers are short": tidy.routesStayShort,
  "casts are explained": tidy.castsAreExplained,
  "imports suit the kind of file": tidy.importsSuitTheFile,
  "imports point to the left": importsOutOfOrder,
  "identifiers are words of the trade": words.oldIdentifiers,
  "functions of payments say what is done to money": words.oldMoneyVerbs,
  "public texts name who acts": words.oldPublicTexts,
  "comments name who acts": words.oldPhrases,
  "a loop that waits leaves others their turn": loopsThatStopOthers,
};

describe("in the source", () => {
  test.each(Object.entries(sourceRules))("%s", (_, rule) => {
    expect(complaints(rule, source)).toEqual([]);
  });

  test("a folder fits a screen", () => {
    expect(overfullFolders(source.map(({ path }) => path))).toEqual([]);
  });

  test("a small file is part of the only file of its noun that imports it", () => {
    expect(smallFilesOfOneImporter([...source, ...tests])).toEqual([]);
  });

  test("each small file that stands alone has a reason to", () => {
    expect(needlesslyAlone([...source, ...tests])).toEqual([]);
  });

  test("sibling folders have an order", () => {
    expect(outsideTheOrder(source.map(({ path }) => path))).toEqual([]);
  });

  test("every file stands in a folder of the layout", () => {
    expect(outsideTheLayout(source.map(({ path }) => path))).toEqual([]);
  });

  test("comments begin with a verb or the thing, and clauses only become fewer", () => {
    expect(tooManyClauses(source)).toEqual([]);
  });

  test("the compiler is overruled in a few places at most", () => {
    const casts = source.flatMap(({ path, text }) => tidy.castsIn(text).map(() => path));

    expect(casts.slice(tidy.CAST_LIMIT)).toEqual([]);
  });

  test("each exception among the loops is one", () => {
    expect(emptyReasons(source)).toEqual([]);
  });

  test("a type is assumed at no more places than before", () => {
    const assumed = source.flatMap(({ path, text }) => tidy.assumptionsIn(text).map(() => path));

    expect(assumed.slice(tidy.ASSUMED_LIMIT)).toEqual([]);
  });
});

describe("at the start", () => {
  test("what is loaded once the server listens is not loaded before", () => {
    const loaded = loadedWith("src/cli/command-line.ts");

    expect(loaded).toContain("src/open-shops.ts");
    expect(loadedLater.filter((path) => loaded.has(path))).toEqual([]);
  });

  test("what is to be loaded later exists", () => {
    const paths = source.map(({ path }) => path);

    expect(loadedLater.filter((path) => !paths.includes(path))).toEqual([]);
  });

  test("a start loads no more of the source than it did", () => {
    const loaded = [...loadedWith("src/cli/command-line.ts")];

    expect(loaded.length).toBeLessThanOrEqual(LOADED_MAX);
  });
});

describe("in the tests", () => {
  test("a file opens with its purpose", () => {
    expect(complaints(tidy.opensWithItsPurpose, tests)).toEqual([]);
  });

  test("names say something", () => {
    expect(complaints(tidy.namesSaySomething, tests)).toEqual([]);
  });
});

describe("in the release", () => {
  test("a file opens with its purpose", () => {
    expect(complaints(tidy.opensWithItsPurpose, release)).toEqual([]);
  });

  test("names say something", () => {
    expect(complaints(tidy.namesSaySomething, release)).toEqual([]);
  });

  test("the source imports none of it", () => {
    const importing = source.filter(({ text }) => /from "[./]+release\//.test(text));

    expect(importing.map(({ path }) => path)).toEqual([]);
  });

  test("runtimes that the lock file does not name are of its version of Bun", async () => {
    const { dependencies } = await Bun.file(join(root, "package.json")).json();
    const others: Record<string, { version: string }> = await Bun.file(
      join(root, "release/runtimes.json"),
    ).json();

    const versions = Object.values(others).map(({ version }) => version);
    expect(new Set(versions)).toEqual(new Set([dependencies.bun]));
  });
});

describe("on PostgreSQL", () => {
  test("what speaks SQL or races is selected", () => {
    const meant = tests.filter(({ path }) => !SAMPLES.includes(path));

    expect(outsideTheSelection(postgresSelection, { tests: meant, source })).toEqual([]);
  });

  test("each entry of the selection chooses a test", () => {
    const paths = tests.map(({ path }) => path);

    expect(emptyEntries(postgresSelection, paths)).toEqual([]);
  });
});

describe("everywhere", () => {
  test("nothing is left lying", () => {
    const everything = [
      ...source,
      ...tests,
      ...release,
      ...examples,
      ...documents,
      ...settings,
      ...migrations,
    ];
    const meant = everything.filter(({ path }) => !SAMPLES.includes(path));

    expect(complaints(tidy.nothingLeftLying, meant)).toEqual([]);
  });

  test("documents point at files that exist", () => {
    const lost = documents.flatMap(({ path, text }) =>
      rulesOfDocuments.documentPointsAtFiles(path, text, (target) =>
        existsSync(join(root, target)),
      ),
    );

    expect(lost).toEqual([]);
  });

  test("every folder of the source has its row in the import table", () => {
    const folders = new Set(source.map(({ path }) => path.split("/")).map(topFolder));
    const readme = documentAt("src/README.md");

    expect(rulesOfDocuments.foldersAreInTheTable([...folders].filter(Boolean), readme)).toEqual([]);
  });

  test("the map of the code fits into 8 kB", () => {
    expect(Buffer.byteLength(documentAt("src/README.md"))).toBeLessThanOrEqual(8_000);
  });

  test("what a contributor reads first is short", () => {
    expect(documentAt("CONTRIBUTING.md").split("\n").length).toBeLessThanOrEqual(120);
  });

  test("every decision is in the list of decisions, and no other", () => {
    const decisions = documents.filter(({ path }) => path.startsWith("src/decisions/"));
    const list = documentAt("src/decisions/README.md");
    const names = decisions
      .map(({ path }) => basename(path))
      .filter((name) => name !== "README.md");

    expect(rulesOfDocuments.decisionsAreListed(names, list)).toEqual([]);
  });

  test("the package has the version of the newest section of the changelog", async () => {
    const { version } = await Bun.file(join(root, "package.json")).json();

    const wrong = rulesOfDocuments.packageHasNewestVersion(documentAt("CHANGELOG.md"), version);
    expect(wrong).toEqual([]);
  });

  test("the changelog is in its form", () => {
    expect(rulesOfDocuments.changelogIsInForm(documentAt("CHANGELOG.md"))).toEqual([]);
  });

  test("released migrations are as they were released", async () => {
    const list = Bun.file(join(root, "test/migrations/released.json"));
    const released = (await list.exists()) ? await list.json() : {};
    const named = migrations.map(({ path, text }) => [path.replace("drizzle/", ""), text]);

    expect(tidy.migrationsAreReleased(Object.fromEntries(named), released)).toEqual([]);
    expect(tidy.migrationsSayTheirWord(Object.fromEntries(named))).toEqual([]);
  });
});

function complaints(rule: tidy.TidyRule, files: readonly HouseFile[]): string[] {
  return files.flatMap(({ path, text }) => rule(path, text));
}

/** The folder directly below src, or nothing for a file of src itself. */
function topFolder(segments: readonly string[]): string {
  return segments.length > 2 ? (segments[1] ?? "") : "";
}

function documentAt(path: string): string {
  return documents.find((document) => document.path === path)?.text ?? "";
}

/**
 * The text files of the house that match, in the order of their names; no lock file and no package. One pattern for each
 * place: a slash inside of braces matches nothing. Throws for a pattern without a file, which would be a rule without one.
 */
async function filesOf(patterns: readonly string[]): Promise<HouseFile[]> {
  const paths = patterns
    .flatMap((pattern) => {
      const found = [...new Bun.Glob(pattern).scanSync({ cwd: root, dot: true })];
      if (found.length === 0) throw new Error(`${pattern} matches no file.`);
      return found;
    })
    .filter((path) => path !== "package-lock.json" && !path.includes("node_modules/"))
    .toSorted();
  return Promise.all(
    paths.map(async (path) => ({ path, text: await Bun.file(join(root, path)).text() })),
  );
}

/** The files that are loaded with this one: those that it imports by a statement, and so on. */
function loadedWith(entry: string): ReadonlySet<string> {
  const texts = new Map(source.map(({ path, text }) => [path, text]));
  const scanner = new Bun.Transpiler({ loader: "ts" });
  const loaded = new Set([entry]);
  for (const path of loaded) {
    for (const { kind, path: to } of scanner.scanImports(texts.get(path) ?? "")) {
      const file = to.startsWith("#") ? `src/${to.slice(1)}` : join(dirname(path), to);
      if (kind === "import-statement" && texts.has(file)) loaded.add(file);
    }
  }
  return loaded;
}
