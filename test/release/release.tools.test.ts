// A release of the target of this machine, made twice in two folders, as those who download it find it; and the states of
// the repository of which none is made.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { openScratchFolder } from "../support/scratch.ts";
import { printedIn, ReleaseCopy, runIn, target } from "./release-copy.ts";

const NAME = `duka-0.2.0-${target}`;
const SUMS = "SHA256SUMS";
const opened = new DisposableStack();
let source: ReleaseCopy;
let other: ReleaseCopy;

beforeAll(async () => {
  source = opened.use(await ReleaseCopy.open());
  other = opened.use(await source.clone());
  await source.addPackages();
  await other.addPackages();
  const ended = await Promise.all([source.release(), other.release()]);
  expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ""],
    [0, ""],
  ]);
});

afterAll(() => opened.dispose());

describe("a release", () => {
  test("is the same to the byte when another clone makes it", async () => {
    const [sums, others] = [source, other].map((copy) => readFileSync(copy.made(SUMS), "utf8"));

    expect(sums).toBe(others ?? "");
    expect(sums).toContain(`${NAME}.tar.gz\n`);
  });

  test("has an archive with the program and what belongs beside it, for whom unpacks it", async () => {
    using folder = openScratchFolder();
    const printed = await printedIn(folder.path, ["tar", "xvzf", source.made(`${NAME}.tar.gz`)]);

    expect(printed.trim().split("\n")).toEqual(
      [
        "CHANGELOG.md",
        "LICENSE",
        "NOTICES.txt",
        "completions/_duka",
        "completions/duka.bash",
        "completions/duka.fish",
        "duka",
        "duka.service",
      ].map((path) => `${NAME}/${path}`),
    );
    const program = join(folder.path, NAME, "duka");
    expect(await printedIn(folder.path, [program, "--version"])).toStartWith("0.2.0 (");
    expect(await printedIn(folder.path, [program, "licenses"])).toBe(
      readFileSync(join(folder.path, NAME, "NOTICES.txt"), "utf8"),
    );
  });

  test("lists what is in it", () => {
    const list = JSON.parse(readFileSync(source.made("duka-0.2.0.cdx.json"), "utf8"));

    const found: string[] = list.components.map((one: { purl: string }) => one.purl);
    expect(list.metadata.component).toMatchObject({ type: "application", name: "duka" });
    expect(found).toContain(`pkg:npm/%40oven/bun-${target.replace("arm64", "aarch64")}@1.4.5`);
    expect(
      found.filter((one) => /^pkg:deb\/debian\/libc6@|scalar\/api-reference/.test(one)),
    ).toHaveLength(2);
    expect(found.filter((one) => one.includes("oxlint"))).toEqual([]);
  });

  test("says what was run", () => {
    const summary = readFileSync(source.made("summary.md"), "utf8");

    expect(summary).toContain(`| ${target} | run here |`);
    expect(summary).toContain("### Added\n");
  });

  test("has sums and a signature that fit, and that a flipped byte does not pass", async () => {
    using folder = openScratchFolder();
    for (const name of [`${NAME}.tar.gz`, SUMS, `${SUMS}.sig`])
      cpSync(source.made(name), folder.file(name));
    const check = () => runIn(folder.path, ["sha256sum", "--ignore-missing", "-c", SUMS]);
    const signers = join(source.path, "release/allowed_signers");
    const options = `-f ${signers} -I duka -n duka-release -s ${SUMS}.sig < ${SUMS}`;
    const verify = () => runIn(folder.path, ["sh", "-c", `ssh-keygen -Y verify ${options}`]);
    expect([(await check()).code, (await verify()).code]).toEqual([0, 0]);

    flipByte(folder.file(`${NAME}.tar.gz`));
    flipByte(folder.file(SUMS));

    expect([(await check()).code, (await verify()).code]).not.toContain(0);
  });
});

function flipByte(file: string): void {
  const bytes = readFileSync(file);
  bytes[10] = (bytes[10] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

describe("no release is made", () => {
  const refusals: Record<string, [(copy: ReleaseCopy) => Promise<unknown> | void, RegExp]> = {
    "of changes that are not committed": [
      (copy) => writeFileSync(join(copy.path, "new.ts"), ""),
      /^The tree has changes that are not committed\.\n$/,
    ],
    "of a commit without the tag": [
      (copy) => copy.run("git", "tag", "-d", "v0.2.0"),
      /^Its commit \w{8} has no tag v0\.2\.0\.\n$/,
    ],
    "of a version that the changelog does not have": [
      async (copy) => {
        await copy.run("sed", "-i", "s/^## 0.2.0 .*/## Unreleased/", "CHANGELOG.md");
        await copy.commit();
      },
      /^CHANGELOG\.md has no section "## 0\.2\.0 \(date\)"\.\n$/,
    ],
    "with a key that is not there": [
      (copy) => copy.run("rm", "../key", "../key.pub"),
      /^The key of DUKA_RELEASE_KEY cannot sign: .+\n$/,
    ],
    "with a key that nobody knows": [
      async (copy) => {
        await copy.run("sed", "-i", "/^duka /d", "release/allowed_signers");
        await copy.commit();
      },
      /^The key of DUKA_RELEASE_KEY is not in release\/allowed_signers\.\n$/,
    ],
  };

  test.each(Object.entries(refusals))("%s", async (_, [change, sentence]) => {
    using copy = await source.clone();
    await change(copy);

    const { code, stderr } = await copy.release();

    expect(code).toBe(1);
    expect(stderr).toMatch(sentence);
    expect(existsSync(copy.made())).toBe(false);
  });

  test("without a key, unless that is said", async () => {
    const { code, stderr } = await source.release({});

    expect(code).toBe(1);
    expect(stderr).toBe("DUKA_RELEASE_KEY names no key: --unsigned makes no signature.\n");
  });
});
