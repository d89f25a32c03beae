// Real deliveries, verified by independent implementations of Standard Webhooks.

import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";

import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";

import { signatureHeaders } from "#platform/net/signature.ts";

import { openReceiver, type Received } from "../../support/receivers.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";
import { each, happen, idsOf, later } from "./delivering.ts";
import { type MadeEndpoint, openEndpoint, sharedSender } from "./endpoints.ts";

const shared = sharedSender();

const HOUR = 3_600;
/** Text that breaks easily in transit: other scripts, surrogate pairs, line separators, digits. */
const NOTE = "Kofi’s \u2028 🛒 چای </script> \\ \u007f";

/** A message in the form of a verifier's input. */
interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Whether an independent verifier accepts the message. */
type Verify = (secret: string, message: Message) => Promise<boolean>;

function library(verifier: {
  new (secret: string): { verify(body: string, headers: Record<string, string>): unknown };
}): Verify {
  return async (secret, { body, headers }) => {
    try {
      new verifier(secret).verify(body, { ...headers });
      return true;
    } catch {
      return false;
    }
  };
}

/** Written after the standard's text; of the headers it checks only the signature. */
const byHand: Verify = async (secret, { body, headers }) => {
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const made = createHmac("sha256", key).update(signed).digest("base64");
  return headers["webhook-signature"]?.split(" ").includes(`v1,${made}`) === true;
};

const verifiers: [string, Verify][] = [
  ["standardwebhooks", library(StandardWebhook)],
  ["an older svix", library(SvixWebhook)],
  ["a few lines of code", byHand],
];

function messageOf({ headers, body }: Received): Message {
  return { headers: Object.fromEntries(headers), body };
}

/** The first message that a shop delivers. */
async function firstMessage(shop: TestShop): Promise<[MadeEndpoint, Message]> {
  await using receiver = openReceiver();
  const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
  await happen(shop);
  const [arrived] = await receiver.next();
  if (arrived === undefined) throw new Error("Nothing arrived.");
  return [endpoint, messageOf(arrived)];
}

/** A message signed this many seconds ago. */
function aged(secret: string, body: string, seconds: number): Message {
  const timestamp = Math.floor(Date.now() / 1000) - seconds;
  return { headers: signatureHeaders({ id: "evt_1", timestamp, body }, [secret]), body };
}

const NOBODYS = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

describe.each(verifiers)("%s", (_, verify) => {
  test("accepts the message", async () => {
    const [{ secret }, message] = await firstMessage(shared);

    expect(await verify(secret, message)).toBeTrue();
  });

  test("rejects it with one byte changed", async () => {
    const [{ secret }, message] = await firstMessage(shared);

    expect(await verify(secret, { ...message, body: `${message.body} ` })).toBeFalse();
    const changed = message.body.replace("ada@", "bda@");
    expect(await verify(secret, { ...message, body: changed })).toBeFalse();
  });

  test("rejects it under another id", async () => {
    const [{ secret }, message] = await firstMessage(shared);

    const headers = { ...message.headers, "webhook-id": "evt_other" };
    expect(await verify(secret, { ...message, headers })).toBeFalse();
  });

  test("rejects it with another timestamp", async () => {
    const [{ secret }, message] = await firstMessage(shared);

    const timestamp = String(Number(message.headers["webhook-timestamp"]) - 1);
    const headers = { ...message.headers, "webhook-timestamp": timestamp };
    expect(await verify(secret, { ...message, headers })).toBeFalse();
  });

  test("rejects it with another endpoint's secret", async () => {
    const [, message] = await firstMessage(shared);

    expect(await verify(NOBODYS, message)).toBeFalse();
  });

  test("rejects the secret used as text", async () => {
    const [{ secret }, message] = await firstMessage(shared);

    const asText = `whsec_${Buffer.from(secret).toString("base64")}`;
    expect(await verify(asText, message)).toBeFalse();
  });

  test("accepts both secrets during a rotation, and only the new one afterwards", async () => {
    await using receiver = openReceiver();
    const { path, secret: old } = await openEndpoint(shared, { url: receiver.url, events: ["*"] });
    const fresh = (await shared.post(`${path}/rotate-secret`)).string("/secret");

    await happen(shared);
    await later(shared, 24 * HOUR + 1);
    await happen(shared);
    const [during, after] = (await receiver.next(2)).map(messageOf);

    const taken = [
      await verify(old, during ?? { headers: {}, body: "" }),
      await verify(fresh, during ?? { headers: {}, body: "" }),
      await verify(old, after ?? { headers: {}, body: "" }),
      await verify(fresh, after ?? { headers: {}, body: "" }),
    ];
    expect(taken).toEqual([true, true, false, true]);
  });
});

describe.each(verifiers.slice(0, 2))("%s", (_, verify) => {
  test("rejects a message older than five minutes", async () => {
    const [{ secret }, { body }] = await firstMessage(shared);

    expect(await verify(secret, aged(secret, body, 301))).toBeFalse();
    expect(await verify(secret, aged(secret, body, 290))).toBeTrue();
  });

  test("accepts messages while the shop's clock is moved", async () => {
    await using shop = await openTestShop();
    await later(shop, 1_000 * 24 * HOUR);

    const [{ secret }, message] = await firstMessage(shop);

    expect(await verify(secret, message)).toBeTrue();
  });

  test("rejects a message with only another kind of signature", async () => {
    const [{ secret }, message] = await firstMessage(shared);

    const signature = message.headers["webhook-signature"]?.replace("v1,", "v1a,") ?? "";
    const headers = { ...message.headers, "webhook-signature": signature };
    expect(await verify(secret, { ...message, headers })).toBeFalse();
  });
});

test("the standard's example gets the standard's signature", () => {
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const id = "msg_p5jXN8AQM9LWM0D4loKWxJek";

  const headers = signatureHeaders({ id, timestamp: 1614265330, body: '{"test": 2432232314}' }, [
    secret,
  ]);

  expect(headers).toEqual({
    "webhook-id": id,
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

describe("a message", () => {
  test("has the same bytes as the feed", async () => {
    await using shop = await openTestShop();
    await using receiver = openReceiver();
    await openEndpoint(shop, { url: receiver.url, events: ["product.created"] });
    const terms = { currency: "USD", price: 249.5, metadata: { note: NOTE } };
    await shop.post("/v2/products", { name: "Mug 🛒", sku: "MUG", ...terms });

    const [arrived] = await receiver.next();
    const feed = await shop.get("/v2/events?event=product.created");
    const one = await shop.get(`/v2/events/${arrived?.headers.get("webhook-id")}`);

    expect(Buffer.from(arrived?.bytes ?? []).equals(Buffer.from(one.text))).toBeTrue();
    expect(feed.text).toContain(`[${arrived?.body}]`);
    expect(arrived?.body).toContain("249.50");
    expect(JSON.parse(arrived?.body ?? "").data.metadata.note).toBe(NOTE);
  });

  test("is JSON, posted to the exact URL", async () => {
    await using receiver = openReceiver();
    await openEndpoint(shared, { url: `${receiver.url}?shop=1&b=%2F`, events: ["*"] });

    await happen(shared);

    const [arrived] = await receiver.next();
    expect(arrived?.method).toBe("POST");
    expect(arrived?.path).toBe("/hook?shop=1&b=%2F");
    expect(arrived?.headers.get("content-type")).toBe("application/json");
    expect(arrived?.headers.get("content-length")).toBe(String(arrived?.bytes.length));
    expect(arrived?.headers.get("authorization")).toBeNull();
  });

  test("contains the whole event, and its id in the headers too", async () => {
    const [, message] = await firstMessage(shared);

    const events = await shared.events();
    const event = events.find(({ id }) => id === message.headers["webhook-id"]);
    expect(JSON.parse(message.body)).toEqual({
      id: event?.id,
      event: "customer.created",
      created_at: expect.any(String),
      store_id: expect.stringMatching(/^str_/),
      mode: "test",
      sequence: event?.sequence,
      data: JSON.parse(event?.data ?? ""),
    });
    expect(message.headers["webhook-id"]).toBe(event?.id ?? "");
  });

  test("keeps the event's id always, and the delivery's id until a replay", async () => {
    await using shop = await openTestShop();
    await using receiver = openReceiver({
      answer: (_, nth) => new Response(null, { status: nth === 1 ? 500 : 204 }),
    });
    const { path } = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    const [event = ""] = await happen(shop);
    await later(shop, 10);
    const first = (await shop.get(`${path}/deliveries`)).string("/data/0/id");

    await shop.post(`/v2/webhooks/deliveries/${first}/resend`);
    await shop.post(`${path}/replay`, {});
    const arrived = await receiver.next(4);

    expect(idsOf(arrived)).toEqual([event, event, event, event]);
    const deliveries = each(arrived, "duka-delivery-id");
    expect(deliveries.slice(0, 3)).toEqual([first, first, first]);
    expect(deliveries[3]).toMatch(/^dlv_/);
    expect(deliveries[3]).not.toBe(first);
  });
});
