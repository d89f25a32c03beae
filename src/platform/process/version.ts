// The version of this program, embedded when it is bundled.

import { type Build, readBuild } from "./bundled-texts.ts" with { type: "macro" };

/** The build of this program. */
export const build: Build = readBuild();

/** The version of this program, such as 0.2.0, or 0.2.0+g7660a6f5 where it is not built of the release's commit. */
export const { version } = build;

/** The release that this program is, or is built after: what its interface is called by. */
export const release: string = releaseOf(version);

/** The release of a version: its part before the `+`. */
export function releaseOf(of: string): string {
  return of.replace(/\+.*/, "");
}

/** The version, with the commit and its day: `0.2.0+g7660a6f5 (7660a6f5, 2026-11-28)`. */
export function versionLine(): string {
  const { commit, committedAt } = build;
  if (commit === null || committedAt === null) return version;
  return `${version} (${commit}, ${committedAt.slice(0, 10)})`;
}
