// Each kind of what limits refuse is counted at its place, and at no other.

import { beforeAll, describe, expect, test } from "bun:test";

import { MINUTE_MS } from "#kernel/time.ts";
import type { OpenShop } from "#open-shops.ts";
import { abuseMarks } from "#shop/marks/tables.ts";

import { openHook } from "../../accounts/sign-in.ts";
import { handedOver } from "../../payments/refund-counter.ts";
import { mug } from "../../support/cast.ts";
import { sharedShop } from "../../support/shop.ts";
import { rowsOf } from "../../support/tables.ts";
import { sharedDoor } from "../people/open-door.ts";

const { callOut } = openHook();
const shop = sharedShop({
  asks: "nothing",
  callOut,
  settings: {
    DUKA_TRUSTED_PROXIES: "127.0.0.1",
    DUKA_ADDRESS_READS_PER_MINUTE: "0",
    DUKA_ADDRESS_WRITES_PER_MINUTE: "0",
  },
});
let key = "";
beforeAll(async () => {
  await shop.put("/v2/store", { enforce_limits: true });
  key = await shop.createKey({ scopes: ["storefront"] });
});

/** The visitor of a test, in a network that no other test has, and what is counted of it. */
function nextVisitor() {
  const network = `10.0.${shop.nextNumber()}`;
  const headers = { "X-Forwarded-For": `${network}.9` };
  return {
    headers,
    post: (path: string, body: object) => shop.post(path, body, { key, headers }),
    counted: () => countedOf(shop.test, `${network}.0/24`),
  };
}

async function countedOf({ marks, database }: OpenShop, network: string): Promise<unknown[]> {
  await marks.save();
  const rows = await rowsOf(database.read, abuseMarks);
  return rows.filter((row) => row.network === network).map(({ kind, count }) => [kind, count]);
}

describe("a visitor is counted under", () => {
  test("`orders` beyond twenty orders in ten minutes", async () => {
    const { post, counted } = nextVisitor();
    const { variantId: variant_id } = await mug(shop, { stock: 1_000 });
    const order = { line_items: [{ variant_id, quantity: 1 }] };
    for (let nth = 0; nth < 22; nth += 1) await post("/v2/orders", order);

    expect(await counted()).toEqual([["orders", 2]]);
  });

  test("`orders` beyond the open orders of a contact, and beyond twenty new customers", async () => {
    const { post, counted } = nextVisitor();
    const { variantId: variant_id } = await mug(shop, { stock: 1_000 });
    const customer = { email: `esi${shop.nextNumber()}@example.com` };
    const order = { line_items: [{ variant_id, quantity: 1 }], customer };
    for (let nth = 0; nth < 6; nth += 1) await post("/v2/orders", order);
    for (let nth = 0; nth < 21; nth += 1) {
      await post("/v2/customers", { email: `kofi${shop.nextNumber()}@example.com` });
    }

    expect(await counted()).toEqual([["orders", 2]]);
  });

  test("`codes` beyond one a minute to a contact", async () => {
    const { post, counted } = nextVisitor();
    const email = `esi${shop.nextNumber()}@shop.example`;
    const asked = [];
    for (let nth = 0; nth < 3; nth += 1) {
      asked.push(await post("/v2/customer-sessions/code", { email }));
    }

    expect(asked.map(({ status }) => status)).toEqual([202, 429, 429]);
    expect(await counted()).toEqual([["codes", 2]]);
  });

  test("`guesses` beyond thirty tries of codes in ten minutes", async () => {
    const { post, counted } = nextVisitor();
    const email = `esi${shop.nextNumber()}@shop.example`;
    for (let nth = 0; nth < 31; nth += 1) {
      await post("/v2/customer-sessions", { email, code: "111111" });
    }

    expect(await counted()).toEqual([["guesses", 1]]);
  });

  test("`shelf` beyond what strangers hold of the stock", async () => {
    const { post, counted } = nextVisitor();
    const { variantId: variant_id } = await mug(shop, { stock: 40 });
    for (let nth = 0; nth < 3; nth += 1) {
      await post("/v2/orders", { line_items: [{ variant_id, quantity: 15 }] });
    }

    expect(await counted()).toEqual([["shelf", 2]]);
  });

  test("nothing for what a rule of the shop refuses", async () => {
    const { post, counted } = nextVisitor();
    const { variantId: variant_id } = await mug(shop, { stock: 5 });
    await post("/v2/orders", { line_items: [{ variant_id, quantity: 6 }] });
    await post("/v2/orders", { line_items: [{ variant_id, quantity: 21 }] });
    await post("/v2/customer-sessions", { email: "esi@shop.example", code: "111111" });
    await post("/v2/products", { name: "Mug" });

    expect(await counted()).toEqual([]);
  });
});

test("a wrong code counts under `guesses` once codes are longer for them", async () => {
  const { post, counted } = nextVisitor();
  const { headers } = nextVisitor();
  const email = `esi${shop.nextNumber()}@shop.example`;
  for (let nth = 0; nth < 5; nth += 1) {
    const asked = await shop.post(
      "/v2/customer-sessions/code",
      { email },
      { key, headers: { "X-Forwarded-For": `10.9.${nth}.1` } },
    );
    const challenge = asked.string("/challenge");
    for (let tried = 0; tried < 5; tried += 1) {
      await shop.post(
        "/v2/customer-sessions",
        { email, code: "1".repeat(asked.number("/digits")), challenge },
        { key, headers },
      );
    }
  }
  await post("/v2/customer-sessions", { email, code: "111111" });

  expect(await counted()).toEqual([["guesses", 1]]);
});

test("a withheld code counts under `codes`", async () => {
  const { post, counted } = nextVisitor();
  await shop.put("/v2/store", { limits: { email_codes_per_day: 0 } });
  const asked = [];
  for (let nth = 0; nth < 3; nth += 1) {
    const email = `esi${shop.nextNumber()}@shop.example`;
    asked.push(await post("/v2/customer-sessions/code", { email }));
  }
  await shop.put("/v2/store", { limits: { email_codes_per_day: 1_000 } });

  expect(asked.map(({ status }) => status)).toEqual([202, 202, 202]);
  expect(await counted()).toEqual([["codes", 3]]);
});

test("a refund above the limit counts under `refunds`", async () => {
  const { headers, counted } = nextVisitor();
  const { payment } = await handedOver(shop);
  await shop.put("/v2/store", { refund_limit: "5.00" });
  const staff = await shop.createKey({ scopes: ["orders:write", "payments:write"] });
  const options = { key: staff, headers };
  const refused = await shop.post(`/v2/payments/${payment.id}/refunds`, { amount: 6 }, options);
  await shop.put("/v2/store", { refund_limit: null });

  expect(refused.code).toBe("refund_limit_exceeded");
  expect(await counted()).toEqual([["refunds", 1]]);
});

test("a damaged picture counts under `pictures`", async () => {
  const { headers, counted } = nextVisitor();
  const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
  const refused = await shop.send("POST", "/v2/media", {
    text: Uint8Array.from(png),
    headers: { ...headers, "Content-Type": "image/png" },
  });

  expect(refused.code).toBe("image_damaged");
  expect(await counted()).toEqual([["pictures", 1]]);
});

describe("a shop that can send no code", () => {
  test("counts the order that it takes under `shelf`", async () => {
    const merchant = await shop.createKey({ mode: "live" });
    const ofPages = await shop.createKey({ mode: "live", scopes: ["storefront"] });
    const payment_methods = { gateway: { storefront: true } };
    await shop.put("/v2/store", { payment_methods }, { key: merchant });
    const goods = { name: "Mug", price: 12.5, stock: 40 };
    const made = await shop.post("/v2/products", goods, { key: merchant });
    const line_items = [{ variant_id: made.string("/variants/0/id"), quantity: 15 }];
    const headers = { "X-Forwarded-For": "10.8.1.1" };
    const order = () => shop.post("/v2/orders", { line_items }, { key: ofPages, headers });

    const taken = [await order(), await order()];

    expect(taken.map(({ status }) => status)).toEqual([201, 201]);
    expect(await countedOf(shop.live, "10.8.1.0/24")).toEqual([["shelf", 1]]);
  });
});

describe("who signs in to the dashboard", () => {
  const door = sharedDoor();

  test("is counted under `sign_ins` once guesses are slowed down", async () => {
    const network = "10.7.1.0/24";
    for (let nth = 0; nth < 7; nth += 1) await door.guess({ name: "Kofi", network });

    expect(await countedOf(door.shop.live, network)).toEqual([["sign_ins", 2]]);
  });
});

test("a code may be asked for again after a minute, which is no refusal", async () => {
  const { post, counted } = nextVisitor();
  const email = `esi${shop.nextNumber()}@shop.example`;
  await post("/v2/customer-sessions/code", { email });
  shop.clock.advance(MINUTE_MS);
  await post("/v2/customer-sessions/code", { email });

  expect(await counted()).toEqual([]);
});
