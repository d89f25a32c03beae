// Sends messages to the test shop's inbox, signed by the reference library of Standard Webhooks, which is
// independent of the shop's code.

import { Webhook } from "standardwebhooks";

import type { Answered, TestShop } from "../support/shop.ts";

export const BODY = '{"event":"order.paid","data":{"total":12.50}}';
/** A secret that no webhook has. */
export const STRANGER = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

type HeaderTexts = Readonly<Record<string, string>>;
type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/** Posts to an inbox; returns its response. */
export function send(
  shop: TestShop,
  name: string,
  { body = BODY, headers = {} }: { readonly body?: Body; readonly headers?: HeaderTexts } = {},
): Promise<Response> {
  const url = `${shop.url}/hooks/test/inbox/${name}`;
  return fetch(url, { method: "POST", redirect: "manual", body, headers });
}

/** The headers of a message, signed by the reference library. */
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

/** A webhook whose URL is the inbox. */
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
