// Rules of the documents: README, CHANGELOG and the like, the map of the code and its decisions. Each is a pure function
// that returns complaints; an empty list means that the document complies.

import { dirname, join } from "node:path";

/** Links of a document point at existing files, from the root, from src or from its folder. */
export function documentPointsAtFiles(
  path: string,
  text: string,
  exists: (path: string) => boolean,
): string[] {
  const links = [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map((found) => found[1] ?? "");
  const quoted = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|md|sql|json|toml))`/g)];
  return [
    ...links.filter((link) => !/^[a-z]+:/.test(link)),
    ...quoted.map((found) => found[1] ?? ""),
  ]
    .filter((target) => ![join(dirname(path), target), target, `src/${target}`].some(exists))
    .map((target) => `${path}: ${target} does not exist`);
}

/** Every folder of src has its row in the import table. */
export function foldersAreInTheTable(folders: readonly string[], readme: string): string[] {
  const cells = [...readme.matchAll(/^\|([^|]*)\|/gm)].map((found) => found[1] ?? "").join(" ");
  const named = new Set([...cells.matchAll(/([a-z-]+)\//g)].map((found) => found[1]));
  return folders
    .filter((folder) => !named.has(folder))
    .map((folder) => `src/README.md: the import table has no row for ${folder}/`);
}

/** The list of decisions links to each file of its folder once, and to no other. */
export function decisionsAreListed(files: readonly string[], list: string): string[] {
  const links = [...list.matchAll(/\]\(([\w-]+\.md)\)/g)].map((found) => found[1] ?? "");
  const missing = files
    .filter((file) => links.filter((link) => link === file).length !== 1)
    .map((file) => `src/decisions/README.md: give ${file} one line`);
  const gone = links
    .filter((link) => !files.includes(link))
    .map((link) => `src/decisions/README.md: ${link} does not exist`);
  return [...missing, ...gone];
}

/**
 * A changelog is a section for each version, the newest first and what is not released yet above them, each with known
 * parts in their order.
 */
export function changelogIsInForm(text: string): string[] {
  const headings = [...text.matchAll(/^##+ .*$/gm)].map(([heading]) => heading);
  const isVersion = /^## \d+\.\d+\.\d+ \(\d{4}-\d{2}-\d{2}\)$/;
  const wrong = headings.filter((heading, place) =>
    heading.startsWith("## ")
      ? !isVersion.test(heading) && !(heading === "## Unreleased" && place === 0)
      : !partsInOrder(heading, headings[place - 1] ?? ""),
  );
  return wrong.map((heading) => `CHANGELOG.md: "${heading}" is not in the form`);
}

/** The package has the version of the newest numbered section. */
export function packageHasNewestVersion(changelog: string, version: unknown): string[] {
  const [, newest] = /^## (\d+\.\d+\.\d+) /m.exec(changelog) ?? [];
  return newest === version ? [] : [`package.json has ${String(version)}, CHANGELOG.md ${newest}`];
}

const changelogParts = ["### Breaking", "### Added", "### Fixed", "### Security"];

/** True if the part is known and comes after the one before it, or begins its version. */
function partsInOrder(part: string, before: string): boolean {
  return changelogParts.indexOf(part) > changelogParts.indexOf(before);
}
