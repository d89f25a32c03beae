// A sandbox in the process of a test, and requests with its key.

import { openSandbox, type Sandbox } from "#cli/sandbox/open-sandbox.ts";
import type { SandboxWish } from "#cli/sandbox/sandbox-options.ts";
import { askServer } from "#platform/operator/ask-server.ts";

import { scratchRoot } from "../../support/scratch-root.ts";
import { Answered } from "../../support/shop.ts";

const nothing: SandboxWish = { port: null, seed: null, scenario: null, clockAt: null, keep: null };

/** The files of a test are not those of a program with a mask of its own, which would be said. */
const QUIET = { DUKA_LOG_LEVEL: "error" };

export class SandboxShop implements AsyncDisposable {
  readonly sandbox: Sandbox;

  constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
  }

  get url(): string {
    return this.sandbox.duka.url;
  }

  get(path: string): Promise<Answered> {
    return this.#send("GET", path);
  }

  post(path: string, body?: unknown): Promise<Answered> {
    return this.#send("POST", path, body);
  }

  /** Sends a command over the socket of the sandbox, as the command line does. */
  async ask(command: string, name: string): Promise<unknown> {
    const answer = await askServer(this.sandbox.directory, command, { name });
    return answer.answered ? answer.output : null;
  }

  async #send(method: string, path: string, body?: unknown): Promise<Answered> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${this.sandbox.memory.key}`,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return new Answered(response.status, response.headers, await response.text());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sandbox.close();
  }
}

/** The sentence with which the work is refused. */
export function refusalOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "It was done.",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

/** Opens a sandbox; its templates are shared by the tests of a run, unless a cache is named. */
export async function openSandboxShop(
  wish: Partial<SandboxWish> = {},
  cache = scratchRoot,
): Promise<SandboxShop> {
  const terms = { wish: { ...nothing, ...wish }, environment: QUIET, cache, commandUsages: [] };
  return new SandboxShop(await openSandbox(terms));
}
