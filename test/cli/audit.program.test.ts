// `duka audit` lists who did what, with and without a running server.

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { userInfo } from "node:os";

import { openRunningDuka, runDuka } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";

setDefaultTimeout(60_000);

const user = userInfo().username;

let scratch: ScratchFolder;
let folder = "";

beforeEach(() => {
  scratch = openScratchFolder();
  folder = scratch.path;
});

afterEach(() => scratch[Symbol.dispose]());

function duka(...args: string[]) {
  return runDuka(args, { folder });
}

async function audited(...options: string[]): Promise<unknown[]> {
  const { stdout } = await duka("audit", "--json", ...options);
  const entries: unknown = JSON.parse(stdout);
  return Array.isArray(entries) ? entries : [];
}

const actions = (entries: readonly unknown[]) => entries.map((entry) => Object(entry).action);

test("what the command line did is listed under the name of the user", async () => {
  await duka("keys", "create", "--mode", "live", "--init");
  const [key] = JSON.parse((await duka("keys", "list", "--json")).stdout);
  await duka("keys", "revoke", key.id);

  const entries = await audited();

  const actor = { type: "operator", id: null, name: user };
  const subject = { type: "key", id: key.id };
  expect(entries).toMatchObject([
    { action: "keys revoke", actor, subject, request_id: null, client_network: null },
    { action: "keys create", actor, subject },
  ]);
});

test("a command that is refused leaves no entry", async () => {
  await duka("keys", "create", "--mode", "live", "--init");

  const refused = await duka("keys", "revoke", "key_01h455vb4pex5vsknk084sn02q");

  expect(refused.code).toBe(1);
  expect(actions(await audited())).toEqual(["keys create"]);
});

test("a rotation of the secrets is listed in both modes", async () => {
  await duka("migrate", "--init");
  await duka("secrets", "rotate");

  expect(actions(await audited("--mode", "live"))).toEqual(["secrets rotate"]);
  expect(actions(await audited("--mode", "test"))).toEqual(["secrets rotate"]);
});

test("a running server lists requests and commands, by any filter", async () => {
  await using running = await openRunningDuka({ folder });
  await duka("keys", "create", "--mode", "test", "--name", "Till");
  const body = { name: "Mug", sku: "MUG", price: "10.00", currency: "USD" };
  await running.request("POST", "/v2/products", { body });

  expect(actions(await audited("--mode", "test"))).toEqual([
    "createProduct",
    "keys create",
    "createFirstKey",
  ]);
  expect(actions(await audited("--mode", "test", "--actor", "operator"))).toEqual(["keys create"]);
  expect(actions(await audited("--mode", "test", "--action", "createProduct"))).toEqual([
    "createProduct",
  ]);
  expect(await audited("--mode", "test", "--to", "2020-01-01")).toEqual([]);
  expect(await audited("--mode", "test", "--limit", "1")).toHaveLength(1);
  const { stdout } = await duka("audit", "--mode", "test", "--action", "createProduct");
  expect(stdout).toMatch(/^WHEN +WHO +WHAT +SUBJECT +CHANGED\n/);
  expect(stdout).toMatch(/key\s+First\s+key +createProduct +prod_\w+ +-/);
});

test("a shop without an entry is told apart from the other one", async () => {
  await duka("keys", "create", "--mode", "live", "--init");

  const { stdout } = await duka("audit", "--mode", "test");

  expect(stdout).toBe("The test shop has no such entry. --mode live lists the other one.\n");
});

test.each([
  ["--from", "yesterday"],
  ["--to", "2030-01-31T12:00"],
  ["--limit", "0"],
  ["--mode", "both"],
])("%s %s is refused as a mistake", async (option, value) => {
  const { code, stderr } = await duka("audit", option, value);

  expect(code).toBe(2);
  expect(stderr).toContain(option);
});
