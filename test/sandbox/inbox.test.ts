// The test shop's inbox: what it saves, and how its response can be chosen.

import { describe, expect, test } from "bun:test";

import { recordMessage } from "#sandbox/inbox/record-message.ts";
import { inboxMessageWire } from "#sandbox/inbox/schema.ts";

import { ada } from "../support/cast.ts";
import { MORNING_MS, openTestShop, type TestShop } from "../support/shop.ts";
import { BODY, each, endpoint, inbox, send, sharedShop, signed, STRANGER } from "./sending.ts";

/** All messages, newest first. */
async function bodies(shop: TestShop, cursor = ""): Promise<unknown[]> {
  const page = await inbox(shop, `?limit=100${cursor}`);
  const next = page.at("/next_cursor");
  const rest = typeof next === "string" ? await bodies(shop, `&cursor=${next}`) : [];
  return [...each(page, "body"), ...rest];
}

test("a message is saved as it arrived", async () => {
  await using shop = await openTestShop();
  const { id, secret } = await endpoint(shop);

  const answer = await send(shop, "shop", {
    headers: {
      ...signed(secret, { id: "evt_7" }),
      "Content-Type": "application/json",
      "Duka-Delivery-Id": "dlv_3",
    },
  });

  const found = await inbox(shop);
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
  const group = sharedShop();

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
    const shop = group();

    const answer = await send(shop, "shop", { body });

    const found = await inbox(shop);
    expect(answer.status).toBe(200);
    expect([found.at("/data/0/event"), found.at("/data/0/body")]).toEqual([event, body]);
  });

  test("keeps no header that carries credentials", async () => {
    const shop = group();

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
    const shop = group();

    await fetch(`${shop.url}/hooks/test/inbox/shop`, { method: "POST" });

    expect((await inbox(shop)).at("/data/0/body")).toBe("");
  });

  test("may have 64 KiB", async () => {
    const shop = group();

    const answer = await send(shop, "shop", { body: new Uint8Array(65_536) });

    expect(answer.status).toBe(200);
    expect((await inbox(shop)).string("/data/0/body")).toHaveLength(65_536);
  });
});

describe("a sender", () => {
  const group = sharedShop();

  test.each([200, 204, 302, 304, 410, 429, 503, 599])(
    "gets the status %i on demand",
    async (status) => {
      const shop = group();

      const answer = await send(shop, `shop?status=${status}`);

      expect([answer.status, await answer.text()]).toEqual([status, ""]);
      expect((await inbox(shop)).at("/data/0/answered_status")).toBe(status);
    },
  );
});

describe("a refused sender saves nothing:", () => {
  const group = sharedShop();

  test.each(["199", "600", "099", "2000", "20x", ""])("status %p on demand", async (status) => {
    const shop = group();

    const answer = await send(shop, `shop?status=${status}`);

    expect(answer.status).toBe(400);
    expect((await inbox(shop)).list("/data")).toEqual([]);
  });

  test.each(["a.b", "a%20b", "a%2Fb", "%ff", "%00", "ä", "n".repeat(65)])(
    "an inbox of the name %p",
    async (name) => {
      const shop = group();

      const answer = await send(shop, name);

      expect(answer.status).toBe(404);
      expect((await inbox(shop)).list("/data")).toEqual([]);
    },
  );

  test.each(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])(
    "the method %s",
    async (method) => {
      const shop = group();

      const answer = await fetch(`${shop.url}/hooks/test/inbox/shop`, { method });

      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
      expect((await inbox(shop)).list("/data")).toEqual([]);
    },
  );

  test.each([65_537, 1_500_000])("%i bytes", async (size) => {
    const shop = group();

    const answer = await send(shop, "shop", { body: new Uint8Array(size) });

    expect(answer.status).toBe(413);
    expect((await inbox(shop)).list("/data")).toEqual([]);
  });

  test("a body without end", async () => {
    const shop = group();
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(16_384)),
    });

    const answer = await send(shop, "shop", { body: endless });

    expect(answer.status).toBe(413);
    expect((await inbox(shop)).list("/data")).toEqual([]);
  });
});

describe("the inbox", () => {
  test("keeps the newest thousand, however many arrive at once", async () => {
    await using shop = await openTestShop();
    const texts = Array.from({ length: 1_000 }, (_, index) => `message ${index}`);
    const arrive = (text: string) =>
      recordMessage(shop.test, {
        name: "shop",
        headers: new Headers(),
        bytes: Buffer.from(text),
        signature: "unsigned",
        webhookId: null,
        answeredStatus: 200,
      });
    await Promise.all(["old", "older", "oldest"].map(arrive));

    await Promise.all(texts.map(arrive));

    expect(new Set(await bodies(shop))).toEqual(new Set(texts));
  });

  test("is listed page by page, newest first, also by name", async () => {
    await using shop = await openTestShop();
    await send(shop, "a", { body: "1" });
    await send(shop, "b", { body: "2" });
    await send(shop, "a", { body: "3" });
    await send(shop, "a", { body: "4" });

    const first = await inbox(shop, "?name=a&limit=2");
    const second = await inbox(shop, `?name=a&limit=2&cursor=${first.string("/next_cursor")}`);

    expect([each(first, "body"), each(second, "body")]).toEqual([["4", "3"], ["1"]]);
    expect(await bodies(shop)).toEqual(["4", "3", "2", "1"]);
  });

  test("is filtered by the verdict on the signature", async () => {
    await using shop = await openTestShop();
    const { secret } = await endpoint(shop);
    await send(shop, "shop", { headers: signed(secret) });
    await send(shop, "shop", { headers: signed(STRANGER) });
    await send(shop, "shop");

    const valid = await inbox(shop, "?signature=valid");
    const others = await inbox(shop, "?signature=invalid,unsigned");

    expect(each(valid, "signature")).toEqual(["valid"]);
    expect(each(others, "signature")).toEqual(["unsigned", "invalid"]);
  });

  test.each(["name=a.b", "name=", "signature=right", "signature="])(
    "refuses the filter %s",
    async (query) => {
      await using shop = await openTestShop();

      const refused = await inbox(shop, `?${query}`);

      expect([refused.status, refused.code]).toEqual([400, "query_invalid"]);
    },
  );

  test("is emptied by name, or entirely", async () => {
    await using shop = await openTestShop();
    await send(shop, "a", { body: "1" });
    await send(shop, "b", { body: "2" });

    const one = await shop.delete("/v2/test/inbox?name=a");
    const left = await bodies(shop);
    const all = await shop.delete("/v2/test/inbox");

    expect([one.status, left, all.status, await bodies(shop)]).toEqual([204, ["2"], 204, []]);
  });

  test("never reuses an id after it was emptied", async () => {
    await using shop = await openTestShop();
    await send(shop, "shop", { body: "1" });
    await shop.delete("/v2/test/inbox");

    await send(shop, "shop", { body: "2" });

    expect(each(await inbox(shop), "id")).toEqual(["2"]);
  });

  test("is empty after a reset", async () => {
    await using shop = await openTestShop();
    await send(shop, "shop");

    await shop.post("/v2/test/reset");

    expect((await inbox(shop)).list("/data")).toEqual([]);
  });

  test.each([
    ["erased", (shop: TestShop, id: string) => shop.post(`/v2/customers/${id}/erase`)],
    ["deleted", (shop: TestShop, id: string) => shop.delete(`/v2/customers/${id}`)],
  ])("has no message about a customer who was %s, and keeps those about others", async (_, end) => {
    await using shop = await openTestShop();
    const id = await ada(shop);
    const about = (customer: object) => JSON.stringify({ event: "order.paid", data: { customer } });
    const nada = about({ id: null, email: "nada@example.com", phone: "+2332012345678" });
    await send(shop, "shop", { body: about({ id, email: null }) });
    await send(shop, "shop", { body: about({ id: null, email: "ada@example.com" }) });
    await send(shop, "shop", { body: about({ phone: "+233201234567" }) });
    await send(shop, "shop", { body: nada });

    await end(shop, id);

    expect(await bodies(shop)).toEqual([nada]);
  });

  test("emits no event", async () => {
    await using shop = await openTestShop();

    await send(shop, "shop");

    expect(await shop.announced()).toEqual([]);
  });

  test("is unknown to a live key", async () => {
    await using shop = await openTestShop();
    const key = await shop.createKey({ mode: "live" });

    const refused = await shop.get("/v2/test/inbox", { key });

    expect([refused.status, refused.code]).toEqual([404, "not_found"]);
  });
});

describe("in one minute", () => {
  test("60 messages without a valid signature are taken, and the shop's own are not counted", async () => {
    await using shop = await openTestShop();
    const { id } = await endpoint(shop);
    const headers = signed(STRANGER);
    const strangers = await Promise.all([
      ...Array.from({ length: 30 }, () => send(shop, "shop")),
      ...Array.from({ length: 30 }, () => send(shop, "shop", { headers })),
    ]);

    const unsigned = await send(shop, "shop");
    const wronglySigned = await send(shop, "other", { headers });
    const ping = await shop.post(`/v2/webhooks/${id}/ping`);

    expect(new Set(strangers.map(({ status }) => status))).toEqual(new Set([200]));
    expect([unsigned.status, wronglySigned.status]).toEqual([429, 429]);
    expect(Number(unsigned.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(ping.status).toBe(200);
    expect(each(await inbox(shop, "?signature=valid"), "event")).toEqual(["webhook.ping"]);
    expect(each(await inbox(shop, "?limit=100"), "id")).toHaveLength(61);
  });
});

describe("beside the inbox,", () => {
  const group = sharedShop();

  test.each([
    ["/hooks/test/inbox", 404],
    ["/hooks/test/inbox?status=204", 404],
    ["/hooks/live/inbox", 404],
    ["/hooks/test/paystack", 404],
    ["/hooks/live/inbox/shop", 404],
    ["/hooks/test/inbox/", 404],
    ["/hooks/test/inbox/shop/more", 404],
  ])("%s answers %i", async (path, status) => {
    const shop = group();

    const answer = await fetch(`${shop.url}${path}`, { method: "POST", body: BODY });

    expect(answer.status).toBe(status);
    expect((await inbox(shop)).list("/data")).toEqual([]);
  });
});
