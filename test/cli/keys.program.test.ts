// `duka keys` with and without a running server.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";

import { openRunningDuka, runDuka } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";

setDefaultTimeout(60_000);

let scratch: ScratchFolder;
let folder = "";

beforeEach(() => {
  scratch = openScratchFolder();
  folder = scratch.path;
});

afterEach(() => scratch[Symbol.dispose]());

async function createdKey(...options: string[]): Promise<string> {
  const { stdout } = await runDuka(["keys", "create", "--init", ...options], { folder });
  return stdout.trim();
}

async function listedKeys(): Promise<Record<string, unknown>[]> {
  return JSON.parse((await runDuka(["keys", "list", "--json"], { folder })).stdout);
}

describe("a new key", () => {
  test("is the only output, so that a script can read it", async () => {
    const { code, stdout } = await runDuka(["keys", "create", "--mode", "live", "--init"], {
      folder,
    });

    expect(code).toBe(0);
    expect(stdout).toMatch(/^live_sk_\w{49}\n$/);
  });

  test("works at once in a running server", async () => {
    await using duka = await openRunningDuka({ folder });

    const key = await createdKey("--mode", "live");

    expect((await duka.request("GET", "/v2/store", { key })).status).toBe(200);
  });

  test("of test mode is not made by a server without it", async () => {
    await using _ = await openRunningDuka({ folder, settings: { DUKA_TEST_MODE: "off" } });

    const { code, stderr } = await runDuka(["keys", "create", "--mode", "test"], { folder });

    expect(code).toBe(1);
    expect(stderr).toContain("DUKA_TEST_MODE");
  });

  test("of live pages that cannot be paid is printed with a warning beside it", async () => {
    const live = ["keys", "create", "--init", "--mode", "live"];

    const pages = await runDuka([...live, "--kind", "publishable"], { folder });
    const server = await runDuka(live, { folder });

    expect([pages.code, pages.stdout]).toEqual([0, expect.stringMatching(/^live_pk_\w+\n$/)]);
    expect(pages.stderr).toContain("cannot be paid yet");
    expect(server.stderr).not.toContain("paid");
  });

  test("works in a server that starts later", async () => {
    const key = await createdKey("--mode", "test");

    await using duka = await openRunningDuka({ folder });

    expect(duka.firstKey).toBeNull();
    expect((await duka.request("GET", "/v2/store", { key })).status).toBe(200);
  });

  test("has the options it was given", async () => {
    const scopes = ["--scopes", "orders:read,products:read"];
    const limits = ["--rate-limit", "50", "--expires", "2090-01-31"];

    await createdKey("--mode", "test", "--name", "Till", ...scopes, ...limits);

    expect(await listedKeys()).toMatchObject([
      {
        mode: "test",
        name: "Till",
        scopes: ["orders:read", "products:read"],
        rate_per_minute: 50,
        expires_at: "2090-01-31T00:00:00.000Z",
      },
    ]);
  });
});

describe("no key is made", () => {
  test.each([
    ["of a mode that does not exist", ["--mode", "both"], 2, "Allowed choices are test, live."],
    ["without a mode", [], 2, "--mode <mode>"],
    [
      "with a rate that is no number",
      ["--mode", "test", "--rate-limit", "few"],
      2,
      "--rate-limit must be",
    ],
    [
      "until a time without an offset",
      ["--mode", "test", "--expires", "2090-01-31T12:00"],
      2,
      "instant",
    ],
    [
      "until a day that does not exist",
      ["--mode", "test", "--expires", "2090-02-30"],
      2,
      "instant",
    ],
    [
      "that has already expired",
      ["--init", "--mode", "test", "--expires", "2020-01-31"],
      1,
      "in the future",
    ],
    [
      "with a misspelled scope",
      ["--mode", "test", "--scopes", "order:read"],
      2,
      'Did you mean "orders:read"?',
    ],
  ])("%s", async (...row) => {
    const [, options, code, words] = row;

    const ended = await runDuka(["keys", "create", ...options], { folder });

    expect(ended.code).toBe(code);
    expect(ended.stdout).toBe("");
    expect(ended.stderr).toContain(words);
  });

  test("by a running server either, and the reason is printed", async () => {
    await using duka = await openRunningDuka({ folder });

    const options = ["--mode", "test", "--expires", "2020-01-31"];
    const ended = await runDuka(["keys", "create", ...options], { folder });

    expect([ended.code, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr).toContain("The expiry must be in the future.");
    expect((await duka.request("GET", "/v2/store")).status).toBe(200);
  });
});

describe("a revoked key", () => {
  test("is refused from the next request on", async () => {
    await using duka = await openRunningDuka({ folder });
    const id = String((await listedKeys())[0]?.id);
    const before = await duka.request("GET", "/v2/store");

    const ended = await runDuka(["keys", "revoke", id], { folder });

    expect(ended.code).toBe(0);
    expect(before.status).toBe(200);
    expect((await duka.request("GET", "/v2/store")).status).toBe(401);
  });

  test("stays in the list", async () => {
    await createdKey("--mode", "live", "--name", "Lost");
    const [lost] = await listedKeys();

    await runDuka(["keys", "revoke", String(lost?.id)], { folder });

    expect(await listedKeys()).toEqual([{ ...lost, revoked_at: expect.any(String) }]);
  });

  test("must exist", async () => {
    await createdKey("--mode", "test");
    const id = "key_01h455vb4pex5vsknk084sn02q";

    const ended = await runDuka(["keys", "revoke", id], { folder });

    expect(ended.code).toBe(1);
    expect(ended.stderr).toBe(`There is no API key ${id}.\n`);
  });
});

describe("all keys", () => {
  test("are revoked at once, of both modes or of one", async () => {
    await using duka = await openRunningDuka({ folder });
    const live = await createdKey("--mode", "live");

    const ofTest = await runDuka(["keys", "revoke", "--all", "--mode", "test"], { folder });

    expect(ofTest.stdout).toBe("Revoked 1 key.\n");
    expect((await duka.request("GET", "/v2/store")).status).toBe(401);
    expect((await duka.request("GET", "/v2/store", { key: live })).status).toBe(200);

    await createdKey("--mode", "test");
    const ofBoth = await runDuka(["keys", "revoke", "--all"], { folder });

    expect(ofBoth.stdout).toBe("Revoked 2 keys.\n");
    expect((await duka.request("GET", "/v2/store", { key: live })).status).toBe(401);
    const revokedAt = (await listedKeys()).map((key) => key["revoked_at"]);
    expect(revokedAt).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
  });

  test.each([
    ["without an id or --all", []],
    ["of one id and --all", ["key_01h455vb4pex5vsknk084sn02q", "--all"]],
    ["of a mode without --all", ["key_01h455vb4pex5vsknk084sn02q", "--mode", "test"]],
  ])("are not revoked %s", async (...row) => {
    const [, options] = row;

    const ended = await runDuka(["keys", "revoke", ...options], { folder });

    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("--all");
  });
});

test("a rotated key is replaced by the only output", async () => {
  await createdKey("--mode", "live", "--name", "Backend");
  const [previous] = await listedKeys();

  const ended = await runDuka(["keys", "rotate", String(previous?.["id"])], { folder });

  expect(ended.stdout).toMatch(/^live_sk_\w{49}\n$/);
  expect(await listedKeys()).toMatchObject([
    { name: "Backend", expires_at: null },
    { name: "Backend", expires_at: expect.any(String) },
  ]);
});

test("the list shows the keys of both modes without their secret text", async () => {
  const one = await createdKey("--mode", "test", "--name", "Storefront");
  const other = await createdKey("--mode", "live", "--name", "Back office");

  const { stdout } = await runDuka(["keys", "list"], { folder });

  expect(stdout).toContain("Storefront");
  expect(stdout).toContain("Back office");
  expect(stdout).toContain(`test_sk_…${one.slice(-4)}`);
  expect(stdout).not.toContain(one);
  expect(stdout).not.toContain(other);
});

test("the list fits 100 columns, whatever a key is named", async () => {
  const scopes = "products:read,orders:read,customers:create,webhooks:write,analytics:read";
  await createdKey("--mode", "live", "--name", "The till of the shop in Accra", "--scopes", scopes);

  const { stdout } = await runDuka(["keys", "list"], { folder });

  expect(stdout).toMatch(/^ID +KEY +KIND +NAME +SCOPES +USED +ENDS\n/);
  expect(stdout).toContain("analytics:read");
  expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
});
