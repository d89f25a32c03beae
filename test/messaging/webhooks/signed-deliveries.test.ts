// What a receiver can check without trusting us: verifiers that are not ours, on what really arrives.

import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";

import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";

import { signatureHeaders } from "#messaging/webhooks/endpoints/signature.ts";

import { openReceiver, type Received } from "../../support/receivers.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";
import { each, happen, idsOf, later } from "./delivering.ts";
import { type MadeEndpoint, openEndpoint } from "./endpoints.ts";

const HOUR = 3_600;
/** What is easily broken on the way: other scripts, a pair of surrogates, a line separator, digits. */
const NOTE = "Kofi’s \u2028 🛒 چای </script> \\ \u007f";

/** A message as a verifier takes it. */
interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Whether a verifier that is not ours takes the message. */
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

/** By hand, as the standard's page says; of the headers it looks at the signature alone. */
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

/** What arrives of the first thing that happens in a shop. */
async function firstMessage(shop: TestShop): Promise<[MadeEndpoint, Message]> {
  await using receiver = openReceiver();
  const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
  await happen(shop);
  const [arrived] = await receiver.next();
  if (arrived === undefined) throw new Error("Nothing arrived.");
  return [endpoint, messageOf(arrived)];
}

/** A message that the shop would have signed so many seconds ago. */
function aged(secret: string, body: string, seconds: number): Message {
  const timestamp = Math.floor(Date.now() / 1000) - seconds;
  return { headers: signatureHeaders({ id: "evt_1", timestamp, body }, [secret]), body };
}

const NOBODYS = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

describe.each(verifiers)("%s", (_, verify) => {
  test("takes what arrives", async () => {
    await using shop = await openTestShop();

    const [{ secret }, message] = await firstMessage(shop);

    expect(await verify(secret, message)).toBeTrue();
  });

  test("refuses it with one byte changed", async () => {
    await using shop = await openTestShop();

    const [{ secret }, message] = await firstMessage(shop);

    expect(await verify(secret, { ...message, body: `${message.body} ` })).toBeFalse();
    const changed = message.body.replace("ada@", "bda@");
    expect(await verify(secret, { ...message, body: changed })).toBeFalse();
  });

  test("refuses it under another id", async () => {
    await using shop = await openTestShop();

    const [{ secret }, message] = await firstMessage(shop);

    const headers = { ...message.headers, "webhook-id": "evt_other" };
    expect(await verify(secret, { ...message, headers })).toBeFalse();
  });

  test("refuses it with another time", async () => {
    await using shop = await openTestShop();

    const [{ secret }, message] = await firstMessage(shop);

    const timestamp = String(Number(message.headers["webhook-timestamp"]) - 1);
    const headers = { ...message.headers, "webhook-timestamp": timestamp };
    expect(await verify(secret, { ...message, headers })).toBeFalse();
  });

  test("refuses it with the secret of somebody else", async () => {
    await using shop = await openTestShop();

    const [, message] = await firstMessage(shop);

    expect(await verify(NOBODYS, message)).toBeFalse();
  });

  test("refuses the secret taken as text", async () => {
    await using shop = await openTestShop();

    const [{ secret }, message] = await firstMessage(shop);

    const asText = `whsec_${Buffer.from(secret).toString("base64")}`;
    expect(await verify(asText, message)).toBeFalse();
  });

  test("takes either secret during a rotation, and the new one alone afterwards", async () => {
    await using shop = await openTestShop();
    await using receiver = openReceiver();
    const { path, secret: old } = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    const fresh = (await shop.post(`${path}/rotate-secret`)).string("/secret");

    await happen(shop);
    await later(shop, 24 * HOUR + 1);
    await happen(shop);
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
  test("refuses what is older than five minutes", async () => {
    await using shop = await openTestShop();

    const [{ secret }, { body }] = await firstMessage(shop);

    expect(await verify(secret, aged(secret, body, 301))).toBeFalse();
    expect(await verify(secret, aged(secret, body, 290))).toBeTrue();
  });

  test("takes what is sent while the shop's clock is moved", async () => {
    await using shop = await openTestShop();
    await later(shop, 1_000 * 24 * HOUR);

    const [{ secret }, message] = await firstMessage(shop);

    expect(await verify(secret, message)).toBeTrue();
  });

  test("refuses a signature of another kind alone", async () => {
    await using shop = await openTestShop();

    const [{ secret }, message] = await firstMessage(shop);

    const signature = message.headers["webhook-signature"]?.replace("v1,", "v1a,") ?? "";
    const headers = { ...message.headers, "webhook-signature": signature };
    expect(await verify(secret, { ...message, headers })).toBeFalse();
  });
});

test("the standard's example is signed as everybody signs it", () => {
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

describe("what arrives", () => {
  test("is byte for byte what the feed shows", async () => {
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

  test("is JSON, posted to the URL as it was given", async () => {
    await using shop = await openTestShop();
    await using receiver = openReceiver();
    await openEndpoint(shop, { url: `${receiver.url}?shop=1&b=%2F`, events: ["*"] });

    await happen(shop);

    const [arrived] = await receiver.next();
    expect(arrived?.method).toBe("POST");
    expect(arrived?.path).toBe("/hook?shop=1&b=%2F");
    expect(arrived?.headers.get("content-type")).toBe("application/json");
    expect(arrived?.headers.get("content-length")).toBe(String(arrived?.bytes.length));
    expect(arrived?.headers.get("authorization")).toBeNull();
  });

  test("has everything of the event, and carries its id in the headers too", async () => {
    await using shop = await openTestShop();

    const [, message] = await firstMessage(shop);

    const [event] = await shop.events();
    expect(JSON.parse(message.body)).toEqual({
      id: event?.id,
      event: "customer.created",
      created_at: expect.any(String),
      store_id: expect.stringMatching(/^str_/),
      mode: "test",
      sequence: event?.sequence,
      data: { id: event?.subject, email: "ada@x.example" },
    });
    expect(message.headers["webhook-id"]).toBe(event?.id ?? "");
  });

  test("has the event's id each time, and the delivery's until it is replayed", async () => {
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
