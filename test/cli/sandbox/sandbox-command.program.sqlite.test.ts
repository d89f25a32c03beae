// `duka sandbox` as a program: what it prints, when it ends, and what it answers to mistakes.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";

import { program, runDuka } from "../../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../../support/scratch.ts";
import { leftIn, startSandbox, variablesIn } from "./running-sandbox.ts";

setDefaultTimeout(60_000);

let scratch: ScratchFolder;

beforeEach(() => {
  scratch = openScratchFolder();
});

afterEach(() => scratch[Symbol.dispose]());

function run(...args: readonly string[]) {
  return runDuka(args, { folder: scratch.path, settings: variablesIn(scratch) });
}

test("its line of JSON has the members of the guide", async () => {
  const guide = await Bun.file("src/guides/testing.md").text();
  const named = [...guide.matchAll(/^\| `([a-z_]+)` /gm)].map(([, name = ""]) => name);
  await using sandbox = await startSandbox(scratch, ["--scenario", "flash-sale"]);

  expect(named).toContain("publishable_key");
  expect(Object.keys(sandbox.printed).toSorted()).toEqual(named.toSorted());
});

describe("nothing is left", () => {
  test("after stdin is closed", async () => {
    await using sandbox = await startSandbox(scratch);

    sandbox.closeStdin();

    expect(await sandbox.exited).toBe(0);
    expect(leftIn(scratch)).toEqual([]);
  });

  test.each(["SIGINT", "SIGTERM"] as const)("after %s", async (signal) => {
    await using sandbox = await startSandbox(scratch, [], { stdin: "ignore" });

    sandbox.signal(signal);

    expect(await sandbox.exited).toBe(0);
    expect(leftIn(scratch)).toEqual([]);
  });

  test("after the program that started it was killed", async () => {
    const line = [...program, "sandbox", "--json"].map((word) => `"${word}"`).join(" ");
    const command = ["sh", "-c", `${line} & wait`];
    await using sandbox = await startSandbox(scratch, [], { stdin: "ignore", command });

    sandbox.signal("SIGKILL");
    await sandbox.silenced();

    expect(leftIn(scratch)).toEqual([]);
  });
});

test("a snapshot of the only sandbox that runs needs no directory", async () => {
  await using sandbox = await startSandbox(scratch);

  const saved = await run("sandbox", "snapshot", "clean");
  const restored = await run("sandbox", "restore", "clean");
  const unknown = await run("sandbox", "restore", "paid");

  expect(sandbox.printed.url).toStartWith("http://127.0.0.1:");
  expect([saved.code, saved.stdout]).toEqual([
    0,
    expect.stringMatching(/^Saved "clean" at .*Z\.\n$/),
  ]);
  expect(restored.stdout.replace("Restored", "Saved")).toBe(saved.stdout);
  expect(unknown).toMatchObject({
    code: 1,
    stderr: 'There is no snapshot "paid"; there are clean.\n',
  });
});

test("where several run, a snapshot names the sandbox by its directory", async () => {
  await using first = await startSandbox(scratch);
  await using second = await startSandbox(scratch);
  const { directory } = second.printed;

  const unclear = await run("sandbox", "snapshot");
  const clear = await run("sandbox", "snapshot", "--data-dir", directory);
  const unknown = await run("sandbox", "restore", "paid", "--data-dir", directory);

  expect(unclear.code).toBe(2);
  expect(unclear.stderr).toContain(first.printed.directory);
  expect(unclear.stderr).toContain(directory);
  expect([clear.code, clear.stdout]).toEqual([
    0,
    expect.stringMatching(/^Saved "default" at .*Z\.\n$/),
  ]);
  expect(unknown).toMatchObject({
    code: 1,
    stderr: 'There is no snapshot "paid"; there are default.\n',
  });
});

test("where none runs, a snapshot says how to start one", async () => {
  const ended = await run("sandbox", "snapshot");

  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(/^No sandbox runs here\. Start one with ".* sandbox"/);
});

test.each([
  [
    ["--scenario", "flash-sail"],
    /--scenario must be one of slow-gateway, low-stock, .* Did you mean flash-sale\?/,
  ],
  [["--seed", "big"], /--seed must be one of small, full, none, not "big"\./],
  [["--seed", "none", "--scenario", "low-stock"], /needs products: choose --seed small or full/],
  [["--clock", "tomorrow"], /--clock must be an instant such as/],
  [["--port", "many"], /DUKA_PORT/],
  [["--data-dir", "shop"], /Name the directory of a sandbox with --keep/],
  [["snapshto"], /unknown command "snapshto"; did you mean "snapshot"\?/],
] as const)("%j is a mistake, which leaves nothing", async (args, told) => {
  const ended = await run("sandbox", ...args);

  expect([ended.code, ended.stdout]).toEqual([2, ""]);
  expect(ended.stderr).toMatch(told);
  expect(leftIn(scratch)).toEqual([]);
});

test("a port that is taken is named, with what to do", async () => {
  await using first = await startSandbox(scratch);
  const { port } = new URL(first.printed.url);

  const ended = await run("sandbox", "--port", port);

  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain(`Port ${port} of 127.0.0.1 is in use. Choose another port`);
  expect(leftIn(scratch)).toHaveLength(1);
});

test("settings that say where a shop is are not taken from the environment", async () => {
  const shop = scratch.file("shop");
  await using taken = await startSandbox(scratch);
  const { port } = new URL(taken.printed.url);

  await using sandbox = await startSandbox(scratch, [], {
    command: ["env", `DUKA_PORT=${port}`, `DUKA_DATA_DIR=${shop}`, ...program, "sandbox", "--json"],
  });

  expect(sandbox.printed.directory).toStartWith(scratch.file("tmp"));
  expect(existsSync(shop)).toBe(false);
});

test("a shop in PostgreSQL is no sandbox", async () => {
  const DUKA_DATABASE_URL = "postgres://duka:secret@127.0.0.1/duka";
  const settings = { ...variablesIn(scratch), DUKA_DATABASE_URL };

  const ended = await runDuka(["sandbox"], { folder: scratch.path, settings });

  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain(
    "A sandbox keeps its shop in files: run it without DUKA_DATABASE_URL.",
  );
  expect(leftIn(scratch)).toEqual([]);
});
