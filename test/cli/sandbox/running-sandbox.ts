// `duka sandbox --json` as a process, with a temporary directory and a cache of its own.

import { mkdirSync, readdirSync } from "node:fs";

import { program } from "../../support/running-duka.ts";
import type { ScratchFolder } from "../../support/scratch.ts";

/** What the line of JSON says, as far as tests need it. */
interface Printed {
  readonly url: string;
  readonly api: string;
  readonly key: string;
  readonly directory: string;
  readonly dashboard: string;
}

/** The variables of a sandbox that leaves nothing outside the folder. */
export function variablesIn(folder: ScratchFolder): Record<string, string> {
  mkdirSync(folder.file("tmp"), { recursive: true });
  return {
    TMPDIR: folder.file("tmp"),
    XDG_CACHE_HOME: folder.file("cache"),
  };
}

/** The directories of sandboxes that are there. */
export function leftIn(folder: ScratchFolder): string[] {
  return readdirSync(folder.file("tmp"));
}

/** A running sandbox. Disposing it kills the process that was started. */
export class RunningSandbox implements AsyncDisposable {
  readonly #child: Bun.Subprocess<"pipe" | "ignore", "pipe", "pipe">;
  readonly #rest: Promise<void>;
  readonly printed: Printed;

  constructor(
    child: Bun.Subprocess<"pipe" | "ignore", "pipe", "pipe">,
    printed: Printed,
    rest: Promise<void>,
  ) {
    this.#child = child;
    this.printed = printed;
    this.#rest = rest;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  closeStdin(): void {
    void this.#child.stdin?.end();
  }

  /** Resolves when the process that was started has ended, with its exit code. */
  get exited(): Promise<number> {
    return this.#child.exited;
  }

  /** Resolves when no process can print any more: the sandbox has ended, also one that lost its parent. */
  silenced(): Promise<void> {
    return this.#rest;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.closeStdin();
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }
}

/** Starts a sandbox and waits for its line. `command` starts it, `program` by default. */
export async function startSandbox(
  folder: ScratchFolder,
  args: readonly string[] = [],
  {
    stdin = "pipe",
    command = [...program, "sandbox", "--json", ...args],
  }: { readonly stdin?: "pipe" | "ignore"; readonly command?: readonly string[] } = {},
): Promise<RunningSandbox> {
  const child = Bun.spawn([...command], {
    cwd: folder.path,
    env: { PATH: process.env.PATH ?? "", HOME: folder.path, ...variablesIn(folder) },
    stdin,
    stdout: "pipe",
    stderr: "pipe",
  });
  const decoder = new TextDecoder();
  const reader = child.stdout.getReader();
  let text = "";
  while (!text.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`No sandbox: ${await new Response(child.stderr).text()}`);
    text += decoder.decode(value, { stream: true });
  }
  const printed: Printed = JSON.parse(text);
  return new RunningSandbox(child, printed, readToEnd(reader));
}

async function readToEnd(reader: { read(): Promise<{ done: boolean }> }): Promise<void> {
  while (!(await reader.read()).done);
}
