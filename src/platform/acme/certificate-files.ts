// The certificate as files of the data directory, from which the listener takes it: the row is the truth, and each
// program writes it out for itself. Invariant: there is a certificate at every start, one that the server
// signs itself until the authority has signed one.

import { existsSync, readFileSync } from "node:fs";

import type { Clock } from "#kernel/time.ts";
import type { Database } from "#platform/database/database.ts";
import { writeFileDurably } from "#platform/files/durable-file.ts";
import type { TlsPaths } from "#platform/http/server/listener.ts";

import { selfSigned } from "./der.ts";
import { keyText, newKey } from "./jws.ts";
import { ACME_PLACE, findCertificate } from "./queries.ts";

export interface CertificateTerms {
  readonly paths: TlsPaths;
  readonly domains: readonly string[];
  /** The live one. */
  readonly database: Database;
  readonly clock: Clock;
}

/** Afterwards the files are the stored certificate, or one that the server signed itself. */
export async function prepareCertificate(terms: CertificateTerms): Promise<void> {
  if (await writeStored(terms)) return;
  const key = newKey();
  const chain = selfSigned(terms.domains, key, terms.clock.now());
  await writeFiles(terms.paths, chain, keyText(key));
}

/** Afterwards the files are the stored certificate. Returns false if there is none. */
export async function writeStored({ paths, database }: CertificateTerms): Promise<boolean> {
  const row = await findCertificate(database.read);
  if (row === undefined || row.chain === null || row.sealedKey === null) return false;
  const { certificatePath } = paths;
  const isWritten =
    existsSync(certificatePath) && readFileSync(certificatePath, "utf8") === row.chain;
  if (isWritten) return true;
  await writeFiles(paths, row.chain, database.vault.unseal(row.sealedKey, ACME_PLACE));
  return true;
}

/** The key first: the listener takes the files once they fit. */
async function writeFiles(paths: TlsPaths, chain: string, key: string): Promise<void> {
  await writeFileDurably(paths.keyPath, Buffer.from(key));
  await writeFileDurably(paths.certificatePath, Buffer.from(chain));
}
