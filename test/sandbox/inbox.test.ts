// The test shop's inbox: what it saves, and how its response can be chosen.

import { describe, expect, test } from "bun:test";

import { recordMessage } from "#sandbox/inbox/record-message.ts";
import { inboxMessageWire } from "#sandbox/inbox/schema.ts";

import { ada } from "../support/cast.ts";
import { MORNING_MS, openTestShop, sharedShop, type TestShop } from "../support/shop.ts";
import { BODY, each, endpoint, inbox, send, signed, STRANGER } from "./sending.ts";

/** All messages, newest first. */
async function bodies(shop: TestShop, cursor = ""): Promise<unknown[]> {
  const page = await inbox(shop, `?limit=100${cursor}`);
  const next = page.at("/next_cursor");
  const rest = typeof next === "string" ? await bodies(shop, `&cursor=${next}`) : [];
  return [...each(page, "body"), ...rest];
}

test("a message is saved as it arrived", async () => {
  await using own = await openTestShop();
  const { id, secret } = await endpoint(own);

  const answer = await send(own, "shop", {
    headers: {
      ...signed(secret, { id: "evt_7" }),
      "Content-Type": "application/json",
      "Duka-Delivery-Id": "dlv_3",
    },
  });

  const found = await inbox(own);
  expect([answer.status, await answer.text()]).toEqual([200, ""]);
  expect(found.at("/data/0")).toEqual({
    id: "1",
    name: "shop",
    received_at: new Date(MORNING_MS).toISOString(),
    signature: "valid",
    webhook_id: id,
    event: "order.paid",
    event_id: "evt_7",
    delivery_id: "dlv_3",
    answered_status: 200,
    headers: expect.objectContaining({
      "content-type": "application/json",
      "webhook-id": "evt_7",
      "duka-delivery-id": "dlv_3",
    }),
    body: BODY,
  });
  expect(Object.keys(Object(found.at("/data/0"))).toSorted()).toEqual(
    Object.keys(inboxMessageWire.schema.properties).toSorted(),
  );
});

describe("a message", () => {
  const shop = sharedShop();

  test.each([
    ["{}", null],
    ["", null],
    ["no JSON", null],
    ["null", null],
    ['["event"]', null],
    ['{"event":7}', null],
    ['{"__proto__":{"event":"order.paid"}}', null],
    [`{"event":"${"e".repeat(101)}"}`, null],
    ["[".repeat(65_536), null],
    ['{"event":"stock.counted"}', "stock.counted"],
  ])("%p contains the event %p", async (body, event) => {
    const answer = await send(shop, "shop", { body });

    const found = await inbox(shop);
    expect(answer.status).toBe(200);
    expect([found.at("/data/0/event"), found.at("/data/0/body")]).toEqual([event, body]);
  });

  test("keeps no header that carries credentials", async () => {
    await send(shop, "shop", {
      headers: {
        Authorization: "Bearer sesame",
        Cookie: "session=sesame",
        "X-Api-Key": "sesame",
        "X-Note": "plain",
      },
    });

    const found = await inbox(shop);
    expect(found.at("/data/0/headers")).toMatchObject({
      authorization: "[redacted]",
      cookie: "[redacted]",
      "x-api-key": "[redacted]",
      "x-note": "plain",
    });
    expect(found.text).not.toContain("sesame");
  });

  test("may be empty", async () => {
    await fetch(`${shop.url}/hooks/test/inbox/shop`, { method: "POST" });

    expect((await inbox(shop)).at("/data/0/body")).toBe("");
  });

  test("may have 64 KiB", async () => {
    const answer = await send(shop, "shop", { body: new Uint8Array(65_536) });

    expect(answer.status).toBe(200);
    expect((await inbox(shop)).string("/data/0/body")).toHaveLength(65_536);
  });
});

describe("a sender", () => {
  const shop = sharedShop();

  test.each([200, 204, 302, 304, 410, 429, 503, 599])(
    "gets the status %i on demand",
    async (status) => {
      const answer = await send(shop, `shop?status=${status}`);

      expect([answer.status, await answer.text()]).toEqual([status, ""]);
      expect((await inbox(shop)).at("/data/0/answered_status")).toBe(status);
    },
  );
});

describe("a refused sender saves nothing:", () => {
  const shop = sharedShop();

  test.each(["199", "600", "099", "2000", "20x", ""])("status %p on demand", async (status) => {
    const answer = await send(shop, `shop?status=${status}`);

    expect(answer.status).toBe(400);
    expect((await inbox(shop)).list("/data")).toEqual([]);
  });

  test.each(["a.b", "a%20b", "a%2Fb", "%ff", "%00", "ä", "n".repeat(65)])(
    "an inbox of the name %p",
    async (name) => {
      const answer = await send(shop, name);

      expect(answer.status).toBe(404);
      expect((await inbox(shop)).list("/data")).toEqual([]);
    },
  );

  test.each(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])(
    "the method %s",
    async (method) => {
      const answer = await fetch(`${shop.url}/hooks/test/inbox/shop`, { method });

      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
      expect((await inbox(shop)).list("/data")).toEqual([]);
    },
  );

  test.each([65_537, 1_500_000])("%i bytes", async (size) => {
    const answer = await send(shop, "shop", { body: new Uint8Array(size) });

    expect(answer.status).toBe(413);
    expect((await inbox(shop)).list("/data")).toEqual([]);
  });

  test("a body without end", async () => {
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(16_384)),
    });

    const answer = await send(shop, "shop", { body: endless });

    expect(answer.status).toBe(413);
    expect((await inbox(shop)).list("/data")).toEqual([]);
  });
});

describe("the inbox", () => {
  const still = sharedShop();

  test("keeps the newest eight hundred of the shop, and two hundred of strangers, however many arrive at once", async () => {
    await using own = await openTestShop();
    const texts = (of: string, length: number) =>
      Array.from({ length }, (_, index) => `message ${index} of ${of}`);
    const kept = [...texts("the shop", 800), ...texts("strangers", 200)];
    const arrive = (text: string) =>
      recordMessage(own.test, {
        name: "shop",
        headers: new Headers(),
        bytes: Buffer.from(text),
        signature: "unsigned",
        webhookId: null,
        answeredStatus: 200,
        isStrangers: text.endsWith("strangers"),
      });
    await Promise.all(["old", "older", "old of strangers", "older of strangers"].map(arrive));

    await Promise.all(kept.map(arrive));

    expect(new Set(await bodies(own))).toEqual(new Set(kept));
  });

  test("is listed page by page, newest first, also by name", async () => {
    await using own = await openTestShop();
    await send(own, "a", { body: "1" });
    await send(own, "b", { body: "2" });
    await send(own, "a", { body: "3" });
    await send(own, "a", { body: "4" });

    const first = await inbox(own, "?name=a&limit=2");
    const second = await inbox(own, `?name=a&limit=2&cursor=${first.string("/next_cursor")}`);

    expect([each(first, "body"), each(second, "body")]).toEqual([["4", "3"], ["1"]]);
    expect(await bodies(own)).toEqual(["4", "3", "2", "1"]);
  });

  test("is filtered by the verdict on the signature", async () => {
    await using own = await openTestShop();
    const { secret } = await endpoint(own);
    await send(own, "shop", { headers: signed(secret) });
    await send(own, "shop", { headers: signed(STRANGER) });
    await send(own, "shop");

    const valid = await inbox(own, "?signature=valid");
    const others = await inbox(own, "?signature=invalid,unsigned");

    expect(each(valid, "signature")).toEqual(["valid"]);
    expect(each(others, "signature")).toEqual(["unsigned", "invalid"]);
  });

  test.each(["name=a.b", "name=", "signature=right", "signature="])(
    "refuses the filter %s",
    async (query) => {
      const refused = await inbox(still, `?${query}`);

      expect([refused.status, refused.code]).toEqual([400, "query_invalid"]);
    },
  );

  test("is emptied by name, or entirely", async () => {
    await using own = await openTestShop();
    await send(own, "a", { body: "1" });
    await send(own, "b", { body: "2" });

    const one = await own.delete("/v2/test/inbox?name=a");
    const left = await bodies(own);
    const all = await own.delete("/v2/test/inbox");

    expect([one.status, left, all.status, await bodies(own)]).toEqual([204, ["2"], 204, []]);
  });

  test("never reuses an id after it was emptied", async () => {
    await using own = await openTestShop();
    await send(own, "shop", { body: "1" });
    await own.delete("/v2/test/inbox");

    await send(own, "shop", { body: "2" });

    expect(each(await inbox(own), "id")).toEqual(["2"]);
  });

  test("is empty after a reset", async () => {
    await using own = await openTestShop();
    await send(own, "shop");

    await own.post("/v2/test/reset");

    expect((await inbox(own)).list("/data")).toEqual([]);
  });

  test.each([
    ["erased", (shop: TestShop, id: string) => shop.post(`/v2/customers/${id}/erase`)],
    ["deleted", (shop: TestShop, id: string) => shop.delete(`/v2/customers/${id}`)],
  ])("has no message about a customer who was %s, and keeps those about others", async (_, end) => {
    await using own = await openTestShop();
    const id = await ada(own);
    const about = (customer: object) => JSON.stringify({ event: "order.paid", data: { customer } });
    const nada = about({ id: null, email: "nada@example.com", phone: "+2332012345678" });
    await send(own, "shop", { body: about({ id, email: null }) });
    await send(own, "shop", { body: about({ id: null, email: "ada@example.com" }) });
    await send(own, "shop", { body: about({ phone: "+233201234567" }) });
    await send(own, "shop", { body: nada });

    await end(own, id);

    expect(await bodies(own)).toEqual([nada]);
  });

  test("emits no event", async () => {
    await using own = await openTestShop();

    await send(own, "shop");

    expect(await own.announced()).toEqual([]);
  });

  test("is unknown to a live key", async () => {
    const key = await still.createKey({ mode: "live" });

    const refused = await still.get("/v2/test/inbox", { key });

    expect([refused.status, refused.code]).toEqual([404, "not_found"]);
  });
});

test("a page of another site sends no message, and a program that says nothing of sites does", async () => {
  await using own = await openTestShop();
  const from = (site: string) => send(own, "shop", { headers: { "Sec-Fetch-Site": site } });

  const answers = [await from("cross-site"), await from("same-origin"), await send(own, "shop")];

  expect(answers.map(({ status }) => status)).toEqual([403, 200, 200]);
  expect(await answers[0]?.text()).toContain("cross_site");
  expect((await inbox(own)).list("/data")).toHaveLength(2);
});

describe("in one minute", () => {
  test("60 messages without a valid signature are taken, and the shop's own are not counted", async () => {
    await using own = await openTestShop();
    const { id } = await endpoint(own);
    const headers = signed(STRANGER);
    const strangers = await Promise.all([
      ...Array.from({ length: 30 }, () => send(own, "shop")),
      ...Array.from({ length: 30 }, () => send(own, "shop", { headers })),
    ]);

    const unsigned = await send(own, "shop");
    const wronglySigned = await send(own, "other", { headers });
    const ping = await own.post(`/v2/webhooks/${id}/ping`);

    expect(new Set(strangers.map(({ status }) => status))).toEqual(new Set([200]));
    expect([unsigned.status, wronglySigned.status]).toEqual([429, 429]);
    expect(Number(unsigned.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(ping.status).toBe(200);
    expect(each(await inbox(own, "?signature=valid"), "event")).toEqual(["webhook.ping"]);
    expect(each(await inbox(own, "?limit=100"), "id")).toHaveLength(61);
  });
});

describe("beside the inbox,", () => {
  const shop = sharedShop();

  test.each([
    ["/hooks/test/inbox", 404],
    ["/hooks/test/inbox?status=204", 404],
    ["/hooks/live/inbox", 404],
    ["/hooks/test/paystack", 404],
    ["/hooks/live/inbox/shop", 404],
    ["/hooks/test/inbox/", 404],
    ["/hooks/test/inbox/shop/more", 404],
  ])("%s answers %i", async (path, status) => {
    const answer = await fetch(`${shop.url}${path}`, { method: "POST", body: BODY });

    expect(answer.status).toBe(status);
    expect((await inbox(shop)).list("/data")).toEqual([]);
  });
});
