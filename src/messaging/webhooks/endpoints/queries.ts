// SQL of endpoints beside the statements of every record, and of their health. Only the statements of
// sealed endpoints read and write secrets.

import { and, asc, desc, eq, inArray, lt, sql } from "drizzle-orm";

import type { Id } from "#kernel/id.ts";
import { type Reader, type Tx, WriteConflict } from "#platform/database/database.ts";
import {
  prepared,
  preparedByFilters,
  preparedLock,
  preparedSave,
  preparedWrite,
} from "#platform/database/prepared.ts";
import { shownColumns } from "#platform/database/record.ts";
import { rememberedOne } from "#platform/database/remembered.ts";
import { versionedStatements } from "#platform/database/statements.ts";

import { endpointHealth, endpoints } from "./tables.ts";
import {
  type Endpoint,
  type EndpointHealth,
  healthy,
  type SealedEndpoint,
  webhookNotFound,
} from "./webhook.ts";

const shown = shownColumns(endpoints);

/** Statements of endpoints without their secrets. `get` and `lock` refuse with `webhook_not_found`. */
export const endpointRows = versionedStatements(endpoints, webhookNotFound);

const sealedById = prepared<{ id: string }>()((db, at) =>
  db.select().from(endpoints).where(eq(endpoints.id, at.id)),
);
const allSealed = prepared()((db) => db.select().from(endpoints).orderBy(asc(endpoints.id)));
const saveSealed = preparedSave(endpoints);

/** The endpoint with its sealed secrets. */
export async function findSealedEndpoint(
  db: Reader,
  id: string,
): Promise<SealedEndpoint | undefined> {
  return (await sealedById(db, { id }))[0];
}

/** The same. Refuses with `webhook_not_found`. */
export async function getSealedEndpoint(db: Reader, id: string): Promise<SealedEndpoint> {
  const endpoint = await findSealedEndpoint(db, id);
  if (endpoint === undefined) throw webhookNotFound();
  return endpoint;
}

/** Every endpoint with its sealed secrets, oldest first. */
export function listSealedEndpoints(db: Reader): Promise<SealedEndpoint[]> {
  return allSealed(db, {});
}

/** Writes the secrets as the next version. Throws `WriteConflict` if another version came first. */
export async function saveSecrets(
  tx: Tx,
  before: SealedEndpoint,
  secrets: Partial<Pick<SealedEndpoint, "sealedSecret" | "sealedOldSecret" | "oldSecretExpiresAt">>,
): Promise<void> {
  const after = { ...before, ...secrets, version: before.version + 1, updatedAt: tx.now };
  if (!(await saveSealed(tx, after))) throw new WriteConflict("The webhook");
}

const resealEndpoint = preparedWrite<Seals & { id: string }>()((tx, at) =>
  tx
    .update(endpoints)
    .set({
      sealedSecret: sql`${at.sealedSecret}`,
      sealedOldSecret: sql`${at.sealedOldSecret}`,
    })
    .where(eq(endpoints.id, at.id)),
);

export type Seals = Pick<SealedEndpoint, "sealedSecret" | "sealedOldSecret">;

/** Saves the same secrets under another seal, which is no new version of the endpoint. */
export async function saveSeals(tx: Tx, id: string, seals: Seals): Promise<void> {
  await resealEndpoint(tx, { id, ...seals });
}

const oldestToLock = preparedLock()((db) =>
  db.select({ id: endpoints.id }).from(endpoints).orderBy(asc(endpoints.id)).limit(1),
);

/** Serializes the creation of endpoints by a lock on the oldest. The first one needs no lock. */
export async function lockNewEndpoints(tx: Tx): Promise<void> {
  await oldestToLock(tx, {});
}

const allEndpoints = prepared()((db) =>
  db.select(shown).from(endpoints).orderBy(asc(endpoints.id)),
);
const endpointsBefore = preparedByFilters<{
  readonly rows: number;
  readonly after?: string | undefined;
  readonly status?: readonly string[] | undefined;
}>()((db, given) =>
  db
    .select(shown)
    .from(endpoints)
    .where(
      and(
        given.has("after") ? lt(endpoints.id, given.one("after")) : undefined,
        given.has("status") ? inArray(endpoints.status, given.each("status")) : undefined,
      ),
    )
    .orderBy(desc(endpoints.id))
    .limit(given.one("rows")),
);
const dropEndpoint = preparedWrite<{ id: string; version: number }>()((tx, at) =>
  tx
    .delete(endpoints)
    .where(and(eq(endpoints.id, at.id), eq(endpoints.version, at.version)))
    .returning({ id: endpoints.id }),
);

const knownEndpoints = rememberedOne([endpoints], (db) => allEndpoints(db, {}));

/** Every endpoint, oldest first; at most `ENDPOINTS_MAX`. */
export async function listAllEndpoints(db: Reader): Promise<readonly Endpoint[]> {
  return (await knownEndpoints(db)) ?? [];
}

export interface EndpointFilters {
  readonly status?: readonly string[] | undefined;
}

/** Endpoints after the given id, newest first. */
export function listEndpointRows(
  db: Reader,
  filters: EndpointFilters,
  { rows, after }: { readonly rows: number; readonly after: string | null },
): Promise<Endpoint[]> {
  return endpointsBefore(db, { rows, after: after ?? undefined, ...filters });
}

/** Deletes the endpoint; false if its version changed since it was read. */
export async function deleteEndpointRow(tx: Tx, endpoint: Endpoint): Promise<boolean> {
  return (await dropEndpoint(tx, { id: endpoint.id, version: endpoint.version })).length === 1;
}

const healthOf = prepared<{ id: string }>()((db, at) =>
  db.select().from(endpointHealth).where(eq(endpointHealth.endpointId, at.id)),
);
const healthToLock = preparedLock<{ id: string }>()((db, at) =>
  db.select().from(endpointHealth).where(eq(endpointHealth.endpointId, at.id)),
);
const beginHealth = preparedWrite<{ id: string }>()((tx, at) =>
  tx
    .insert(endpointHealth)
    .values({ endpointId: sql`${at.id}`, ...healthy })
    .onConflictDoNothing(),
);
const allHealth = prepared()((db) => db.select().from(endpointHealth));
const upsertHealth = preparedWrite<EndpointHealth & { readonly endpointId: string }>()((tx, at) =>
  tx
    .insert(endpointHealth)
    .values({
      endpointId: sql`${at.endpointId}`,
      failuresInRow: at.failuresInRow,
      failingSince: at.failingSince,
      lastSuccessAt: at.lastSuccessAt,
    })
    .onConflictDoUpdate({
      target: endpointHealth.endpointId,
      set: {
        failuresInRow: sql`excluded.failures_in_row`,
        failingSince: sql`excluded.failing_since`,
        lastSuccessAt: sql`excluded.last_success_at`,
      },
    }),
);
const dropHealth = preparedWrite<{ id: string }>()((tx, at) =>
  tx.delete(endpointHealth).where(eq(endpointHealth.endpointId, at.id)),
);

export async function findHealth(db: Reader, id: Id<"webhook">): Promise<EndpointHealth> {
  return (await healthOf(db, { id }))[0] ?? healthy;
}

/**
 * Locks the health until the transaction ends. To prevent deadlocks, lock it before writing its
 * endpoint, never after.
 */
export async function lockHealth(tx: Tx, id: Id<"webhook">): Promise<EndpointHealth> {
  const [known] = await healthToLock(tx, { id });
  if (known !== undefined) return known;
  await beginHealth(tx, { id });
  return (await healthToLock(tx, { id }))[0] ?? healthy;
}

/** The health of each endpoint that had an attempt, by endpoint id. */
export async function findAllHealth(db: Reader): Promise<ReadonlyMap<string, EndpointHealth>> {
  return new Map((await allHealth(db, {})).map((row) => [row.endpointId, row]));
}

export async function putHealth(
  tx: Tx,
  endpointId: Id<"webhook">,
  { failuresInRow, failingSince, lastSuccessAt }: EndpointHealth,
): Promise<void> {
  await upsertHealth(tx, { endpointId, failuresInRow, failingSince, lastSuccessAt });
}

export async function deleteHealth(tx: Tx, id: Id<"webhook">): Promise<void> {
  await dropHealth(tx, { id });
}
