// What limits refuse is counted by kind, network and hour, and told to the merchant.

import { describe, expect, test } from "bun:test";

import { type AbuseKind, abuseKinds } from "#kernel/abuse.ts";
import { DAY_MS, HOUR_MS } from "#kernel/time.ts";
import type { OpenShop } from "#open-shops.ts";
import { AbuseMarks } from "#shop/marks/abuse-marks.ts";
import { dropMarksJob } from "#shop/marks/jobs.ts";
import { abuseMarks } from "#shop/marks/tables.ts";

import { atOnce } from "../../support/at-once.ts";
import { mug } from "../../support/cast.ts";
import { openScratchFolder } from "../../support/scratch.ts";
import { MORNING_MS, openTestShop, type TestShop } from "../../support/shop.ts";
import { rowsOf } from "../../support/tables.ts";

const TOKEN = "a-token-of-the-operator-of-32-letters";
const NETWORK = "203.0.113.0/24";
const since = new Date(MORNING_MS).toISOString();

/** A shop that holds its limits against visitors, one read a minute each, and the key of its pages. */
async function openVisited(settings: Readonly<Record<string, string>> = {}) {
  const shop = await openTestShop({
    asks: "nothing",
    settings: {
      DUKA_TRUSTED_PROXIES: "127.0.0.1",
      DUKA_ADDRESS_READS_PER_MINUTE: "1",
      ...settings,
    },
  });
  await shop.put("/v2/store", { enforce_limits: true });
  await shop.announced();
  const key = await shop.createKey({ scopes: ["storefront"] });
  const read = (address: string) =>
    shop.get("/v2/products", { key, headers: { "X-Forwarded-For": address } });
  return { shop, key, read, [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose]() };
}

/** What the merchant is told after all was saved. */
async function abuseIn(shop: TestShop): Promise<readonly unknown[]> {
  await shop.test.marks.save();
  return (await shop.get("/v2/waiting")).list("/abuse");
}

function fail(error: unknown): void {
  throw error;
}

/** Counts so many of a kind from a network. */
function count({ marks }: OpenShop, kind: AbuseKind, from: Partial<From> = {}): void {
  const { network = NETWORK, times = 1 } = from;
  for (let nth = 0; nth < times; nth += 1) marks.count(kind, network);
}

interface From {
  readonly network: string | null;
  readonly times: number;
}

describe("what limits refused", () => {
  test("is told by kind and network, with the hour of the first", async () => {
    await using opened = await openVisited();
    const { shop, read } = opened;
    for (const address of ["203.0.113.1", "203.0.113.1", "203.0.113.1", "2001:db8:5::1"]) {
      await read(address);
    }
    shop.clock.advance(HOUR_MS);
    await read("203.0.113.1");
    await read("203.0.113.2");
    await read("203.0.113.2");

    expect(await abuseIn(shop)).toEqual([
      { kind: "requests", network: "203.0.113.0/24", count: 4, since },
    ]);
  });

  test("is told for a day", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    count(shop.test, "shelf");
    const told = await abuseIn(shop);
    shop.clock.advance(DAY_MS);

    expect([told.length, await abuseIn(shop)]).toEqual([1, []]);
  });

  test("is told to who may read the audit log", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    count(shop.test, "orders");
    await shop.test.marks.save();
    const reader = await shop.createKey({ scopes: ["read_only"] });

    expect((await shop.get("/v2/waiting", { key: reader })).at("/abuse")).toBeNull();
  });

  test("is told of each kind first, however much there is of another", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    for (let nth = 0; nth < 20; nth += 1)
      count(shop.test, "requests", { network: `203.0.${nth}.0/24`, times: 10 + nth });
    for (const kind of abuseKinds) count(shop.test, kind, { network: "192.0.2.0/24" });

    const told = await abuseIn(shop);

    expect(told).toHaveLength(10);
    expect(new Set(told.map((one) => Object(one).kind))).toEqual(new Set(abuseKinds));
    expect(told[0]).toEqual({ kind: "requests", network: "203.0.19.0/24", count: 29, since });
    expect(told.slice(8)).toMatchObject([
      { network: "203.0.18.0/24" },
      { network: "203.0.17.0/24" },
    ]);
  });

  test("is counted once, and not again when its stored answer is sent again", async () => {
    await using opened = await openVisited();
    const { shop, key } = opened;
    const goods = await mug(shop, { stock: 40 });
    const order = (idempotencyKey: string) =>
      shop.post(
        "/v2/orders",
        { line_items: [{ variant_id: goods.variantId, quantity: 15 }] },
        { key, headers: { "X-Forwarded-For": "203.0.113.1", "Idempotency-Key": idempotencyKey } },
      );
    await order("first");

    const refused = [await order("second"), await order("second")];

    expect(refused.map(({ code }) => code)).toEqual(Array(2).fill("contact_proof_required"));
    expect(await abuseIn(shop)).toMatchObject([{ kind: "shelf", count: 1 }]);
  });

  test("is nothing where a merchant's program asks too often", async () => {
    await using opened = await openVisited({ DUKA_RATE_LIMIT_PER_MINUTE: "2" });
    const { shop } = opened;
    const statuses = [];
    for (let nth = 0; nth < 3; nth += 1) statuses.push((await shop.get("/v2/orders")).status);
    await shop.test.marks.save();

    expect(statuses).toContain(429);
    expect(await rowsOf(shop.test.database.read, abuseMarks)).toEqual([]);
  });

  test("is counted in the operator's metrics", async () => {
    await using opened = await openVisited({ DUKA_METRICS_TOKEN: TOKEN });
    for (let nth = 0; nth < 3; nth += 1) await opened.read("203.0.113.1");

    const headers = { Authorization: `Bearer ${TOKEN}` };
    const metrics = await (await fetch(`${opened.shop.url}/metrics`, { headers })).text();

    expect(metrics).toContain('duka_refused_total{mode="test",kind="requests"} 2');
  });
});

describe("the event `limit.reached`", () => {
  test("is sent once for a kind and an hour, without a network", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    await shop.announced();
    count(shop.test, "orders", { times: 3 });
    count(shop.test, "orders", { network: "192.0.2.0/24", times: 2 });
    await shop.test.marks.save();
    count(shop.test, "orders", { network: "198.51.100.0/24", times: 5 });
    count(shop.test, "codes", { network: null });
    await shop.test.marks.save();

    expect(await shop.announced()).toEqual([
      { event: "limit.reached", data: { id: "orders", kind: "orders", count: 5, since } },
      { event: "limit.reached", data: { id: "codes", kind: "codes", count: 1, since } },
    ]);
  });

  test("is sent again in the next hour", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    await shop.announced();
    count(shop.test, "orders");
    shop.clock.advance(HOUR_MS);
    count(shop.test, "orders");
    await shop.test.marks.save();

    expect(await shop.announcedNames()).toEqual(["limit.reached", "limit.reached"]);
  });

  test("is sent once by programs that save at the same moment", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    await shop.announced();
    const { database, clock } = shop.test;
    await atOnce(8, (nth) => {
      const marks = new AbuseMarks({ database, clock, onFault: fail });
      marks.count("orders", `203.0.${nth % 2}.0/24`);
      return marks.save();
    });

    expect(await shop.announcedNames()).toEqual(["limit.reached"]);
    expect(await abuseIn(shop)).toMatchObject([{ count: 4 }, { count: 4 }]);
  });
});

describe("the rows", () => {
  test("are a thousand of a day at most: what is beyond is counted without its network", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    for (let nth = 0; nth < 3_000; nth += 1) {
      count(shop.test, "requests", { network: `10.${Math.floor(nth / 256)}.${nth % 256}.0/24` });
      if (nth % 700 === 0) await shop.test.marks.save();
    }
    await shop.test.marks.save();

    const rows = await rowsOf(shop.test.database.read, abuseMarks);

    expect(rows.filter(({ network }) => network !== "")).toHaveLength(808);
    expect(rows.reduce((sum, row) => sum + row.count, 0)).toBe(3_000);
  });

  test("are a thousand of a day at most when programs save at the same moment", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const { database, clock } = shop.test;
    await atOnce(3, (program) => {
      const marks = new AbuseMarks({ database, clock, onFault: fail });
      for (let nth = 0; nth < 900; nth += 1) {
        marks.count("requests", `10.${4 * program + Math.floor(nth / 256)}.${nth % 256}.0/24`);
      }
      return marks.save();
    });

    const rows = await rowsOf(database.read, abuseMarks);

    expect(rows.filter(({ network }) => network !== "")).toHaveLength(808);
    expect(rows.reduce((sum, row) => sum + row.count, 0)).toBe(2_700);
  });

  test("are kept for ninety days", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    for (let day = 0; day < 3; day += 1) {
      for (let hour = 0; hour < 24; hour += 1) {
        count(shop.test, "orders");
        shop.clock.advance(HOUR_MS);
      }
    }
    await shop.test.marks.save();
    shop.clock.advance(88 * DAY_MS);
    await dropMarksJob([shop.test, shop.live]).run();

    const rows = await rowsOf(shop.test.database.read, abuseMarks);

    expect(rows.reduce((sum, row) => sum + row.count, 0)).toBe(47);
    expect(Math.min(...rows.map(({ hour }) => hour))).toBeGreaterThan(
      shop.clock.now() - 90 * DAY_MS,
    );
  });

  test("have what was counted before the shop stopped", async () => {
    using folder = openScratchFolder();
    {
      await using shop = await openTestShop({ asks: "nothing", folder });
      count(shop.test, "guesses");
    }
    await using shop = await openTestShop({ asks: "nothing", folder });

    expect(await abuseIn(shop)).toMatchObject([{ kind: "guesses", count: 1 }]);
  });

  test("have what could not be written at first", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const { database, clock } = shop.test;
    const faults: unknown[] = [];
    let isAway = true;
    const marks = new AbuseMarks({
      clock,
      onFault: (error) => faults.push(error),
      database: {
        ...database,
        write: (...given) =>
          isAway ? Promise.reject(new Error("away")) : database.write(...given),
      },
    });
    for (let nth = 0; nth < 3; nth += 1) {
      marks.count("orders", "203.0.113.0/24");
      await marks.save();
    }
    isAway = false;
    await marks.save();

    expect(faults).toHaveLength(1);
    expect(await abuseIn(shop)).toMatchObject([{ kind: "orders", count: 3 }]);
  });
});

test("each mode has its own", async () => {
  await using opened = await openVisited();
  const { shop, read } = opened;
  await read("203.0.113.1");
  await read("203.0.113.1");
  await shop.live.marks.save();
  const live = await shop.createKey({ mode: "live" });

  expect((await shop.get("/v2/waiting", { key: live })).list("/abuse")).toEqual([]);
  expect(await abuseIn(shop)).toHaveLength(1);
});
