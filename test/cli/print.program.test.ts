// Commands that only print: settings, OpenAPI document, version and help.

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { clientScript, clientSource } from "#client/emit-client.ts";
import { document } from "#interface.ts";
import { ownSchema } from "#platform/database/migrations.ts";
import { exampleStore } from "#storefront/store-page.ts";

import { program, runDuka } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";

setDefaultTimeout(60_000);

let scratch: ScratchFolder;
let folder = "";

beforeEach(() => {
  scratch = openScratchFolder();
  folder = scratch.path;
});

afterEach(() => scratch[Symbol.dispose]());

test("the settings are printed with their origin", async () => {
  const ended = await runDuka(["config"], { folder, settings: { DUKA_PORT: "4711" } });

  expect(ended.code).toBe(0);
  expect(ended.stdout).toMatch(/^DUKA_PORT +4711 +environment +The port to listen on/m);
  expect(ended.stdout).toMatch(/^DUKA_HOST +127\.0\.0\.1 +default /m);
});

test("a secret setting is never printed, not even an invalid one", async () => {
  const settings = { DUKA_DATABASE_URL: "postgres://ada:very-secret@db" };

  const ended = await runDuka(["config"], { folder, settings });

  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain("DUKA_DATABASE_URL");
  expect(ended.stdout + ended.stderr).not.toContain("very-secret");
});

test("the licenses name every package of the program, with their texts", async () => {
  const { dependencies } = await Bun.file(join(import.meta.dir, "../../package.json")).json();

  const ended = await runDuka(["licenses"], { folder });

  const named = [...ended.stdout.matchAll(/^(\S+) \d+\.\S+ \(.+\)$/gm)].map(([, name]) => name);
  expect(ended.code).toBe(0);
  expect(named).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  expect(named).not.toContain("knip");
  expect(ended.stdout).toContain("Permission is hereby granted, free of charge");
  expect(ended.stdout).toContain("JavaScriptCore");
});

test("all invalid settings are reported together", async () => {
  const settings = { DUKA_PORT: "many", DUKA_LOG_LEVEL: "loud" };

  const ended = await runDuka(["config"], { folder, settings });

  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain("DUKA_PORT");
  expect(ended.stderr).toContain("DUKA_LOG_LEVEL");
});

test("the OpenAPI document is printed without a server", async () => {
  const ended = await runDuka(["openapi"], { folder });

  expect(JSON.parse(ended.stdout)).toEqual(JSON.parse(JSON.stringify(document())));
  expect(existsSync(scratch.file("data"))).toBe(false);
});

test.each([
  ["TypeScript", ["client"], clientSource],
  ["JavaScript", ["client", "--js"], clientScript],
])("the client is printed in %s without a server", async (_, args, emitted) => {
  const ended = await runDuka(args, { folder });

  expect(ended).toEqual({ code: 0, stdout: emitted(document()), stderr: "" });
  expect(existsSync(scratch.file("data"))).toBe(false);
});

test("the client is written to the file of --out, which it replaces", async () => {
  await Bun.write(scratch.file("duka.js"), "an earlier one");

  const ended = await runDuka(["client", "--js", "--out", "duka.js"], { folder });

  expect(ended).toEqual({ code: 0, stdout: "", stderr: "Wrote duka.js.\n" });
  expect(await Bun.file(scratch.file("duka.js")).text()).toBe(clientScript(document()));
});

test("the example storefront is written as one page", async () => {
  const ended = await runDuka(["client", "--example", "--out", "index.html"], { folder });

  expect(ended).toEqual({ code: 0, stdout: "", stderr: "Wrote index.html.\n" });
  expect(await Bun.file(scratch.file("index.html")).text()).toBe(`${exampleStore().trimEnd()}\n`);
});

test("an example in another language is a mistake", async () => {
  const { code, stderr } = await runDuka(["client", "--example", "--js"], { folder });

  expect(code).toBe(2);
  expect(stderr).toContain("--js");
});

test("a client that cannot be written is a mistake, and names the file", async () => {
  const { code, stdout, stderr } = await runDuka(["client", "--out", "no/duka.ts"], { folder });

  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("--out: no/duka.ts cannot be written (ENOENT)");
});

test.each(["--version", "-v", "version"])(
  "%s prints the version and its commit, and nothing else",
  async (option) => {
    const { code, stdout, stderr } = await runDuka([option], { folder });

    expect([code, stderr]).toEqual([0, ""]);
    // A source without a repository has no commit.
    expect(stdout).toMatch(
      /^\d+\.\d+\.\d+(\+unknown|(\+g[0-9a-f]{8}(\.dirty)?)? \([0-9a-f]{8}, \d{4}-\d\d-\d\d\))\n$/,
    );
    expect(stdout).toStartWith(document().info.version);
  },
);

test("a machine reads from the version which databases the program serves", async () => {
  const { stdout } = await runDuka(["version", "--json"], { folder });

  const facts = JSON.parse(stdout);
  expect(Object.keys(facts)).toEqual([
    "version",
    "commit",
    "committed_at",
    "platform",
    "runtime",
    "schema",
    "oldest_beside",
  ]);
  const { schema, oldestBeside: oldest_beside } = ownSchema;
  expect(facts).toMatchObject({
    schema,
    oldest_beside,
    platform: `${process.platform}-${process.arch}`,
    runtime: `bun ${Bun.version}`,
  });
});

test("the help names every command", async () => {
  const { code, stdout } = await runDuka(["--help"], { folder });

  expect(code).toBe(0);
  const named = [...stdout.matchAll(/^ {2}([a-z]+)(?: |$)/gm)].map((found) => found[1]);
  expect(named).toEqual([
    "serve",
    "sandbox",
    "mock",
    "keys",
    "people",
    "gateways",
    "audit",
    "import",
    "export",
    "listen",
    "trigger",
    "migrate",
    "check",
    "health",
    "doctor",
    "analytics",
    "books",
    "secrets",
    "backup",
    "restore",
    "db",
    "openapi",
    "client",
    "version",
    "install",
    "uninstall",
    "upgrade",
    "proxy",
    "licenses",
    "config",
    "guide",
    "completion",
    "help",
  ]);
});

test("help ends without an error when nothing reads it, as after `| head`", async () => {
  const pipeline = '"$@" | true; exit ${PIPESTATUS[0]}';
  const piped = ["bash", "-c", pipeline, "bash", ...program];

  const ended = await runDuka(["keys", "create", "--help"], { folder, program: piped });

  expect(ended).toEqual({ code: 0, stdout: "", stderr: "" });
});
