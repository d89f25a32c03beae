// Lookup: what an alert says, as the audit log and the people read now.

import type { EmailWords } from "#emails/words/en.ts";
import { isId } from "#kernel/id.ts";
import { typed } from "#kernel/typed-text.ts";
import type { Reader } from "#platform/database/database.ts";
import { isolated } from "#platform/html/html.ts";
import { findEntry, type ToldEntry } from "#shop/entries/list-entries.ts";
import { findPeople } from "#shop/people/lookups.ts";
import type { Person } from "#shop/people/person.ts";

import { type Alert, personActs, personOf, valuesOf } from "./alert.ts";
import { type ActKind, isActKind } from "./tables.ts";

/** An alert with what it is about. */
export interface AlertFacts {
  readonly kind: ActKind;
  readonly subject: string;
  readonly entry: ToldEntry;
  /** The person whose sessions can be ended; null where a program did it, or a person who was removed since. */
  readonly person: Person | null;
  /** The person who was changed, came in or was tried; the same one where it was they who did it. */
  readonly whom: string | null;
}

/** Null where the act is kept no longer. */
export async function readFacts(
  { db, people }: { readonly db: Reader; readonly people: Reader },
  { entryId, kind, subject }: Pick<Alert, "entryId" | "kind" | "subject">,
): Promise<AlertFacts | null> {
  const entry = isId("audit", entryId) ? await findEntry(db, entryId) : undefined;
  if (entry === undefined || !isActKind(kind)) return null;
  const id = personOf(entry);
  const found = await findPeople(people, [subject, ...(id === null ? [] : [id])]);
  const person = id === null ? undefined : found.get(id);
  return {
    kind,
    subject,
    entry,
    person: person?.removedAt === null ? person : null,
    whom: found.get(subject)?.name ?? entry.actorName,
  };
}

/** The sentence of what happened. */
export function sentenceOf(
  { alert: words }: Pick<EmailWords, "alert">,
  { kind, entry, subject, whom }: AlertFacts,
): string {
  const { acts } = words;
  if (kind === "key") return acts.key;
  if (kind === "exported") return acts.exported;
  if (kind === "webhook") return acts.webhook(isolated(subject));
  if (kind === "setting") return acts.setting(subject);
  const name = nameIn(words, whom);
  const { action } = entry;
  return isNamed(action) ? acts[action](name) : acts.takeLink(name);
}

/** Acts whose sentence names the person; the other one of a person is the link that let them in. */
const namedActs = [...personActs, "signIn", "failSignIn"] as const;

function isNamed(action: string): action is (typeof namedActs)[number] {
  return namedActs.some((one) => one === action);
}

/** Who did it, in words. */
export function whoOf({ alert: words }: Pick<EmailWords, "alert">, { entry }: AlertFacts): string {
  const { actor, actorName } = entry;
  if (actor === "operator") return words.terminal;
  if (actor.startsWith("key_")) return words.program(typed(actorName) ?? actor);
  return nameIn(words, actorName);
}

/** A name in an alert carries no link: who came in may have chosen it. */
export function nameIn(
  { unknown }: Pick<EmailWords["alert"], "unknown">,
  name: string | null,
): string {
  const told = typed(name);
  return told === null ? unknown : isolated(told);
}

/** From where: the device, where it is known, and the network. */
export function whereOf({ entry }: AlertFacts): string | null {
  const { device } = valuesOf(entry.after);
  const places = [typeof device === "string" ? device : null, entry.clientNetwork];
  const known = places.filter((place) => place !== null);
  return known.length === 0 ? null : known.join(", ");
}
