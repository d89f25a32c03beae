// The changelog by versions: which Breaking lines an upgrade brings.

import { releaseOf } from "#platform/process/version.ts";

import { changelog } from "./guide.ts";

/** A section of the changelog. */
interface Section {
  /** Such as `0.2.0`, or `Unreleased`. */
  readonly version: string;
  readonly text: string;
}

const sections: readonly Section[] = changelog
  .split(/^(?=## )/m)
  .slice(1)
  .map((section) => ({ version: /^## (\S+)/.exec(section)?.[1] ?? "", text: section.trim() }));

/** The Breaking lines of a version. */
export interface Breaking {
  readonly version: string;
  /** As the changelog has them, each on one line. */
  readonly lines: readonly string[];
}

/** The versions after this one that have Breaking lines, oldest first; all that were released where it is null. */
export function breakingSince(version: string | null): readonly Breaking[] {
  const before = version === null ? null : releaseOf(version);
  return sections
    .filter((section) => /^\d/.test(section.version))
    .filter((section) => before === null || Bun.semver.order(section.version, before) > 0)
    .map((section) => ({ version: section.version, lines: breakingLines(section.text) }))
    .filter(({ lines }) => lines.length > 0)
    .toReversed();
}

function breakingLines(section: string): string[] {
  const [, list = ""] = /^### Breaking\n([\s\S]*?)(?=^### |$(?![\s\S]))/m.exec(section) ?? [];
  return list
    .split(/^- /m)
    .slice(1)
    .map((line) => line.split("\n\n")[0]?.replaceAll(/\s+/g, " ").trim() ?? "");
}
