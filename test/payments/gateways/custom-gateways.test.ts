// A gateway of the shop's own: an adapter beside it is added, checked, paid through, moved, rotated and retired, without
// a change of this program.

import { expect, test } from "bun:test";

import { gatewayCommands } from "#cli/operator/gateways/gateway-commands.ts";
import { isObject } from "#kernel/assume.ts";
import { putCustom } from "#payments/gateways/custom-gateways.ts";
import { checkCustom } from "#payments/gateways/http/check-custom.ts";
import { openCustomGateways } from "#payments/gateways/http/open-custom.ts";
import { vendors } from "#payments/gateways/vendor-table.ts";
import { parseConfig } from "#platform/config/config.ts";
import { alsoLoopback, onlyPublic } from "#platform/net/target-url.ts";
import { vaultWith } from "#platform/vault/vault.ts";

import { rowsBehind, tamper } from "../../support/behind-the-shop.ts";
import { errorOf } from "../../support/database.ts";
import { openReceiver } from "../../support/receivers.ts";
import { openScratchFolder, type ScratchFolder } from "../../support/scratch.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";
import { CallbackGateway } from "../../vendors/callback-gateway.ts";
import { describe, type ServedGateway, serveGateway } from "../../vendors/http/serve-gateway.ts";
import { initialize, pass, settle } from "../scripted-shop.ts";

const ID = "own-adapter";
const TOKEN = "k3yr1ng";
const byPhone = {
  amount: 5,
  currency: "GHS",
  method: "mobile_money",
  phone: "+233551234000",
  gateway: ID,
};

function run(shop: TestShop, name: string, input: object): Promise<unknown> {
  const databases = { test: shop.test.database, live: shop.live.database };
  const terms = { vendors, config: parseConfig({}), reopen: null };
  const command = gatewayCommands(databases, terms)[`gateways.${name}`];
  if (command === undefined) throw new Error(`There is no command ${name}.`);
  return Promise.resolve(command({ gateway: ID, mode: "test", ...input }, "ada"));
}

function secretIn(done: unknown): string {
  if (!isObject(done) || typeof done["secret"] !== "string") throw new Error("There is no secret.");
  return done["secret"];
}

/** Runs the work in the shop of the folder, which the next one starts with. */
async function inShop<T>(folder: ScratchFolder, work: (shop: TestShop) => Promise<T>): Promise<T> {
  await using shop = await openTestShop({ folder });
  return await work(shop);
}

async function addTo(shop: TestShop, served: ServedGateway): Promise<unknown> {
  served.use(secretIn(await run(shop, "add", { url: served.server.url })));
  return run(shop, "check", {});
}

interface OwnShop extends AsyncDisposable {
  readonly shop: TestShop;
  readonly served: ServedGateway;
  readonly vendor: CallbackGateway;
}

/** A shop with an adapter that was added and checked before it started. */
async function openOwnShop(): Promise<OwnShop> {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(openScratchFolder());
  const vendor = new CallbackGateway(TOKEN);
  const served = stack.use(await serveGateway(vendor));
  await inShop(folder, (shop) => addTo(shop, served));
  const shop = stack.use(await openTestShop({ folder }));
  return { shop, served, vendor, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test("a shop is paid through an adapter of its own, whose notice is polled", async () => {
  await using own = await openOwnShop();
  const { shop, served, vendor } = own;

  const payment = await initialize(shop, byPhone);
  const arrived = vendor.answer(vendor.newReference(payment.id, 1), "approved");
  const { bytes, headers } = served.noticeOf(arrived);
  const told = await fetch(`${shop.url}/hooks/test/${ID}`, {
    method: "POST",
    headers,
    body: bytes,
  });
  await settle(shop);

  expect([payment.at("/gateway"), payment.at("/next_action/type")]).toEqual([
    ID,
    "approve_on_phone",
  ]);
  expect(told.status).toBe(200);
  expect((await shop.get(`/v2/payments/${payment.id}`)).at("/status")).toBe("succeeded");
});

test("a refund goes back through the adapter", async () => {
  await using own = await openOwnShop();
  const { shop, vendor } = own;
  const payment = await initialize(shop, byPhone);
  vendor.answer(vendor.newReference(payment.id, 1), "approved");
  await pass(shop, 15);

  const refund = await shop.post(`/v2/payments/${payment.id}/refunds`, { amount: 2 });

  expect([refund.status, refund.at("/status")]).toEqual([201, "succeeded"]);
});

test("a notice about a refund is taken for its payment, and one about an unknown refund is ignored", async () => {
  await using own = await openOwnShop();
  const { shop, served, vendor } = own;
  const payment = await initialize(shop, byPhone);
  vendor.answer(vendor.newReference(payment.id, 1), "approved");
  await pass(shop, 15);
  const refund = await shop.post(`/v2/payments/${payment.id}/refunds`, { amount: 2 });
  const unknown = "ref_01kf0000000000000000000001";

  for (const reference of [refund.id, unknown]) {
    const { bytes, headers } = served.signed({ refund_reference: reference }, `msg_${reference}`);
    await fetch(`${shop.url}/hooks/test/${ID}`, { method: "POST", headers, body: bytes });
  }

  const query = "SELECT topic, is_ignored FROM gateway_notices ORDER BY is_ignored";
  const kept = await rowsBehind(shop.folder.path, query);
  expect(kept.map((row) => [row["topic"], Number(row["is_ignored"])])).toEqual([
    ["refund", 0],
    ["refund", 1],
  ]);
});

test("a notice that is not signed with the adapter's secret writes nothing", async () => {
  await using own = await openOwnShop();
  const { shop, served, vendor } = own;
  const payment = await initialize(shop, byPhone);
  const arrived = vendor.answer(vendor.newReference(payment.id, 1), "approved");
  const { bytes, headers } = served.noticeOf(arrived);
  headers.set("webhook-signature", "v1,AAAA");

  const told = await fetch(`${shop.url}/hooks/test/${ID}`, {
    method: "POST",
    headers,
    body: bytes,
  });
  const read = await fetch(`${shop.url}/hooks/test/${ID}`);

  expect([told.status, read.status]).toEqual([401, 405]);
  expect(await rowsBehind(shop.folder.path, "SELECT * FROM gateway_notices")).toEqual([]);
});

test("an adapter that is away refuses the payment, and the same key goes on once it is there", async () => {
  await using own = await openOwnShop();
  const { shop, served } = own;
  await served.server.down();
  const pay = () =>
    shop.post("/v2/payments/initialize", byPhone, { headers: { "Idempotency-Key": "till-7" } });

  const away = await pay();
  await served.server.up();
  const there = await pay();

  expect([away.status, away.at("/code"), there.status]).toEqual([503, "gateway_unavailable", 201]);
});

test("a gateway takes no payment before its adapter has described itself, and its secret is told once", async () => {
  using folder = openScratchFolder();
  await using served = await serveGateway(new CallbackGateway(TOKEN));
  const [added, again] = await inShop(folder, async (shop) => [
    await run(shop, "add", { url: served.server.url }),
    await run(shop, "add", { url: `${served.server.url}/` }),
  ]);
  await using shop = await openTestShop({ folder });

  const refused = await initialize(shop, byPhone);

  expect(secretIn(added)).toMatch(/^whsec_/);
  expect(again).toMatchObject({ secret: null });
  expect([refused.status, refused.faults]).toEqual([422, ["#/gateway gateway_unknown"]]);
  expect(await run(shop, "list", {})).toMatchObject([
    { gateway: ID, state: "new", source: served.server.url, secret: "whsec_…" },
  ]);
});

test("the gateways of a shop tell where one of its own stands: in its place, or last before it takes anything", async () => {
  await using own = await openOwnShop();
  const { shop, served } = own;
  const told = async () => (await shop.get("/v2/gateways")).at("/gateways");
  const takes = [{ method: "mobile_money", currencies: ["GHS"] }];

  const open = await told();
  await run(shop, "add", { gateway: "new-one", url: "http://127.0.0.1:9" });
  await run(shop, "retire", {});

  expect(open).toMatchObject([
    { id: "simulated", kind: "built_in", label: null, standing: "open", url: null },
    { id: ID, kind: "custom", standing: "open", url: served.server.url },
  ]);
  expect(await told()).toMatchObject([
    { id: "simulated" },
    { id: ID, label: describe(own.vendor).label, standing: "retired", takes },
    {
      id: "new-one",
      kind: "custom",
      label: null,
      standing: "new",
      url: "http://127.0.0.1:9",
      takes: [],
    },
  ]);
});

test("an adapter that moved is asked at its new URL for what was begun, and takes no new payment there before a check", async () => {
  using folder = openScratchFolder();
  const vendor = new CallbackGateway(TOKEN);
  await using served = await serveGateway(vendor);
  await using moved = await serveGateway(vendor);
  await inShop(folder, async (shop) => {
    const secret = secretIn(await run(shop, "add", { url: served.server.url }));
    for (const one of [served, moved]) one.use(secret);
    await run(shop, "check", {});
  });
  const id = await inShop(folder, async (shop) => {
    const payment = await initialize(shop, byPhone);
    await run(shop, "add", { url: moved.server.url });
    return payment.id;
  });
  await served.server.down();
  await using shop = await openTestShop({ folder });
  vendor.answer(vendor.newReference(id, 1), "approved");

  const refused = await initialize(shop, byPhone);
  await pass(shop, 15);

  expect(refused.faults).toEqual(["#/gateway gateway_unknown"]);
  expect((await shop.get(`/v2/payments/${id}`)).at("/status")).toBe("succeeded");
});

test("a gateway with payments is retired, not removed, and one without is gone", async () => {
  await using own = await openOwnShop();
  const { shop } = own;
  await initialize(shop, byPhone);

  const refused = await errorOf(run(shop, "remove", {}));
  await run(shop, "retire", {});
  await run(shop, "add", { gateway: "other-one", url: "http://127.0.0.1:9" });
  await run(shop, "remove", { gateway: "other-one" });

  expect(refused?.message).toContain("retire it");
  expect(await run(shop, "list", {})).toMatchObject([{ gateway: ID, state: "retired" }]);
});

test("after a rotation the former secret holds beside the new one", async () => {
  using folder = openScratchFolder();
  await using served = await serveGateway(new CallbackGateway(TOKEN));
  const next = await inShop(folder, async (shop) => {
    await addTo(shop, served);
    return secretIn(await run(shop, "rotate", {}));
  });
  await using shop = await openTestShop({ folder });

  const before = await initialize(shop, byPhone);
  served.use(next);
  const after = await initialize(shop, byPhone);

  expect([before.status, after.status]).toEqual([201, 201]);
});

test.each(["add", "rotate"] as const)(
  "a secret that this shop's key does not open is replaced by %s",
  async (command) => {
    await using shop = await openTestShop();
    await using served = await serveGateway(new CallbackGateway(TOKEN));
    const { url } = served.server;
    await addTo(shop, served);
    const unreadable = vaultWith([new Uint8Array(32).fill(9)], []).seal(
      "whsec_",
      `gateway ${ID} test http`,
    );
    await tamper(shop.folder.path, `UPDATE custom_gateways SET placed_secret = '${unreadable}'`);
    const broken = await run(shop, "check", {});

    served.use(secretIn(await run(shop, command, { url })));

    expect(broken).toMatchObject({ lines: [{ ok: false }] });
    expect(await run(shop, "check", {})).toMatchObject({ lines: [{ ok: true }, { ok: true }] });
  },
);

test("a description that another version of the program kept is reported, and leaves its gateway out", async () => {
  await using shop = await openTestShop();
  await using served = await serveGateway(new CallbackGateway(TOKEN));
  await addTo(shop, served);
  await tamper(shop.folder.path, `UPDATE custom_gateways SET described = '{"contract":2}'`);
  const place = { mode: "test", testReach: onlyPublic } as const;

  const opened = await openCustomGateways(shop.test.database.read, place, () => null);

  expect(opened).toMatchObject({
    gateways: [],
    unreadable: [{ gateway: ID, error: { pointer: "/contract" }, remedy: "check it again" }],
  });
});

test.each([
  ["hubtel", "gateway_id_invalid"],
  ["-a", "gateway_id_invalid"],
  ["Own-Adapter", "gateway_id_invalid"],
  [`${"a".repeat(31)}-b`, "gateway_id_invalid"],
])("the id %s is refused", async (gateway, code) => {
  await using shop = await openTestShop();

  const refused = await errorOf(run(shop, "add", { gateway, url: "http://127.0.0.1:9" }));

  expect(refused).toMatchObject({ definition: { code } });
});

test.each([
  ["ftp://adapter.example", ["url_scheme_not_allowed"]],
  ["https://ada:secret@adapter.example", ["url_has_credentials"]],
  ["https://adapter.example/?", ["url_has_query"]],
  ["https://adapter.example/?shop=1#top", ["url_has_fragment", "url_has_query"]],
  ["adapter", ["url_malformed"]],
])("the URL %s is refused with all its faults", async (url, codes) => {
  await using shop = await openTestShop();

  const refused = await errorOf(run(shop, "add", { url }));

  const faults = codes.map((code) => ({ pointer: "/url", code }));
  expect(refused).toMatchObject({ definition: { code: "validation_failed" }, details: { faults } });
  expect(await run(shop, "list", {})).toEqual([]);
});

test("the operator reads every fault of a URL in one sentence", async () => {
  await using shop = await openTestShop();

  const refused = await errorOf(run(shop, "add", { url: "https://adapter.example/?shop=1#top" }));

  expect(refused?.message).toContain("url: The URL must not contain a fragment");
  expect(refused?.message).toContain("url: The URL must not contain a query.");
});

test.each([
  "http://127.0.0.1:9",
  "https://127.0.0.1",
  "https://[::1]",
  "https://169.254.169.254",
  "https://10.0.0.7",
  "https://localhost",
])("in live mode the operator may name %s, and an owner may not", async (url) => {
  await using shop = await openTestShop();
  const { database } = shop.live;
  const owner = { testReach: alsoLoopback, publicUrl: "https://shop.example" };
  const put = (by: typeof owner | "operator", at: string) =>
    database.write((tx) => putCustom(tx, { id: ID, mode: "live", url: at, by, expected: null }));

  const refused = await errorOf(put(owner, url));
  const added = await put("operator", url);
  const kept = await put(owner, url);

  expect(refused).toMatchObject({ definition: { code: "validation_failed" } });
  expect(added).toMatchObject({ url, standing: "new" });
  expect(kept).toMatchObject({ url, version: added.version, secret: null });
  expect(await errorOf(put(owner, `${url}/v2`))).toMatchObject({
    definition: { code: "validation_failed" },
  });
});

test("an adapter that an owner named is not called where its host leads into a private network", async () => {
  await using shop = await openTestShop();
  await using served = await serveGateway(new CallbackGateway(TOKEN));
  await addTo(shop, served);
  await tamper(shop.folder.path, "UPDATE custom_gateways SET by_operator = false");
  const place = { id: ID, mode: "test", testReach: onlyPublic } as const;
  const { database } = shop.test;
  const asked = served.server.asked.length;

  const checked = await errorOf(
    checkCustom(database.read, place, (story) => database.write(story)),
  );

  expect(checked).toMatchObject({ definition: { code: "gateway_check_failed" } });
  expect(checked?.message).toContain("its address may not be called");
  expect(served.server.asked).toHaveLength(asked);
});

test.each(["check", "rotate", "retire", "remove"])(
  "%s of a gateway that the shop does not have is refused",
  async (command) => {
    await using shop = await openTestShop();

    const refused = await errorOf(run(shop, command, {}));

    expect(refused).toMatchObject({ definition: { code: "gateway_not_found" } });
  },
);

test("a live gateway is not added before there is a public URL to which it sends customers back", async () => {
  await using shop = await openTestShop();

  const refused = await errorOf(run(shop, "add", { mode: "live", url: "https://adapter.example" }));

  expect(refused).toMatchObject({ definition: { code: "gateway_needs_setting" } });
  expect(await run(shop, "list", {})).toEqual([]);
});

test("a shop has at most eight gateways of its own", async () => {
  await using shop = await openTestShop();
  const url = "http://127.0.0.1:9";
  for (let n = 1; n <= 8; n += 1) await run(shop, "add", { gateway: `own-${n}`, url });

  const refused = await errorOf(run(shop, "add", { gateway: "own-9", url }));

  expect(refused).toMatchObject({ definition: { code: "too_many_gateways" } });
  expect(await run(shop, "add", { gateway: "own-8", url })).toMatchObject({ secret: null });
});

test.each([
  [{ mode: "live" }, "/mode"],
  [{ takes: [] }, "/takes"],
  [
    { takes: [{ method: "card", currency: "GHS", minimum_minor: 9, maximum_minor: 8 }] },
    "/takes/0/maximum_minor",
  ],
  [{ takes: [{ method: "card", currency: "GHS", minimum_minor: 0 }] }, "/takes/0/minimum_minor"],
  [{ contract: 2 }, "/contract"],
])("a description with %j is not kept, and its place is told", async (change, pointer) => {
  const { refundsFailLate, hidesReturns, ...described } = describe(new CallbackGateway(TOKEN));
  const takes = [{ method: "card", currency: "GHS", minimum_minor: 1 }];
  const flags = { refunds_fail_late: refundsFailLate, hides_returns: hidesReturns };
  const body = JSON.stringify({ ...described, takes, ...flags, ...change });
  const headers = { "content-type": "application/json" };
  await using receiver = openReceiver({ answer: () => new Response(body, { headers }) });
  await using shop = await openTestShop();
  await run(shop, "add", { url: new URL(receiver.url).origin });

  const checked = await run(shop, "check", {});

  expect(checked).toMatchObject({ lines: [{ ok: false }] });
  expect(JSON.stringify(checked)).toContain(pointer);
  expect(await run(shop, "list", {})).toMatchObject([{ state: "new" }]);
});

test("no gateway of this program has a hyphen in its id", () => {
  expect(vendors.map(({ id }) => id).filter((id) => id.includes("-"))).toEqual([]);
});
