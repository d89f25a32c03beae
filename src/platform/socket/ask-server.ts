// The client's end of the administrative socket: how a command of the CLI reaches the server that
// already has the database open. It can speak to a socket file and to nothing on a network.

import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";

import { isObject } from "#kernel/assume.ts";

import { type CommandFault, socketPath } from "./protocol.ts";

/** Nobody serves the directory: there is no socket, or nobody listens behind it. */
const ABSENT: ReadonlySet<unknown> = new Set(["ENOENT", "ECONNREFUSED", "ENOTSOCK"]);

/** What the server said, or that there is none, in which case nothing was done. */
export type ServerAnswer =
  { readonly answered: true; readonly output: unknown } | { readonly answered: false };

/** Thrown when the server did not do the command; the code is that of the refusal, if it was one. */
export class CommandFailed extends Error {
  readonly code: string | null;

  constructor({ code, detail }: CommandFault) {
    super(detail);
    this.name = "CommandFailed";
    this.code = code;
  }
}

/**
 * Asks the server of a data directory to do a command. Throws CommandFailed when it refuses, and
 * any other error when the connection broke: then the command may or may not have been done.
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
    if (error instanceof Error && "code" in error && ABSENT.has(error.code)) {
      return { answered: false };
    }
    throw error;
  }
  const body: unknown = JSON.parse(await text(response));
  if (response.statusCode !== 200) throw new CommandFailed(toFault(body));
  return { answered: true, output: isObject(body) ? body["output"] : undefined };
}

function post(path: string, command: string, body: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request({
    socketPath: path,
    path: `/${encodeURIComponent(command)}`,
    method: "POST",
    headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body) },
    // A connection of its own, closed afterwards: a stopping server waits for nobody idle.
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
