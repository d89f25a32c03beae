// Macros that run when the program is bundled: its version, which is the one in package.json alone, and the licenses of
// the packages that the lock file names and that are in the program, with their texts.

import { existsSync, readdirSync, readFileSync } from "node:fs";
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

/** The version of the package. */
export function readVersion(): string {
  const text = readFileSync(join(import.meta.dir, "../../../package.json"), "utf8");
  const members: unknown = JSON.parse(text);
  if (typeof members !== "object" || members === null || !("version" in members)) return "unknown";
  return String(members.version);
}
