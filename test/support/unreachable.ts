// A database that cannot be reached for a while, as a PostgreSQL during its restart.

import { spyOn } from "bun:test";

import { type Database, run } from "#platform/database/database.ts";
import { storageUnavailable } from "#platform/database/errors.ts";

/** Until it is disposed, everything read from the database is refused as by a server that does not answer. */
export function unreachable({ read }: Database): Disposable {
  const reads = spyOn(read, run).mockImplementation(() => Promise.reject(storageUnavailable()));
  return { [Symbol.dispose]: () => reads.mockRestore() };
}
