// Answers a mistake at the command line: what was meant, the usage of the command, and how to get its help, as it can
// be typed after how this program was started. Commander finds most mistakes; a command throws UsageFault for the
// others.

import { relative } from "node:path";
import { styleText } from "node:util";

import type { Command } from "commander";

import { nearestName } from "#platform/process/nearest-name.ts";

/** Bun's folder for the files inside an executable. */
const INSIDE = "/$bunfs/";

/** `duka` or the path of the executable as typed, else `npx bun src/main.ts`. */
export const invocation: string = Bun.main.startsWith(INSIDE)
  ? shellWord(process.argv0)
  : `npx bun ${shellWord(relative(process.cwd(), Bun.main))}`;

/** The text as one word of a shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Lets errors of the command, and of all below it, end with their own usage. */
export function pointAtHelp(command: Command): void {
  command.showHelpAfterError(`\n${usageOf(command)}`);
  for (const below of command.commands) pointAtHelp(below);
}

/** The usage of a command, and what to type for its help. */
export function usageOf(command: Command): string {
  const usage = `Usage: ${command.createHelp().commandUsage(command)}`;
  return `${usage}\nSee "${[invocation, ...pathOf(command)].join(" ")} --help".`;
}

/** The command that the words name, such as `keys create`; the program itself without any. */
export function findCommand(program: Command, words: readonly string[]): Command {
  let found = program;
  for (const word of words) {
    const next = found.commands.find((command) => command.name() === word);
    if (next === undefined) refuseCommand(found, word);
    found = next;
  }
  return found;
}

/** Ends the command line: the word is no command below this one. */
export function refuseCommand(command: Command, word: string): never {
  const known = command.commands.map((below) => below.name());
  const nearest = nearestName(word, known);
  const hint = nearest === null ? "" : `; did you mean "${nearest}"?`;
  command.error(`error: unknown command "${word}"${hint}`);
}

/** The text with its first line in red, where stderr is a terminal with colors. */
export function redFirst(text: string): string {
  return text.replace(/^.+/, (line) => styleText("red", line, { stream: process.stderr }));
}

function pathOf(command: Command): string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}
