// `duka doctor` tells what the running server finds, and what can be told while none runs.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";

import { openRunningDuka, runDuka } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";

setDefaultTimeout(60_000);

let scratch: ScratchFolder;

beforeEach(() => {
  scratch = openScratchFolder();
});

afterEach(() => scratch[Symbol.dispose]());

function doctor(...options: string[]) {
  return runDuka(["doctor", ...options], { folder: scratch.path });
}

/** The states of the rows by their names. */
function statesIn(stdout: string): Readonly<Record<string, string>> {
  const { checks } = JSON.parse(stdout);
  return Object.fromEntries(
    checks.map(({ check, state }: Readonly<Record<string, string>>) => [check, state]),
  );
}

describe("beside a running server", () => {
  test("the doctor tells what the shop lacks, and succeeds where nothing fails", async () => {
    await using duka = await openRunningDuka({ folder: scratch.path });

    const { code, stdout, stderr } = await doctor();

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`answers at ${duka.url}.`);
    expect(stdout).toContain("There is nothing to buy.");
    expect(stdout).toMatch(/\n0 failing, \d+ to do\.\n$/);
  });

  test("a machine reads the same as JSON", async () => {
    await using duka = await openRunningDuka({ folder: scratch.path });

    const { code, stdout } = await doctor("--json");

    expect(duka.url).not.toBe("");
    expect(code).toBe(0);
    expect(statesIn(stdout)).toMatchObject({
      serving: "ok",
      public_url: "todo",
      files: "ok",
      product: "todo",
    });
  });
});

describe("without a server", () => {
  test("what the files tell is told, and the missing server fails", async () => {
    {
      await using duka = await openRunningDuka({ folder: scratch.path });
      await duka.end("SIGTERM");
    }

    const { code, stdout } = await doctor("--json");

    expect(code).toBe(1);
    expect(statesIn(stdout)).toMatchObject({ serving: "fail", files: "ok", product: "todo" });
    expect(statesIn(stdout)).not.toHaveProperty("open_files");
  });

  test("a folder without a shop tells of the machine alone", async () => {
    const { code, stdout } = await doctor("--json");

    expect(code).toBe(1);
    expect(Object.keys(statesIn(stdout))).toEqual([
      "serving",
      "certificate",
      "test_mode",
      "disk_space",
      "disk_sync",
      "files",
      "mail",
    ]);
  });
});
