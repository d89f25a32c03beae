// Deliveries of webhooks at the dashboard: which there were, what was sent, what came back, and sending again.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { later } from "../messaging/webhooks/delivering.ts";
import { type MadeEndpoint, openEndpoint, unused } from "../messaging/webhooks/endpoints.ts";
import { openReceiver } from "../support/receivers.ts";
import type { Answered } from "../support/shop.ts";
import { type DashboardShop, decoded, openDashboard, type SeenPage } from "./dashboard-shop.ts";

let dashboard: DashboardShop;

beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

const at = ({ id }: { readonly id: string }, path = "") => `/dashboard/test/webhooks/${id}${path}`;
const deliveriesTo = ({ path }: MadeEndpoint): Promise<Answered> =>
  dashboard.shop.get(`${path}/deliveries`);
const newestOf = async (endpoint: MadeEndpoint) =>
  at(endpoint, `/deliveries/${(await deliveriesTo(endpoint)).string("/data/0/id")}`);

/** Places an order, which is delivered before this returns. */
async function place(customer: object = {}): Promise<Answered> {
  const order = await dashboard.shop.post("/v2/orders", {
    line_items: [{ name: "Mug", unit_price: "12.50", quantity: 1 }],
    ...customer,
  });
  await later(dashboard.shop);
  return order;
}

/** Sends a test event by the button of the page, and opens what follows. */
async function ping(endpoint: MadeEndpoint): Promise<SeenPage> {
  const page = await dashboard.owner.get(at(endpoint));
  return dashboard.owner.sendAndFollow(at(endpoint, "/ping"), { form: page.field("form") });
}

describe("a test event", () => {
  test("leads to what came back", async () => {
    await using receiver = openReceiver({ answer: () => new Response("Hello.") });
    const endpoint = await openEndpoint(dashboard.shop, { url: receiver.url });

    const page = await ping(endpoint);

    for (const words of ["Delivered. What came back is below.", "webhook.ping", "200", "Hello."]) {
      expect(page.text).toContain(words);
    }
    const sent = JSON.stringify(JSON.parse(receiver.received[0]?.body ?? ""), null, 2);
    expect(decoded(page.html)).toContain(sent);
  });

  test("that does not arrive says why", async () => {
    const endpoint = await openEndpoint(dashboard.shop, unused);

    const page = await ping(endpoint);

    expect(page.text).toContain("Sent, but not delivered. What came back is below.");
    expect(page.html).not.toContain('class="note done"');
    expect(page.text).toContain("No connection could be made.");
  });

  test("is sent once by a double tap", async () => {
    await using receiver = openReceiver();
    const endpoint = await openEndpoint(dashboard.shop, { url: receiver.url });
    const form = (await dashboard.owner.get(at(endpoint))).field("form");

    await Promise.all([1, 2].map(() => dashboard.owner.send(at(endpoint, "/ping"), { form })));

    expect(receiver.received).toHaveLength(1);
  });
});

describe("the deliveries to an endpoint", () => {
  test("say what was sent, what came back and after how many attempts", async () => {
    await using receiver = openReceiver({
      answer: (_, nth) => new Response(null, { status: nth === 1 ? 503 : 204 }),
    });
    const endpoint = await openEndpoint(dashboard.shop, {
      url: receiver.url,
      events: ["order.placed"],
    });

    await place();
    const waiting = await dashboard.owner.get(at(endpoint, "?show=waiting"));
    await later(dashboard.shop, 10);

    expect(waiting.text).toMatch(/order\.placed 503 Next attempt/);
    const { text } = await dashboard.owner.get(at(endpoint));
    expect(text).toContain("order.placed 204 Delivered · 2 attempts");
  });

  test("are shown 20 at a time, with a way to older ones", async () => {
    await using receiver = openReceiver();
    const endpoint = await openEndpoint(dashboard.shop, { url: receiver.url });
    for (let sent = 0; sent < 21; sent += 1) await dashboard.shop.post(`${endpoint.path}/ping`);

    const page = await dashboard.owner.get(at(endpoint));
    const [, older = ""] = /rel="next" href="([^"]*)"/.exec(page.html) ?? [];
    const rest = await dashboard.owner.get(older.replaceAll("&amp;", "&"));

    expect([page, rest].map(({ text }) => text.split("webhook.ping").length - 1)).toEqual([20, 1]);
  });

  test("are shown alone where they did not arrive", async () => {
    const answers = [200, 500];
    await using receiver = openReceiver({
      answer: (_, nth) => new Response(null, { status: answers[nth - 1] ?? 200 }),
    });
    const endpoint = await openEndpoint(dashboard.shop, { url: receiver.url });
    await ping(endpoint);
    await ping(endpoint);

    const { text } = await dashboard.owner.get(at(endpoint, "?show=failed"));

    expect(text).toContain("webhook.ping 500 Failed");
    expect(text).not.toContain("Delivered");
  });
});

describe("a delivery", () => {
  test("shows every digit of what was sent, in lines, and leads to its order", async () => {
    await using receiver = openReceiver();
    const endpoint = await openEndpoint(dashboard.shop, {
      url: receiver.url,
      events: ["order.placed"],
    });
    const order = await place({ customer: { email: "ada@example.com", name: '</pre>"{[,:' } });

    const page = await dashboard.owner.get(await newestOf(endpoint));

    const [, lines = ""] = /<pre class="wire" tabindex="0">(\{.*?)<\/pre>/s.exec(page.html) ?? [];
    const text = decoded(lines);
    expect(text).toContain('\n    "total": 12.50,\n');
    expect(JSON.parse(text)).toEqual(JSON.parse(receiver.received[0]?.body ?? ""));
    expect(page.html).toContain(`href="/dashboard/test/orders/${order.id}"`);
  });

  test("shows what came back as text, and not more than fits a page", async () => {
    const answer = `<script>alert(1)</script>${"x".repeat(9_000)}`;
    await using receiver = openReceiver({ answer: () => new Response(answer, { status: 500 }) });
    const endpoint = await openEndpoint(dashboard.shop, { url: receiver.url });

    const { html, text } = await ping(endpoint);

    expect(html).not.toContain("<script>alert");
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;xxx");
    expect(html).not.toContain("x".repeat(5_000));
    expect(text).toContain("The rest is not shown.");
  });

  test("is sent again, and says what came back then", async () => {
    await using receiver = openReceiver({
      answer: (_, nth) => new Response(`Answer ${nth}`, { status: nth === 1 ? 410 : 200 }),
    });
    const endpoint = await openEndpoint(dashboard.shop, {
      url: receiver.url,
      events: ["order.placed"],
    });
    await place();
    const path = await newestOf(endpoint);
    const off = await dashboard.owner.get(path);
    await dashboard.shop.put(endpoint.path, { status: "enabled" });
    const form = (await dashboard.owner.get(path)).field("form");

    const page = await dashboard.owner.sendAndFollow(`${path}/resend`, { form });

    expect(off.text).toContain("Turn the endpoint on to send this again.");
    expect(off.html).not.toContain(`${path}/resend`);
    for (const words of ["Delivered. What came back is below.", "Delivered", "Answer 2"]) {
      expect(page.text).toContain(words);
    }
    expect(receiver.received).toHaveLength(2);
  });

  test("that is asked for at another endpoint leads to its own", async () => {
    const [one, other] = [await openEndpoint(dashboard.shop), await openEndpoint(dashboard.shop)];
    await ping(one);
    const path = await newestOf(one);

    const page = await dashboard.owner.get(path.replace(one.id, other.id));

    expect(page.location).toBe(path);
  });
});

describe("past events", () => {
  test("of the days that are chosen are sent again", async () => {
    await using receiver = openReceiver();
    const endpoint = await openEndpoint(dashboard.shop, {
      url: receiver.url,
      events: ["order.placed"],
    });
    await place();
    const path = at(endpoint, "/replay");
    const page = await dashboard.owner.get(path);
    const start = (fields: object) =>
      dashboard.owner.sendAndFollow(`${path}/start`, {
        form: page.field("form"),
        "/failed_only": "false",
        ...fields,
      });

    const started = await start({ "/from": page.field("/from"), "/to": page.field("/from") });
    await later(dashboard.shop);
    await start({ "/from": "2020-01-01", "/to": "2020-01-02" });
    await later(dashboard.shop);

    expect(started.text).toContain("Past events are being sent.");
    const ids = new Set(receiver.received.map(({ headers }) => headers.get("webhook-id")));
    expect([receiver.received.length > 1, ids.size]).toEqual([true, receiver.received.length - 1]);
    expect((await dashboard.owner.get(await newestOf(endpoint))).text).toContain(
      "Sent again by a replay",
    );
  });

  test("of a day that is none are refused at its field", async () => {
    const endpoint = await openEndpoint(dashboard.shop);

    const refused = await dashboard.owner.send(at(endpoint, "/replay/start"), {
      "/from": "2026-02-31",
    });

    expect([refused.status, refused.field("/from")]).toEqual([422, "2026-02-31"]);
    expect(refused.html).toContain('href="#f-from"');
  });
});
