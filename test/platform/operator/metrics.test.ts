// What the server tells of itself, and to whom.

import { describe, expect, test } from "bun:test";

import { projectBookings } from "#books/project-bookings.ts";
import { nextTurn } from "#kernel/time.ts";
import { isLoopback } from "#platform/net/addresses.ts";
import { openMetrics } from "#platform/operator/metrics.ts";
import { operatorCheck } from "#platform/operator/operator-check.ts";

import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { unreachable } from "../../support/unreachable.ts";

const TOKEN = "watch-me-from-afar";

/** The value of a series; null where there is no such line. */
async function figure(to: TestShop, series: string): Promise<number | null> {
  const text = await (await fetch(`${to.url}/metrics`)).text();
  const line = text.split("\n").find((one) => one.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length));
}

function scrape(to: TestShop, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${to.url}/metrics`, { headers });
}

const shop = sharedShop();

describe("what is measured", () => {
  test("counts answers by route and status, never by what was sent", async () => {
    await shop.get("/v2/orders/ord_01h455vb4pex5vsknk084sn02q");

    const count = await figure(
      shop,
      'duka_http_requests_total{method="GET",route="/v2/orders/{id}",status="404"}',
    );

    expect(count).toBe(1);
  });

  test("counts unknown paths as one route", async () => {
    await shop.get("/v2/nowhere");
    await shop.get("/v2/elsewhere");

    const count = await figure(
      shop,
      'duka_http_requests_total{method="GET",route="unknown",status="404"}',
    );

    expect(count).toBe(2);
  });

  test("counts the requests of clients that name themselves, twenty by name and the others together", async () => {
    await using own = await openTestShop();
    const call = (client: string) => own.get("/v2/store", { headers: { "Duka-Client": client } });
    const counted = (client: string) =>
      figure(own, `duka_client_requests_total{client="${client}"}`);
    const names = Array.from({ length: 21 }, (_, index) => `js/0.2.${index}`);

    await call("js/0.2.0");
    for (const name of names) await call(name);
    for (const odd of ["curl", "js/0.2", 'js/0.2.0"}', "js/0.2.0 js/0.2.1"]) await call(odd);
    await own.get("/v2/store", { key: null, headers: { "Duka-Client": "js/0.2.1" } });

    expect(await Promise.all(["js/0.2.0", "js/0.2.1", "js/0.2.20", "other"].map(counted))).toEqual([
      2,
      1,
      null,
      1,
    ]);
  });

  test("leaves out what a database that is away does not tell, and tells the rest", async () => {
    await using own = await openTestShop();
    const sequences = ["test", "live"].map((mode) => `duka_events_last_sequence{mode="${mode}"}`);
    await scrape(own);

    using _ = unreachable(own.test.database);
    const figures = await Promise.all(sequences.map((series) => figure(own, series)));

    expect(figures).toEqual([null, 0]);
    expect(await figure(own, 'duka_store_writable{mode="test"}')).not.toBeNull();
  });

  test("tells how long answers and commits took", async () => {
    await shop.post("/v2/customers", { email: "ada@example.com" });

    const answers = 'duka_http_request_duration_seconds_count{method="POST",route="/v2/customers"}';

    expect(await figure(shop, answers)).toBe(1);
    expect(await figure(shop, 'duka_commit_duration_seconds_count{mode="test"}')).toBeGreaterThan(
      0,
    );
    expect(await figure(shop, 'duka_commit_group_size_count{mode="test"}')).toBeGreaterThan(0);
  });

  test("tells how far the log has come and how large the database is", async () => {
    await using own = await openTestShop();
    await own.post("/v2/customers", { email: "ada@example.com" });

    expect(await figure(own, 'duka_events_last_sequence{mode="test"}')).toBe(1);
    expect(await figure(own, 'duka_events_last_sequence{mode="live"}')).toBe(0);
    expect(await figure(own, 'duka_database_bytes{mode="test"}')).toBeGreaterThan(0);
    expect(await figure(own, 'duka_store_writable{mode="live"}')).toBe(1);
  });

  test("tells what waits to be delivered, and for how long", async () => {
    await using own = await openTestShop();
    await own.post("/v2/webhooks", { url: "http://127.0.0.1:9/never" });
    await own.post("/v2/customers", { email: "ada@example.com" });
    await own.duka.couriers.test.settle();
    own.clock.advance(2_000);

    expect(await figure(own, 'duka_webhook_deliveries_waiting{mode="test"}')).toBe(1);
    expect(await figure(own, 'duka_webhook_oldest_waiting_seconds{mode="test"}')).toBe(2);
    expect(await figure(own, 'duka_webhook_unread_events{mode="test"}')).toBe(0);
  });

  test("is whole in each of two scrapes at once", async () => {
    const metrics = openMetrics({ version: "0.2.0", engine: "sqlite" });
    const [live, again] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
    const reads = [Promise.resolve(7), live.promise];
    metrics.addGauge({
      name: "duka_crates",
      help: "Crates.",
      read: () => reads.shift() ?? again.promise,
    });

    const first = metrics.render();
    await nextTurn();
    const second = metrics.render();
    live.resolve(3);

    expect(await first).toContain('duka_crates{mode="test"} 7');
    again.resolve(8);
    expect(await second).toContain('duka_crates{mode="test"} 8');
  });

  test("tells how far each reader of the log is behind", async () => {
    await using own = await openTestShop();
    await own.post("/v2/customers", { email: "ada@example.com" });
    await own.get("/v2/analytics/summary");
    await own.test.database.write(projectBookings);

    expect(await figure(own, 'duka_log_reader_behind{mode="test",reader="analytics"}')).toBe(0);
    expect(await figure(own, 'duka_log_reader_behind{mode="test",reader="books"}')).toBe(0);
    expect(await figure(own, 'duka_log_reader_behind{mode="live",reader="analytics"}')).toBeNull();
  });

  test("tells how late timers fire, and what memory is no file's", async () => {
    await using own = await openTestShop();
    await Bun.sleep(50);

    expect(await figure(own, "duka_loop_delay_seconds_count")).toBeGreaterThan(0);
    const anonymous = (await figure(own, "duka_memory_anonymous_bytes")) ?? 0;
    expect(anonymous).toBeGreaterThan(0);
    expect(anonymous).toBeLessThan((await figure(own, "process_resident_memory_bytes")) ?? 0);
  });

  test("counts what is overdue", async () => {
    await using own = await openTestShop();

    expect(await figure(own, 'duka_timers_overdue{mode="test"}')).toBe(0);
  });
});

describe("a reader of the metrics", () => {
  test("on this machine needs no token", async () => {
    const answer = await scrape(shop);

    expect(isLoopback(new URL(shop.url).hostname)).toBe(true);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toContain("text/plain; version=0.0.4");
  });

  test.each(["x-forwarded-for", "forwarded", "x-real-ip", "via"])(
    "on this machine is refused when a proxy forwarded the request (%s)",
    async (name) => {
      expect((await scrape(shop, { [name]: "203.0.113.9" })).status).toBe(404);
    },
  );

  // A proxy on the same machine that adds no header passes on the name that its client asked for.
  test.each(["shop.example", "192.0.2.1:4000", "127.0.0.1.shop.example"])(
    "on this machine is refused when it asks for %s",
    async (host) => {
      expect((await scrape(shop, { Host: host })).status).toBe(421);
    },
  );

  test("from another machine is refused, whatever host it names", () => {
    const isOperator = operatorCheck({ token: null, isExposed: false });

    const request = new Request("http://localhost:4000/metrics");

    expect(isOperator(request, "127.0.0.1")).toBe(true);
    expect(isOperator(request, "203.0.113.9")).toBe(false);
  });

  test("on this machine is refused where the settings name a proxy", async () => {
    await using own = await openTestShop({ settings: { DUKA_TRUSTED_PROXIES: "127.0.0.1" } });

    expect((await scrape(own)).status).toBe(404);
  });

  test("on this machine needs the token once the shop has a public address", async () => {
    const settings = { DUKA_PUBLIC_URL: "https://shop.example", DUKA_METRICS_TOKEN: TOKEN };
    await using own = await openTestShop({ settings });
    const readyWith = async (headers: Record<string, string>) =>
      Object.keys(Object(await (await fetch(`${own.url}/readyz`, { headers })).json()));
    const withToken = { Authorization: `Bearer ${TOKEN}` };

    expect((await scrape(own)).status).toBe(404);
    expect((await scrape(own, withToken)).status).toBe(200);
    expect(await readyWith({})).toEqual(["status", "engine"]);
    expect(await readyWith(withToken)).toContain("timers");
  });

  test.each([
    ["https://shop.example", 1],
    ["http://localhost:4000", 0],
  ])("is told at the start that it is missing: %s", async (url, times) => {
    const lines: string[] = [];
    await using own = await openTestShop({
      settings: { DUKA_PUBLIC_URL: url, DUKA_LOG_LEVEL: "info" },
      writeLog: (line) => lines.push(line),
    });

    expect((await scrape(own)).status).toBe(times === 0 ? 200 : 404);
    expect(lines.filter((line) => line.includes("DUKA_METRICS_TOKEN"))).toHaveLength(times);
  });

  test("from any address has the token", async () => {
    await using own = await openTestShop({ settings: { DUKA_METRICS_TOKEN: TOKEN } });
    const far = { "x-forwarded-for": "203.0.113.9" };

    expect((await scrape(own, { ...far, Authorization: `Bearer ${TOKEN}` })).status).toBe(200);
    expect((await scrape(own, { ...far, Authorization: `Bearer ${TOKEN}x` })).status).toBe(404);
    expect((await scrape(own, { ...far, Authorization: `Bearer ${own.key}` })).status).toBe(404);
  });

  test("uses GET", async () => {
    const answer = await fetch(`${shop.url}/metrics`, { method: "POST" });

    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });
});
