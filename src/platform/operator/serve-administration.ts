// The server of the administrative socket. Access to the file (its owner, mode 0600) allows every
// command, like access to the database files, so the socket is never reachable over a network.

import { chmodSync, rmSync } from "node:fs";
import { resolve } from "node:path";

import { Refusal } from "#kernel/refusal.ts";
import type { Log } from "#platform/log/log.ts";

// The protocol of the administrative socket. A command is POST /<name> with its input as JSON; the
// response is `{output}`, or `{code, detail}` with a status other than 200.

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

/** The umask while the socket is created, so that it is never open to others. */
const OWNER_ONLY_UMASK = 0o177;
const OWNER_ONLY_MODE = 0o600;
/** The input of a command consists of a few options; files are passed by path. */
const INPUT_BYTES_MAX = 1_048_576;
/** Commands that programs send again and again. */
const OFTEN: ReadonlySet<string> = new Set(["server.health"]);
/** How long a stopping server waits for running commands, milliseconds. */
const GRACE_MS = 5_000;

/** Runs a command. Input and output are JSON; `by` is the user who typed it, null if that is not known. */
type Command = (input: unknown, by?: string | null) => Promise<unknown>;

/** Commands by name. */
export type Commands = Readonly<Record<string, Command>>;

interface AdministrationOptions {
  readonly directory: string;
  readonly log: Log;
  /** Called for each command. */
  readonly commands: () => Promise<Commands>;
}

/**
 * Serves commands on the directory's socket until disposed, which waits for running ones. The
 * caller holds the directory's lock, so an existing socket file belongs to a dead server.
 */
export function serveAdministration(options: AdministrationOptions): AsyncDisposable {
  const path = socketPath(options.directory);
  rmSync(path, { force: true });
  const server = listen(path, (request) => answer(options, request));
  return {
    async [Symbol.asyncDispose]() {
      const grace = setTimeout(() => void server.stop(true), GRACE_MS);
      await server.stop();
      clearTimeout(grace);
      rmSync(path, { force: true });
    },
  };
}

function listen(path: string, fetch: (request: Request) => Promise<Response>) {
  const umask = process.umask(OWNER_ONLY_UMASK);
  try {
    const server = Bun.serve({
      unix: path,
      fetch,
      development: false,
      maxRequestBodySize: INPUT_BYTES_MAX,
    });
    // Some file systems ignore the umask.
    chmodSync(path, OWNER_ONLY_MODE);
    return server;
  } finally {
    process.umask(umask);
  }
}

async function answer({ commands, log }: AdministrationOptions, request: Request) {
  const name = new URL(request.url).pathname.slice(1);
  try {
    const known = await commands();
    const command = Object.hasOwn(known, name) ? known[name] : undefined;
    if (request.method !== "POST" || command === undefined) {
      return fault(404, {
        code: "unknown_command",
        detail: `The running server does not know the command "${name}". It may be of another version.`,
      });
    }
    const input: unknown = await request.json();
    const by = decodeURIComponent(request.headers.get(OPERATOR_HEADER) ?? "");
    const output = await command(input, by === "" ? null : by);
    const level = OFTEN.has(name) ? "debug" : "info";
    log[level]("An administrative command was run.", { command: name });
    return Response.json({ output });
  } catch (error) {
    if (error instanceof Refusal) {
      return fault(422, { code: error.definition.code, detail: error.message });
    }
    log.error("An administrative command failed.", { command: name, error });
    return fault(500, {
      code: null,
      detail: error instanceof Error ? error.message : String(error),
    });
  }
}

function fault(status: number, body: CommandFault): Response {
  return Response.json(body, { status });
}
