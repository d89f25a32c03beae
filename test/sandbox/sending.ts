// Whoever sends something to the receiver inside of the test shop. Messages are signed by the library
// that the standard itself offers, not by ours.

import { afterAll, beforeAll } from "bun:test";

import { Webhook } from "standardwebhooks";

import { type Answered, openTestShop, type TestShop } from "../support/shop.ts";

export const BODY = '{"event":"order.paid","data":{"total":12.50}}';
/** Nobody's secret. */
export const STRANGER = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

type HeaderTexts = Readonly<Record<string, string>>;
type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/** Posts to an inbox; answers what it said. */
export function send(
  shop: TestShop,
  name: string,
  { body = BODY, headers = {} }: { readonly body?: Body; readonly headers?: HeaderTexts } = {},
): Promise<Response> {
  const url = `${shop.url}/hooks/test/inbox/${name}`;
  return fetch(url, { method: "POST", redirect: "manual", body, headers });
}

/** The headers of a message, signed by the library that the standard itself offers. */
export function signed(
  secret: string,
  { id = "evt_1", body = BODY, secondsAgo = 0 } = {},
): HeaderTexts {
  const at = new Date((Math.floor(Date.now() / 1000) - secondsAgo) * 1000);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(at.getTime() / 1000),
    "webhook-signature": new Webhook(secret).sign(id, at, body),
  };
}

/** A webhook that leads to the inbox. */
export async function endpoint(shop: TestShop): Promise<{ id: string; secret: string }> {
  const made = await shop.post("/v2/webhooks", { url: `${shop.url}/hooks/test/inbox/shop` });
  return { id: made.id, secret: made.string("/secret") };
}

export function inbox(shop: TestShop, query = ""): Promise<Answered> {
  return shop.get(`/v2/test/inbox${query}`);
}

export function each(found: Answered, field: string): unknown[] {
  return found.list("/data").map((_, index) => found.at(`/data/${index}/${field}`));
}

/** One shop for all tests of a group that do not mind each other's messages. */
export function sharedShop(): () => TestShop {
  let opened: TestShop | undefined;
  beforeAll(async () => {
    opened = await openTestShop();
  });
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
  });
  return () => {
    if (opened === undefined) throw new Error("The shop is not open yet.");
    return opened;
  };
}
