// The machine that `duka install` changes: its files below a root, its programs, and the server on it. Tests have one in a
// folder.

import { chmodSync, chownSync, existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { StepFailed } from "#cli/operator/settings.ts";
import { askServer } from "#platform/operator/ask-server.ts";

/** The answer of a program of the machine. */
export interface Answered {
  readonly isDone: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Machine {
  /** The folder that is its `/`. */
  readonly root: string;
  /** The sentence that says why nothing can be installed on it; null if it can. */
  readonly unfit: string | null;
  /** The executable that is installed; null where Duka runs from source. */
  readonly executable: string | null;
  run(command: readonly string[]): Answered;
  /** Runs a command of the server of a data directory. Undefined where none answers yet. */
  ask(directory: string, command: string): Promise<unknown>;
}

/** This machine. */
export function thisMachine(): Machine {
  return {
    root: "/",
    unfit: unfitness(),
    executable: Bun.isStandaloneExecutable ? process.execPath : null,
    run: (command) => {
      try {
        const { success, stdout, stderr } = Bun.spawnSync([...command], { stdin: "ignore" });
        return { isDone: success, stdout: stdout.toString(), stderr: stderr.toString() };
      } catch (error) {
        // The program is not there.
        return { isDone: false, stdout: "", stderr: String(error) };
      }
    },
    ask: async (directory, command) => {
      const answer = await askServer(directory, command, null);
      return answer.answered ? answer.output : undefined;
    },
  };
}

function unfitness(): string | null {
  if (process.platform !== "linux") return "Services are installed on Linux alone.";
  if (!existsSync("/run/systemd/system")) return "This machine does not run systemd.";
  return process.getuid?.() === 0 ? null : "Only root may install a service: use sudo.";
}

/** Runs a program of the machine; returns what it printed. Throws StepFailed where it fails. */
export function runOn(machine: Machine, ...command: readonly string[]): string {
  const { isDone, stdout, stderr } = machine.run(command);
  if (isDone) return stdout;
  throw new StepFailed(`${command.join(" ")} failed: ${stderr.trim() || "it printed nothing"}`);
}

/** The place of a path of the machine. */
export function placeOn({ root }: Machine, path: string): string {
  return join(root, path);
}

interface FileTerms {
  readonly mode: number;
  /** The id of its group; by default root's. */
  readonly group?: number;
}

/** Writes a file of root's as a whole: under another name first, so that no reader finds a part of it. */
export function writeWhole(path: string, content: string | Uint8Array, terms: FileTerms): void {
  makeFolder(dirname(path));
  const partial = `${path}.partial`;
  writeFileSync(partial, content, { mode: 0o600 });
  if (terms.group !== undefined) chownSync(partial, process.getuid?.() ?? 0, terms.group);
  // After the owner, which takes bits away; and the mask of this process has taken some before.
  chmodSync(partial, terms.mode);
  renameSync(partial, path);
}

/** Makes a folder of the system that others may enter, whatever the mask of this process. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o755);
}
