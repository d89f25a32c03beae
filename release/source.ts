// The source of a release: the commit with its tag, without a change beside it, and what the changelog says of it.

import { join } from "node:path";

import { readBuild } from "#platform/process/bundled-texts.ts";

import { ReleaseFault, root } from "./command.ts";

/** A commit that may be released. */
export interface Source {
  /** Such as 0.2.0. */
  readonly version: string;
  readonly commit: string;
  /** The time of the commit, ISO 8601. It is the time of all that is made. */
  readonly committedAt: string;
  /** What the changelog says of the version, as Markdown. */
  readonly changes: string;
}

/** Reads the source, or throws the sentence why it cannot be released. */
export async function readSource(): Promise<Source> {
  const { version: release } = await Bun.file(join(root, "package.json")).json();
  const { version, commit, committedAt } = readBuild();
  if (commit === null || committedAt === null)
    throw new ReleaseFault("The source is in no git repository of its own.");
  if (version.endsWith(".dirty"))
    throw new ReleaseFault("The tree has changes that are not committed.");
  if (version !== release) throw new ReleaseFault(`Its commit ${commit} has no tag v${release}.`);
  const sections = (await Bun.file(join(root, "CHANGELOG.md")).text()).split(/^## /m);
  const section = sections.find((one) => one.startsWith(`${version} (`));
  if (section === undefined)
    throw new ReleaseFault(`CHANGELOG.md has no section "## ${version} (date)".`);
  const changes = section.slice(section.indexOf("\n")).trim();
  return { version, commit, committedAt, changes };
}

/** The time of the commit in seconds. */
export function secondsOf({ committedAt }: Source): number {
  return Date.parse(committedAt) / 1000;
}
