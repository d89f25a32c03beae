// Stories: the browsers in which a person gets push messages. What the browser gave is sealed.

import { createHash } from "node:crypto";

import { isObject } from "#kernel/assume.ts";
import { type Id, newId } from "#kernel/id.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import type { RowOf } from "#platform/database/record.ts";
import { onlyPublic, targetFaults } from "#platform/net/target-url.ts";
import { areUsableKeys, type SubscriptionKeys } from "#platform/push/encrypt.ts";
import { type Resealing, SealBroken, type Vault } from "#platform/vault/vault.ts";

import {
  countFailure,
  deleteEverySubscription,
  deleteSubscription,
  deleteSubscriptionAt,
  deleteSubscriptionById,
  findSealedTerms,
  insertSubscription,
  listSealedSubscriptions,
  listSubscriptions,
  markTaken,
  setSubscriptionSeal,
} from "./queries.ts";
import type { Visitor } from "./session.ts";
import type { pushSubscriptions } from "./tables.ts";

/** A browser that gets push messages, without what it gave. */
export type PushSubscription = RowOf<typeof pushSubscriptions>;

/** The terms that a browser gives: where its push service takes messages, and how they are encrypted. */
export interface SubscriptionTerms extends SubscriptionKeys {
  readonly endpoint: string;
}

/** Browsers of one person at a time. */
const SUBSCRIPTIONS_MAX = 10;
/** Attempts in a row that a push service did not take: beyond, the person is told to subscribe again. */
const FAILURES_MAX = 10;
const PORTS = [443];
const PLACE = "push subscription";

const pushSubscriptionInvalid = defineRefusal("push_subscription_invalid", "invalid", {
  title: "The browser's subscription cannot be used.",
  cause:
    "The address of its push service is not public and by https, or its keys are not those of RFC 8291.",
  remedy: "Turn the notifications of this browser off and on again.",
});

/** Reads what a browser gave, as JSON. Refuses with `push_subscription_invalid`. */
export function readSubscription(text: string): SubscriptionTerms {
  const given = parsed(text);
  const keys = isObject(given) && isObject(given["keys"]) ? given["keys"] : {};
  const [endpoint, p256dh, auth] = [
    isObject(given) ? given["endpoint"] : null,
    keys["p256dh"],
    keys["auth"],
  ];
  if (typeof endpoint !== "string" || typeof p256dh !== "string" || typeof auth !== "string")
    throw pushSubscriptionInvalid();
  const rules = { reach: onlyPublic, ports: PORTS, ownHost: null };
  const isReachable = targetFaults(endpoint, rules).length === 0;
  if (!isReachable || !areUsableKeys({ p256dh, auth })) throw pushSubscriptionInvalid();
  return { endpoint, p256dh, auth };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns true if messages still go to the browser: its push service took one of the last ten. */
export function isReached({ failures }: PushSubscription): boolean {
  return failures < FAILURES_MAX;
}

/** The browsers that the person subscribed, the oldest first. */
export function listSubscriptionsOf(db: Reader, personId: string): Promise<PushSubscription[]> {
  return listSubscriptions(db, personId);
}

/** The browsers of the person to which messages go. */
export async function listReached(db: Reader, personId: string): Promise<PushSubscription[]> {
  return (await listSubscriptions(db, personId)).filter(isReached);
}

/**
 * Subscribes the browser for the person: it gets their messages from now on, and no longer those of another person who
 * subscribed in it before. Beyond ten browsers, the oldest subscription of the person ends.
 */
export async function subscribe(
  tx: Tx,
  { person, session }: Visitor,
  terms: SubscriptionTerms,
): Promise<void> {
  const endpointHash = createHash("sha256").update(terms.endpoint).digest("base64url");
  await deleteSubscriptionAt(tx, { endpointHash });
  const present = await listSubscriptions(tx, person.id);
  for (const { id } of present.slice(0, Math.max(0, present.length - SUBSCRIPTIONS_MAX + 1))) {
    await deleteSubscription(tx, { id, personId: person.id });
  }
  await insertSubscription(tx, {
    id: newId("pushSubscription", tx.now),
    personId: person.id,
    sessionId: session.id,
    endpointHash,
    sealedTerms: tx.vault.seal(JSON.stringify(terms), PLACE),
    device: session.device,
    failures: 0,
    createdAt: tx.now,
    lastOkAt: null,
  });
}

/** The terms that the browser gave; null once the subscription is gone, and where its seal opens no more. */
export async function findSubscriptionTerms(
  db: Reader,
  vault: Vault,
  id: Id<"pushSubscription">,
): Promise<SubscriptionTerms | null> {
  const sealed = await findSealedTerms(db, id);
  if (sealed === undefined) return null;
  try {
    const terms: unknown = JSON.parse(vault.unseal(sealed, PLACE));
    return isTerms(terms) ? terms : null;
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}

function isTerms(value: unknown): value is SubscriptionTerms {
  return (
    isObject(value) &&
    ["endpoint", "p256dh", "auth"].every((name) => typeof value[name] === "string")
  );
}

/** Afterwards no message goes to the browser: its push service says that it is gone. */
export async function dropSubscription(tx: Tx, id: PushSubscription["id"]): Promise<void> {
  await deleteSubscriptionById(tx, { id });
}

/** Notes that the push service took a message. */
export async function noteTaken(tx: Tx, id: PushSubscription["id"]): Promise<void> {
  await markTaken(tx, { id, at: tx.now });
}

/** Notes that it did not take one. */
export async function noteFailure(tx: Tx, id: PushSubscription["id"]): Promise<void> {
  await countFailure(tx, { id });
}

/** Afterwards no message goes to this browser of the person. */
export async function unsubscribe(tx: Tx, { person }: Visitor, id: string): Promise<void> {
  await deleteSubscription(tx, { id, personId: person.id });
}

/** Seals all of them with the vault's present key. Leaves those that no key opens. */
export async function resealSubscriptions(tx: Tx, resealing: Resealing): Promise<void> {
  for (const { id, sealedTerms } of await listSealedSubscriptions(tx)) {
    await setSubscriptionSeal(tx, { id, sealedTerms: resealing.reseal(sealedTerms, PLACE) });
  }
}

/** Removes all of them: they cannot be read, or another shop would send to them. */
export async function distrustSubscriptions(tx: Tx): Promise<void> {
  await deleteEverySubscription(tx, {});
}
