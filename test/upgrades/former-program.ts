// The program of a former release, from the history of the repository.

import { join } from "node:path";

import { openScratchFolder } from "../support/scratch.ts";

const root = join(import.meta.dir, "../..");

export interface Release {
  readonly version: string;
  readonly commit: string;
  /** The number of its newest migration that older programs cannot work beside. */
  readonly oldest_beside: number;
}

export const RELEASES = join(import.meta.dir, "releases.json");

/** The releases whose data is kept here, the oldest first. */
export const releases: readonly Release[] = await Bun.file(RELEASES).json();

/** True in a run of everything, which tries every migration and the way back. */
export const isWholeRun = process.env["UPGRADES"] === "all";

export interface FormerProgram extends AsyncDisposable {
  /** The command that starts it; arguments follow. */
  readonly command: readonly string[];
  /** The name of its file. */
  readonly newestMigration: string;
}

/** True if the history reaches back to the commit: that of a shallow clone does not. */
export function isInHistory(commit: string): boolean {
  return git(["cat-file", "-e", `${commit}^{commit}`]).success;
}

/** Returns the commit that a name stands for. Throws what git says where there is none. */
export function commitOf(name: string): string {
  return said(git(["rev-parse", "--verify", `${name}^{commit}`]))
    .toString()
    .trim();
}

/** Checks out a commit in a folder of its own, with its packages. Disposing it deletes them. */
export async function openFormerProgram(commit: string): Promise<FormerProgram> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(openScratchFolder());
  const tree = folder.file("program");
  said(git(["worktree", "add", "--detach", tree, commit]));
  opened.defer(() => void said(git(["worktree", "remove", "--force", tree])));
  said(Bun.spawnSync(["npm", "ci", "--prefer-offline", "--no-audit", "--no-fund"], { cwd: tree }));
  const migrations = new Bun.Glob("*.sql").scanSync(join(tree, "drizzle/sqlite"));
  const kept = opened.move();
  return {
    command: [join(tree, "node_modules/.bin/bun"), join(tree, "src/main.ts")],
    newestMigration: [...migrations].toSorted().at(-1) ?? "",
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function git(words: readonly string[]) {
  return Bun.spawnSync(["git", ...words], { cwd: root });
}

/** The output of a command that ended well. */
export function said({ success, stdout, stderr }: Bun.SyncSubprocess<"pipe", "pipe">): Buffer {
  if (success) return stdout;
  throw new Error(`${stdout.toString()}${stderr.toString()}`);
}
