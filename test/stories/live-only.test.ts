// A live server without test mode: nothing of it can be reached, and its data stays.

import { expect, test } from "bun:test";

import { keyCommands } from "#cli/operator/key-commands.ts";
import type { TimerWork } from "#platform/scheduler/timer-work.ts";
import { setTimer } from "#platform/scheduler/timers.ts";

import { initialize, notify, orderCounter } from "../payments/scripted-shop.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { ScriptedGateway } from "../support/scripted-gateway.ts";
import { openTestShop } from "../support/shop.ts";

const settings = { DUKA_TEST_MODE: "off" };

test("a server without test mode answers live keys alone", async () => {
  using folder = openScratchFolder();
  const before = await openTestShop({ folder });
  const live = await before.createKey({ mode: "live" });
  await before.post("/v2/customers", { email: "ada@example.com" });
  await before[Symbol.asyncDispose]();

  const paths = ["/hooks/test/inbox/shop", "/hooks/test/simulated", "/test/pay/x"];
  {
    await using shop = await openTestShop({ folder, settings });
    const bodies = { method: "POST", body: "{}" };
    const open = await Promise.all(paths.map((path) => fetch(`${shop.url}${path}`, bodies)));
    const metrics = await (await fetch(`${shop.url}/metrics`)).text();
    const ready = await fetch(`${shop.url}/readyz`);

    expect(await shop.get("/v2/customers")).toMatchObject({ status: 401, code: "api_key_invalid" });
    expect((await shop.get("/v2/customers", { key: live })).status).toBe(200);
    expect(open.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(metrics).toContain('duka_mode_served{mode="test"} 0');
    expect(await ready.json()).toMatchObject({ status: "ready", modes: ["live"] });
    const databases = { test: shop.test.database, live: shop.live.database };
    const asked = { mode: "test", name: "-", kind: null, scopes: ["full"], ratePerMinute: null };
    const create = keyCommands(databases, ["live"])["keys.create"];
    const refused = await create?.({ ...asked, expiresAt: null }).catch(String);
    expect(refused).toContain("DUKA_TEST_MODE");
  }

  await using after = await openTestShop({ folder });
  expect((await after.get("/v2/customers")).at("/data/0/email")).toBe("ada@example.com");
});

test("without test mode a test key can be revoked, but not rotated", async () => {
  using folder = openScratchFolder();
  const former = await openTestShop({ folder });
  const id = (await former.get("/v2/keys")).string("/data/0/id");
  await former[Symbol.asyncDispose]();
  await using shop = await openTestShop({ folder, settings });
  const databases = { test: shop.test.database, live: shop.live.database };
  const commands = keyCommands(databases, ["live"]);
  const before = await commands["keys.list"]?.({});

  const refused = await commands["keys.rotate"]?.({ id, overlapHours: 0 }).catch(String);
  const after = await commands["keys.list"]?.({});
  const revoked = await commands["keys.revoke"]?.({ id });

  expect(refused).toContain("DUKA_TEST_MODE");
  expect(after).toEqual(before);
  expect(revoked).toMatchObject({ id, revoked_at: expect.any(String) });
});

test("a server without test mode makes no first key", async () => {
  await using shop = await openTestShop({ settings });

  expect(shop.duka.firstKey).toBeNull();
});

test("a server without test mode opens no link of a test order, and takes no notice of its payment", async () => {
  using folder = openScratchFolder();
  const gateway = new ScriptedGateway();
  const gateways = [gateway];
  const before = await openTestShop({ folder, gateways });
  const placed = await (await orderCounter(before))();
  const payment = await initialize(before, { order_id: placed.id });
  await before[Symbol.asyncDispose]();
  const { pathname } = new URL(placed.string("/status_url"));

  await using shop = await openTestShop({ folder, gateways, settings });
  const page = await fetch(`${shop.url}${pathname}`);
  const notice = await notify(shop, gateway, { payment: payment.id, id: "first" });

  expect([page.status, notice.status]).toEqual([404, 404]);
});

test("a server without test mode fires no timer of the test shop", async () => {
  using folder = openScratchFolder();
  const before = await openTestShop({ folder });
  for (const { database } of [before.test, before.live]) {
    await database.write((tx) => setTimer(tx, { name: "ring", subject: "bell", dueAt: tx.now }));
  }
  await before[Symbol.asyncDispose]();
  const rung: string[] = [];
  const isRung = Promise.withResolvers<void>();
  const ring: TimerWork = {
    name: "ring",
    runWith: async ({ mode }) => {
      rung.push(mode);
      if (mode === "live") isRung.resolve();
    },
  };

  await using _ = await openTestShop({ folder, settings, timers: [ring] });
  await isRung.promise;

  expect(rung).toEqual(["live"]);
});
