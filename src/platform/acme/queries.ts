// The rows of the certificate, of accounts at authorities and of open challenges.

import { eq, lt, sql } from "drizzle-orm";

import type { Reader, Tx } from "#platform/database/database.ts";
import { columnPlaces, prepared, preparedWrite } from "#platform/database/prepared.ts";
import type { Resealing } from "#platform/vault/vault.ts";

import {
  type AcmeAccountRow,
  acmeAccounts,
  acmeChallenges,
  type CertificateRow,
  certificates,
} from "./tables.ts";

/** One certificate has all names of the server. */
const NAME = "server";
/** The place for which keys are sealed. */
export const ACME_PLACE = "acme";

const accountOf = prepared<{ directory: string }>()((db, at) =>
  db.select().from(acmeAccounts).where(eq(acmeAccounts.directory, at.directory)),
);
const allAccounts = prepared()((db) => db.select().from(acmeAccounts));
const saveAccount = preparedWrite<AcmeAccountRow>()((tx) =>
  tx
    .insert(acmeAccounts)
    .values(columnPlaces(acmeAccounts))
    .onConflictDoUpdate({
      target: acmeAccounts.directory,
      set: { sealedKey: sql`excluded.sealed_key`, url: sql`excluded.url` },
    }),
);
const deleteAccount = preparedWrite<{ directory: string }>()((tx, at) =>
  tx.delete(acmeAccounts).where(eq(acmeAccounts.directory, at.directory)),
);
const certificateByName = prepared<{ name: string }>()((db, at) =>
  db.select().from(certificates).where(eq(certificates.name, at.name)),
);
const upsertCertificate = preparedWrite<CertificateRow>()((tx) =>
  tx
    .insert(certificates)
    .values(columnPlaces(certificates))
    .onConflictDoUpdate({
      target: certificates.name,
      set: {
        domains: sql`excluded.domains`,
        directory: sql`excluded.directory`,
        chain: sql`excluded.chain`,
        sealedKey: sql`excluded.sealed_key`,
        notAfter: sql`excluded.not_after`,
        renewAt: sql`excluded.renew_at`,
        failures: sql`excluded.failures`,
        problem: sql`excluded.problem`,
      },
    }),
);
const challengeOf = prepared<{ token: string }>()((db, at) =>
  db
    .select({ answer: acmeChallenges.answer })
    .from(acmeChallenges)
    .where(eq(acmeChallenges.token, at.token)),
);
const putChallengeRow = preparedWrite<{ token: string; answer: string; expiresAt: number }>()(
  (tx) =>
    tx
      .insert(acmeChallenges)
      .values(columnPlaces(acmeChallenges))
      .onConflictDoUpdate({
        target: acmeChallenges.token,
        set: { answer: sql`excluded.answer`, expiresAt: sql`excluded.expires_at` },
      }),
);
const dropChallenges = preparedWrite<{ before: number }>()((tx, at) =>
  tx.delete(acmeChallenges).where(lt(acmeChallenges.expiresAt, at.before)),
);

/** The account at this authority, with its sealed key. */
export async function findAccount(
  db: Reader,
  directory: string,
): Promise<AcmeAccountRow | undefined> {
  return (await accountOf(db, { directory }))[0];
}

/** Afterwards this is the account at its authority. */
export async function putAccount(tx: Tx, row: AcmeAccountRow): Promise<void> {
  await saveAccount(tx, row);
}

/** Afterwards the shop has no account at this authority. */
export async function dropAccount(tx: Tx, directory: string): Promise<void> {
  await deleteAccount(tx, { directory });
}

/** The certificate of the server, with its sealed key; undefined before the first try. */
export async function findCertificate(db: Reader): Promise<CertificateRow | undefined> {
  return (await certificateByName(db, { name: NAME }))[0];
}

/** Afterwards this is the certificate of the server. */
export async function putCertificate(tx: Tx, row: Omit<CertificateRow, "name">): Promise<void> {
  await upsertCertificate(tx, { ...row, name: NAME });
}

/** The answer to the challenge with this token; null for one that is not open. */
export async function findChallenge(db: Reader, token: string): Promise<string | null> {
  return (await challengeOf(db, { token }))[0]?.answer ?? null;
}

/** Afterwards the challenge is answered until `expiresAt`, and those that ended are gone. */
export async function putChallenge(
  tx: Tx,
  challenge: { readonly token: string; readonly answer: string; readonly expiresAt: number },
): Promise<void> {
  await dropChallenges(tx, { before: tx.now });
  await putChallengeRow(tx, challenge);
}

/** Seals all private keys again; see `Resealing`. */
export async function resealAcme(tx: Tx, resealing: Resealing): Promise<void> {
  for (const row of await allAccounts(tx, {})) {
    await saveAccount(tx, { ...row, sealedKey: resealing.reseal(row.sealedKey, ACME_PLACE) });
  }
  const row = await findCertificate(tx);
  if (row === undefined || row.sealedKey === null) return;
  await putCertificate(tx, { ...row, sealedKey: resealing.reseal(row.sealedKey, ACME_PLACE) });
}
