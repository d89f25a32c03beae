// Reads the files that people bring.

import type { Reader } from "#platform/database/database.ts";

import type { KeptFile } from "./kept-file.ts";
import type { NounName } from "./kept-report.ts";
import { fileById } from "./queries.ts";

/** The file of this noun, which only the person who brought it sees. */
export async function findOwnFile(
  db: Reader,
  {
    id,
    noun,
    personId,
  }: { readonly id: string; readonly noun: NounName; readonly personId: string | null },
): Promise<KeptFile | undefined> {
  const [file] = await fileById(db, { id });
  return file?.noun === noun && file.personId === personId ? file : undefined;
}
