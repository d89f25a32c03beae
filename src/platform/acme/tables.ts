// The server's certificate, its account at the authority that signs it, and open challenges: rows of the live shop. The
// private keys are sealed by the vault.

import { int, text, time } from "#platform/database/kit.ts";
import { plain, record, type RowOf } from "#platform/database/record.ts";

export const acmeAccounts = record(
  "acme_accounts",
  {
    /** The URL of the authority's directory. */
    directory: plain(text().primaryKey()),
    sealedKey: plain(text().notNull()),
    url: plain(text().notNull()),
    createdAt: time().notNull(),
  },
  () => [],
);

export const certificates = record(
  "certificates",
  {
    name: plain(text().primaryKey()),
    /** Those that were asked for last, separated by spaces. */
    domains: plain(text().notNull()),
    /** The URL of the directory of the authority that was asked last. */
    directory: plain(text()),
    /** PEM; null, as are its key and its end, until there is one. */
    chain: plain(text()),
    sealedKey: plain(text()),
    notAfter: time(),
    /** When the next one is asked for. */
    renewAt: time().notNull(),
    /** Since the last one was had. */
    failures: int().notNull(),
    /** Why the last try failed; null after one that did not. */
    problem: plain(text()),
  },
  () => [],
);

export const acmeChallenges = record(
  "acme_challenges",
  {
    token: plain(text().primaryKey()),
    answer: plain(text().notNull()),
    expiresAt: time().notNull(),
  },
  () => [],
);

export type AcmeAccountRow = RowOf<typeof acmeAccounts>;
export type CertificateRow = RowOf<typeof certificates>;
