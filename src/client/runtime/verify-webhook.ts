// Proves that a webhook comes from the shop. Part of the emitted file.

import { DukaError } from "./duka-error.ts";
import type { Event, WebhookPing } from "./emitted-types.ts";

const WEBHOOK_TOLERANCE_SECONDS = 300;

/**
 * The event of a webhook, once its signature (Standard Webhooks) and its age of at most five minutes
 * are proved; otherwise throws `webhook_invalid`. `body` is the body as it was received, not parsed.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>,
  secret: string,
): Promise<Event | WebhookPing> {
  const header = (name: string) =>
    String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? "");
  const timestamp = header("webhook-timestamp");
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || ageSeconds > WEBHOOK_TOLERANCE_SECONDS) {
    throw new DukaError("webhook_invalid", "The webhook was not signed within five minutes.");
  }
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${header("webhook-id")}.${timestamp}.${text}`);
  const bytes = bytesOf(secret.replace(/^whsec_/, ""));
  if (bytes === null) throw new TypeError("The secret is not whsec_ and base64.");
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]);
  for (const one of header("webhook-signature").split(" ")) {
    const signature = one.startsWith("v1,") ? bytesOf(one.slice(3)) : null;
    if (signature === null) continue;
    if (await crypto.subtle.verify("HMAC", key, signature, signed)) return JSON.parse(text);
  }
  throw new DukaError("webhook_invalid", "No signature of the webhook was made with this secret.");
}

/** The bytes that base64 stands for; null for any other text. */
function bytesOf(base64: string) {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
