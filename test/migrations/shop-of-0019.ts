// A shop of the schema 0019 with changes of API keys, as statements for both engines, and the entries of the
// audit log that they are by the schema 0020.

import { instantOf, isId } from "#kernel/id.ts";

const BACKEND = "key_01kea1mpgcefhvdrhabn0q30kc";
const TILL = "key_01kea1mpgcefhvdrhabn0q30kd";
/** The instant in the first ten digits of the keys' ids, and a day later. */
const MADE_MS = 1_767_716_313_612;
const REVOKED_MS = MADE_MS + 86_400_000;

const key = (id: string, name: string) =>
  `INSERT INTO api_keys (id, hash, display, name, scopes, lineage, created_at)
   VALUES ('${id}', 'hash of ${id}', 'test_sk_…aaaa', '${name}', '["full"]', '${id}', ${MADE_MS})`;

const change = (id: string, action: string, { actor, at }: { actor: object; at: number }) =>
  `INSERT INTO api_key_changes (id, key_id, action, actor, created_at)
   VALUES ('${id}/${action}', '${id}', '${action}', '${JSON.stringify(actor)}', ${at})`;

export const shopOf0019: readonly string[] = [
  key(BACKEND, "Backend"),
  key(TILL, "Till"),
  change(BACKEND, "created", { actor: { type: "operator", id: null }, at: MADE_MS }),
  change(TILL, "created", { actor: { type: "api_key", id: BACKEND }, at: MADE_MS }),
  change(TILL, "revoked", { actor: { type: "api_key", id: BACKEND }, at: REVOKED_MS }),
  change(BACKEND, "revoked", { actor: { type: "system", id: null }, at: REVOKED_MS }),
];

export const ENTRIES = `SELECT id, actor, actor_name, action, subject, changed_fields, created_at
  FROM audit_entries ORDER BY created_at, action, subject`;

/** The entries without their ids. */
export const entries = [
  [BACKEND, "Backend", "createKey", TILL, "[]", MADE_MS],
  ["operator", null, "keys create", BACKEND, "[]", MADE_MS],
  ["system", null, "revokeKey", BACKEND, "[]", REVOKED_MS],
  [BACKEND, "Backend", "revokeKey", TILL, "[]", REVOKED_MS],
];

/** The instants of ids that are different and of the audit log. */
export function instantsOf(ids: readonly unknown[]): number[] {
  return [...new Set(ids)].map((id) => {
    if (typeof id !== "string" || !isId("audit", id)) throw new Error("That is no id.");
    return instantOf(id);
  });
}

export const instants = [MADE_MS, MADE_MS, REVOKED_MS, REVOKED_MS];
