// `duka sandbox --detach`: a sandbox that outlives its shell, is found by its name, and leaves nothing at its end.

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";

import { program, runDuka } from "../../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../../support/scratch.ts";
import { until } from "../../support/until.ts";
import { leftIn, startSandbox, variablesIn } from "./running-sandbox.ts";

setDefaultTimeout(60_000);

/** What a file of facts says, as far as tests need it. */
interface Facts {
  readonly name: string | null;
  readonly api: string;
  readonly key: string;
  readonly directory: string;
  readonly ends_at: string | null;
}

let scratch: ScratchFolder;

beforeEach(() => {
  scratch = openScratchFolder();
});

afterEach(async () => {
  await run("stop", "--all");
  scratch[Symbol.dispose]();
});

function run(...args: readonly string[]) {
  return runDuka(["sandbox", ...args], { folder: scratch.path, settings: variablesIn(scratch) });
}

async function detach(...args: readonly string[]): Promise<Facts> {
  const { stdout, stderr } = await run("--detach", "--json", ...args);
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

function factsFile(name: string): string {
  return scratch.file(`cache/duka/sandboxes/${name}.json`);
}

async function statusOf({ api, key }: Facts): Promise<number> {
  return (await fetch(`${api}/products`, { headers: { Authorization: `Bearer ${key}` } })).status;
}

function idOf({ directory }: Facts): number {
  return Number(readFileSync(`${directory}/duka.pid`, "utf8"));
}

/** A process that has ended may wait as a zombie for an init that a container does not have. */
function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return !/\) Z /.test(readFileSync(`/proc/${id}/stat`, "utf8"));
  } catch {
    return false;
  }
}

test("a detached sandbox outlives its shell, and stop leaves no process and no folder", async () => {
  const line = [...program, "sandbox", "--detach", "--json", "--name", "ci"]
    .map((word) => `"${word}"`)
    .join(" ");
  const shell = Bun.spawn(["sh", "-c", `${line}; kill -KILL $$`], {
    cwd: scratch.path,
    env: { PATH: process.env.PATH ?? "", HOME: scratch.path, ...variablesIn(scratch) },
    stdin: "pipe",
    stdout: "pipe",
  });
  const facts: Facts = JSON.parse(await shell.stdout.text());
  await shell.exited;

  const id = idOf(facts);
  const before = [await statusOf(facts), isAlive(id)];
  const stopped = await run("stop", "ci");

  expect(before).toEqual([200, true]);
  expect(stopped).toEqual({ code: 0, stdout: 'The sandbox "ci" has ended.\n', stderr: "" });
  expect([leftIn(scratch), existsSync(factsFile("ci"))]).toEqual([[], false]);
  await until(() => !isAlive(id), "The process is still there.");
});

test("its facts are in a file of its name, which its owner alone reads, and its log in its directory", async () => {
  const facts = await detach("--name", "ci");

  const written: unknown = JSON.parse(readFileSync(factsFile("ci"), "utf8"));

  expect(written).toMatchObject({ ...facts });
  expect(statSync(factsFile("ci")).mode & 0o777).toBe(0o600);
  expect(existsSync(`${facts.directory}/sandbox/sandbox.log`)).toBe(true);
});

test("without --json it prints what a sandbox prints, and how it ends", async () => {
  const { code, stdout } = await run("--detach");

  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^Duka \S+: a sandbox is running\. It ends at \S+Z, or with ".* sandbox stop default"\.\n/,
  );
  expect(stdout).toMatch(/^ {2}test_sk_\w+$/m);
});

test("the same wish gets the sandbox that runs", async () => {
  const first = await detach("--name", "ci", "--seed", "none", "--for", "2h");

  const again = await detach("--seed", "none", "--name", "ci", "--for", "120m");

  expect(again).toEqual(first);
  expect(leftIn(scratch)).toHaveLength(1);
});

test("another wish for the name is refused, with the option that differs", async () => {
  await detach("--name", "ci");

  const refused = await run("--detach", "--name", "ci", "--scenario", "low-stock");

  expect([refused.code, refused.stdout]).toEqual([1, ""]);
  expect(refused.stderr).toStartWith(
    'The sandbox "ci" runs already, with another --scenario. End it with',
  );
});

test("programs that ask for a name at once get one sandbox", async () => {
  const all = await Promise.all([1, 2, 3].map(() => detach("--name", "ci", "--seed", "none")));

  expect(new Set(all.map(({ directory }) => directory)).size).toBe(1);
  expect(leftIn(scratch)).toHaveLength(1);
});

test("the facts of a sandbox whose process is gone are replaced", async () => {
  const killed = await detach("--name", "ci");
  process.kill(idOf(killed), "SIGKILL");
  await until(
    () =>
      statusOf(killed).then(
        () => false,
        () => true,
      ),
    "The sandbox still answers.",
  );

  const listed = await run("list", "--json");
  const next = await detach("--name", "ci", "--scenario", "low-stock");

  expect(JSON.parse(listed.stdout)).toEqual([]);
  expect(next.directory).not.toBe(killed.directory);
  expect(await statusOf(next)).toBe(200);
});

test("a file that is damaged is replaced", async () => {
  mkdirSync(scratch.file("cache/duka/sandboxes"), { recursive: true });
  writeFileSync(factsFile("ci"), "{");

  expect(await statusOf(await detach("--name", "ci"))).toBe(200);
});

test("those that run are listed, and all are stopped at once", async () => {
  const facts = [await detach("--name", "a"), await detach("--name", "b")];

  const listed = await run("list", "--json");
  const unclear = await run("stop");
  const stopped = await run("stop", "--all");

  expect(JSON.parse(listed.stdout)).toEqual(facts);
  expect(unclear).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Several sandboxes run. Name one, or stop --all: a, b."),
  });
  expect(stopped.stdout).toBe('The sandbox "a" has ended.\nThe sandbox "b" has ended.\n');
  expect(leftIn(scratch)).toEqual([]);
});

test("a kept one stays in its directory, and goes on under its name", async () => {
  const keep = scratch.file("kept");
  const first = await detach("--keep", keep);
  await run("stop");

  const second = await detach("--keep", keep);

  expect(second).toMatchObject({ directory: keep, key: first.key, kept: true });
  expect(await statusOf(second)).toBe(200);
});

test("a signal ends it, and its facts go with it", async () => {
  process.kill(idOf(await detach("--name", "ci")), "SIGTERM");

  await until(() => !existsSync(factsFile("ci")), "The facts are still there.");
  expect(leftIn(scratch)).toEqual([]);
});

test("one that does not become ready says why, and leaves nothing", async () => {
  await using taken = await startSandbox(scratch);
  const before = leftIn(scratch);
  const { port } = new URL(taken.printed.url);

  const refused = await run("--detach", "--name", "ci", "--port", port);

  expect([refused.code, refused.stdout]).toEqual([1, ""]);
  expect(refused.stderr).toStartWith("The sandbox did not become ready.\n");
  expect(refused.stderr).toContain(`Port ${port} of 127.0.0.1 is in use.`);
  expect(leftIn(scratch)).toEqual(before);
  expect(readdirSync(scratch.file("cache/duka/sandboxes"))).toEqual([]);
});

test.each([
  [["--name", "ci"], "--name needs --detach."],
  [["--for", "1h"], "--for needs --detach."],
  [["--detach", "--name", "../ci"], "--name has 1 to 63 letters a to z, digits"],
  [["--detach", "--for", "59s"], "--for must be a time from 1m to 30d"],
  [["--detach", "--for", "31d"], "--for must be a time from 1m to 30d"],
  [["--detach", "--for", "0m"], "--for must be a time from 1m to 30d"],
  [["--detach", "--seed", "big"], "--seed must be one of"],
  [["stop", "ci", "--all"], "Name one sandbox, or stop --all."],
  [["suite"], "Choose --js or --py."],
  [["suite", "--js", "--py"], "cannot be used with"],
] as const)("%j is a mistake, which starts nothing", async (args, told) => {
  const ended = await run(...args);

  expect([ended.code, ended.stdout]).toEqual([2, ""]);
  expect(ended.stderr).toContain(told);
  expect(leftIn(scratch)).toEqual([]);
});

test("stop names what does not run", async () => {
  const [named, any] = [await run("stop", "ci"), await run("stop")];

  expect(named).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No sandbox "ci" runs.'),
  });
  expect(any).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("No detached sandbox runs."),
  });
});
