// Macros that run when the program is bundled: its version, from package.json and git, its changelog, and the licenses of
// the packages that the lock file names and that are in the program, with their texts. A macro that throws ends the build.

import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";

import { isObject } from "#kernel/assume.ts";

const ROOT = join(import.meta.dir, "../../..");
const LICENSE_FILE = /^(?:licen[cs]e|notice|copying)/i;
const RULE = "=".repeat(80);
/** Parts of the program that are no packages of their own. */
const OTHERS: readonly (readonly [string, string])[] = [
  ["Duka (MIT)", "LICENSE"],
  ["Scalar's API reference (MIT), served at /docs", "src/platform/http/openapi/SCALAR-LICENSE.txt"],
  [
    "The Bun runtime, with JavaScriptCore and the libraries that it links",
    "node_modules/bun-types/docs/project/license.mdx",
  ],
];

/** Every license as one text. */
export function readLicenses(): string {
  const others = OTHERS.map(([title, file]) => chapter(title, textOf(join(ROOT, file))));
  return [...others, ...bundledPackages().map(packageChapter)].join("\n");
}

/** The packages that are not for development only and are installed. */
function bundledPackages(): string[] {
  const packages = membersOf(membersOf(readJson(join(ROOT, "package-lock.json")))["packages"]);
  return Object.entries(packages)
    .filter(([path, entry]) => path !== "" && membersOf(entry)["dev"] !== true)
    .map(([path]) => join(ROOT, path))
    .filter((folder) => existsSync(join(folder, "package.json")));
}

/** A package that ships no text is named with its license and author. */
function packageChapter(folder: string): string {
  const { name, version, license, author } = membersOf(readJson(join(folder, "package.json")));
  const texts = readdirSync(folder)
    .filter((file) => LICENSE_FILE.test(file))
    .toSorted()
    .map((file) => textOf(join(folder, file)));
  const holder = typeof author === "string" ? author : membersOf(author)["name"];
  if (texts.length === 0)
    texts.push(
      `Licensed under ${String(license)}. Copyright ${typeof holder === "string" ? holder : "of its authors"}.`,
    );
  return chapter(`${String(name)} ${String(version)} (${String(license)})`, texts.join("\n\n"));
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function chapter(title: string, text: string): string {
  return `${RULE}\n${title}\n${RULE}\n\n${text}\n`;
}

/** Bun's text comes with its types, which an installation for production leaves out. */
function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8").trim() : "See bun.com/docs/project/license.";
}

/** The changelog as Markdown. */
export function readChangelog(): string {
  return readFileSync(join(ROOT, "CHANGELOG.md"), "utf8");
}

/** The source that a program was built of. */
export interface Build {
  /** The release, such as 0.2.0; of any other commit with its hash, 0.2.0+g7660a6f5, and `.dirty` with changes beside it. */
  readonly version: string;
  /** The first eight digits of the commit; null where the source is in no repository of its own. */
  readonly commit: string | null;
  /** ISO 8601. There is no time of the build: the same commit makes the same bytes. */
  readonly committedAt: string | null;
}

const COMMIT_DIGITS = 8;

/** Reads the version of the package, and the commit of its folder. */
export function readBuild(root: string = ROOT): Build {
  const release = String(membersOf(readJson(join(root, "package.json")))["version"]);
  const hash = isOwnRepository(root) ? git(root, "rev-parse", "HEAD") : null;
  if (hash === null) return { version: `${release}+unknown`, commit: null, committedAt: null };
  const commit = hash.slice(0, COMMIT_DIGITS);
  const committedAt = new Date(Number(git(root, "show", "-s", "--format=%ct")) * 1000);
  const isDirty = git(root, "status", "--porcelain") !== "";
  const isRelease = git(root, "tag", "--points-at", "HEAD")?.split("\n").includes(`v${release}`);
  const built = `+g${commit}${isDirty ? ".dirty" : ""}`;
  return {
    version: isRelease === true && !isDirty ? release : `${release}${built}`,
    commit,
    committedAt: committedAt.toISOString(),
  };
}

/** A copy of the source in another repository is not of its commits. */
function isOwnRepository(root: string): boolean {
  const top = git(root, "rev-parse", "--show-toplevel");
  return top !== null && realpathSync(top) === realpathSync(root);
}

/** The output of git; null where it fails or is not installed. */
function git(root: string, ...args: readonly string[]): string | null {
  try {
    const { success, stdout } = Bun.spawnSync(["git", "--no-optional-locks", "-C", root, ...args]);
    return success ? stdout.toString().trim() : null;
  } catch {
    return null;
  }
}
