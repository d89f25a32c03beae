// A path on the command line may be a pipe, a FIFO, stdin or a folder: it is read once and to its end, or refused, and no
// command waits for ever.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";

import { openRunningDuka, program, runDuka } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";

setDefaultTimeout(60_000);

const PRODUCTS = "slug,name,variant_title,price_usd\nmug,Mug,,8.00\n";
const CUSTOMERS = "id,email,name\n,ada@example.com,Ada\n";

/** Commands with the place of a path, what is at the path, and what each says of it. */
const reading: Readonly<Record<string, { readonly text: () => string; readonly says: RegExp }>> = {
  "import products --mode test {path}": { text: () => PRODUCTS, says: /1 product/ },
  "import customers --mode test {path}": { text: () => CUSTOMERS, says: /1 customer/ },
  "config --env-file {path}": {
    text: () => "DUKA_SHUTDOWN_SECONDS=77\n",
    says: /DUKA_SHUTDOWN_SECONDS +77/,
  },
  "backup verify backups --secret-key-file {path}": {
    text: () => Buffer.alloc(32, 7).toString("base64"),
    says: /backups is not a backup of Duka/,
  },
};

let scratch: ScratchFolder;

beforeAll(async () => {
  scratch = openScratchFolder();
  writeFileSync(scratch.file("plain"), "");
  await using _ = await openRunningDuka({ folder: scratch.path });
});

afterAll(() => scratch[Symbol.dispose]());

/** Runs a command in a line of a shell, whose `$TEXT` is a file. What it prints on both ways is told. */
async function runIn(line: string, text: string) {
  const file = scratch.file(`text-${crypto.randomUUID()}`);
  writeFileSync(file, text);
  const quoted = program.map((word) => `"${word}"`).join(" ");
  const script = `duka() { ${quoted} "$@"; }\nTEXT=${file}\n${line}`;
  const { code, stdout, stderr } = await runDuka([], {
    folder: scratch.path,
    program: ["bash", "-c", script],
    settings: { TMPDIR: scratch.path },
  });
  return { code, told: stdout + stderr };
}

function leftBehind(): string[] {
  return readdirSync(scratch.path).filter((name) => name.startsWith("duka-given-"));
}

describe.each(Object.entries(reading))("%s", (command, { text, says }) => {
  const withPath = (path: string) => `duka ${command.replace("{path}", path)}`;

  test.each([
    ["a pipe", `cat $TEXT | ${withPath("/dev/stdin")}`],
    ["stdin", `cat $TEXT | ${withPath("-")}`],
    ["a file at stdin", `${withPath("-")} < $TEXT`],
    ["what another program prints", withPath("<(sleep 0.1; cat $TEXT)")],
    ["a FIFO", `mkfifo $TEXT.f; (cat $TEXT > $TEXT.f &); ${withPath("$TEXT.f")}`],
  ])("reads %s to its end", async (_, line) => {
    const plain = await runIn(withPath("$TEXT"), text());

    const ended = await runIn(line, text());

    expect(plain.told).toMatch(says);
    expect(ended.told).toMatch(says);
    expect(ended.code).toBe(plain.code);
    expect(leftBehind()).toEqual([]);
  });

  test("refuses a folder", async () => {
    const ended = await runIn(withPath("."), "");

    expect(ended.code).toBeGreaterThan(0);
    expect(ended.told).toContain(". is a folder, not a file.");
  });

  test("refuses what is not there", async () => {
    const ended = await runIn(withPath("no-such-file"), "");

    expect(ended.code).toBeGreaterThan(0);
    expect(ended.told).toContain("There is no file no-such-file.");
  });

  test("refuses what does not end", async () => {
    const ended = await runIn(withPath("/dev/zero"), "");

    expect(ended.code).toBeGreaterThan(0);
    expect(ended.told).toMatch(/\/dev\/zero has more than \d+ MiB, which is too much\./);
    expect(leftBehind()).toEqual([]);
  });
});

describe("an archive", () => {
  test("is verified from a pipe, stdin and a FIFO", async () => {
    await runIn("duka export archive --mode test --to all.tar.gz", "");

    const told = await Promise.all(
      [
        "cat all.tar.gz | duka export archive --verify /dev/stdin",
        "duka export archive --verify - < all.tar.gz",
        "duka export archive --verify <(cat all.tar.gz)",
        "mkfifo all.f; (cat all.tar.gz > all.f &); duka export archive --verify all.f",
      ].map((line) => runIn(line, "")),
    );

    expect(told.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(told.every((one) => one.told.includes("is whole"))).toBe(true);
  });
});

test.each([
  "backup --to",
  "backup verify",
  "db copy --from data --to",
  "import products --mode test $TEXT --report",
  "restore",
  "serve --data-dir",
  "sandbox --keep",
  "export archive --to",
])("%s waits for no pipe", async (command) => {
  const fifo = await runIn(`mkfifo $TEXT.f; duka ${command} $TEXT.f`, "");
  const pipe = await runIn(`echo | duka ${command} /dev/stdin`, "");

  expect([fifo.code > 0, pipe.code > 0]).toEqual([true, true]);
});

describe.each(["client --out", "export products --mode test --out"])("%s", (command) => {
  test("fills a FIFO that is read", async () => {
    const ended = await runIn(
      `mkfifo $TEXT.f; (cat $TEXT.f > $TEXT.all &); duka ${command} $TEXT.f; sleep 0.2; wc -l < $TEXT.all`,
      "",
    );

    expect(ended.code).toBe(0);
    expect(ended.told).toMatch(/^[1-9]\d*$/m);
  });

  test("prints to stdout where - names it, and writes no file", async () => {
    const printed = await runIn(`duka ${command.replace(/ --out$/, "")}`, "");

    const ended = await runIn(`duka ${command} -`, "");

    expect(ended).toEqual(printed);
    expect([ended.code, existsSync(scratch.file("-"))]).toEqual([0, false]);
  });

  test("refuses a FIFO without a reader, and a folder", async () => {
    const fifo = await runIn(`mkfifo $TEXT.f; duka ${command} $TEXT.f`, "");
    const folder = await runIn(`duka ${command} .`, "");

    expect([fifo.code, folder.code]).toEqual([2, 2]);
    expect(fifo.told).toContain("cannot be written (this FIFO has no reader)");
    expect(folder.told).toContain(". cannot be written (EISDIR)");
  });
});
