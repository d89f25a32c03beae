// Story: an alert to a person, by each of the ways that they have for it. Where many of a kind come at once, the later ones
// count in one alert, which is sent a minute later.

import { firstIdAt, newId } from "#kernel/id.ts";
import { MINUTE_MS } from "#kernel/time.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { setTimer } from "#platform/scheduler/timers.ts";
import type { AlertChannel } from "#shop/people/alert-rules.ts";
import type { Person } from "#shop/people/person.ts";
import { listReached } from "#shop/people/sessions/subscriptions.ts";

import { type Alert, PUSH_TIMER, SEND_TIMER } from "./alert.ts";
import { countIn, findGathering, insertAlert, listRecent } from "./queries.ts";

/** Alerts of one kind to one person by one way within a minute; the next one gathers. */
const AT_ONCE_MAX = 5;
const GATHER_MS = MINUTE_MS;

/** A way to a person; `error` says why it leads nowhere now. */
export type Way = Pick<Alert, "channel" | "subscriptionId" | "error">;

/** The thing that is told, and to whom. */
export type News = Pick<Alert, "entryId" | "eventId" | "kind" | "subject" | "hour" | "personId">;

/** The ways to the person by these channels: a browser each, and one email. */
export async function waysTo(
  people: Reader,
  { id, email }: Person,
  { channels, canSend }: { readonly channels: readonly AlertChannel[]; readonly canSend: boolean },
): Promise<readonly Way[]> {
  const browsers = channels.includes("push") ? await listReached(people, id) : [];
  const missing = email === null ? "no_recipient" : null;
  const error = canSend ? missing : "not_configured";
  return [
    ...browsers.map((one): Way => ({ channel: "push", subscriptionId: one.id, error: null })),
    ...(channels.includes("email")
      ? [{ channel: "email", subscriptionId: "", error } as const]
      : []),
  ];
}

/** Opens the alert, unless the person is told of the same by this way already. */
export async function openAlert(tx: Tx, news: News, way: Way): Promise<void> {
  await insert(tx, news, { ...way, gathersUntil: null });
}

/** The same of what may come in numbers: beyond five in a minute it counts in an alert that is sent later. */
export async function openOrGather(tx: Tx, news: News, way: Way): Promise<void> {
  const { personId, kind } = news;
  const { channel, subscriptionId } = way;
  const same = { personId, kind, channel, subscriptionId };
  const gathering = await findGathering(tx, { ...same, now: tx.now });
  if (gathering !== undefined) {
    await countIn(tx, { id: gathering.id });
    return;
  }
  const after = firstIdAt("alert", tx.now - GATHER_MS);
  const recent = await listRecent(tx, { ...same, after, rows: AT_ONCE_MAX });
  const gathersUntil = recent.length < AT_ONCE_MAX ? null : tx.now + GATHER_MS;
  await insert(tx, news, { ...way, gathersUntil });
}

async function insert(tx: Tx, news: News, way: Way & Pick<Alert, "gathersUntil">): Promise<void> {
  const id = newId("alert", tx.now);
  const isNew = await insertAlert(tx, {
    id,
    ...news,
    ...way,
    count: 1,
    status: way.error === null ? "waiting" : "skipped",
    attempts: 0,
    messageId: null,
    sentAt: null,
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  if (!isNew || way.error !== null) return;
  const name = way.channel === "push" ? PUSH_TIMER : SEND_TIMER;
  await setTimer(tx, { name, subject: id, dueAt: way.gathersUntil ?? tx.now });
}
