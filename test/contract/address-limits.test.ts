// What strangers with a publishable key may ask, by their address. The tests' own requests come from a
// proxy on this machine, which says whose they are.

import { beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";

import { tokenOf } from "../accounts/sign-in.ts";
import { of } from "../sales/orders/counter.ts";
import { mug } from "../support/cast.ts";
import { type Answered, openTestShop, sharedShop, type TestShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

/** Limits that a test reaches with its third read and its second write. */
const tight = {
  DUKA_TRUSTED_PROXIES: "127.0.0.1",
  DUKA_ADDRESS_READS_PER_MINUTE: "2",
  DUKA_ADDRESS_WRITES_PER_MINUTE: "1",
};

async function openShop(settings: Readonly<Record<string, string>> = {}) {
  const shop = await openTestShop({ asks: "nothing", settings: { ...tight, ...settings } });
  await shop.put("/v2/store", { enforce_limits: true });
  return shop;
}

const limited = sharedShop({ asks: "nothing", settings: tight });

beforeAll(async () => {
  await limited.put("/v2/store", { enforce_limits: true });
});

/** An address of one test. */
function nextAddress(): string {
  return `203.0.113.${limited.nextNumber()}`;
}

function visitor(shop: TestShop, key: string, address = nextAddress()) {
  const options = { key, headers: { "X-Forwarded-For": address } };
  return {
    read: () => shop.get("/v2/products", options),
    write: () => shop.post("/v2/carts", {}, options),
  };
}

describe("an address with a publishable key", () => {
  test("is refused beyond its reads, with the time to wait", async () => {
    const { read } = visitor(limited, await limited.createKey({ scopes: ["storefront"] }));
    await read();
    await read();

    const refused = await read();

    expect(refused).toMatchObject({ status: 429, code: "rate_limited" });
    expect(refused.at("/detail")).toBe("Too many reads from this address in the last 60 seconds.");
    expect(refused.headers.get("ratelimit")).toStartWith('"default";r=0;');
    expect(Number(refused.headers.get("retry-after"))).toBeWithin(30, 61);
  });

  test("has writes of its own", async () => {
    const { read, write } = visitor(limited, await limited.createKey({ scopes: ["storefront"] }));

    const statuses = [await write(), await write(), await read()].map(({ status }) => status);

    expect(statuses).toEqual([201, 429, 200]);
  });

  test("takes nothing from another, nor from the key's own limit when it is refused", async () => {
    const key = await limited.createKey({ scopes: ["storefront"], ratePerMinute: 3 });
    const one = visitor(limited, key);
    await one.read();
    await one.read();
    await one.read();
    await one.read();

    const other = await visitor(limited, key).read();

    expect(other.status).toBe(200);
    expect(other.headers.get("ratelimit")).toStartWith('"default";r=1;');
  });

  test("is the same anywhere in an IPv6 network", async () => {
    const key = await limited.createKey({ scopes: ["storefront"] });
    await visitor(limited, key, "2001:db8::1").write();

    expect((await visitor(limited, key, "2001:db8::ffff:2").write()).status).toBe(429);
    expect((await visitor(limited, key, "2001:db8:0:1::1").write()).status).toBe(201);
  });

  test("is refused with a live key as well, without any setting of the store", async () => {
    await using shop = await openShop();
    await shop.put("/v2/store", { enforce_limits: false });
    const key = await shop.createKey({ mode: "live", scopes: ["storefront"] });
    const { write } = visitor(shop, key);
    await write();

    expect((await write()).status).toBe(429);
  });
});

test("an address that uses up its requests in test mode has those of live mode", async () => {
  const address = nextAddress();
  const [inTest, inLive] = [
    visitor(limited, await limited.createKey({ scopes: ["storefront"] }), address),
    visitor(limited, await limited.createKey({ mode: "live", scopes: ["storefront"] }), address),
  ];
  await inTest.write();

  expect((await inTest.write()).status).toBe(429);
  expect((await inLive.write()).status).toBe(201);
});

describe("nothing is counted", () => {
  test("in a test shop that does not enforce limits", async () => {
    await using shop = await openShop();
    await shop.put("/v2/store", { enforce_limits: false });
    const { write } = visitor(shop, await shop.createKey({ scopes: ["storefront"] }));
    await write();

    expect((await write()).status).toBe(201);
  });

  test.each([
    ["for a program on this machine", { DUKA_TRUSTED_PROXIES: "10.0.0.1" }],
    ["for a server that renders a storefront", { DUKA_STOREFRONT_SERVERS: "203.0.113.0/24" }],
    ["without a limit", { DUKA_ADDRESS_WRITES_PER_MINUTE: "0" }],
  ])("%s", async (_, settings) => {
    await using shop = await openShop(settings);
    const { write } = visitor(shop, await shop.createKey({ scopes: ["storefront"] }));
    await write();

    expect((await write()).status).toBe(201);
  });

  test("for a secret key", async () => {
    const { write } = visitor(limited, limited.key);
    await write();

    expect((await write()).status).toBe(201);
  });
});

describe("once the shop has a public address, a proxy on this machine that names nobody", () => {
  const atHome = { DUKA_PUBLIC_URL: "https://shop.example", DUKA_TRUSTED_PROXIES: "" };
  const write = async (shop: TestShop) => {
    const key = await shop.createKey({ scopes: ["storefront"] });
    return () => shop.post("/v2/carts", {}, { key });
  };

  test("makes all visitors one, and the operator is told once", async () => {
    const lines: string[] = [];
    await using shop = await openTestShop({
      asks: "nothing",
      settings: {
        ...tight,
        ...atHome,
        DUKA_METRICS_TOKEN: "token-of-the-watch",
        DUKA_LOG_LEVEL: "warn",
      },
      writeLog: (line) => lines.push(line),
    });
    await shop.put("/v2/store", { enforce_limits: true });
    const ask = await write(shop);

    expect([await ask(), await ask(), await ask()].map(({ status }) => status)).toEqual([
      201, 429, 429,
    ]);
    expect(lines.filter((line) => line.includes("without X-Forwarded-For"))).toHaveLength(1);
    const metrics = await fetch(`${shop.url}/metrics`, {
      headers: { Authorization: "Bearer token-of-the-watch" },
    });
    expect(await metrics.text()).toContain("\nduka_proxy_headers_missing_total 3\n");
  });

  test("is missed by the visitors of pages, too", async () => {
    const settings = { ...atHome, DUKA_METRICS_TOKEN: "token-of-the-watch" };
    await using shop = await openTestShop({ settings });
    const named = { headers: { "X-Forwarded-For": "203.0.113.7" } };
    for (const path of ["/docs", "/dashboard", "/o/nowhere"]) await fetch(`${shop.url}${path}`);
    await fetch(`${shop.url}/docs`, named);
    await shop.get("/v2/products");

    const metrics = await fetch(`${shop.url}/metrics`, {
      headers: { Authorization: "Bearer token-of-the-watch" },
    });

    expect(await metrics.text()).toContain("\nduka_proxy_headers_missing_total 3\n");
  });

  test("has no more unfinished requests than one visitor", async () => {
    await using shop = await openShop(atHome);
    const begin = () => {
      const socket = connect(Number(new URL(shop.url).port), "127.0.0.1");
      socket.write("POST /hooks/test/simulated HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{");
      return socket;
    };
    const notice = async () =>
      (await fetch(`${shop.url}/hooks/test/simulated`, { method: "POST", body: "{}" })).status;

    const begun = Array.from({ length: 4 }, begin);
    await until(async () => (await notice()) === 503, "A fifth body is received.");
    for (const socket of begun) socket.destroy();

    await until(async () => (await notice()) !== 503, "No place became free.");
  });

  test("is no proxy where it is named as a server that renders a storefront", async () => {
    await using shop = await openShop({ ...atHome, DUKA_STOREFRONT_SERVERS: "127.0.0.1" });
    const ask = await write(shop);

    expect([await ask(), await ask()].map(({ status }) => status)).toEqual([201, 201]);
  });

  test("is not missed where it names its visitors", async () => {
    await using shop = await openShop({ ...atHome, DUKA_TRUSTED_PROXIES: "127.0.0.1" });
    const key = await shop.createKey({ scopes: ["storefront"] });

    expect((await visitor(shop, key, "203.0.113.7").write()).status).toBe(201);
    expect((await visitor(shop, key, "203.0.113.8").write()).status).toBe(201);
    expect((await visitor(shop, key, "203.0.113.8").write()).status).toBe(429);
  });
});

// One key is in the hands of all visitors: what some of them do with it is no reason to refuse another.
describe("two visitors who ask without pause", () => {
  const busy = { DUKA_ADDRESS_READS_PER_MINUTE: "0" };

  /** Reads of two networks, one after the other; returns their statuses. */
  async function flood(shop: TestShop, key: string, reads: number): Promise<number[]> {
    const statuses: number[] = [];
    for (let nth = 0; nth < reads; nth += 1) {
      const address = `198.51.${100 + (nth % 2)}.9`;
      statuses.push((await visitor(shop, key, address).read()).status);
    }
    return statuses;
  }

  test("take nothing from another one, whatever secret keys may ask", async () => {
    await using shop = await openShop({ ...busy, DUKA_RATE_LIMIT_PER_MINUTE: "5" });
    const key = await shop.createKey({ scopes: ["storefront"] });
    await flood(shop, key, 20);

    const [other, merchant] = [await visitor(shop, key).read(), await shop.get("/v2/store")];

    expect([other.status, merchant.status]).toEqual([200, 200]);
    expect(merchant.headers.get("ratelimit")).toStartWith('"default";r=3;');
  });

  test("are refused above the limit of all, and another one is not", async () => {
    await using shop = await openShop({ ...busy, DUKA_STOREFRONT_REQUESTS_PER_MINUTE: "10" });
    const key = await shop.createKey({ scopes: ["storefront"] });
    const statuses = await flood(shop, key, 20);

    const refused = await visitor(shop, key, "198.51.100.9").read();
    const other = await visitor(shop, key).read();

    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(refused.at("/detail")).toBe(
      "The shop is busy: too many requests in the last 60 seconds.",
    );
    expect(other.status).toBe(200);
  });

  test("leave a key with a limit of its own to others, too", async () => {
    await using shop = await openShop(busy);
    const key = await shop.createKey({ scopes: ["storefront"], ratePerMinute: 4 });
    const statuses = await flood(shop, key, 8);

    const other = await visitor(shop, key).read();

    expect(statuses).toEqual([200, 200, 200, 200, 429, 429, 429, 429]);
    expect(other.status).toBe(200);
  });
});

describe("a server that renders a storefront", () => {
  const server = { DUKA_TRUSTED_PROXIES: "", DUKA_STOREFRONT_SERVERS: "127.0.0.1" };

  test("says whom it serves, and each visitor is counted alone", async () => {
    await using shop = await openShop(server);
    const key = await shop.createKey({ scopes: ["storefront"] });
    const [one, other] = [visitor(shop, key, "203.0.113.1"), visitor(shop, key, "203.0.113.2")];
    await one.write();

    expect([(await one.write()).status, (await other.write()).status]).toEqual([429, 201]);
  });

  test("says for whom it asks for a code: others take none of the owner's", async () => {
    await using shop = await openShop({ ...server, DUKA_ADDRESS_WRITES_PER_MINUTE: "0" });
    const key = await shop.createKey({ scopes: ["storefront"] });
    const ask = (address: string) =>
      shop.post(
        "/v2/customer-sessions/code",
        { email: "ama@shop.example" },
        { key, headers: { "X-Forwarded-For": address } },
      );
    const ofStranger = [await ask("203.0.113.1"), await ask("203.0.113.1")];

    const own = await ask("198.51.100.1");

    expect([...ofStranger, own].map(({ status }) => status)).toEqual([202, 429, 202]);
  });

  test("is not counted where it names nobody", async () => {
    await using shop = await openShop(server);
    const key = await shop.createKey({ scopes: ["storefront"] });
    const write = () => shop.post("/v2/carts", {}, { key });
    await write();

    expect((await write()).status).toBe(201);
  });
});

// What is kept for good, and what the merchant's programs write to customers for.
describe("an address in ten minutes", () => {
  const headers = { "X-Forwarded-For": "203.0.113.9" };
  const openBusyShop = () => openShop({ DUKA_ADDRESS_WRITES_PER_MINUTE: "0" });

  test("signs twenty customers up, and is told when to come back", async () => {
    await using shop = await openBusyShop();
    const key = await shop.createKey({ scopes: ["storefront"] });
    const signUp = (nth: number) =>
      shop.post("/v2/customers", { email: `ada${nth}@example.com` }, { key, headers });
    for (let nth = 0; nth < 20; nth += 1) await signUp(nth);

    const refused = await signUp(20);

    expect([refused.status, refused.code]).toEqual([429, "rate_limited"]);
    expect(refused.at("/detail")).toBe(
      "Too many new customers from this address in the last 10 minutes.",
    );
    expect(Number(refused.headers.get("retry-after"))).toBeWithin(540, 601);
    expect((await shop.get("/v2/customers?limit=100")).list("/data")).toHaveLength(20);
  });

  test("is one of a network, which signs 320 customers up", async () => {
    await using shop = await openBusyShop();
    const key = await shop.createKey({ scopes: ["storefront"] });
    const signUp = (nth: number) => {
      const address = { "X-Forwarded-For": `203.0.113.${Math.floor(nth / 20)}` };
      return shop.post("/v2/customers", { email: `${nth}@example.com` }, { key, headers: address });
    };
    for (let nth = 0; nth < 320; nth += 1) await signUp(nth);

    const refused = await signUp(320);

    expect([refused.status, refused.code]).toEqual([429, "rate_limited"]);
    expect(refused.at("/detail")).toBe(
      "Too many new customers from this network in the last 10 minutes.",
    );
  });

  test("places twenty orders, and a customer who signs in there has twenty of their own", async () => {
    await using shop = await openBusyShop();
    await shop.put("/v2/store", { limits: { open_orders_per_contact: 100 } });
    const key = await shop.createKey({ scopes: ["storefront"] });
    const goods = await mug(shop, { stock: 100 });
    const token = await tokenOf(shop, { email: "ada@example.com" });
    const order = (given: Readonly<Record<string, string>>) =>
      shop.post("/v2/orders", { line_items: [of(goods)] }, { key, headers: given });
    for (let nth = 0; nth < 20; nth += 1) await order(headers);

    const refused = await order(headers);
    const signedIn: Answered[] = [];
    for (let nth = 0; nth <= 20; nth += 1) {
      signedIn.push(await order({ ...headers, "Customer-Token": token }));
    }

    expect([refused.status, refused.code]).toEqual([429, "too_many_orders"]);
    expect(refused.at("/detail")).toBe(
      "Too many orders from this address in the last 10 minutes. A customer who is signed in has a limit of their own.",
    );
    expect(signedIn.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(signedIn.at(-1)?.at("/detail")).toBe(
      "Too many orders of this customer in the last 10 minutes.",
    );
  });

  test("asks for facets 120 times, of products and of collections", async () => {
    await using shop = await openShop({ DUKA_ADDRESS_READS_PER_MINUTE: "0" });
    const key = await shop.createKey({ scopes: ["storefront"] });
    const { id } = await shop.post("/v2/collections", { title: "Mugs" });
    const paths = ["/v2/products/facets", `/v2/collections/${id}/facets`];
    for (let nth = 0; nth < 60; nth += 1) {
      for (const path of paths) await shop.get(path, { key, headers });
    }

    const refused = await Promise.all(paths.map((path) => shop.get(path, { key, headers })));
    const list = await shop.get("/v2/products", { key, headers });

    expect(refused.map(({ status }) => status)).toEqual([429, 429]);
    expect(list.status).toBe(200);
  });

  test("starts sixty checkouts", async () => {
    await using shop = await openBusyShop();
    const key = await shop.createKey({ scopes: ["storefront"] });
    const goods = await mug(shop);
    const { id } = await shop.post("/v2/carts", { line_items: [of(goods)] }, { key });
    const checkOut = () => shop.post(`/v2/carts/${id}/checkout`, {}, { key, headers });
    for (let nth = 0; nth < 60; nth += 1) await checkOut();

    const refused = await checkOut();

    expect([refused.status, refused.code]).toEqual([429, "rate_limited"]);
    expect(refused.at("/detail")).toBe(
      "Too many checkouts from this address in the last 10 minutes. A customer who is signed in has a limit of their own.",
    );
  });
});
