// What both ends of the administrative socket must agree on. A command is POST /<name> with its
// input as JSON; the answer is `{output}`, or `{code, detail}` with a status that is not 200.

import { resolve } from "node:path";

/** Where the server of a data directory listens. Bun gets around the 108 bytes of a socket path. */
export function socketPath(directory: string): string {
  return resolve(directory, "duka.sock");
}

/** Why a command was not done. The code is null when the reason is a bug and not a refusal. */
export interface CommandFault {
  readonly code: string | null;
  readonly detail: string;
}
