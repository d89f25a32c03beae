// `duka sandbox --detach`: starts a sandbox in a session of its own, which outlives the shell, and prints where it is
// once it is ready. Invariant: a sandbox that does not become ready is ended, and leaves nothing.

import { closeSync, fstatSync, openSync, readSync, rmSync } from "node:fs";

import { invocation } from "#cli/mistakes.ts";
import { StepFailed } from "#cli/operator/settings.ts";
import { monotonicMs } from "#kernel/time.ts";
import { OWNER_ONLY_FILE } from "#platform/backup/files.ts";
import { lockDirectory } from "#platform/data-directory/data-directory.ts";
import { ownProgram } from "#platform/process/own-program.ts";

import {
  type Asked,
  askedFor,
  detachedFolder,
  type DetachedSandbox,
  findDetached,
  readDetached,
  removeFacts,
} from "./detached-sandboxes.ts";
import { readSandboxEnvironment } from "./open-sandbox.ts";
import { printSandbox } from "./sandbox-facts.ts";
import { logFileOf, openSandboxFolder, type SandboxFolder } from "./sandbox-folder.ts";
import {
  type Detachment,
  readWish,
  type SandboxOptions,
  type SandboxWish,
} from "./sandbox-options.ts";

/** A sandbox is ready within a second; with a full seed, on a busy machine, this is enough. */
const READY_MS_MAX = 30_000;
const LOOK_MS = 20;
/** As much of a log as fits a screen. */
const LOG_BYTES = 2_000;

/** Prints the sandbox of the name, which it starts unless it runs. Throws StepFailed where one runs that is another. */
export async function detachAtTerminal(
  options: SandboxOptions,
  detachment: Detachment,
): Promise<void> {
  const wish = readWish(options);
  const { name } = detachment;
  // Faults of the settings are told here: the sandbox itself can only log them.
  readSandboxEnvironment(options);
  using _ = await takeTurn();
  const running = await findDetached(name);
  if (running !== null) requireSame(running, askedFor(wish, detachment));
  // One that was killed has left it.
  if (running === null) removeFacts(name);
  const { facts } = running ?? (await start(name, openSandboxFolder(wish), wish));
  printSandbox(facts, options);
}

/** One sandbox is started at a time, so that of two with a name only one is made. */
async function takeTurn(): Promise<Disposable> {
  const folder = detachedFolder();
  const until = monotonicMs() + READY_MS_MAX;
  for (;;) {
    const turn = lockDirectory(folder);
    if (turn !== null) return turn;
    if (monotonicMs() > until) throw new StepFailed("Another sandbox is still being started.");
    await Bun.sleep(LOOK_MS);
  }
}

function requireSame({ name, asked: before }: DetachedSandbox, asked: Asked): void {
  const others = Object.keys(asked).filter((option) => asked[option] !== before[option]);
  if (others.length === 0) return;
  const options = others.map((option) => `--${option}`).join(", ");
  throw new StepFailed(
    `The sandbox "${name}" runs already, with another ${options}. End it with "${invocation} sandbox stop ${name}", or choose another --name.`,
  );
}

/** Starts this program once more, with the same arguments, and returns when the sandbox is ready. */
async function start(
  name: string,
  { directory, memory }: SandboxFolder,
  { keep }: SandboxWish,
): Promise<DetachedSandbox> {
  const log = openSync(logFileOf(directory), "a+", OWNER_ONLY_FILE);
  try {
    const child = Bun.spawn([...ownProgram(), ...process.argv.slice(2), "--into", directory], {
      stdin: "ignore",
      stdout: log,
      stderr: log,
      detached: true,
    });
    child.unref();
    const sandbox = await untilReady(child, { name, directory });
    if (sandbox !== null) return sandbox;
    if (!hasEnded(child)) {
      child.kill("SIGKILL");
      await child.exited;
      if (keep === null || memory === null) rmSync(directory, { recursive: true, force: true });
    }
    throw new StepFailed(`The sandbox did not become ready.\n${endOf(log)}`);
  } finally {
    closeSync(log);
  }
}

/** Null once the process has ended, or the time has. */
async function untilReady(
  child: Bun.Subprocess,
  { name, directory }: { readonly name: string; readonly directory: string },
): Promise<DetachedSandbox | null> {
  const until = monotonicMs() + READY_MS_MAX;
  while (!hasEnded(child) && monotonicMs() < until) {
    const told = readDetached(name);
    if (told?.directory === directory) return told;
    await Bun.sleep(LOOK_MS);
  }
  return null;
}

function hasEnded({ exitCode, signalCode }: Bun.Subprocess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** The end of the log, which may have been deleted with its directory meanwhile. */
function endOf(log: number): string {
  const { size } = fstatSync(log);
  const bytes = Buffer.alloc(Math.min(size, LOG_BYTES));
  readSync(log, bytes, 0, bytes.length, size - bytes.length);
  return bytes.toString().trim();
}
