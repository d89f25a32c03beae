// A rotation replaces the key of everything that is sealed, wherever it is stopped.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";

import { beginRotation, keysOf } from "#platform/vault/keys.ts";
import { isSealed, openVault, vaultWith } from "#platform/vault/vault.ts";

import { abandonedCart, tokenOf } from "../sales/carts/basket.ts";
import { of } from "../sales/orders/counter.ts";
import { rowsBehind, tablesBehind, tamper } from "../support/behind-the-shop.ts";
import { mug } from "../support/cast.ts";
import { runDuka } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";

setDefaultTimeout(60_000);

const endpoint = { url: "https://shop.example/hooks", events: ["*"] };
const onceOnly = { headers: { "Idempotency-Key": "an-endpoint" } };
const SEALED_ANSWER = /^sealed:/;

let home: ScratchFolder;

beforeEach(() => {
  home = openScratchFolder();
});

afterEach(() => home[Symbol.dispose]());

function rotate(settings: Readonly<Record<string, string>> = {}) {
  return runDuka(["secrets", "rotate"], {
    folder: home.path,
    settings: { DUKA_DATA_DIR: home.path, ...settings },
  });
}

/** A shop with every kind of secret; returns the answer that told the endpoint's secret. */
async function shopWithSecrets(settings: Readonly<Record<string, string>> = {}) {
  await using shop = await openTestShop({ folder: home, settings });
  const made = await shop.post("/v2/webhooks", endpoint, onceOnly);
  await shop.post(`/v2/webhooks/${made.id}/rotate-secret`, { overlap_hours: 24 });
  const cart = await abandonedCart(shop, [of(await mug(shop))]);
  return { made: made.text, key: shop.key, token: tokenOf(cart.string("/recovery_url")) };
}

/** What the endpoint's creation is answered again: its sealed answer is opened. */
async function madeAgain(shop: TestShop, key: string): Promise<string> {
  return (await shop.post("/v2/webhooks", endpoint, { ...onceOnly, key })).text;
}

/** Every sealed text of the test database. */
async function sealedTexts(): Promise<string[]> {
  const tables = await tablesBehind(home.path);
  const rows = await Promise.all(
    tables.map((table) => rowsBehind(home.path, `SELECT * FROM "${table}"`)),
  );
  return rows
    .flat()
    .flatMap((row) => Object.values(row))
    .map((value) => String(value).replace(SEALED_ANSWER, ""))
    .filter(isSealed);
}

/** Those that the key in the file does not open. */
async function leftBehind(): Promise<string[]> {
  const vault = vaultWith(keysOf(home.path), []);
  return (await sealedTexts()).filter((sealed) => {
    try {
      vault.unseal(sealed);
      return false;
    } catch {
      return true;
    }
  });
}

describe("after a rotation", () => {
  test("one new key opens everything that is sealed", async () => {
    await shopWithSecrets();
    const [before] = keysOf(home.path);

    const rotated = await rotate();

    const keys = keysOf(home.path);
    expect(rotated.code).toBe(0);
    expect(rotated.stdout).toContain("secrets are encrypted with the new key");
    expect(keys).toHaveLength(1);
    expect(keys[0]).not.toEqual(before);
    expect((await sealedTexts()).length).toBeGreaterThanOrEqual(4);
    expect(await leftBehind()).toEqual([]);
  });

  test("a stored answer is replayed with its secret", async () => {
    const { made, key } = await shopWithSecrets();

    await rotate();

    await using shop = await openTestShop({ folder: home });
    expect(await madeAgain(shop, key)).toBe(made);
  });

  test("links of before are not valid", async () => {
    const { token, key } = await shopWithSecrets();

    await rotate();

    await using shop = await openTestShop({ folder: home });
    const refused = await shop.post("/v2/carts/recover", { token }, { key });
    expect(refused.code).toBe("recovery_link_invalid");
  });

  test("the former key still proves what it signed, and opens nothing", async () => {
    await shopWithSecrets();
    const former = openVault(home.path, null);
    const signature = former.sign("a backup");
    const sealed = former.seal("a secret");

    await rotate();

    const vault = openVault(home.path, null);
    expect(vault.isSigned("a backup", signature)).toBe(true);
    expect(vault.isSigned("another backup", signature)).toBe(false);
    expect(() => vault.unseal(sealed)).toThrow("cannot be decrypted");
  });
});

describe("a rotation that was stopped", () => {
  test("before anything was sealed again lets the shop open everything", async () => {
    const { made, key } = await shopWithSecrets();
    beginRotation(home.path);

    await using shop = await openTestShop({ folder: home });

    expect(await madeAgain(shop, key)).toBe(made);
  });

  test("is finished by the next one, with the key that it began with", async () => {
    await shopWithSecrets();
    const [begun] = beginRotation(home.path);
    const halfway = await openTestShop({ folder: home });
    await halfway.post("/v2/webhooks", { ...endpoint, url: "https://shop.example/more" });
    await halfway[Symbol.asyncDispose]();

    await rotate();

    expect(keysOf(home.path)).toEqual([begun]);
    expect(await leftBehind()).toEqual([]);
  });
});

describe("a rotation is refused", () => {
  test("while a server runs", async () => {
    await using _ = await openTestShop({ folder: home });

    const refused = await rotate();

    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toContain("already serves");
  });

  test("if the settings name one key alone", async () => {
    const settings = { DUKA_SECRET_KEY: Buffer.alloc(32, 1).toString("base64") };
    await shopWithSecrets(settings);

    const refused = await rotate(settings);

    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("The key is in DUKA_SECRET_KEY");
  });
});

test("with a new key before the former one in the settings, everything is sealed with the new one", async () => {
  const [old = "", fresh = ""] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64"));
  await shopWithSecrets({ DUKA_SECRET_KEY: old });

  const rotated = await rotate({ DUKA_SECRET_KEY: `${fresh},${old}` });

  expect(rotated.stdout).toContain("Remove the former keys from DUKA_SECRET_KEY.");
  const opens = openVault(home.path, fresh);
  expect((await sealedTexts()).map((sealed) => opens.unseal(sealed).length > 0)).not.toContain(
    false,
  );
});

describe("of a shop with another key than this program's", () => {
  const [own = "", other = ""] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64"));
  const reset = (settings: Readonly<Record<string, string>>) =>
    runDuka(["secrets", "reset"], {
      folder: home.path,
      settings: { DUKA_DATA_DIR: home.path, ...settings },
    });

  test("the secrets are given up by a reset alone, which says what is lost", async () => {
    const { token, key } = await shopWithSecrets({ DUKA_SECRET_KEY: own });

    const done = await reset({});
    const again = await reset({});

    await using shop = await openTestShop({ folder: home });
    const [webhook] = (await shop.get("/v2/webhooks", { key })).list("/data");
    const refused = await shop.post("/v2/carts/recover", { token }, { key });
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(done.stdout).toContain("in test and live mode. Lost with the former one:");
    expect(done.stdout).toContain("Keep a copy of secret.key in another place.");
    expect(again).toMatchObject({ code: 2, stdout: "" });
    expect(again.stderr).toContain("nothing was reset");
    expect(webhook).toMatchObject({ status: "disabled", disabled_reason: "needs_new_secret" });
    expect(refused.code).toBe("recovery_link_invalid");
  });

  test("a reset with its own key changes nothing", async () => {
    const { token, key } = await shopWithSecrets({ DUKA_SECRET_KEY: own });

    const refused = await reset({ DUKA_SECRET_KEY: own });

    const settings = { DUKA_SECRET_KEY: own };
    await using shop = await openTestShop({ folder: home, settings });
    expect(refused.code).toBe(2);
    expect((await shop.post("/v2/carts/recover", { token }, { key })).status).toBe(200);
  });

  test("a rotation without its key makes none", async () => {
    await shopWithSecrets({ DUKA_SECRET_KEY: own });
    const before = await sealedTexts();

    const refused = await rotate();

    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("Give it the key of the shop");
    expect(await sealedTexts()).toEqual(before);
    expect(existsSync(home.file("secret.key"))).toBe(false);
  });

  test.each([
    ["another key", { DUKA_SECRET_KEY: other }],
    ["none", {}],
  ])("neither a start nor a command with %s changes anything", async (_, settings) => {
    await shopWithSecrets({ DUKA_SECRET_KEY: own });
    const before = await sealedTexts();
    const duka = (...args: string[]) =>
      runDuka(args, { folder: home.path, settings: { DUKA_DATA_DIR: home.path, ...settings } });

    const ended = [await duka("serve"), await duka("keys", "list"), await duka("check")];

    expect(ended.map(({ code }) => code)).toEqual([1, 1, 0]);
    expect(ended[0]?.stderr).toContain("sealed with another key than this program's. Give it");
    expect(ended[1]?.stderr).toContain('"duka secrets reset"');
    expect(await sealedTexts()).toEqual(before);
    expect(existsSync(home.file("secret.key"))).toBe(false);
  });
});

test("the secret of links is not in the database in the clear", async () => {
  const { token } = await shopWithSecrets();

  const [row] = await rowsBehind(home.path, "SELECT secret FROM cart_recovery");

  expect(token).toStartWith("cart_");
  expect(isSealed(String(row?.secret))).toBe(true);
});

test("a secret of links that an earlier version saved in the clear is sealed, and its links stay valid", async () => {
  const { token, key } = await shopWithSecrets();
  const [row] = await rowsBehind(home.path, "SELECT secret FROM cart_recovery");
  const clear = openVault(home.path, null).unseal(String(row?.secret));
  await tamper(home.path, `UPDATE cart_recovery SET secret = '${clear}'`);

  await using shop = await openTestShop({ folder: home });

  const [sealed] = await rowsBehind(home.path, "SELECT secret FROM cart_recovery");
  expect(isSealed(String(sealed?.secret))).toBe(true);
  expect((await shop.post("/v2/carts/recover", { token }, { key })).status).toBe(200);
});
