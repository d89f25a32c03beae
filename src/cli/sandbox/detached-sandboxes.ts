// The detached sandboxes of this user: a file of facts for each, in the cache directory, which `duka sandbox list` prints
// and `duka sandbox stop` ends them by. Invariant: a sandbox runs if its server answers, never because a file says so.

import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

import { invocation } from "#cli/mistakes.ts";
import { numberOrNull, textMember, textOrNull } from "#cli/operator/members.ts";
import { NoShop } from "#cli/operator/require-shop.ts";
import { type JsonOptions, StepFailed, UsageFault } from "#cli/operator/settings.ts";
import { renderTable } from "#cli/operator/table.ts";
import { isObject } from "#kernel/assume.ts";
import { monotonicMs } from "#kernel/time.ts";
import { makeFolder, OWNER_ONLY_FILE } from "#platform/backup/files.ts";
import { askServer } from "#platform/operator/ask-server.ts";
import { cacheFolder } from "#platform/process/environment.ts";
import { print } from "#platform/process/output.ts";

import { logFileOf } from "./sandbox-folder.ts";
import type { Detachment, SandboxWish } from "./sandbox-options.ts";

const FACTS = ".json";
/** Requests in flight end within two seconds; deleting the files of a shop takes less. */
const STOPPING_MS_MAX = 30_000;
const LOOK_MS = 20;

/** The options that were asked for, by name; an option that was not given is null. */
export type Asked = Readonly<Record<string, string | number | null>>;

/** The options that are asked for, as a file of facts remembers it. */
export function askedFor(wish: SandboxWish, { forMs }: Detachment): Asked {
  const { port, seed, scenario, clockAt, keep } = wish;
  return {
    port,
    seed: seed ?? (keep === null ? "small" : null),
    scenario,
    clock: clockAt,
    keep: keep === null ? null : resolve(keep),
    for: forMs,
  };
}

/** A detached sandbox, as its file tells of it. */
export interface DetachedSandbox {
  readonly name: string;
  readonly directory: string;
  readonly url: string;
  /** The members that `duka sandbox --json` prints of it. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly asked: Asked;
}

/** The folder of the files, which is made if it is missing. */
export function detachedFolder(): string {
  const folder = join(cacheFolder(), "duka", "sandboxes");
  makeFolder(folder);
  return folder;
}

function factsFile(name: string): string {
  return join(detachedFolder(), name + FACTS);
}

/**
 * Puts the file of a sandbox that is ready in its place, whole or not at all. Disposing it removes the file, unless it is
 * another sandbox's by now.
 */
export function tellOf(name: string, facts: object, asked: Asked): Disposable {
  const file = factsFile(name);
  const text = `${JSON.stringify({ ...facts, asked })}\n`;
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: OWNER_ONLY_FILE });
  renameSync(draft, file);
  return {
    [Symbol.dispose]: () => {
      if (readOrNull(file) === text) rmSync(file, { force: true });
    },
  };
}

/** Afterwards no file tells of the name. */
export function removeFacts(name: string): void {
  rmSync(factsFile(name), { force: true });
}

/** The sandbox of the name; null where no file tells of one that can be read. It need not run any more. */
export function readDetached(name: string): DetachedSandbox | null {
  const text = readOrNull(factsFile(name));
  if (text === null) return null;
  try {
    const written: unknown = JSON.parse(text);
    if (!isObject(written)) return null;
    const { asked, ...facts } = written;
    const directory = textMember(facts, "directory");
    return { name, directory, url: textMember(facts, "url"), facts, asked: askedOf(asked) };
  } catch {
    // A damaged file tells of no sandbox.
    return null;
  }
}

function askedOf(written: unknown): Asked {
  const names = Object.keys(isObject(written) ? written : {});
  return Object.fromEntries(
    names.map((name) => [name, numberOrNull(written, name) ?? textOrNull(written, name)]),
  );
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    // No sandbox has this name.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** The sandbox of the name, if it runs. */
export async function findDetached(name: string): Promise<DetachedSandbox | null> {
  const told = readDetached(name);
  if (told === null) return null;
  const answer = await askServer(told.directory, "server.address", null);
  // Another sandbox may have the directory now.
  return answer.answered && textMember(answer.output, "url") === told.url ? told : null;
}

async function listDetached(): Promise<DetachedSandbox[]> {
  const names = readdirSync(detachedFolder())
    .filter((file) => file.endsWith(FACTS))
    .map((file) => file.slice(0, -FACTS.length));
  const found = await Promise.all(names.toSorted().map(findDetached));
  return found.filter((sandbox) => sandbox !== null);
}

/** Prints those that run: as a table, or as JSON with the facts of each. */
export async function listAtTerminal({ json }: JsonOptions): Promise<void> {
  const running = await listDetached();
  const rows = running.map(({ name, url, directory, facts }) => [
    name,
    url,
    textMember(facts, "ends_at"),
    directory,
  ]);
  const told = running.map(({ facts }) => facts);
  if (json === true) print(JSON.stringify(told, null, 2));
  else if (running.length === 0) print("No detached sandbox runs.");
  else print(renderTable(["NAME", "URL", "ENDS AT", "DIRECTORY"], rows));
}

/** Ends the sandbox of the name, the only one, or all, and returns when nothing is left of it. */
export async function stopAtTerminal(
  name: string | undefined,
  { all }: { readonly all?: true },
): Promise<void> {
  const chosen = all === true ? await chooseAll(name) : [await chooseOne(name)];
  for (const sandbox of chosen) {
    await stop(sandbox);
    print(`The sandbox "${sandbox.name}" has ended.`);
  }
}

function chooseAll(name: string | undefined): Promise<DetachedSandbox[]> {
  if (name !== undefined) throw new UsageFault("Name one sandbox, or stop --all.");
  return listDetached();
}

async function chooseOne(name: string | undefined): Promise<DetachedSandbox> {
  const running = await listDetached();
  const [chosen, ...others] =
    name === undefined ? running : running.filter((sandbox) => sandbox.name === name);
  if (chosen === undefined) {
    const which = name === undefined ? "No detached sandbox" : `No sandbox "${name}"`;
    throw new NoShop(`${which} runs. "${invocation} sandbox list" prints those that do.`);
  }
  if (others.length === 0) return chosen;
  const names = running.map((sandbox) => sandbox.name).join(", ");
  throw new UsageFault(`Several sandboxes run. Name one, or stop --all: ${names}.`);
}

async function stop({ name, directory, url }: DetachedSandbox): Promise<void> {
  await askServer(directory, "sandbox.stop", null);
  const until = monotonicMs() + STOPPING_MS_MAX;
  // Its file is the last thing that it removes.
  while (readDetached(name)?.url === url) {
    if (monotonicMs() > until) {
      const seconds = STOPPING_MS_MAX / 1000;
      throw new StepFailed(
        `The sandbox "${name}" has not ended after ${seconds} seconds; its log is ${logFileOf(directory)}.`,
      );
    }
    await Bun.sleep(LOOK_MS);
  }
}
