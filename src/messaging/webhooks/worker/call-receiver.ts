// Workflow: send one signed request to one receiver. It writes nothing; the caller saves the outcome.

import type { Id } from "#kernel/id.ts";
import { realClock } from "#kernel/time.ts";
import type { FailureClass } from "#messaging/webhooks/deliveries/delivery-life.ts";
import {
  type DeliveryOutcome,
  isSuccess,
  readRetryAfter,
} from "#messaging/webhooks/deliveries/delivery.ts";
import { signatureHeaders } from "#messaging/webhooks/endpoints/signature.ts";
import { type SealedEndpoint, validSeals } from "#messaging/webhooks/endpoints/webhook.ts";
import type { CallResult } from "#platform/net/call-out.ts";
import { reachOf } from "#platform/net/target-url.ts";
import { SealBroken } from "#platform/vault/vault.ts";

import type { MessagingShop } from "./messaging-shop.ts";

export interface Message {
  readonly deliveryId: Id<"delivery">;
  readonly eventId: string;
  /** Signed and sent as is. */
  readonly body: string;
  readonly signal?: AbortSignal;
}

/** Sends the message. Its timestamp is real time, because receivers reject old messages. */
export async function callReceiver(
  shop: MessagingShop,
  endpoint: SealedEndpoint,
  { deliveryId, eventId, body, signal }: Message,
): Promise<DeliveryOutcome> {
  const secrets = secretsOf(shop, endpoint);
  if (secrets === null) return failedAs("secret_unreadable");
  const now = realClock.now();
  const message = { id: eventId, timestamp: Math.floor(now / 1000), body };
  const result = await shop.callOut({
    url: endpoint.url,
    headers: {
      ...signatureHeaders(message, secrets),
      "content-type": "application/json",
      "duka-delivery-id": deliveryId,
      "user-agent": "Duka-Webhooks",
    },
    body,
    reach: reachOf(shop),
    ...(signal === undefined ? {} : { signal }),
  });
  return outcomeOf(result);
}

/** Null if the secrets were sealed with the key of another data directory. */
function secretsOf({ database, clock }: MessagingShop, endpoint: SealedEndpoint): string[] | null {
  try {
    return validSeals(endpoint, clock.now()).map((sealed) => database.vault.unseal(sealed));
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}

function outcomeOf(result: CallResult): DeliveryOutcome {
  const now = realClock.now();
  const receiverNow = Date.parse(result.headers?.get("date") ?? "");
  const outcome = {
    responseStatus: result.status,
    failure: result.failure,
    address: result.address,
    excerpt: result.excerpt,
    durationMs: Math.round(result.durationMs),
    retryAfterMs: readRetryAfter(result.headers?.get("retry-after") ?? null, now),
    skewMs: Number.isNaN(receiverNow) ? null : Math.abs(receiverNow - now),
  };
  if (outcome.failure !== null || isSuccess(outcome)) return outcome;
  return { ...outcome, failure: "status" };
}

function failedAs(failure: FailureClass): DeliveryOutcome {
  return {
    responseStatus: null,
    failure,
    address: null,
    excerpt: "",
    durationMs: 0,
    retryAfterMs: null,
    skewMs: null,
  };
}
