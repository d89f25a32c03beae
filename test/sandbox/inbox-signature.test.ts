// The inbox's verdict on a signature, compared with the libraries that merchants use.

import { describe, expect, test } from "bun:test";

import { Webhook as OlderWebhook } from "svix";

import { listSealedEndpoints, saveSecrets } from "#messaging/webhooks/endpoints/queries.ts";

import { openTestShop, sharedShop, type TestShop } from "../support/shop.ts";
import { BODY, endpoint, inbox, send, signed, STRANGER } from "./sending.ts";

/** The verdict on the newest message's signature, and its webhook. */
async function verdict(shop: TestShop): Promise<unknown[]> {
  const found = await inbox(shop, "?limit=1");
  return [found.at("/data/0/signature"), found.at("/data/0/webhook_id")];
}

describe("a signature", () => {
  const shop = sharedShop();

  test("of the shop itself is valid", async () => {
    const { id } = await endpoint(shop);

    const ping = await shop.post(`/v2/webhooks/${id}/ping`);

    const found = await inbox(shop);
    expect([ping.status, ...(await verdict(shop))]).toEqual([200, "valid", id]);
    expect(found.at("/data/0")).toMatchObject({
      event: "webhook.ping",
      event_id: expect.stringMatching(/^evt_/),
      delivery_id: expect.stringMatching(/^dlv_/),
    });
  });

  test("of an independent library is valid", async () => {
    const { id, secret } = await endpoint(shop);
    const now = new Date(Math.floor(Date.now() / 1000) * 1000);

    await send(shop, "shop", {
      headers: {
        ...signed(secret),
        "webhook-timestamp": String(now.getTime() / 1000),
        "webhook-signature": new OlderWebhook(secret).sign("evt_1", now, BODY),
      },
    });

    expect(await verdict(shop)).toEqual(["valid", id]);
  });

  test("of a webhook that sends elsewhere is invalid", async () => {
    const { secret } = await endpoint(shop);

    await send(shop, "elsewhere", { headers: signed(secret) });

    expect(await verdict(shop)).toEqual(["invalid", null]);
  });

  test("is valid with the secret of any webhook of the inbox, and names it", async () => {
    await endpoint(shop);
    const second = await endpoint(shop);

    await send(shop, "shop", { headers: signed(second.secret) });

    expect(await verdict(shop)).toEqual(["valid", second.id]);
  });

  test("is valid beside others that are not", async () => {
    const { id, secret } = await endpoint(shop);
    const headers = signed(secret);

    await send(shop, "shop", {
      headers: {
        ...headers,
        "webhook-signature": `v1a,AAAA ${headers["webhook-signature"]}`,
      },
    });

    expect(await verdict(shop)).toEqual(["valid", id]);
  });

  test("of every body that is text is valid, to the byte", async () => {
    const { id, secret } = await endpoint(shop);
    const body = '\ufeff{"event":"Ȩfua 🥭 \u2028 \0"}\r\n';

    await send(shop, "shop", { body, headers: signed(secret, { body }) });

    expect(await verdict(shop)).toEqual(["valid", id]);
    // Saved with U+FFFD for NUL, which no database column holds.
    expect((await inbox(shop)).at("/data/0/body")).toBe(body.replaceAll("\0", "\uFFFD"));
  });

  test.each([
    ["over another body", { body: `${BODY} ` }, {}],
    ["over another id", { id: "evt_2" }, { "webhook-id": "evt_1" }],
    ["that is too old", { secondsAgo: 310 }, {}],
    ["from the future", { secondsAgo: -310 }, {}],
    ["of another kind", {}, { "webhook-signature": "v1a,AAAA" }],
    ["that is empty", {}, { "webhook-signature": "v1," }],
    ["without a usable time", {}, { "webhook-timestamp": "soon" }],
  ])("%s is wrong", async (_, terms, headers) => {
    const { secret } = await endpoint(shop);

    const answer = await send(shop, "shop", { headers: { ...signed(secret, terms), ...headers } });

    expect(answer.status).toBe(200);
    expect(await verdict(shop)).toEqual(["invalid", null]);
  });

  test("with an unknown secret is invalid", async () => {
    await endpoint(shop);

    await send(shop, "shop", { headers: signed(STRANGER) });

    expect(await verdict(shop)).toEqual(["invalid", null]);
  });

  test("with a secret of the live shop is invalid", async () => {
    await using own = await openTestShop({ settings: { DUKA_TEST_DOORS: "1" } });
    const key = await own.createKey({ mode: "live" });
    const made = await own.post("/v2/webhooks", { url: "https://shop.example/hook" }, { key });

    await send(own, "shop", { headers: signed(made.string("/secret")) });

    expect(await verdict(own)).toEqual(["invalid", null]);
  });

  test("over bytes that are not text is invalid, even if it matches the saved body", async () => {
    const { secret } = await endpoint(shop);

    await send(shop, "shop", {
      body: new Uint8Array([0x7b, 0xff]),
      headers: signed(secret, { body: "{\ufffd" }),
    });

    expect(await verdict(shop)).toEqual(["invalid", null]);
    expect((await inbox(shop)).at("/data/0/body")).toBe("{\ufffd");
  });

  test("that is missing makes a message unsigned", async () => {
    await endpoint(shop);

    await send(shop, "shop", { headers: { "webhook-id": "evt_1" } });

    expect(await verdict(shop)).toEqual(["unsigned", null]);
  });

  test("is found valid although another secret can no longer be decrypted", async () => {
    await endpoint(shop);
    const { id, secret } = await endpoint(shop);
    const [broken] = await listSealedEndpoints(shop.test.database.read);
    if (broken === undefined) throw new Error("There is no webhook.");
    await shop.test.database.write((tx) => saveSecrets(tx, broken, { sealedSecret: "v1.AAAA" }));

    await send(shop, "shop", { headers: signed(secret) });

    expect(await verdict(shop)).toEqual(["valid", id]);
  });
});

describe("after a rotation", () => {
  test("the previous secret is valid until it expires on the shop's clock", async () => {
    await using own = await openTestShop();
    const { id, secret } = await endpoint(own);
    await own.post(`/v2/webhooks/${id}/rotate-secret`, { overlap_hours: 1 });

    await own.post("/v2/test/clock/advance", { seconds: 3599 });
    await send(own, "shop", { headers: signed(secret) });
    const before = await verdict(own);
    await own.post("/v2/test/clock/advance", { seconds: 1 });
    await send(own, "shop", { headers: signed(secret) });
    const after = await verdict(own);

    expect([before, after]).toEqual([
      ["valid", id],
      ["invalid", null],
    ]);
  });

  test("the new secret is valid at once", async () => {
    await using own = await openTestShop();
    const { id } = await endpoint(own);
    const rotated = await own.post(`/v2/webhooks/${id}/rotate-secret`, { overlap_hours: 0 });

    await send(own, "shop", { headers: signed(rotated.string("/secret")) });

    expect(await verdict(own)).toEqual(["valid", id]);
  });
});
