// The words of an erased person are nowhere: in no row of any table, no stored answer and no page, wherever a request can
// write them. What a record has of a person is told by its columns, so that a new one is held to it as well.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";

import { getTableColumns, getTableName, is, Table } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

import { pages } from "#dashboard/pages/pages.ts";
import { isPlain, leftOf, type RecordTable } from "#platform/database/record.ts";

import { type DashboardShop, openDashboard } from "../dashboard/dashboard-shop.ts";
import { initialize, pass, settle } from "../payments/scripted-shop.ts";
import { of } from "../sales/orders/counter.ts";
import { rowsBehind, tablesBehind } from "../support/behind-the-shop.ts";
import { mug } from "../support/cast.ts";
import { openReceiver } from "../support/receivers.ts";
import { ScriptedGateway } from "../support/scripted-gateway.ts";
import type { Answered } from "../support/shop.ts";
import { rowsOf } from "../support/tables.ts";

setDefaultTimeout(60_000);

/** Tables without records, and why they need none. */
const others: Readonly<Record<string, string>> = {
  events: "payloads are redacted field by field",
  stored_answers: "answers are redacted field by field",
  log_cursors: "places in the log",
  counters: "numbers",
  timers: "names and ids of what is due",
  vault_marks: "a sealed constant",
  leases: "programs",
  rate_uses: "counts of requests",
  shop_clock: "an offset",
  versions: "programs",
  simulated_charges:
    "the books of the simulated gateway, which has amounts and choices of the test page",
  simulated_refunds: "the same of refunds",
  analytics_scopes: "currencies and channels",
  analytics_figures: "sums",
  analytics_parts: "sums",
  analytics_names: "names of goods, methods and discounts of the shop",
  analytics_purchases: "sums",
  analytics_buyers: "ids of customers",
  analytics_checkouts: "ids of carts and orders",
  analytics_refunded: "sums of orders",
  bookings: "amounts of events",
  booking_days: "sums",
};
/** Personal columns that no request fills in when a customer can be erased, and why. */
const emptyByThen: Readonly<Record<string, string>> = {
  "payments.nextAction": "it is cleared with the order, which is not open any more",
  "people.email": "people of the shop are removed, not erased with customers",
  "person_email_links.email": "the same",
};
/** The search index differs by engine; an erased customer is searched for in the tests of the noun. */
const ofTheEngine = /^(?:search|__drizzle|migrations)/;

/** A word that nothing else in a shop contains, and the digits of the phone. */
const traces = /vlarpwanda|788123987/i;
const WORD = "Vlarpwanda";
const contact = { name: `Xy ${WORD}`, email: `xy@${WORD}.example`, phone: "+256788123987" };
const address = { name: WORD, line1: WORD, line2: WORD, city: WORD, postal_code: WORD };
const home = { ...address, country: "UG", phone: contact.phone };
const metadata = { of: WORD };
const places = { shipping_address: home, billing_address: home, notes: WORD, metadata };

const gateway = new ScriptedGateway();
let dashboard: DashboardShop;
/** All that was asked, with the keys under which it was answered. */
const asked: (() => Promise<Answered>)[] = [];
let written: readonly string[];
let traced: readonly string[];
let seen: readonly string[];

beforeAll(async () => {
  dashboard = await openDashboard({ gateways: [gateway] });
  const { shop } = dashboard;
  await using receiver = openReceiver({ answer: ({ body }) => new Response(`Thanks: ${body}`) });
  const id = await leaveTraces(receiver.url);
  const orders = (await shop.get("/v2/orders")).list("/data").map(Object);
  seen = [`/customers/${id}`].concat(orders.map((order) => `/orders/${order.id}`));
  [written, traced] = [await columnsToErase(), await columnsWithTraces()];

  const erased = await shop.post(`/v2/customers/${id}/erase`);
  if (erased.status !== 200) throw new Error(erased.text);
  await pass(shop, 60);
});
afterAll(() => dashboard[Symbol.asyncDispose]());

/** Each request has an idempotency key, whose answer is stored; one that is refused fails the test. */
async function ask(method: "post" | "put", path: string, body: object = {}): Promise<Answered> {
  const headers = { "Idempotency-Key": `key-${asked.length}` };
  const send = () => dashboard.shop[method](`/v2${path}`, body, { headers });
  asked.push(send);
  const answer = await send();
  if (answer.status >= 400) throw new Error(`${path}: ${answer.text}`);
  return answer;
}

/** Leaves the word in all that a customer, a gateway and the merchant write about a sale; returns the customer's id. */
async function leaveTraces(receiver: string): Promise<string> {
  const { shop, owner } = dashboard;
  for (const url of [receiver, `${shop.url}/hooks/test/inbox/shop`]) {
    await shop.post("/v2/webhooks", { url, events: ["customer.created", "customer.updated"] });
  }
  const cup = await mug(shop, { stock: 100 });
  const details = {
    tags: [WORD],
    tax_id: WORD,
    tax_exemption: "exempt",
    addresses: [home],
    metadata,
  };
  const { id } = await ask("post", "/customers", { ...contact, ...details });
  await ask("put", `/customers/${id}`, { first_name: WORD, last_name: WORD });
  const file = new TextEncoder().encode(`email,first_name\nxy@${WORD}.example,${WORD}`);
  await owner.sendFiles("/dashboard/test/customers/import/file", [file]);

  const cart = await ask("post", "/carts", {
    line_items: [{ ...of(cup), metadata }],
    customer: contact,
  });
  const shipping = { label: WORD, amount: 2 };
  await ask("put", `/carts/${cart.id}`, { ...places, tax_id: WORD, shipping });
  await ask("post", `/carts/${cart.id}/checkout`);
  await pass(shop, 7200);

  const discount = { title: WORD, amount: 1 };
  const terms = { ...places, discount, shipping, tax_id: WORD, customer_id: id };
  const order = await ask("post", "/orders", {
    ...terms,
    line_items: [{ ...of(cup, 4), metadata }],
  });
  const attempt = { order_id: order.id, method: "bank_transfer", metadata };
  const payment = await ask("post", "/payments/initialize", attempt);
  const whole = { amount: payment.at("/amount"), currency: payment.at("/currency") };
  await ask("post", `/payments/${payment.id}/confirm`, whole);
  const line_item_id = order.string("/line_items/0/id");
  const tracking = { carrier: WORD, number: WORD, url: `https://track.example/${WORD}` };
  const parcel = { line_items: [{ line_item_id, quantity: 3 }], tracking, metadata };
  await ask("put", `/orders/${order.id}/fulfill`, parcel);
  const back = { line_items: [{ line_item_id, quantity: 1 }], note: WORD, metadata };
  await ask("post", `/orders/${order.id}/returns`, back);
  await ask("post", `/orders/${order.id}/refunds`, { amount: 1, note: WORD });
  await ask("post", `/payments/${payment.id}/refunds`, { amount: 1, note: WORD });
  await ask("put", `/orders/${order.id}/cancel`, { note: WORD });
  const toClose = await shop.get("/v2/refunds?status=needs_attention");
  await ask("post", `/refunds/${toClose.string("/data/0/id")}/close`, { note: WORD });
  const late = { method: "cash", amount: 1, transaction_reference: WORD, note: WORD };
  await ask("post", `/orders/${order.id}/payments`, late);
  await payAtGateway(id, of(cup));
  return id;
}

/** Orders that are paid at the gateway: by phone, with a card, and one that is cancelled before. */
async function payAtGateway(customer_id: string, line: object): Promise<void> {
  const { shop } = dashboard;
  const place = (buyer: object) => ask("post", "/orders", { ...buyer, line_items: [line] });
  const instrument = { brand: WORD, last4: "3987", country: "UG" };
  gateway.facts = { ...gateway.facts, channel: "card", instrument };
  const said = `A code was sent to ${contact.phone}.`;
  gateway.nextAnswer = async () => ({ kind: "otp", displayText: said, names: [] });
  const left = await place({ customer: contact });
  const phone = { method: "mobile_money", phone: contact.phone, metadata };
  await ask("post", "/payments/initialize", { order_id: left.id, ...phone });
  await ask("put", `/orders/${left.id}/cancel`, { note: WORD });

  const paid = await place({ customer_id });
  const card = { method: "card", card_token: WORD, return_url: `https://shop.example/${WORD}` };
  const payment = await initialize(shop, { order_id: paid.id, ...card });
  gateway.pay(payment.id);
  await pass(shop, 15);
  await settle(shop);
  const sent = await ask("put", `/orders/${paid.id}/fulfill`);
  const shipment = sent.string("/fulfillments/0/id");
  await ask("post", `/orders/${paid.id}/fulfillments/${shipment}/cancel`, { note: WORD });
  await ask("put", `/orders/${paid.id}/fulfill`);
}

interface PersonalColumn {
  /** As `table.property`. */
  readonly name: string;
  readonly record: RecordTable;
  readonly property: string;
  /** True where it can hold words. */
  readonly isText: boolean;
}

/** All tables that the source declares. */
async function declaredTables(): Promise<PgTable[]> {
  const root = join(import.meta.dir, "../..");
  const paths = await Array.fromAsync(new Bun.Glob("src/**/tables.ts").scan(root));
  const modules = await Promise.all(paths.map((path) => import(join(root, path))));
  return modules.flatMap((module) => Object.values(module)).filter(isTable);
}

/** On either engine. */
function isTable(value: unknown): value is PgTable {
  return is(value, Table);
}

function isRecord(table: PgTable): table is RecordTable {
  return Object.getOwnPropertySymbols(table).some((one) => one.description === "declared columns");
}

async function personalColumns(): Promise<PersonalColumn[]> {
  return (await declaredTables()).filter(isRecord).flatMap((record) =>
    Object.entries(getTableColumns<PgTable>(record))
      .filter(([property]) => !isPlain(record, property))
      .map(([property, { dataType }]) => ({
        name: `${getTableName(record)}.${property}`,
        record,
        property,
        isText: ["string", "custom"].includes(dataType),
      })),
  );
}

/** The personal columns in which a row has more than an erasure leaves. */
async function columnsToErase(): Promise<string[]> {
  const found: string[] = [];
  for (const { name, record, property } of await personalColumns()) {
    const rows = await rowsOf(dashboard.shop.test.database.read, record);
    const values = rows.map((row) => Reflect.get(row, property));
    const isLeft = (value: unknown) => Bun.deepEquals(leftOf(record, property, value), value);
    if (!values.every(isLeft)) found.push(name);
  }
  return found;
}

/** The columns that have the person's words in a row, as `table.column`. */
async function columnsWithTraces(): Promise<string[]> {
  const { path } = dashboard.shop.folder;
  const found = new Set<string>();
  for (const table of await tablesBehind(path)) {
    for (const row of await rowsBehind(path, `SELECT * FROM "${table}"`)) {
      for (const [column, value] of Object.entries(row)) {
        if (traces.test(String(value))) found.add(`${table}.${column}`);
      }
    }
  }
  return [...found];
}

test("every table says what is personal in it, or why it has nothing", async () => {
  const declared = await declaredTables();
  const records = declared.filter(isRecord).map((table) => getTableName(table));
  const inTheShop = await tablesBehind(dashboard.shop.folder.path);

  const unknown = inTheShop.filter((name) => !ofTheEngine.test(name) && !records.includes(name));
  expect(unknown.toSorted()).toEqual(Object.keys(others).toSorted());
  expect(records.filter((name) => !inTheShop.includes(name))).toEqual([]);
});

test("the person's words were written to each personal column that can hold any", async () => {
  const texts = (await personalColumns()).filter(({ isText }) => isText).map(({ name }) => name);

  const missing = texts.filter((name) => !written.includes(name));
  expect(missing).toEqual(Object.keys(emptyByThen));
  expect(traced.length).toBeGreaterThan(30);
});

test("an erased person is in no row of any table", async () => {
  expect(await columnsWithTraces()).toEqual([]);
  expect(await columnsToErase()).toEqual([]);
});

test("an erased person is in no page, and in no answer that is told again", async () => {
  const { owner, shop } = dashboard;
  const whole = pages.map(({ path }) => path).filter((path) => !path.includes("{"));
  const telling: string[] = [];
  for (const path of [...whole, ...seen]) {
    const { html } = await owner.get(`/dashboard/test${path}`);
    if (traces.test(html)) telling.push(path);
  }
  for (const send of asked) {
    const { headers, text } = await send();
    if (headers.get("idempotent-replayed") !== "true" || traces.test(text)) telling.push(text);
  }

  expect(telling).toEqual([]);
  expect((await shop.get("/v2/events?limit=100")).text).not.toMatch(traces);
});
