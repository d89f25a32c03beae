// Each entry of the guide to trouble: the symptom is made to happen, and what the entry says to do ends it.

import { expect, test } from "bun:test";

import { tokenOf } from "../accounts/sign-in.ts";
import { sendDue } from "../emails/mail-shop.ts";
import { of } from "../sales/orders/counter.ts";
import { mug } from "../support/cast.ts";
import { documents } from "../support/documents.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";

const guide = documents.find(({ path }) => path === "src/guides/trouble.md")?.text ?? "";
const entries = [...guide.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);
/** The headings whose symptoms the tests below have made. */
const made = new Set<string>();

/** A test of the entry: what was seen before and after its remedy. */
function trouble(entry: string, run: () => Promise<void>): void {
  made.add(entry);
  test(entry, run);
}

const home = { DUKA_PUBLIC_URL: "https://shop.example" };
/** The second write of an address is refused. */
const tight = { ...home, DUKA_ADDRESS_WRITES_PER_MINUTE: "1" };

async function openLimited(settings: Readonly<Record<string, string>>) {
  const shop = await openTestShop({ asks: "nothing", settings });
  await shop.put("/v2/store", { enforce_limits: true });
  return { shop, key: await shop.createKey({ scopes: ["storefront"] }) };
}

/** The statuses of two visitors who each fill a cart. */
async function twoVisitors(settings: Readonly<Record<string, string>>): Promise<number[]> {
  const { shop, key } = await openLimited(settings);
  await using _ = shop;
  const fill = (address: string) =>
    shop.post("/v2/carts", {}, { key, headers: { "X-Forwarded-For": address } });
  return [(await fill("203.0.113.7")).status, (await fill("203.0.113.8")).status];
}

async function statusAt(settings: Readonly<Record<string, string>>, host: string) {
  await using shop = await openTestShop({ settings });
  return (await fetch(`${shop.url}/guides`, { headers: { Host: host } })).status;
}

/** The origin that an answer lets a page at this origin read. */
async function allowedOrigin(settings: Readonly<Record<string, string>>, origin: string) {
  await using shop = await openTestShop({ settings });
  const headers = { Origin: origin, Authorization: `Bearer ${shop.key}` };
  const answer = await fetch(`${shop.url}/v2/products`, { headers });
  return answer.headers.get("Access-Control-Allow-Origin");
}

trouble("421 wrong_host", async () => {
  expect(await statusAt({}, "shop.example")).toBe(421);
  expect(await statusAt(home, "shop.example")).toBe(200);
});

trouble("Blocked by CORS policy", async () => {
  const origin = "http://localhost:3000";

  expect(await allowedOrigin({}, origin)).toBeNull();
  expect(await allowedOrigin({ DUKA_CORS_ORIGINS: "http://127.0.0.1:3000" }, origin)).toBeNull();
  expect(await allowedOrigin({ DUKA_CORS_ORIGINS: origin }, origin)).toBe(origin);
});

trouble("403 scope_missing", async () => {
  await using shop = await openTestShop();
  const pages = await shop.createKey({ scopes: ["storefront"] });
  const reports = await shop.createKey({ scopes: ["read_only"] });

  expect(await shop.get("/v2/orders", { key: pages })).toMatchObject({
    status: 403,
    code: "scope_missing",
  });
  expect((await shop.get("/v2/orders", { key: reports })).status).toBe(200);
});

trouble("No email arrives", async () => {
  await using shop = await openTestShop({ asks: "nothing" });
  const live = await shop.createKey({ mode: "live" });
  const terms = { customer: { email: "ada@shop.example" }, payment_method: "cash_on_delivery" };
  await shop.post("/v2/orders", { line_items: [of(await mug(shop))], ...terms });
  await sendDue(shop, "test");

  const inbox = await shop.get("/v2/test/inbox?name=mail");
  const tried = await shop.post("/v2/emails/test", { to: "me@example.com" }, { key: live });

  expect(inbox.text).toContain("ada@shop.example");
  expect([tried.status, tried.code]).toEqual([409, "email_not_configured"]);
});

trouble("429 rate_limited behind a proxy", async () => {
  expect(await twoVisitors(tight)).toEqual([201, 429]);
  expect(await twoVisitors({ ...tight, DUKA_TRUSTED_PROXIES: "127.0.0.1,::1" })).toEqual([
    201, 201,
  ]);
});

trouble("429 rate_limited for a storefront on a server", async () => {
  expect(await twoVisitors(tight)).toEqual([201, 429]);
  expect(await twoVisitors({ ...tight, DUKA_STOREFRONT_SERVERS: "127.0.0.1" })).toEqual([201, 201]);
});

trouble("409 checkout_incomplete", async () => {
  await using shop = await openTestShop();
  const key = await shop.createKey({ scopes: ["storefront"] });
  const order = {
    line_items: [of(await mug(shop))],
    customer: { phone: "+233551234987" },
    payment_method: "cash_on_delivery",
  };

  const refused = await shop.post("/v2/orders", order, { key });
  const entered = await shop.post("/v2/orders", order);
  await shop.put("/v2/store", { checkout: { contact: "phone", address: "never", name: false } });
  const placed = await shop.post("/v2/orders", order, { key });

  expect([refused.status, refused.code]).toEqual([409, "checkout_incomplete"]);
  expect(refused.list("/missing")).not.toEqual([]);
  expect([entered.status, placed.status]).toEqual([201, 201]);
});

trouble("409 no_way_to_pay", async () => {
  await using shop = await openTestShop({ asks: "nothing" });
  const merchant = { key: await shop.createKey({ mode: "live" }) };
  const key = await shop.createKey({ mode: "live", scopes: ["storefront"] });
  const terms = { name: "Mug", price: 12.5, stock: 10 };
  const product = await shop.post("/v2/products", terms, merchant);
  const line_items = [{ variant_id: product.string("/variants/0/id"), quantity: 1 }];

  const refused = await shop.post("/v2/orders", { line_items }, { key });
  const payment_methods = { bank_transfer: { instructions: "Send it to account 4711." } };
  await shop.put("/v2/store", { payment_methods }, merchant);
  const byTransfer = { line_items, payment_method: "bank_transfer" };
  const placed = await shop.post("/v2/orders", byTransfer, { key });

  expect([refused.status, refused.code]).toEqual([409, "no_way_to_pay"]);
  expect(placed.status).toBe(201);
});

/** Orders as many units with the key, as the customer of a token. */
function buy(shop: TestShop, terms: { key: string; line: object; token?: string }) {
  const { key, line, token } = terms;
  const headers = token === undefined ? {} : { "Customer-Token": token };
  const body = { line_items: [line], payment_method: "cash_on_delivery" };
  return shop.post("/v2/orders", body, { key, headers });
}

trouble("409 contact_proof_required", async () => {
  const { shop, key } = await openLimited({});
  await using _ = shop;
  const goods = await mug(shop, { stock: 100 });
  for (const quantity of [20, 20, 10]) await buy(shop, { key, line: of(goods, quantity) });

  const refused = await buy(shop, { key, line: of(goods) });
  const token = await tokenOf(shop, { email: "ama@example.com" });
  const proved = await buy(shop, { key, line: of(goods), token });
  await shop.put("/v2/store", { limits: { strangers_percent: 80 } });
  const allowed = await buy(shop, { key, line: of(goods) });

  expect([refused.status, refused.code]).toEqual([409, "contact_proof_required"]);
  expect([proved.status, allowed.status]).toEqual([201, 201]);
});

test("every entry has its test", () => {
  expect([...made]).toEqual(entries);
});
