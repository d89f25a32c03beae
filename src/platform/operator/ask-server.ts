// The client of the administrative socket: CLI commands use it to reach the server that has the
// database open. It connects to a socket file only, never over a network.

import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";

import { isObject } from "#kernel/assume.ts";
import { userName } from "#platform/process/environment.ts";

import { type CommandFault, OPERATOR_HEADER, socketPath } from "./serve-administration.ts";

/** Errors that mean that no server runs: the socket is missing, or nothing listens on it. */
const ABSENT: ReadonlySet<unknown> = new Set(["ENOENT", "ECONNREFUSED", "ENOTSOCK"]);

/** Errors of a connection that the server left open. */
const LOST: ReadonlySet<unknown> = new Set(["ECONNRESET", "EPIPE"]);

/** The server's result, or that no server runs, in which case nothing was done. */
export type ServerAnswer =
  { readonly answered: true; readonly output: unknown } | { readonly answered: false };

/** The server did not run the command; the code is that of the refusal, if it was one. */
export class CommandFailed extends Error {
  readonly code: string | null;

  constructor({ code, detail }: CommandFault) {
    super(detail);
    this.name = "CommandFailed";
    this.code = code;
  }
}

/** The server stopped before it answered: the command may or may not have run. */
export class AnswerLost extends Error {
  constructor(cause: unknown) {
    super("The server stopped before it answered: the command may have run, in whole or in part.", {
      cause,
    });
    this.name = "AnswerLost";
  }
}

/**
 * Sends a command to the server of a data directory. Throws CommandFailed if it refuses, AnswerLost if it stops
 * meanwhile. After any other error the command may or may not have run.
 */
export async function askServer(
  directory: string,
  command: string,
  input: unknown,
): Promise<ServerAnswer> {
  let response: IncomingMessage;
  try {
    response = await post(socketPath(directory), command, JSON.stringify(input ?? null));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (ABSENT.has(code)) return { answered: false };
    throw LOST.has(code) ? new AnswerLost(error) : error;
  }
  const body: unknown = JSON.parse(await text(response));
  if (response.statusCode !== 200) throw new CommandFailed(toFault(body));
  return { answered: true, output: isObject(body) ? body["output"] : undefined };
}

/** Node's HTTP is loaded here: it takes 4 ms of the start of each program, and most ask no server. */
async function post(path: string, command: string, body: string): Promise<IncomingMessage> {
  const { request } = await import("node:http");
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request({
    socketPath: path,
    path: `/${encodeURIComponent(command)}`,
    method: "POST",
    headers: {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      [OPERATOR_HEADER]: encodeURIComponent(userName() ?? ""),
    },
    // Uses a connection of its own that is closed afterwards, so that a stopping server waits for
    // no idle one.
    agent: false,
  })
    .on("response", resolve)
    .on("error", reject)
    .end(body);
  return promise;
}

function toFault(body: unknown): CommandFault {
  const members: { code?: unknown; detail?: unknown } = isObject(body) ? body : {};
  return {
    code: typeof members.code === "string" ? members.code : null,
    detail: typeof members.detail === "string" ? members.detail : "The server gave no reason.",
  };
}
