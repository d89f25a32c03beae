// Workflow: one signed message to the hook. It is no event and no delivery: nothing of it is stored.

import { newRequestId } from "#kernel/id.ts";
import { realClock, SECOND_MS } from "#kernel/time.ts";
import type { MessagingShop } from "#messaging/webhooks/worker/messaging-shop.ts";
import { signatureHeaders } from "#platform/net/signature.ts";
import { reachOf } from "#platform/net/target-url.ts";
import { SealBroken } from "#platform/vault/vault.ts";

import { HOOK_MS_MAX, type HookMessage, SEAL_PLACE, type SealedHook, sealsAt } from "./hook.ts";

/** Sends it once. Returns why the hook did not take it; null if it did, which any status 2xx says. */
export async function sendToHook(
  shop: MessagingShop,
  hook: SealedHook,
  message: HookMessage,
): Promise<string | null> {
  const secrets = secretsOf(shop, hook);
  if (secrets === null) return "its secret cannot be decrypted";
  const body = JSON.stringify(message);
  const timestamp = Math.floor(realClock.now() / SECOND_MS);
  const id = newRequestId().replace("req_", "msg_");
  const { status, failure } = await shop.callOut({
    url: hook.url,
    headers: {
      ...signatureHeaders({ id, timestamp, body }, secrets),
      "content-type": "application/json",
      "user-agent": "Duka-Messages",
    },
    body,
    reach: reachOf(shop),
    timeoutMs: HOOK_MS_MAX,
  });
  if (failure !== null) return failure;
  return status !== null && status >= 200 && status < 300 ? null : `status ${status}`;
}

/** Null if the secrets were sealed with the key of another data directory. */
function secretsOf({ database, clock }: MessagingShop, hook: SealedHook): string[] | null {
  try {
    return sealsAt(hook, clock.now()).map((sealed) => database.vault.unseal(sealed, SEAL_PLACE));
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}
