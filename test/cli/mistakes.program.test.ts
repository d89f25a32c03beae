// Mistakes on the command line are answered with what was meant and with the usage of the command; the help
// lists what may be given.

import { expect, setDefaultTimeout, test } from "bun:test";

import { eventNames } from "#messaging/events/event.ts";
import { grants } from "#shop/keys/scopes.ts";

import { runDuka } from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";

setDefaultTimeout(60_000);

async function run(...args: string[]) {
  using scratch = openScratchFolder();
  return await runDuka(args, { folder: scratch.path });
}

const create = ["keys", "create", "--mode", "test"];

test.each([
  ["an unknown command", ["srve"], 'did you mean "serve"?', ""],
  ["an unknown command of a group", ["keys", "crate"], "Did you mean create?", "keys"],
  ["an unknown option", ["keys", "list", "--jsno"], "Did you mean --json?", "keys list"],
  ["a missing option", ["keys", "create"], "--mode <mode>", "keys create"],
  ["an unknown value", ["keys", "create", "--mode", "both"], "test, live", "keys create"],
  ["a missing argument", ["trigger"], "'event'", "trigger"],
  ["too many arguments", ["check", "all"], "too many arguments", "check"],
  ["an invalid value", [...create, "--rate-limit=-1"], "--rate-limit must be", "keys create"],
  ["an unknown shell", ["completion", "tcsh"], "bash, zsh, fish", "completion"],
  ["help for an unknown command", ["help", "keys", "crate"], 'did you mean "create"?', "keys"],
])("%s is answered with what was meant and where the help is", async (...row) => {
  const [, args, meant, command] = row;

  const { code, stdout, stderr } = await run(...args);

  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(meant);
  expect(stderr).toContain(`\n\nUsage: ${`duka ${command}`.trim()} `);
  expect(stderr).toMatch(new RegExp(`See ".+${command} --help"\\.\n$`));
});

test("help with the words of a command prints what its --help prints", async () => {
  const asked = await run("help", "keys", "create");
  const option = await run("keys", "create", "--help");

  expect(asked).toEqual(option);
  expect(asked.code).toBe(0);
  expect(asked.stdout).toStartWith("Usage: duka keys create --mode <mode> [options]\n");
});

test.each([
  ["the help of keys create", ["keys", "create", "--help"], 0],
  ["a wrong scope", ["keys", "create", "--mode", "test", "--scopes", "foo"], 2],
] as const)("%s lists presets and scopes", async (_, args, code) => {
  const ended = await run(...args);

  const printed = ended.stdout + ended.stderr;
  expect(ended.code).toBe(code);
  expect(grants.filter((grant) => !printed.includes(grant))).toEqual([]);
  expect(printed).toMatch(/storefront +catalog:read, carts:use, payments:use/);
});

test("the help of trigger lists the events", async () => {
  const { stdout } = await run("trigger", "--help");

  expect(eventNames.filter((name) => !stdout.includes(name))).toEqual([]);
});

test("nothing is colored in a pipe", async () => {
  const { stdout } = await run("--help");
  const { stderr } = await run("srve");

  expect(stdout + stderr).not.toContain("\u001B");
});
