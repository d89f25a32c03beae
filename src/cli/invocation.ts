// How this program was started, so that a printed command can be typed as it is.

import { relative } from "node:path";

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
