// Proves that a webhook comes from the shop. Part of the emitted file.

import { DukaError } from "./duka-error.ts";
import type { Event } from "./emitted-types.ts";

const WEBHOOK_TOLERANCE_SECONDS = 300;

/**
 * The event of a webhook, once its signature (Standard Webhooks) and its age of at most five minutes
 * are proved; otherwise throws `webhook_invalid`. `body` is the body as it was received, not parsed.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>,
  secret: string,
): Promise<Event> {
  const header = (name: string) =>
    String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? "");
  const timestamp = header("webhook-timestamp");
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || ageSeconds > WEBHOOK_TOLERANCE_SECONDS) {
    throw new DukaError("webhook_invalid", "The webhook is older than five minutes.");
  }
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${header("webhook-id")}.${timestamp}.${text}`);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const bytes = fromBase64(secret.replace(/^whsec_/, ""));
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]);
  for (const signature of header("webhook-signature").split(" ")) {
    if (!/^v1,[\w+/]+=*$/.test(signature)) continue;
    if (await crypto.subtle.verify("HMAC", key, fromBase64(signature.slice(3)), signed)) {
      return JSON.parse(text);
    }
  }
  throw new DukaError("webhook_invalid", "No signature of the webhook was made with this secret.");
}

function fromBase64(text: string) {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
