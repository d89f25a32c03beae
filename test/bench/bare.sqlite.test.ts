// The fixed program keeps the promises that Duka keeps, or the ratio to it means nothing. Each test starts it
// as the bench does, sends requests over HTTP, and checks the rows it wrote.

import { Database as SqliteFile } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { openScratchFolder } from "../support/scratch.ts";
import { importedModules } from "../support/source-text.ts";
import type { Supply } from "./bare-tables.ts";
import { endAll, type Program, startBare } from "./programs.ts";

const KEY = "test_sk_known";
const PLENTY = "var_plenty";
const FEW = "var_few";
const UNITS_OF_FEW = 20;
/** Orders that are sent at a time. */
const AT_ONCE = 32;
/** Acknowledged orders after which the program is killed while others are on their way. */
const KILLED_AFTER = 500;

const cloth = { id: "prod_1", name: 'Cloth, "wax"', variants: [variant(PLENTY, 12.5, 1_000_000)] };
const cup = { id: "prod_2", name: "Cup", variants: [variant(FEW, 0.07, UNITS_OF_FEW)] };
const supply: Supply = {
  keyHashes: [Bun.CryptoHasher.hash("sha256", KEY, "hex")],
  customers: [{ id: "cus_ada", email: "ada@example.com", phone: null, name: 'Ada "Mensah"' }],
  products: [cloth, cup],
};

function variant(id: string, amount: number, available: number) {
  return { id, sku: null, prices: [{ currency: "USD", amount }], available };
}

afterAll(endAll);

interface Page {
  readonly data: readonly object[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

interface Shop extends AsyncDisposable {
  readonly program: Program;
  readonly database: string;
}

async function openShop(): Promise<Shop> {
  const folder = openScratchFolder();
  const files = { database: folder.file("bare.sqlite"), supply: folder.file("supply.json") };
  writeFileSync(files.supply, JSON.stringify(supply));
  const program = await startBare(files, KEY);
  return {
    program,
    database: files.database,
    async [Symbol.asyncDispose]() {
      await program.stop();
      folder[Symbol.dispose]();
    },
  };
}

function bodyOf(lines: Readonly<Record<string, number>>, more: object = {}): string {
  return JSON.stringify({
    line_items: Object.entries(lines).map(([variant_id, quantity]) => ({ variant_id, quantity })),
    payment_method: "cash_on_delivery",
    currency: "USD",
    ...more,
  });
}

async function order(shop: Shop, body: string, headers: Readonly<Record<string, string>> = {}) {
  const key = { Authorization: `Bearer ${KEY}`, "Idempotency-Key": crypto.randomUUID() };
  const answer = await fetch(`http://127.0.0.1:${shop.program.port}/v2/orders`, {
    method: "POST",
    headers: { ...key, ...headers },
    body,
  });
  const isReplayed = answer.headers.has("idempotent-replayed");
  return { status: answer.status, text: await answer.text(), isReplayed };
}

async function list(shop: Shop, query: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(`http://127.0.0.1:${shop.program.port}/v2/products${query}`, {
    headers: { Authorization: `Bearer ${KEY}`, ...headers },
  });
  const page: Page = JSON.parse(await answer.text());
  return { status: answer.status, page };
}

/** Returns the figures of one row. */
function ask(shop: Shop, sql: string): unknown {
  using database = new SqliteFile(shop.database, { readonly: true });
  return Object.values(database.query<Record<string, unknown>, []>(sql).get() ?? {});
}

/** Proves what must hold after any requests: `orders` is how many were placed. */
function expectWhole(shop: Shop, orders: number): void {
  const rows = "SELECT count(*), max(number) - 1000 FROM orders";
  expect(ask(shop, rows)).toEqual([orders, orders === 0 ? null : orders]);
  const events = "SELECT count(*), coalesce(max(sequence), 0), count(DISTINCT subject) FROM events";
  expect(ask(shop, events)).toEqual([orders, orders, orders]);
  const unequal = `SELECT count(*) FROM orders WHERE total_minor IS NOT
    (SELECT sum(total_minor) FROM lines WHERE order_number = orders.number)`;
  expect(ask(shop, unequal)).toEqual([0]);
  const wrong = "SELECT count(*) FROM lines WHERE total_minor <> price_minor * quantity";
  expect(ask(shop, wrong)).toEqual([0]);
  const unproven = `SELECT count(*) FROM stock WHERE reserved <>
      (SELECT coalesce(sum(delta_reserved), 0) FROM ledger WHERE variant_id = stock.variant_id)
    OR reserved <> (SELECT coalesce(sum(quantity), 0) FROM lines WHERE variant_id = stock.variant_id)
    OR reserved > on_hand`;
  expect(ask(shop, unproven)).toEqual([0]);
}

test("sells no more than there is, and a refused order takes nothing", async () => {
  await using shop = await openShop();
  const wanted = Array.from({ length: 100 }, () => order(shop, bodyOf({ [PLENTY]: 3, [FEW]: 1 })));

  const answers = await Promise.all(wanted);

  expect(answers.filter(({ status }) => status === 201)).toHaveLength(UNITS_OF_FEW);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(100 - UNITS_OF_FEW);
  const reserved = `SELECT sum(reserved) FILTER (WHERE variant_id = '${FEW}'),
    sum(reserved) FILTER (WHERE variant_id = '${PLENTY}') FROM stock`;
  expect(ask(shop, reserved)).toEqual([UNITS_OF_FEW, 3 * UNITS_OF_FEW]);
  expectWhole(shop, UNITS_OF_FEW);
});

test("numbers orders and events without gaps, whatever is refused between them", async () => {
  await using shop = await openShop();
  const bodies = [
    bodyOf({ [PLENTY]: 1 }),
    bodyOf({ [FEW]: UNITS_OF_FEW + 1 }),
    bodyOf({ none: 1 }),
  ];

  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, index) => order(shop, bodies[index % 3] ?? "")),
  );

  expect(answers.map(({ status }) => status)).toEqual(
    answers.map((_, index) => [201, 409, 422][index % 3] ?? 0),
  );
  expectWhole(shop, 100);
});

test("answers a retry as before and writes nothing for it", async () => {
  await using shop = await openShop();
  const bodies = [bodyOf({ [PLENTY]: 1, [FEW]: 2 }), bodyOf({ [FEW]: UNITS_OF_FEW + 1 })];
  for (const [index, body] of bodies.entries()) {
    const key = { "Idempotency-Key": `retry-${index}` };
    const [first, second] = await Promise.all([order(shop, body, key), order(shop, body, key)]);
    const later = await order(shop, body, key);

    expect(first.isReplayed).not.toBe(second.isReplayed);
    expect(second).toEqual({ ...first, isReplayed: second.isReplayed });
    expect(later).toEqual({ ...first, isReplayed: true });
  }
  expect(ask(shop, "SELECT count(*) FROM answers")).toEqual([2]);
  expectWhole(shop, 1);
});

test("refuses a used key with another body, an unknown key, and what is no order", async () => {
  await using shop = await openShop();
  const body = bodyOf({ [PLENTY]: 1 });
  const unknown = { Authorization: "Bearer test_sk_unknown" };
  const used = { "Idempotency-Key": "used" };
  await order(shop, body, used);
  const cases: readonly [Promise<{ readonly status: number }>, number][] = [
    [order(shop, bodyOf({ [PLENTY]: 2 }), used), 422],
    [order(shop, body, unknown), 401],
    [order(shop, body, { "Idempotency-Key": "" }), 400],
    [order(shop, "{"), 422],
    [order(shop, bodyOf({})), 422],
    [order(shop, bodyOf({ [PLENTY]: -1 })), 422],
    [order(shop, bodyOf({ [PLENTY]: 1 }, { currency: "EUR" })), 422],
    [order(shop, bodyOf({ [PLENTY]: 1 }, { customer_id: "cus_none" })), 422],
    [order(shop, bodyOf({ [PLENTY]: 1 }, { payment_method: "shells" })), 422],
    [list(shop, "?limit=20", unknown), 401],
  ];

  const answers = await Promise.all(cases.map(([answer]) => answer));
  expect(answers.map(({ status }) => status)).toEqual(cases.map(([, status]) => status));

  expectWhole(shop, 1);
});

test("prints an order whose lines add up, and keeps the customer and the deadline of a prepaid one", async () => {
  await using shop = await openShop();
  const more = { customer_id: "cus_ada", payment_method: "card", metadata: { note: '"x"' } };

  const answer = await order(shop, bodyOf({ [PLENTY]: 3, [FEW]: 1 }, more));

  expect(answer.text).toContain('"subtotal":37.50,');
  expect(answer.text).toContain('"subtotal":0.07,');
  const printed = JSON.parse(answer.text);
  expect(printed.line_items.map((line: { total_minor: number }) => line.total_minor)).toEqual([
    3750, 7,
  ]);
  expect(printed).toMatchObject({ total_minor: 3757, total: 37.57, due: 37.57 });
  expect(printed).toMatchObject({ customer: supply.customers[0], metadata: more.metadata });
  expect(ask(shop, "SELECT count(*), min(due_at) FROM timers")).toEqual([
    1,
    Date.parse(printed.expires_at),
  ]);
  const payload = ask(shop, "SELECT payload ->> '$.line_items[0].id' FROM events");
  expect(payload).toEqual([printed.line_items[0].id]);
  expectWhole(shop, 1);
});

test("lists products newest first with what is available now", async () => {
  await using shop = await openShop();
  await order(shop, bodyOf({ [FEW]: 5 }));

  const { page: first } = await list(shop, "?limit=1");
  const { page: second } = await list(shop, `?limit=1&cursor=${first.next_cursor}`);

  const left = cup.variants.map((one) => ({ ...one, available: UNITS_OF_FEW - 5 }));
  expect(first).toMatchObject({ data: [{ ...cup, variants: left }], has_more: true });
  expect(second).toEqual({ data: [cloth], has_more: false, next_cursor: null });
});

test("keeps every order that it acknowledged when it is killed", async () => {
  await using shop = await openShop();
  const acknowledged: string[] = [];
  const sendUntilKilled = async () => {
    for (;;) {
      const answer = await order(shop, bodyOf({ [PLENTY]: 1 })).catch(() => null);
      if (answer === null) return;
      acknowledged.push(JSON.parse(answer.text).id);
      if (acknowledged.length === KILLED_AFTER)
        shop.program.pids.forEach((pid) => process.kill(pid, "SIGKILL"));
    }
  };

  await Promise.all(Array.from({ length: AT_ONCE }, sendUntilKilled));

  const stored = ask(shop, "SELECT json_group_array(id) FROM orders");
  const ids = new Set(JSON.parse(String(stored)));
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  expectWhole(shop, ids.size);
});

test("imports nothing of the shop that is measured beside it", () => {
  const files = ["bare.ts"];
  const modules = new Set<string>();

  for (const file of files) {
    for (const module of importedModules(readFileSync(join(import.meta.dir, file), "utf8"))) {
      if (!modules.has(module) && module.startsWith("./")) files.push(module);
      modules.add(module);
    }
  }

  expect([...modules].toSorted()).toEqual([
    "./bare-shop.ts",
    "./bare-tables.ts",
    "./bare-text.ts",
    "bun:sqlite",
    "node:fs",
  ]);
});

test("is the program that all figures are ratios to", () => {
  const hash = new Bun.CryptoHasher("sha256");

  for (const file of readdirSync(import.meta.dir).toSorted()) {
    if (/^bare(?:-\w+)*\.ts$/.test(file)) hash.update(readFileSync(join(import.meta.dir, file)));
  }

  expect(hash.digest("hex")).toBe(
    "152bdc4123326036f4dc7a2d0eaae42057e36bfc75262c21c15d367238de6c8a",
  );
});
