// Story: the alerts that the next acts of the audit log call for. The log has no order of commits, so that the last
// quarter of an hour is read again each time, and what was told before is recognized. Invariant: alerts and their timers
// are one commit with the cursor, and an owner is told once of a kind, subject and hour.

import { firstIdAt, type Id } from "#kernel/id.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, nextTurn, realClock } from "#kernel/time.ts";
import { hasEndpointAt } from "#messaging/webhooks/endpoints/lookups.ts";
import type { Database, Tx } from "#platform/database/database.ts";
import { findLogCursor, lockLogCursor, moveLogCursor } from "#platform/event-log/log-cursors.ts";
import type { Pace } from "#platform/scheduler/paced-work.ts";
import { countFailures, findEntriesToTell, type ToldEntry } from "#shop/entries/list-entries.ts";
import { alertRulesOf } from "#shop/people/alert-rules.ts";
import { findPeople, listPeople } from "#shop/people/lookups.ts";
import type { Person } from "#shop/people/person.ts";

import { FAILURES_TOLD, loweredIn, movesSummary, type Told, toldActions, toldOf } from "./alert.ts";
import { openAlert, waysTo } from "./open-alert.ts";
import { dropAlertsBefore } from "./queries.ts";
import { planSummary } from "./summary.ts";

/** The name of the log cursor, which is an instant: that of the newest act that was read. */
const CONSUMER = "alerts";
/** Failures are added to an entry for 15 minutes, and a transaction takes less than one. */
const REREAD_MS = 16 * MINUTE_MS;
/** Entries of one step. Beyond, those of the next steps follow. */
const ENTRIES_PER_STEP = 500;
/** Long after Home has shown one for the last time; the acts themselves stay in the audit log. */
const KEPT_MS = 90 * DAY_MS;

/** An alert comes a second after its act, in a busy shop later. */
export const alertPace: Pace = { collectMs: 500, busyFactor: 100, busyMs: 500 };

export interface FollowedShop {
  readonly database: Database;
  /** The live shop's, which has the people. */
  readonly people: Database;
  /** False where no email can be sent: Home shows the alerts. */
  readonly canSend: boolean;
}

export class AuditFollower {
  readonly #shop: FollowedShop;
  /** The entries that were read of late, with the failures that they had. */
  readonly #seen = new Map<string, string>();

  constructor(shop: FollowedShop) {
    this.#shop = shop;
  }

  /** Makes the alerts of the next acts. Returns whether there may be more. */
  async step(): Promise<boolean> {
    const { database } = this.#shop;
    const now = realClock.now();
    const cursor = await findLogCursor(database.read, CONSUMER);
    // A shop without a cursor begins with the last quarter of an hour.
    if (cursor === 0) await database.write((tx) => moveTo(tx, now));
    // A clock that was set back makes entries before the cursor.
    const from = firstIdAt("audit", Math.min(cursor === 0 ? now : cursor, now) - REREAD_MS);
    const read = { actions: toldActions, from, rows: ENTRIES_PER_STEP };
    const entries = await this.#unread(from, (rest) =>
      findEntriesToTell(database.read, { ...read, from: rest }),
    );
    if (entries.length === 0) return false;
    const readers = await readersOf(this.#shop.people, entries);
    await database.write((tx) => this.#tell(tx, entries, readers));
    for (const { id, after } of entries) this.#seen.set(id, after ?? "");
    for (const id of this.#seen.keys()) if (id < from) this.#seen.delete(id);
    return entries.length === ENTRIES_PER_STEP;
  }

  /** Pages through the entries, so that those that were read before take no place of the others. */
  async #unread(
    from: Id<"audit">,
    read: (from: Id<"audit">) => Promise<ToldEntry[]>,
  ): Promise<ToldEntry[]> {
    const unread: ToldEntry[] = [];
    for (let rest = from; ;) {
      const page = await read(rest);
      unread.push(...page.filter(({ id, after }) => this.#seen.get(id) !== (after ?? "")));
      const last = page.at(-1)?.id;
      if (page.length < ENTRIES_PER_STEP || last === undefined || last === rest) return unread;
      if (unread.length >= ENTRIES_PER_STEP) return unread.slice(0, ENTRIES_PER_STEP);
      rest = last;
      await nextTurn();
    }
  }

  async #tell(tx: Tx, entries: readonly ToldEntry[], { owners, lowered }: Readers): Promise<void> {
    await moveTo(tx, Math.max(...entries.map(({ createdAt }) => createdAt)));
    await dropAlertsBefore(tx, { before: tx.now - KEPT_MS });
    for (const entry of entries) {
      if (movesSummary(entry)) await planSummary(tx);
      for (const told of toldOf(entry)) {
        if (!(await isNews(tx, entry, told))) continue;
        const former = lowered.get(loweredIn(entry) ?? "");
        const others = owners.filter(({ id }) => id !== former?.id);
        const readers = former === undefined ? others : [...others, former];
        for (const owner of readers) await this.#open(tx, { entry, told, owner });
      }
    }
  }

  async #open(
    tx: Tx,
    {
      entry,
      told,
      owner,
    }: { readonly entry: ToldEntry; readonly told: Told; readonly owner: Person },
  ): Promise<void> {
    const { people, canSend } = this.#shop;
    // Who is lowered is told of it as an owner.
    const channels = alertRulesOf({ role: "owner", alerts: owner.alerts }).security;
    const hour = Math.floor(entry.createdAt / HOUR_MS);
    const news = { entryId: entry.id, eventId: "", ...told, hour, personId: owner.id };
    for (const way of await waysTo(people.read, owner, { channels, canSend })) {
      await openAlert(tx, news, way);
    }
  }
}

/** Moves the cursor on; never back. */
async function moveTo(tx: Tx, to: number): Promise<void> {
  const from = await lockLogCursor(tx, CONSUMER);
  if (to > from) await moveLogCursor(tx, CONSUMER, { from, to });
}

/** The people who are told. */
interface Readers {
  readonly owners: readonly Person[];
  /** Those whom the acts made owners no more: who takes a shop lowers them first. */
  readonly lowered: ReadonlyMap<string, Person>;
}

async function readersOf({ read }: Database, entries: readonly ToldEntry[]): Promise<Readers> {
  const ids = entries.flatMap((entry) => loweredIn(entry) ?? []);
  return {
    owners: (await listPeople(read)).filter(({ role }) => role === "owner"),
    lowered: ids.length === 0 ? new Map() : await findPeople(read, ids),
  };
}

/** Returns true if the name failed often enough, and if the host is a new one: the entry alone does not say. */
async function isNews(tx: Tx, entry: ToldEntry, { kind, subject }: Told): Promise<boolean> {
  if (kind === "failures") {
    const from = firstIdAt("audit", realClock.now() - DAY_MS);
    return (await countFailures(tx, subject, from)) >= FAILURES_TOLD;
  }
  if (kind !== "webhook") return true;
  return !(await hasEndpointAt(tx, subject, { but: entry.subject, before: entry.createdAt }));
}
