// The protocol of the administrative socket. A command is POST /<name> with its input as JSON; the
// response is `{output}`, or `{code, detail}` with a status other than 200.

import { resolve } from "node:path";

/** The socket's path in a data directory. Bun allows paths longer than the usual 108 bytes. */
export function socketPath(directory: string): string {
  return resolve(directory, "duka.sock");
}

/** The header with the percent-encoded name of the user who types the command; absent if it is not known. */
export const OPERATOR_HEADER = "duka-operator";

/** Why a command failed. The code is null if the cause is a bug and not a refusal. */
export interface CommandFault {
  readonly code: string | null;
  readonly detail: string;
}
