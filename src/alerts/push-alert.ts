// Workflow: hands an alert to the push service of a browser, and notes what became of the subscription.

import type { SendOutcome } from "#emails/email.ts";
import { isId } from "#kernel/id.ts";
import { HOUR_MS, realClock, SECOND_MS } from "#kernel/time.ts";
import type { Database, Reader } from "#platform/database/database.ts";
import type { CallResult } from "#platform/net/call-out.ts";
import { onlyPublic } from "#platform/net/target-url.ts";
import { encryptPush } from "#platform/push/encrypt.ts";
import { vapidHeader } from "#platform/push/vapid.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { findPushKeys } from "#shop/connections/push-keys.ts";
import {
  dropSubscription,
  findSubscriptionTerms,
  noteFailure,
  noteTaken,
} from "#shop/people/sessions/subscriptions.ts";
import { getStore } from "#shop/store/lookups.ts";

import type { AlertsShop, PushMessage } from "./alerts-shop.ts";

/** How long the service keeps a message for a phone that is off: later, it is no news. */
const KEPT_MS = 4 * HOUR_MS;
/** Others go on meanwhile. */
const CALL_MS_MAX = 10 * SECOND_MS;
/** Services take no more than 4 KB once it is encrypted. */
const BYTES_MAX = 2_048;

const GONE: ReadonlySet<number | null> = new Set([404, 410]);
/** Answers for good: the message, not the service, is to blame. */
const REFUSED: ReadonlySet<number | null> = new Set([400, 401, 403, 413]);

/** Sends it once; null once the browser is subscribed no more. `people` is the live shop's. */
export async function pushMessage(
  { database, callOut, pushInbox }: Pick<AlertsShop, "database" | "callOut" | "pushInbox">,
  people: Database,
  { subscriptionId, message }: { readonly subscriptionId: string; readonly message: PushMessage },
): Promise<SendOutcome | null> {
  if (!isId("pushSubscription", subscriptionId)) return null;
  const terms = await findSubscriptionTerms(people.read, people.vault, subscriptionId);
  const keys = await findPushKeys(people.read, people.vault);
  if (terms === null || keys === null) return null;
  if (pushInbox !== null) {
    await pushInbox(message);
    return { kind: "accepted" };
  }
  const { endpoint } = terms;
  const contact = await contactOf(database.read);
  const result = await callOut({
    url: endpoint,
    headers: {
      authorization: vapidHeader(keys, { endpoint, contact, now: realClock.now() }),
      "content-encoding": "aes128gcm",
      "content-type": "application/octet-stream",
      ttl: String(KEPT_MS / SECOND_MS),
      urgency: "high",
    },
    body: encryptPush(terms, shortened(message)),
    reach: onlyPublic,
    timeoutMs: CALL_MS_MAX,
  });
  const { status } = result;
  if (GONE.has(status)) {
    await people.write((tx) => dropSubscription(tx, subscriptionId));
    return null;
  }
  const outcome = outcomeOf(result);
  const note = outcome.kind === "accepted" ? noteTaken : noteFailure;
  // A message that is too long is no fault of the way.
  if (status !== TOO_LONG) await people.write((tx) => note(tx, subscriptionId));
  return outcome;
}

const TOO_LONG = 413;

/** The address at which a push service reaches the shop: its email, or its public address. */
async function contactOf(db: Reader): Promise<string> {
  const { contactEmail } = await getStore(db);
  return contactEmail === null ? (await getLinkTerms(db)).publicUrl : `mailto:${contactEmail}`;
}

/** The title alone, where the rest would not fit. */
function shortened(message: PushMessage): string {
  const text = JSON.stringify(message);
  return Buffer.byteLength(text) <= BYTES_MAX ? text : JSON.stringify({ ...message, body: "" });
}

function outcomeOf(result: CallResult): SendOutcome {
  const { status, failure } = result;
  if (failure === null && status !== null && status >= 200 && status < 300)
    return { kind: "accepted" };
  const kind = REFUSED.has(status) ? "refused" : "later";
  return {
    kind,
    fault: faultOf(result),
    codes: status === null ? "" : String(status),
    isFull: false,
  };
}

function faultOf({ status, failure }: CallResult) {
  if (failure === "timeout") return "timeout";
  if (status === null) return "connection";
  return REFUSED.has(status) ? "rejected" : "busy";
}
