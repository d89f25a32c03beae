// The version that a build gets, in repositories made for it: by its commit, its tag and what is changed beside them.

import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { readBuild } from "../../src/platform/process/bundled-texts.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";

function git(root: string, ...args: readonly string[]): string {
  const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  const { success, stdout, stderr } = Bun.spawnSync(["git", "-C", root, ...author, ...args], {
    env: { PATH: process.env.PATH ?? "", GIT_COMMITTER_DATE: "2026-11-28T23:30:00+0100" },
  });
  if (!success) throw new Error(stderr.toString());
  return stdout.toString().trim();
}

/** A repository whose package is 0.2.0, with one commit. */
function openRepository(): ScratchFolder & { readonly hash: string } {
  const folder = openScratchFolder();
  writeFileSync(folder.file("package.json"), '{"version":"0.2.0"}');
  git(folder.path, "init", "-q");
  git(folder.path, "add", ".");
  git(folder.path, "commit", "-q", "-m", "Open");
  return { ...folder, hash: git(folder.path, "rev-parse", "HEAD").slice(0, 8) };
}

beforeAll(() => {
  // Without git there is nothing to test here.
  expect(Bun.which("git")).not.toBeNull();
});

describe("the version of a build is", () => {
  test("the release where its commit has the tag and nothing is changed", () => {
    using own = openRepository();
    git(own.path, "tag", "v0.2.0");

    expect(readBuild(own.path)).toEqual({
      version: "0.2.0",
      commit: own.hash,
      committedAt: "2026-11-28T22:30:00.000Z",
    });
  });

  test("the release and the commit without the tag, or with that of another release", () => {
    using own = openRepository();
    git(own.path, "tag", "v0.1.0");

    expect(readBuild(own.path).version).toBe(`0.2.0+g${own.hash}`);
  });

  test("dirty with a changed or a new file, also on the commit of the release", () => {
    using own = openRepository();
    git(own.path, "tag", "v0.2.0");
    writeFileSync(own.file("new.ts"), "");

    expect(readBuild(own.path).version).toBe(`0.2.0+g${own.hash}.dirty`);
  });

  test("unknown without a repository, and in a copy that lies in another one", () => {
    using own = openRepository();
    using alone = openScratchFolder();
    const inside = own.file("vendor/duka");
    mkdirSync(inside, { recursive: true });
    for (const place of [inside, alone.path]) {
      cpSync(own.file("package.json"), join(place, "package.json"));
    }

    const unknown = { version: "0.2.0+unknown", commit: null, committedAt: null };
    expect([readBuild(inside), readBuild(alone.path)]).toEqual([unknown, unknown]);
  });

  test("unknown where git is not installed", () => {
    using own = openRepository();
    const build = Bun.spawnSync(
      [
        process.execPath,
        "-e",
        `const { readBuild } = await import("#platform/process/bundled-texts.ts");
        console.log(readBuild(${JSON.stringify(own.path)}).version)`,
      ],
      { cwd: join(import.meta.dir, "../.."), env: { PATH: "/nowhere" } },
    );

    expect(build.stdout.toString().trim()).toBe("0.2.0+unknown");
  });
});
