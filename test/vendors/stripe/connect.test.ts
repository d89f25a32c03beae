// `duka gateways connect stripe`: the endpoint of the shop's notices is made at Stripe with a secret that is asked for
// once, and what signs them is stored.

import { expect, test } from "bun:test";

import { gatewayCommands } from "#cli/operator/gateways/gateway-commands.ts";
import { openStripeFace } from "#mocks/stripe/stripe-face.ts";
import { findStoredCredentials } from "#payments/gateways/accounts.ts";
import { vendors } from "#payments/gateways/vendor-table.ts";
import { parseConfig } from "#platform/config/config.ts";

import { rowsBehind, tablesBehind } from "../../support/behind-the-shop.ts";
import { codeOf } from "../../support/database.ts";
import { openTestShop } from "../../support/shop.ts";

/** May write endpoints at the account, and is not what the shop pays with. */
const SETUP = "sk_test_5etup5etup5etup";
const OWN = "rk_test_0wn0wn0wn0wn0wn";
const FORMER = "whsec_f0rmerf0rmerf0rmer";
const PUBLIC_URL = "https://shop.example";
const NOTICES = `${PUBLIC_URL}/hooks/test/stripe`;

/** A shop with a stored secret, and an account that knows the one for setting up. */
async function openConnecting() {
  const face = await openStripeFace({ secret: SETUP });
  const shop = await openTestShop();
  const databases = { test: shop.test.database, live: shop.live.database };
  const run = (name: string, input: object, settings: Readonly<Record<string, string>> = {}) => {
    const config = parseConfig({
      DUKA_PUBLIC_URL: PUBLIC_URL,
      DUKA_STRIPE_URL: face.server.url,
      ...settings,
    });
    const command = gatewayCommands(databases, { vendors, config, reopen: null })[name];
    if (command === undefined) throw new Error(`There is no command ${name}.`);
    return command({ gateway: "stripe", mode: "test", ...input }, "ada");
  };
  const connect = (settings = {}, secret = SETUP) => run("gateways.connect", { secret }, settings);
  const set = () => run("gateways.set", { secret: OWN, webhookSecrets: [FORMER] });
  const stored = () => findStoredCredentials(shop.test.database.read, "stripe", "test");
  const dispose = async () => {
    await shop[Symbol.asyncDispose]();
    await face[Symbol.asyncDispose]();
  };
  return { face, shop, set, connect, stored, [Symbol.asyncDispose]: dispose };
}

test("makes the endpoint with the events of payments, and stores what signs them beside the former secret", async () => {
  await using opened = await openConnecting();
  await opened.set();

  const done = await opened.connect();

  expect(done).toMatchObject({ url: NOTICES, overridden_by: null });
  const [endpoint, ...others] = opened.face.account.endpoints.all();
  expect(others).toEqual([]);
  expect(endpoint).toMatchObject({
    url: NOTICES,
    events: await eventsOfGuide(),
    description: "Duka",
  });
  expect(await opened.stored()).toEqual({
    secret: OWN,
    webhookSecrets: [endpoint?.secret ?? "", FORMER],
    setAt: expect.any(Number),
  });
});

test("leaves an endpoint of the same address as it is, and says what to do", async () => {
  await using opened = await openConnecting();
  await opened.set();
  await opened.connect();
  const before = await opened.stored();

  const again = await codeOf(opened.connect());

  expect(again).toBe("gateway_not_connected");
  expect(opened.face.account.endpoints.all()).toHaveLength(1);
  expect(await opened.stored()).toEqual(before);
});

test("the secret for setting up is in no row afterwards", async () => {
  await using opened = await openConnecting();
  await opened.set();
  await opened.connect();

  const folder = opened.shop.folder.path;
  const rows = await Promise.all(
    (await tablesBehind(folder)).map((table) => rowsBehind(folder, `SELECT * FROM "${table}"`)),
  );

  expect(JSON.stringify(rows)).toContain("gateways connect");
  expect(JSON.stringify(rows)).not.toContain(SETUP);
});

interface Wrong {
  readonly settings?: Readonly<Record<string, string>>;
  readonly secret?: string;
  readonly code: string;
}

test.each<[why: string, wrong: Wrong]>([
  ["without a public URL", { settings: { DUKA_PUBLIC_URL: "" }, code: "gateway_needs_setting" }],
  [
    "over a secret of the environment",
    { settings: { DUKA_STRIPE_TEST_SECRET: OWN }, code: "gateway_needs_setting" },
  ],
  [
    "with a secret of the other mode",
    { secret: "sk_live_5etup5etup5etup", code: "gateway_secret_invalid" },
  ],
  [
    "with a secret that Stripe does not know",
    { secret: "sk_test_an0theran0ther", code: "gateway_not_connected" },
  ],
])("is refused %s, and nothing is changed", async (_, { settings, secret, code }) => {
  await using opened = await openConnecting();
  await opened.set();
  const before = await opened.stored();

  expect(await codeOf(opened.connect(settings, secret))).toBe(code);
  expect(opened.face.account.endpoints.all()).toEqual([]);
  expect(await opened.stored()).toEqual(before);
});

test("is refused with a secret that may not write endpoints", async () => {
  await using opened = await openConnecting();
  await opened.set();
  opened.face.denied.push("POST /v1/webhook_endpoints");

  expect(await codeOf(opened.connect())).toBe("gateway_not_connected");
});

test("is refused before the shop has a secret of its own", async () => {
  await using opened = await openConnecting();

  expect(await codeOf(opened.connect())).toBe("gateway_not_connected");
  expect(opened.face.account.endpoints.all()).toEqual([]);
});

/** The events of the guide, which an endpoint that is made by hand has. */
async function eventsOfGuide(): Promise<string[]> {
  const guide = await Bun.file("src/guides/stripe.md").text();
  return guide.split("\n").filter((line) => /^[a-z_]+(?:\.[a-z_]+)+$/.test(line));
}
