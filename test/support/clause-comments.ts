// Comments that begin with a clause ("Whether it is paid") instead of a verb or the thing ("True if it is paid"). There
// were 1,325; each folder of src has a count that may only fall.

import { lineAt } from "./source-text.ts";

/** A folder that is not listed has none. The files of src itself are one folder. */
const allowed: Readonly<Record<string, number>> = {
  client: 5,
};

/** The first words of comments; a line that continues the comment above it begins none. */
const CLAUSE =
  /\/\*\*\s*(?:\*\s*)?(?:Whether|What|Where|Of)\b|(?<!^[ \t]*\/\/[^\n]*\n[ \t]*)(?<![:"'`/\w])\/\/ (?:Whether|What|Where|Of)\b/gm;

/** The lines in which comments begin with a clause. */
export function clauseComments(text: string): number[] {
  return [...text.matchAll(CLAUSE)].map(({ index }) => lineAt(text, index));
}

/** Folders with more of these comments than they are allowed, each with its last one. */
export function tooManyClauses(files: readonly { path: string; text: string }[]): string[] {
  const byFolder = Map.groupBy(files, ({ path }) => topFolder(path));
  return [...byFolder].flatMap(([folder, inside]) => {
    const found = inside.flatMap(({ path, text }) =>
      clauseComments(text).map((line) => `${path}:${line}`),
    );
    const most = allowed[folder] ?? 0;
    if (found.length <= most) return [];
    return `${folder} has ${found.length} comments that begin with a clause, at most ${most}: ${found.at(-1)}`;
  });
}

function topFolder(path: string): string {
  const [root = "", folder = "", file] = path.split("/");
  return file === undefined ? root : folder;
}
