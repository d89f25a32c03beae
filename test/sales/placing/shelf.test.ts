// The part of the stock that orders of strangers may hold together, and the way past it: a code.

import { beforeAll, describe, expect, test } from "bun:test";

import fc from "fast-check";

import { auditOrders } from "#sales/history/audit-orders.ts";

import { as, tokenOf } from "../../accounts/sign-in.ts";
import { tamper } from "../../support/behind-the-shop.ts";
import { type Goods, mug } from "../../support/cast.ts";
import { runs, seedOfRun } from "../../support/runs.ts";
import { type Answered, openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { basket } from "../carts/basket.ts";
import { cancel, fulfill, of, place, stock } from "../orders/counter.ts";

/** The test mode has the bounds of live mode. */
const shop = sharedShop({ asks: "nothing" });
let key = "";
beforeAll(async () => {
  await shop.put("/v2/store", { enforce_limits: true });
  key = await shop.createKey({ scopes: ["storefront"] });
});

/** A shop of its own with the same bounds, to change them. */
async function openShop(limits: object) {
  const own = await openTestShop({ asks: "nothing" });
  await own.put("/v2/store", { enforce_limits: true, limits });
  return { own, key: await own.createKey({ scopes: ["storefront"] }) };
}

function order(goods: Goods, quantity: number, terms: object = {}) {
  return { line_items: [of(goods, quantity)], payment_method: "cash_on_delivery", ...terms };
}

/** Orders with the key of the shop's pages. */
function buy(goods: Goods, quantity: number, { token, ...terms }: Terms = {}): Promise<Answered> {
  const headers = token === undefined ? {} : as(token).headers;
  return shop.post("/v2/orders", order(goods, quantity, terms), { key, headers });
}

interface Terms {
  readonly token?: string;
  readonly customer?: object;
}

/** The token of a customer who has proved an email that no one else has. */
async function signedIn(): Promise<string> {
  return tokenOf(shop, { email: `ama${shop.nextNumber()}@example.com` });
}

/** Goods of which strangers hold as much as they may: 50 of 100. */
async function fullShelf(): Promise<Goods> {
  const goods = await mug(shop, { stock: 100 });
  for (const quantity of [20, 20, 10]) await buy(goods, quantity);
  return goods;
}

function pay(placed: Answered, amount: string): Promise<Answered> {
  const initialized = shop.post("/v2/payments/initialize", { order_id: placed.id });
  return initialized.then(({ id }) => shop.post(`/v2/payments/${id}/confirm`, { amount }));
}

describe("orders of strangers", () => {
  test("hold half of what is in stock, and the next is asked for a code", async () => {
    const goods = await fullShelf();

    const refused = await buy(goods, 1);

    expect([refused.status, refused.code]).toEqual([409, "contact_proof_required"]);
    expect(refused.list("/variant_ids")).toEqual([goods.variantId]);
    expect(refused.list("/kinds")).toEqual(["email", "phone"]);
    expect(await stock(shop, goods)).toEqual([100, 50, 50]);
  });

  test("hold twenty units of what is scarce: the last piece can be bought", async () => {
    const goods = await mug(shop, { stock: 20 });

    const placed = [await buy(goods, 19), await buy(goods, 1)];

    expect(placed.map(({ status }) => status)).toEqual([201, 201]);
  });

  test("hold no more with the typed contact of a customer who has proved it", async () => {
    const email = `ama${shop.nextNumber()}@example.com`;
    await tokenOf(shop, { email });
    const goods = await fullShelf();

    const refused = await buy(goods, 1, { customer: { email } });

    expect(refused.code).toBe("contact_proof_required");
  });

  test("hold no more when they come at once", async () => {
    const goods = await mug(shop, { stock: 100 });

    const answers = await Promise.all(Array.from({ length: 20 }, () => buy(goods, 5)));

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(await stock(shop, goods)).toEqual([100, 50, 50]);
  });

  test("hold no more by completing a cart", async () => {
    const goods = await fullShelf();
    const cart = await basket(shop, [of(goods)], { payment_method: "cash_on_delivery" });

    const refused = await shop.post(`/v2/carts/${cart.id}/complete`, {}, { key });

    expect(refused.code).toBe("contact_proof_required");
    expect((await shop.get(`/v2/carts/${cart.id}`)).at("/status")).toBe("active");
  });

  test("leave room again when one is cancelled, shipped or paid in part", async () => {
    const goods = await mug(shop, { stock: 100 });
    const [paid, cancelled] = [await buy(goods, 20), await buy(goods, 20)];
    await buy(goods, 10);

    await cancel(shop, cancelled);
    const afterCancelled = await buy(goods, 20);
    const full = await buy(goods, 1);
    await pay(paid, "1.00");
    const afterPaid = await buy(goods, 10);
    await fulfill(shop, afterCancelled, {});

    expect([afterCancelled.status, full.status, afterPaid.status]).toEqual([201, 409, 201]);
    expect((await buy(goods, 10)).status).toBe(201);
  });

  test("do not stop a customer who has signed in with a code, nor the merchant", async () => {
    const goods = await fullShelf();
    const token = await signedIn();

    const ofCustomer = await buy(goods, 20, { token });
    const ofMerchant = await place(shop, [of(goods, 20)]);

    expect([ofCustomer.status, ofMerchant.status]).toEqual([201, 201]);
    expect((await buy(goods, 1)).code).toBe("contact_proof_required");
  });

  test("are those of a session whose customer has proved nothing, too", async () => {
    const goods = await fullShelf();
    const { id: customer_id } = await shop.post("/v2/customers", {
      email: `kofi${shop.nextNumber()}@example.com`,
    });
    const session = await shop.post("/v2/customer-sessions", { customer_id });

    const refused = await buy(goods, 1, { token: session.string("/token") });

    expect(refused.code).toBe("contact_proof_required");
  });

  test("have no bound where stock is not tracked, or may go below zero", async () => {
    const untracked = await mug(shop, { stock: 100 });
    const awaited = await mug(shop, { stock: 100 });
    await shop.put(`/v2/inventory/${untracked.variantId}`, { tracked: false });
    await shop.put(`/v2/inventory/${awaited.variantId}`, { backorder: "allow" });

    const answers = [];
    for (let nth = 0; nth < 6; nth += 1) {
      answers.push(await buy(untracked, 20), await buy(awaited, 20));
    }

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  });

  test("that an earlier build placed are not counted", async () => {
    const goods = await fullShelf();
    const { variantId } = goods;
    const itsOrders = `SELECT order_id FROM order_lines WHERE variant_id = '${variantId}'`;
    const orders = `UPDATE orders SET is_strangers = FALSE WHERE id IN (${itsOrders})`;
    await tamper(shop.folder.path, orders);
    const lines = `UPDATE order_lines SET is_strangers = FALSE WHERE variant_id = '${variantId}'`;
    await tamper(shop.folder.path, lines);

    expect((await buy(goods, 20)).status).toBe(201);
  });
});

test("a store bounds strangers at the percentage it says, or not at all", async () => {
  const { own, key: ofPages } = await openShop({ strangers_percent: 30, units_per_variant: 10 });
  await using _ = own;
  const goods = await mug(own, { stock: 100 });
  const ask = (quantity: number) =>
    own.post("/v2/orders", order(goods, quantity), { key: ofPages });
  for (let nth = 0; nth < 3; nth += 1) await ask(10);

  const refused = await ask(1);
  await own.put("/v2/store", { limits: { strangers_percent: 100 } });
  for (let nth = 0; nth < 7; nth += 1) await ask(10);

  expect(refused.code).toBe("contact_proof_required");
  expect(await stock(own, goods)).toEqual([100, 100, 0]);
});

describe("the open orders of a contact", () => {
  test("that strangers placed leave their owner five of their own", async () => {
    const email = `ama${shop.nextNumber()}@example.com`;
    const token = await tokenOf(shop, { email });
    const goods = await mug(shop, { stock: 1_000 });
    for (let nth = 0; nth < 5; nth += 1) await buy(goods, 1, { customer: { email } });

    const ofStranger = await buy(goods, 1, { customer: { email } });
    const ofOwner = [];
    for (let nth = 0; nth < 6; nth += 1) ofOwner.push(await buy(goods, 1, { token }));

    expect(ofStranger.code).toBe("too_many_open_orders");
    expect(ofOwner.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 409]);
  });
});

describe("a live shop", () => {
  const live = async (settings: Readonly<Record<string, string>>) => {
    const own = await openTestShop({ asks: "nothing", settings });
    const merchant = await own.createKey({ mode: "live" });
    const ofPages = await own.createKey({ mode: "live", scopes: ["storefront"] });
    const payment_methods = { cash_on_delivery: { storefront: true } };
    await own.put("/v2/store", { payment_methods }, { key: merchant });
    const made = await own.post(
      "/v2/products",
      { name: "Mug", price: 12.5, stock: 100 },
      { key: merchant },
    );
    const line_items = [{ variant_id: made.string("/variants/0/id"), quantity: 20 }];
    const body = { line_items, payment_method: "cash_on_delivery" };
    const ask = (customer = {}) =>
      own.post("/v2/orders", { ...body, ...customer }, { key: ofPages });
    return { own, merchant, ask };
  };

  test("that can send no code takes the order: there would be no way on", async () => {
    const { own, ask } = await live({});
    await using _ = own;

    const answers = [await ask(), await ask(), await ask(), await ask(), await ask()];

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  });

  test("that sends emails alone asks who gives a phone for an email", async () => {
    const { own, ask } = await live({
      DUKA_SMTP_URL: "smtp://127.0.0.1:9",
      DUKA_MAIL_FROM: "orders@shop.example",
    });
    await using _ = own;
    await ask();
    await ask();

    const refused = await ask({ customer: { phone: "+233201234567" } });

    expect([refused.code, refused.at("/kinds")]).toEqual(["contact_proof_required", ["email"]]);
  });

  test("with a hook for SMS alone names phones", async () => {
    const { own, merchant, ask } = await live({});
    await using _ = own;
    const hook = { url: "https://hooks.example.org/codes" };
    await own.put("/v2/message-hook", hook, { key: merchant });
    await ask();
    await ask();

    expect((await ask()).at("/kinds")).toEqual(["phone"]);
  });
});

test("the audit finds an order of a stranger that was paid", async () => {
  await using own = await openTestShop({ asks: "nothing" });
  const goods = await mug(own, { stock: 100 });
  const placed = await place(own, [of(goods)]);
  await tamper(own.folder.path, `UPDATE orders SET is_strangers = TRUE WHERE id = '${placed.id}'`);

  const found = await Array.fromAsync(auditOrders(own.test.database.read));

  const line = placed.string("/line_items/0/id");
  expect(found).toEqual([
    { subject: placed.id, what: "placed by", expected: "no stranger", found: "a stranger" },
    { subject: line, what: "held by", expected: "a stranger", found: "no stranger" },
  ]);
});

/** The orders of strangers and of others that hold units, in a model of the shelf. */
interface Model {
  readonly goods: Goods;
  readonly strangers: Held[];
  readonly others: Held[];
}
interface Held {
  readonly placed: Answered;
  readonly quantity: number;
}

const STOCK = 120;
const sum = (held: readonly Held[]) => held.reduce((all, { quantity }) => all + quantity, 0);

/** The status that an order of a stranger is answered with. */
function expected({ strangers, others }: Model, quantity: number): [number, string | null] {
  const held = sum(strangers);
  const available = STOCK - held - sum(others);
  if (quantity > available) return [409, "insufficient_stock"];
  const bound = Math.max(20, Math.floor((available + held) / 2));
  return held + quantity <= bound ? [201, null] : [409, "contact_proof_required"];
}

type Step = (own: TestShop, model: Model) => Promise<void>;
const quantities = fc.integer({ min: 1, max: 20 });

const byStranger = quantities.map((quantity): Step => async (_, model) => {
  const [status, code] = expected(model, quantity);

  const placed = await buy(model.goods, quantity);

  expect([placed.status, status === 201 ? null : placed.code]).toEqual([status, code]);
  if (status === 201) model.strangers.push({ placed, quantity });
});
const byMerchant = quantities.map((quantity): Step => async (own, { goods, others }) => {
  const placed = await own.post("/v2/orders", { line_items: [of(goods, quantity)] });
  if (placed.status === 201) others.push({ placed, quantity });
});
const cancelled = fc.nat().map((pick): Step => async (own, { strangers, others }) => {
  const held = pick % 2 === 0 ? strangers : others;
  const [gone] = held.splice(pick % Math.max(1, held.length), 1);
  if (gone !== undefined) await cancel(own, gone.placed);
});
const paid = fc.nat().map((pick): Step => async (_, { strangers, others }) => {
  const [one] = strangers.splice(pick % Math.max(1, strangers.length), 1);
  if (one === undefined) return;
  await pay(one.placed, "1.00");
  others.push(one);
});

test("strangers hold no more than they may in whatever order they place, cancel and pay", async () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: byStranger },
    { weight: 2, arbitrary: byMerchant },
    { weight: 2, arbitrary: cancelled },
    { weight: 1, arbitrary: paid },
  );
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 10, maxLength: 40, size: "max" }),
    async (steps) => {
      const goods = await mug(shop, { stock: STOCK });
      const model = { goods, strangers: [], others: [] };
      for (const take of steps) await take(shop, model);
      const held = sum(model.strangers) + sum(model.others);
      expect(await stock(shop, goods)).toEqual([STOCK, held, STOCK - held]);
    },
  );

  await fc.assert(property, { numRuns: runs(10), seed: seedOfRun() });
});
