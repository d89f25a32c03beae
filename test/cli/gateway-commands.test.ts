// What `duka gateways` asks of the process that has the databases open: secrets are validated, stored sealed, listed
// without their text, and used by the next start.

import { afterEach, describe, expect, test } from "bun:test";

import { gatewayCommands } from "#cli/operator/gateways/gateway-commands.ts";
import { HOUR_MS, realClock } from "#kernel/time.ts";
import { findVendorTerms } from "#open-gateways.ts";
import { openShops } from "#open-shops.ts";
import { pollPayment } from "#payments/attempts/poll-payment.ts";
import { parseConfig } from "#platform/config/config.ts";
import { openLog } from "#platform/log/log.ts";
import { getStore } from "#shop/store/lookups.ts";

import { rowsBehind, tablesBehind, tamper } from "../support/behind-the-shop.ts";
import { errorOf } from "../support/database.ts";
import { databasePlace } from "../support/postgres-databases.ts";
import { openScratchFolder } from "../support/scratch.ts";
import {
  fieldedVendor,
  REVOKED,
  scriptedVendor,
  VendorGateway,
} from "../support/scripted-vendor.ts";
import { openTestShop, sharedShop, type TestShop } from "../support/shop.ts";

const SECRET = "sk_test_4eC39HqLyjWDarjtT1zdp7dc";
const OTHER = "rk_test_9sB21KqPyjWDarjtT1zd5678";
const LIVE = "sk_live_7fD42JrMzkXEbsksU2ae1234";
const SIGNING = "whsec_8Zr3yT5uWqLk0pXcVbNm";
const FORMER = "whsec_1Ab2cD3eF4gH5iJ6kL7m";
const FACE = "http://127.0.0.1:4010";

const vendors = [scriptedVendor];
const atHome = { DUKA_PUBLIC_URL: "https://shop.example" };
const stored = { gateway: "stripe", mode: "test", secret: SECRET, webhookSecrets: null };

type Settings = Readonly<Record<string, string>>;

function databasesOf(to: TestShop) {
  return { test: to.test.database, live: to.live.database };
}

/** Runs a command on the databases of the shop, as ada and with these settings. */
function run(
  to: TestShop,
  [name, input]: readonly [name: string, input: unknown],
  settings: Settings = {},
) {
  const databases = databasesOf(to);
  const config = parseConfig(settings);
  const command = gatewayCommands(databases, { vendors, config, reopen: null })[name];
  if (command === undefined) throw new Error(`There is no command ${name}.`);
  return command(input, "ada");
}

function set(to: TestShop, change: Readonly<Record<string, unknown>> = {}, settings?: Settings) {
  return run(to, ["gateways.set", { ...stored, ...change }], settings);
}

function list(to: TestShop, settings?: Settings) {
  return run(to, ["gateways.list", null], settings);
}

/** The vendor's gateway of the test shop. */
function gatewayOf(to: TestShop): VendorGateway | undefined {
  const { gateways } = to.duka.shops.test;
  return gateways.find((gateway) => gateway instanceof VendorGateway);
}

/** Why the shop does not start with these settings. */
async function refusalOf(settings: Settings): Promise<string> {
  return (await errorOf(openTestShop({ vendors, settings })))?.message ?? "started";
}

const shop = sharedShop();

/** Each test finds no stored secret; most leave one. */
afterEach(async () => {
  await errorOf(run(shop, ["gateways.remove", { gateway: "stripe", mode: "test" }]));
});

describe("a stored secret", () => {
  test("is listed by its last four characters, with who set it", async () => {
    await set(shop);

    expect(await list(shop)).toEqual([
      {
        gateway: "stripe",
        mode: "test",
        secret: "sk_test_…p7dc",
        has_webhook_secret: false,
        source: "stored",
        state: "in use",
        set_at: expect.any(String),
        set_by: "ada",
      },
    ]);
  });

  test("makes the gateway of the next start, with the secrets of its webhooks", async () => {
    using folder = openScratchFolder();
    const before = await openTestShop({ folder });
    await set(before, { webhookSecrets: [SIGNING, FORMER] });
    await before[Symbol.asyncDispose]();

    await using own = await openTestShop({ folder, vendors, key: before.key });

    expect(own.duka.shops.test.gateways.map(({ id }) => id)).toEqual(["simulated", "stripe"]);
    expect(gatewayOf(own)?.terms).toMatchObject({
      mode: "test",
      secret: SECRET,
      webhookSecrets: [SIGNING, FORMER],
      address: "https://api.vendor.example",
    });
  });

  test("of several fields is stored as their JSON, listed by one that is no secret, and replaced at once", async () => {
    await using own = await openTestShop();
    const databases = databasesOf(own);
    const terms = { vendors: [fieldedVendor], config: parseConfig({}), reopen: null };
    const commands = gatewayCommands(databases, terms);
    const setTo = (secret: string) => commands["gateways.set"]?.({ ...stored, secret }, "ada");
    const first = JSON.stringify({ key: "k3yk3yk3yk3y", shortcode: "174379" });
    const next = JSON.stringify({ key: "0therk3y0ther", shortcode: "174379" });

    await setTo(first);
    await setTo(next);

    const found = await findVendorTerms(fieldedVendor, own.test, terms);
    expect(found).toMatchObject({ secret: next, address: "https://sandbox.vendor.example" });
    expect(found?.former).toBeUndefined();
    expect(await commands["gateways.list"]?.(null)).toMatchObject([{ secret: "174379" }]);
    expect((await errorOf(Promise.resolve(setTo("{}"))))?.message).toContain("lacks key");
  });

  test("replaces the former one, and leaves the secret of webhooks", async () => {
    await set(shop, { webhookSecrets: [SIGNING] });

    await set(shop, { secret: OTHER });

    expect(await list(shop)).toMatchObject([{ secret: "rk_test_…5678", has_webhook_secret: true }]);
  });

  test("of a vendor that signs with it is taken for its notices for 73 hours after the next one", async () => {
    await using own = await openTestShop();
    const [paystack, databases] = [{ ...scriptedVendor, webhookPrefix: null }, databasesOf(own)];
    const terms = { vendors: [paystack], config: parseConfig({}), reopen: null };
    const commands = gatewayCommands(databases, terms);
    const former = async () =>
      (await findVendorTerms(paystack, own.test, { ...terms, clockOf: () => realClock }))?.former;
    const setTo = (secret: string) => commands["gateways.set"]?.({ ...stored, secret }, "ada");

    await setTo(SECRET);
    const first = await former();
    await setTo(OTHER);
    const second = await former();
    await setTo(OTHER);

    expect(first).toBeUndefined();
    expect(second?.secret).toBe(SECRET);
    expect((await former())?.until).toBeGreaterThan(realClock.now() + 72 * HOUR_MS);
    expect((await former())?.until).toBeLessThanOrEqual(realClock.now() + 73 * HOUR_MS);
    expect(await commands["gateways.list"]?.(null)).toMatchObject([{ has_webhook_secret: false }]);
  });

  test("is gone once it is removed, which is possible once", async () => {
    await set(shop);

    await run(shop, ["gateways.remove", { gateway: "stripe", mode: "test" }]);

    expect(await list(shop)).toEqual([]);
    const again = run(shop, ["gateways.remove", { gateway: "stripe", mode: "test" }]);
    expect((await errorOf(again))?.message).toBe("The shop has no stored secret for this gateway.");
  });

  test("is in the audit log with its last four characters", async () => {
    await set(shop);
    await run(shop, ["gateways.remove", { gateway: "stripe", mode: "test" }]);

    const { body } = await shop.get("/v2/audit?limit=2");
    expect(body).toMatchObject({
      data: [
        { action: "gateways remove", subject: { id: "stripe" } },
        {
          action: "gateways set",
          actor: { type: "operator", name: "ada" },
          after: { secret: "sk_test_…p7dc" },
        },
      ],
    });
  });

  test("is in no table in the clear", async () => {
    using folder = openScratchFolder();
    await using own = await openTestShop({ folder });

    await set(own, { webhookSecrets: [SIGNING, FORMER] });

    const tables = await tablesBehind(folder.path);
    const rows = await Promise.all(
      tables.map((table) => rowsBehind(folder.path, `SELECT * FROM "${table}"`)),
    );
    const written = JSON.stringify(rows);
    expect(written).toContain("sk_test_…p7dc");
    expect([SECRET, SIGNING, FORMER].filter((secret) => written.includes(secret))).toEqual([]);
  });
});

describe("a sealed secret that is copied", () => {
  test("to another gateway does not open there", async () => {
    using folder = openScratchFolder();
    await using own = await openTestShop({ folder });
    await set(own);

    await tamper(folder.path, "UPDATE gateway_accounts SET gateway = 'paystack'");

    const paystack = { ...scriptedVendor, id: "paystack" };
    const databases = databasesOf(own);
    const terms = { vendors: [paystack], config: parseConfig({}), reopen: null };
    const lines = await gatewayCommands(databases, terms)["gateways.list"]?.(null);
    expect(lines).toMatchObject([{ gateway: "paystack", state: "unreadable" }]);
  });

  test("to the other mode does not open there, and the shop starts without its gateway", async () => {
    using folder = openScratchFolder();
    const before = await openTestShop({ folder });
    const settings = { ...atHome, DUKA_LOG_LEVEL: "silent" };
    await set(before, { mode: "live", secret: LIVE }, settings);
    const vault = before.live.database.vault;
    const sealed = vault.seal(LIVE, "gateway stripe live secret");
    await set(before);
    await before[Symbol.asyncDispose]();
    await tamper(folder.path, `UPDATE gateway_accounts SET placed_secret = '${sealed}'`);

    await using own = await openTestShop({ folder, vendors, settings, key: before.key });

    expect(gatewayOf(own)).toBeUndefined();
    expect(await list(own)).toMatchObject([
      { mode: "test", state: "unreadable" },
      { mode: "live" },
    ]);
  });

  test("among the secrets of webhooks does not open as the secret", async () => {
    using folder = openScratchFolder();
    await using own = await openTestShop({ folder });
    await set(own, { webhookSecrets: [SIGNING] });

    await tamper(folder.path, "UPDATE gateway_accounts SET placed_secret = placed_webhook_secrets");

    expect(await list(own)).toMatchObject([{ state: "unreadable" }]);
  });
});

describe("a secret of the environment", () => {
  const settings = { DUKA_STRIPE_TEST_SECRET: OTHER };

  test("comes before a stored one, and is listed by the name of its setting", async () => {
    const done = await set(shop, {}, settings);

    expect(done).toEqual({ is_in_use: false, overridden_by: "DUKA_STRIPE_TEST_SECRET" });
    expect(await list(shop, settings)).toMatchObject([
      { secret: "rk_test_…5678", source: "DUKA_STRIPE_TEST_SECRET", state: "in use", set_by: null },
      { secret: "sk_test_…p7dc", source: "stored", state: "overridden", set_by: "ada" },
    ]);
  });

  test("makes a gateway with the machine's clock, whatever the time of the shop", async () => {
    await using own = await openTestShop({ vendors, settings });
    await own.post("/v2/test/clock/advance", { seconds: 3_600 });

    const terms = gatewayOf(own)?.terms;

    expect(terms).toMatchObject({ secret: OTHER, webhookSecrets: [] });
    expect(own.test.clock.now() - (terms?.clock.now() ?? 0)).toBe(3_600_000);
  });

  test("lets test mode ask an address on this machine", async () => {
    await using own = await openTestShop({
      vendors,
      settings: { ...settings, DUKA_STRIPE_URL: FACE },
    });

    expect(gatewayOf(own)?.terms.address).toBe(FACE);
  });

  test("may be named in the order of gateways before it is there", async () => {
    await using own = await openTestShop({
      vendors,
      settings: { DUKA_TEST_GATEWAYS: "stripe,simulated" },
    });

    expect(own.duka.shops.test.gateways.map(({ id }) => id)).toEqual(["simulated"]);
  });
});

describe("the shop does not start", () => {
  test.each([
    [
      "with a secret of the other mode",
      { DUKA_STRIPE_LIVE_SECRET: SECRET, ...atHome },
      "DUKA_STRIPE_LIVE_SECRET: is a secret of test mode",
    ],
    [
      "with a secret that has a blank in it",
      { DUKA_STRIPE_TEST_SECRET: "sk_test_4eC39 HqLyjWD" },
      "DUKA_STRIPE_TEST_SECRET: contains white space",
    ],
    [
      "with a webhook secret of another kind",
      { DUKA_STRIPE_TEST_SECRET: SECRET, DUKA_STRIPE_TEST_WEBHOOK_SECRET: OTHER },
      "DUKA_STRIPE_TEST_WEBHOOK_SECRET: must begin with whsec_",
    ],
    [
      "with a live secret and no way back for customers",
      { DUKA_STRIPE_LIVE_SECRET: LIVE },
      "DUKA_PUBLIC_URL: must be a public https:// URL",
    ],
    [
      "with a live secret and the vendor on this machine",
      { DUKA_STRIPE_LIVE_SECRET: LIVE, DUKA_STRIPE_URL: FACE, ...atHome },
      "DUKA_STRIPE_URL: must be https://api.vendor.example",
    ],
    [
      "with a live secret and the vendor at another host",
      { DUKA_STRIPE_LIVE_SECRET: LIVE, DUKA_STRIPE_URL: "https://evil.example", ...atHome },
      "DUKA_STRIPE_URL: must be https://api.vendor.example",
    ],
  ])("%s, and repeats none", async (_, settings, why) => {
    const refusal = await refusalOf(settings);

    expect(refusal).toContain(why);
    expect(Object.values(settings).filter((value) => refusal.includes(value))).toEqual([]);
  });

  test("with the vendor on this machine once a live secret is stored", async () => {
    using folder = openScratchFolder();
    const before = await openTestShop({ folder });
    await set(before, { mode: "live", secret: LIVE }, atHome);
    await before[Symbol.asyncDispose]();

    const settings = { ...atHome, DUKA_STRIPE_URL: FACE };
    const started = openTestShop({ folder, vendors, settings, key: before.key });

    expect((await errorOf(started))?.message).toContain("because there is a live secret");
  });
});

describe("a secret is not stored, and not repeated,", () => {
  test.each([
    ["of the other mode", { secret: LIVE }, "The secret is a secret of live mode."],
    ["of another kind", { secret: SIGNING }, "The secret must begin with sk_test_ or rk_test_."],
    ["with a blank in it", { secret: "sk_test_4eC39 HqL" }, "The secret contains white space."],
    [
      "with a webhook secret of another kind",
      { webhookSecrets: [OTHER] },
      "The webhook secret must begin with whsec_.",
    ],
    ["of a gateway that there is not", { gateway: "strip" }, "This program has no such gateway."],
    ["of a mode that there is not", { mode: "real" }, "The mode must be test or live."],
  ])("%s", async (_, change, why) => {
    expect((await errorOf(set(shop, change)))?.message).toBe(why);
    expect(await list(shop)).toEqual([]);
  });

  test.each([
    ["without a public URL", {}, "DUKA_PUBLIC_URL must be a public https:// URL"],
    [
      "with a public URL without TLS",
      { DUKA_PUBLIC_URL: "http://shop.example" },
      "DUKA_PUBLIC_URL",
    ],
    [
      "with a public URL of this machine",
      { DUKA_PUBLIC_URL: "https://localhost" },
      "DUKA_PUBLIC_URL",
    ],
    [
      "while the vendor is said to be elsewhere",
      { ...atHome, DUKA_STRIPE_URL: FACE },
      "DUKA_STRIPE_URL must be https://api.vendor.example",
    ],
  ])("of live mode %s", async (_, settings, why) => {
    const refused = await errorOf(set(shop, { mode: "live", secret: LIVE }, settings));

    expect(refused?.message).toContain(why);
    expect(await list(shop)).toEqual([]);
  });
});

/** A test shop with so many payments at the vendor that polls found. */
async function openPaid(count: number) {
  const settings = { DUKA_STRIPE_TEST_SECRET: SECRET, DUKA_TEST_GATEWAYS: "stripe" };
  const own = await openTestShop({ vendors, settings });
  const gateway = gatewayOf(own);
  if (gateway === undefined) throw new Error("The shop has no gateway of the vendor.");
  const payments: string[] = [];
  for (let paid = 0; paid < count; paid += 1) {
    const { id } = await own.post("/v2/payments/initialize", { amount: 5, currency: "USD" });
    gateway.pay(id);
    await pollPayment(own.test, id, "due");
    payments.push(id);
  }
  return { own, gateway, payments, [Symbol.asyncDispose]: () => own[Symbol.asyncDispose]() };
}

describe("a check", () => {
  const asked = { gateway: "stripe", mode: "test" };

  test("tells what the vendor answers, without the secret", async () => {
    await set(shop);

    expect(await run(shop, ["gateways.check", asked])).toEqual({
      lines: [
        { ok: true, text: "sk_test_…p7dc at https://api.vendor.example" },
        { ok: true, text: "asked https://api.vendor.example" },
        { ok: true, text: "the key is accepted" },
        {
          ok: true,
          text: "Notices come to DUKA_PUBLIC_URL/hooks/test/stripe; none has come yet.",
        },
      ],
    });
  });

  test("tells when the last notice came", async () => {
    await using opened = await openPaid(1);
    const { own, gateway, payments } = opened;
    await fetch(`${own.url}/hooks/test/stripe`, {
      method: "POST",
      headers: { "x-signature": "right" },
      body: JSON.stringify({ id: "n-1", reference: gateway.referenceOf(payments[0] ?? "") }),
    });

    const settings = { DUKA_STRIPE_TEST_SECRET: SECRET };
    expect(await run(own, ["gateways.check", asked], settings)).toMatchObject({
      lines: [
        {},
        {},
        {},
        { ok: true, text: expect.stringMatching(/the last one came at 2026-.*Z\.$/) },
      ],
    });
  });

  test.each([
    ["test", true],
    ["live", false],
  ] as const)("of %s mode asks for the webhook where polls found all payments", async (...row) => {
    const [mode, ok] = row;
    await using opened = await openPaid(2);
    const { database } = opened.own.test;
    const config = parseConfig({
      ...atHome,
      DUKA_STRIPE_TEST_SECRET: SECRET,
      DUKA_STRIPE_LIVE_SECRET: LIVE,
    });
    const terms = { vendors, config, reopen: null };
    const commands = gatewayCommands({ test: database, live: database }, terms);

    const checked = await commands["gateways.check"]?.({ gateway: "stripe", mode }, "ada");

    const text =
      `Notices come to https://shop.example/hooks/${mode}/stripe; none has come yet. ` +
      "Polls found the last 2 payments that were paid: is the webhook set?";
    expect(checked).toMatchObject({ lines: [{}, {}, {}, { ok, text }] });
  });

  test("tells that the vendor does not accept the secret", async () => {
    await set(shop, { secret: REVOKED });

    expect(await run(shop, ["gateways.check", asked])).toMatchObject({
      lines: [{ ok: true }, { ok: true }, { ok: false }, { ok: true }],
    });
  });

  test("tells that there is no secret", async () => {
    expect(await run(shop, ["gateways.check", asked])).toEqual({
      lines: [{ ok: false, text: "There is no secret of test mode." }],
    });
  });
});

test("a program that does not know the gateways of the shop leaves its ways to pay", async () => {
  using folder = openScratchFolder();
  const settings = { DUKA_STRIPE_LIVE_SECRET: LIVE, ...atHome };
  const served = await openTestShop({ folder, vendors, settings });
  const { gatewayMethods: before } = await getStore(served.live.database.read);
  await served[Symbol.asyncDispose]();

  await using shops = await openShops(await databasePlace(folder.path), {
    log: openLog({ level: "error" }),
  });

  const { gatewayMethods: after } = await getStore(shops.live.database.read);
  expect(before).toContain("card");
  expect(after).toEqual(before);
});
