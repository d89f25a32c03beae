// Query plans of lists: by an index in the order of the page, never by scanning a table or sorting the
// matches. With a million orders the difference is seconds.

import { Database as SqliteFile } from "bun:sqlite";
import { beforeAll, expect, spyOn, test } from "bun:test";
import { join } from "node:path";

import { newId } from "#kernel/id.ts";
import type { AnyRoute } from "#platform/http/contract/route.ts";
import { findFirstTimers } from "#platform/scheduler/timer-queries.ts";
import { TimerRunner } from "#platform/scheduler/timers.ts";
import { recoveryTimers } from "#sales/routes/jobs.ts";
import { unitsHeldByStrangers } from "#sales/rows/queries.ts";
import { findRefused } from "#shop/marks/lookups.ts";

import { signIn } from "../accounts/sign-in.ts";
import { openTestShop, sharedShop, type TestShop } from "../support/shop.ts";
import { lists, operations, pathOf, stock } from "./operations.ts";

/** Tables with few rows, or with rows in test mode only. */
const SMALL =
  /^\/v2\/(webhooks|keys|disputes|payouts|collections|tax-rates|discounts|shipping-zones|shipping-rates|pickup-locations|test\/\w+)$/;
/**
 * Filters that match nearly every row: two of three statuses, what does not run out, what is sent. And two that match few,
 * which are read by their own index and sorted: gateways pay out within days, and a transfer pays an order or a few.
 */
const NEARLY_ALL_OR_FEW = [
  "/v2/payments?payout=missing",
  "/v2/payments?transaction_reference=mug",
  "/v2/products?status=draft%2Cactive",
  "/v2/inventory?low=false",
];
/** What a storefront asks: by the index of its order, although it sees active products alone. */
const ON_OFFER = [
  "sort=price",
  "sort=-price",
  "sort=name",
  "sort=-name",
  "available=true",
  "category=mug,cup",
  "brand=mug,cup",
  "tag=mug,cup",
  "option[mug]=cup",
].map((query) => `/v2/products?status=active&${query}`);
/** Status, price, options and stock are looked up of each product in the order of the list, until the page is full. */
const SORTED = /^\/v2\/products\?.*(?:sort|price|available|option|,)/;
const IN_ORDER =
  /^SCAN products USING (?:COVERING )?INDEX (?:sqlite_autoindex_products_1|products_name_index)/;
/** The use of each medium is looked up in the order of the list, until the page is full. */
const BY_USE = /^\/v2\/media\?unused=/;
const USE_IN_ORDER =
  /^SCAN media USING INDEX sqlite_autoindex_media_1 \| CORRELATED SCALAR SUBQUERY \d+ \| SEARCH product_media /;
/** Products of which it was found before that few pass a filter: these are read by its index, and sorted. */
const FEW = /\) AS few\b/;
/** The values of a filter, the few products, and a table of one row. */
const SHORT = /\bSCAN (?:\d+-ROW VALUES CLAUSE|few|product_indexing)\b/g;
/** Alerts read owners, who are few, and the acts of the last minutes in the background, while a list is asked for. */
const isOfAlerts = ({ url, sql }: ListQuery) =>
  / from "people" /.test(sql) ||
  (/ from "audit_entries" /.test(sql) && (/"action" in \(/.test(sql) || !url.includes("audit")));
/** A search sorts its matches, and the books sort the events of an order: these are few. */
const SEARCH = /[?&]q=|^\/v2\/books\/entries\?order_id=/;

interface ListQuery {
  readonly url: string;
  readonly sql: string;
}

/** The URLs of a list with one filter, for every filter and kind of value. */
function urlsOf(route: AnyRoute, ids: Readonly<Record<string, string>>): string[] {
  const path = pathOf(route, ids);
  const properties = Object.entries(propertiesOf(route.query));
  const filters = properties.flatMap(([name, schema]) =>
    valuesOf(name, schema, ids).map(
      (value) =>
        `${path}?${encodeURIComponent(parameterOf(name, schema))}=${encodeURIComponent(value)}`,
    ),
  );
  return [path, ...filters];
}

/** A member of a family stands for all of them. */
function parameterOf(name: string, schema: unknown): string {
  return member(schema, "x-family") === true ? `${name}[mug]` : name;
}

function propertiesOf(schema: unknown): Record<string, unknown> {
  const found = member(schema, "properties");
  return typeof found === "object" && found !== null ? { ...found } : {};
}

function valuesOf(name: string, schema: unknown, ids: Readonly<Record<string, string>>): string[] {
  const choices = member(member(schema, "items") ?? schema, "enum");
  if (Array.isArray(choices)) {
    const words = choices.map(String);
    const lengths = member(schema, "items") === undefined ? [1] : [1, 2, words.length];
    return lengths.map((length) => words.slice(0, length).join(","));
  }
  if (member(schema, "type") === "boolean") return ["true", "false"];
  if (member(schema, "type") === "integer") return ["1001"];
  return [name.includes("_at") ? "2026-01-01T00:00:00Z" : wordOf(name, ids)];
}

function wordOf(name: string, ids: Readonly<Record<string, string>>): string {
  const words: Readonly<Record<string, string | undefined>> = {
    email: "ada@example.com",
    country: "GH",
    currency: "USD",
    from: "2026-01-05",
    to: "2026-01-06",
    "price[gte]": "5",
    "price[lte]": "5",
    phone: "+254700000001",
    customer_id: ids["cus"],
    order_id: ids["ord"],
    product_id: ids["prod"],
    event_id: ids["evt"],
    payment: ids["pay"],
    zone_id: ids["shz"],
    parent_id: ids["col"],
  };
  return words[name] ?? "mug";
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

/** Every SELECT that is prepared while each filter of the lists is requested. */
async function queryEverything(shop: TestShop): Promise<ListQuery[]> {
  const queries: ListQuery[] = [];
  const ids = await stock(shop);
  const inside = operations.filter(([, route]) => route.kind === "list");
  const urls = [...inside.flatMap(([, route]) => urlsOf(route, ids)), ...ON_OFFER];
  const { token } = Object((await signIn(shop, { email: "ada@example.com" })).body);
  const prepare = spyOn(SqliteFile.prototype, "prepare");
  for (const url of urls) {
    prepare.mockClear();
    const answer = await shop.get(url, { headers: { "Customer-Token": token } });
    expect(`${url} ${answer.status}`).toBe(`${url} 200`);
    for (const [sql] of prepare.mock.calls)
      if (/^select/i.test(sql) && !isOfAlerts({ url, sql })) queries.push({ url, sql });
  }
  prepare.mockRestore();
  return queries;
}

/** Orders of a product are found by their terms, and those that have none yet by their events, which are few. */
const BY_TERM = "SEARCH order_line_terms USING PRIMARY KEY (term=?) | SEARCH orders";
const TAIL =
  /^SEARCH events USING INDEX events_name_index .* \| SEARCH orders USING (?:COVERING )?INDEX sqlite_autoindex_orders_1 \(id=\?\)/;
/** The place where a part of an index ends: it passes as many entries of the index alone as the part has. */
const PLACE = / limit \S+ offset \S+$/;
const IN_INDEX = /^SCAN \w+ USING COVERING INDEX \S+$/;
/** A part of an index in its order, of so many rows, which is then looked at and perhaps sorted. */
const PART =
  /^CO-ROUTINE (\w+) \| (?:SEARCH|SCAN) \w+ USING (?:INDEX|PRIMARY KEY) [^|]+ \| (?:SEARCH \1 [^|]+\| )?SCAN \1\b/;
/** The kinds of orders that there are: a probe of their index for each. */
const KINDS =
  /RECURSIVE STEP \| SCAN kinds \| .*SEARCH orders USING COVERING INDEX orders_kind_index/;
/** It walks a chain from row to row by their keys, and reads and sorts as many as the page has. */
const WALK = /RECURSIVE STEP \| SCAN walk \| SEARCH \w+ USING PRIMARY KEY/;

function isWalkedInOrder(url: string, plan: string): boolean {
  if (BY_USE.test(url)) return USE_IN_ORDER.test(plan) || plan.startsWith("SCAN collections ");
  return SORTED.test(url) && IN_ORDER.test(plan);
}

function isBounded({ sql, plan }: { readonly sql: string; readonly plan: string }): boolean {
  if (PLACE.test(sql)) return IN_INDEX.test(plan);
  return [WALK, TAIL, PART, KINDS].some((shape) => shape.test(plan));
}

function isWasteful({ url, sql, plan }: ListQuery & { readonly plan: string }): boolean {
  if (SMALL.test(url.split("?")[0] ?? "") || SEARCH.test(url)) return false;
  if (NEARLY_ALL_OR_FEW.includes(url) || isBounded({ sql, plan })) return false;
  const isFiltered = url.includes("?") && !isWalkedInOrder(url, plan);
  return sortsMany({ sql, plan }) || (isFiltered && /\bSCAN\b/.test(plan.replaceAll(SHORT, "")));
}

function sortsMany({ sql, plan }: { readonly sql: string; readonly plan: string }): boolean {
  return plan.includes("TEMP B-TREE") && !FEW.test(sql);
}

function planOf(shop: TestShop, sql: string): string {
  using database = new SqliteFile(join(shop.folder.path, "test.sqlite"), { readonly: true });
  const steps = database.prepare<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all();
  return steps.map(({ detail }) => detail).join(" | ");
}

function fail(_: string, error: unknown): never {
  throw error;
}

const shop = sharedShop();

beforeAll(async () => {
  const { var: variant_id } = await stock(shop);
  const line_items = [{ variant_id, quantity: 1 }];
  await shop.post("/v2/orders", { line_items, paid: { method: "cash" } });
});

test("no list scans a table or sorts its matches", async () => {
  await using own = await openTestShop();

  const queries = await queryEverything(own);

  const planned = queries.map((one) => ({ ...one, plan: planOf(own, one.sql) }));
  expect(planned.length).toBeGreaterThan(lists.length);
  expect(planned.filter(isWasteful).map(({ url, plan }) => `${url}: ${plan}`)).toEqual([]);
});

test("the next timers are found without scanning all timers", async () => {
  using prepare = spyOn(SqliteFile.prototype, "prepare");

  await new TimerRunner({ shop: shop.live, timers: recoveryTimers, onFault: fail }).nextDueAt();

  const [sql = ""] = prepare.mock.calls.map(([text]) => text).filter((text) => /timers/.test(text));
  expect(planOf(shop, sql)).toBe("SCAN timers USING INDEX timers_due_index");
});

// Regression: each page of them read all timers before it, so thousands that waited for a gateway stopped the shop.
test("timers behind those that wait are found without reading these again", async () => {
  using prepare = spyOn(SqliteFile.prototype, "prepare");
  const after = { name: "expire_cart", subject: "cart_1", dueAt: 1 };

  await findFirstTimers(shop.live.database.read, ["expire_cart"], { after, rows: 20 });

  const [sql = ""] = prepare.mock.calls.map(([text]) => text).filter((text) => /timers/.test(text));
  expect(planOf(shop, sql)).toStartWith("SEARCH timers USING INDEX timers_due_index (");
});

test("a start finds open payments without scanning all payments", async () => {
  await using own = await openTestShop();
  await stock(own);
  await own.duka.stop();
  using prepare = spyOn(SqliteFile.prototype, "prepare");

  await using again = await openTestShop({ folder: own.folder });

  const [sql = ""] = prepare.mock.calls
    .map(([text]) => text)
    .filter((text) => /from "payments"/.test(text));
  expect(planOf(again, sql)).toBe(
    "SEARCH payments USING INDEX payments_status_index (status=? AND id>?)",
  );
});

test("returning customers of a period are found by their purchase before it", async () => {
  using prepare = spyOn(SqliteFile.prototype, "prepare");
  const period = "from=2025-12-01T09:00:00Z&to=2026-02-01T00:00:00Z";

  await shop.get(`/v2/analytics/summary?${period}`);

  const [sql = ""] = prepare.mock.calls
    .map(([text]) => text)
    .filter((text) => /analytics_purchases.*level = 1/s.test(text));
  expect(planOf(shop, sql)).toContain("USING INDEX analytics_purchases_previous_index");
});

test("what strangers hold is summed by the index of their lines alone", async () => {
  using prepare = spyOn(SqliteFile.prototype, "prepare");

  await unitsHeldByStrangers(shop.live.database.read, [newId("variant", 0)]);

  const [sql = ""] = prepare.mock.calls.map(([text]) => text).filter((text) => /sum\(/.test(text));
  expect(planOf(shop, sql)).toContain(
    "SEARCH order_lines USING COVERING INDEX order_lines_strangers_index (variant_id=?)",
  );
});

test("what limits refused in a day is found without reading the rows of ninety days", async () => {
  using prepare = spyOn(SqliteFile.prototype, "prepare");

  await findRefused(shop.live.database.read, 0);

  const [sql = ""] = prepare.mock.calls.map(([text]) => text).filter((text) => /sum\(/i.test(text));
  expect(planOf(shop, sql)).toContain("SEARCH abuse_marks USING INDEX abuse_marks_hour_index");
  expect(planOf(shop, sql)).not.toContain("SCAN abuse_marks");
});

test("a search reads the index once per matching customer, however many orders they have", async () => {
  using prepare = spyOn(SqliteFile.prototype, "prepare");

  await shop.get("/v2/orders?q=ada");

  const [sql = ""] = prepare.mock.calls.map(([text]) => text).filter((text) => /VALUES/.test(text));
  const steps = planOf(shop, sql);
  expect(steps).toContain("SEARCH orders USING COVERING INDEX orders_customer_index");
  expect(steps).not.toContain("TEMP B-TREE");
});

test.each([
  ["updated_at[gte]=2026-01-01", "orders_updated_week_index"],
  ["paid_at[gte]=2026-01-01", "orders_paid_week_index"],
  ["product_id=prod_01h455vb4pex5vsknk084sn02q", BY_TERM],
  ["sku=MUG&updated_at[gte]=2026-01-01", BY_TERM],
  ["number=1001&updated_at[gte]=2026-01-01", "orders_number_unique"],
  ["to_pack=true", "orders_kind_index"],
])("orders by %s are read by %s, whatever else is asked", async (filter, index) => {
  using prepare = spyOn(SqliteFile.prototype, "prepare");

  const states = "status=open,completed&payment_status=unpaid,paid&channel=online_store";
  await shop.get(`/v2/orders?${filter}&${states}&payment_method=cash,card`);

  const plans = prepare.mock.calls
    .map(([sql]) => sql)
    .filter((sql) => /^select.*"orders"."(status|channel)"/s.test(sql) && /where/.test(sql))
    .map((sql) => planOf(shop, sql))
    .filter((plan) => plan.includes("orders"));
  expect(plans.join("; ")).toContain(index);
  const kept = plans.filter((plan) => !TAIL.test(plan) && !PART.test(plan));
  expect(kept.filter((plan) => /TEMP B-TREE|\bSCAN\b/.test(plan))).toEqual([]);
});
