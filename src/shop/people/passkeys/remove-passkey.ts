// Stories: a person renames or removes a passkey of their own, or loses all of them.

import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Shown } from "#platform/event-log/event-log.ts";
import { recordAct } from "#shop/audit/record-act.ts";
import { type Person } from "#shop/people/person.ts";
import { personRows } from "#shop/people/queries.ts";
import type { Visitor } from "#shop/people/sessions/session.ts";
import { getStore } from "#shop/store/lookups.ts";
import { asksForPasskey } from "#shop/store/passkey-rules.ts";

import { type Passkey, passkeyNotFound, passkeyRequired, readPasskeyName } from "./passkey.ts";
import { deletePasskey, deletePasskeysOf, listPasskeys, setPasskeyName } from "./queries.ts";

/** Refuses with `passkey_not_found`, also for a passkey of another person, and with `validation_failed` at `/name`. */
export async function renamePasskey(
  tx: Tx,
  visitor: Visitor,
  { id, name: given }: Pick<Passkey, "id" | "name">,
): Promise<void> {
  const faults = new Faults();
  const name = readPasskeyName(given, faults);
  faults.refuseIfAny();
  const { passkey } = await lockOwn(tx, visitor, id);
  if (passkey.name === name) return;
  await setPasskeyName(tx, { id, name });
  const before = { name: passkey.name };
  await recordPasskeyAct(tx, visitor, { action: "renamePasskey", before, after: { name } });
}

/**
 * Afterwards the passkey opens nothing. Refuses with `passkey_not_found`, and with `passkey_required` for the last one
 * of a person whom the shop asks for one.
 */
export async function removePasskey(tx: Tx, visitor: Visitor, id: string): Promise<void> {
  const { passkey, person, isLast } = await lockOwn(tx, visitor, id);
  const { requirePasskey } = await getStore(tx);
  if (isLast && asksForPasskey(requirePasskey, person.role)) throw passkeyRequired();
  await deletePasskey(tx, { id });
  const before = { name: passkey.name };
  await recordPasskeyAct(tx, visitor, { action: "removePasskey", before, after: null });
}

/**
 * Removes all passkeys of a person who lost them: the password alone opens unknown devices again. `by` is the name of
 * who does it, for the audit log.
 */
export async function removePasskeysOf(
  tx: Tx,
  { id: personId }: Pick<Person, "id">,
  by: string | null,
): Promise<void> {
  await personRows.lock(tx, personId);
  for (const { name } of await deletePasskeysOf(tx, { personId })) {
    const difference = { fields: ["name"], before: { name }, after: null };
    await recordAct(tx, { actorName: by, action: "removePasskey", subject: personId, difference });
  }
}

async function lockOwn(tx: Tx, { person: { id: personId } }: Visitor, id: string) {
  const person = await personRows.lock(tx, personId);
  const own = await listPasskeys(tx, personId);
  const passkey = own.find((one) => one.id === id);
  if (passkey === undefined) throw passkeyNotFound();
  return { person, passkey, isLast: own.length === 1 };
}

interface PasskeyAct {
  readonly action: string;
  readonly before: Shown | null;
  readonly after: Shown | null;
}

/** Records what a person did to a passkey of their own. */
export async function recordPasskeyAct(
  tx: Tx,
  { person, session }: Visitor,
  { action, before, after }: PasskeyAct,
): Promise<void> {
  await recordAct(tx, {
    actorName: person.name,
    action,
    subject: person.id,
    difference: { fields: ["name"], before, after },
    clientNetwork: session.network,
  });
}
