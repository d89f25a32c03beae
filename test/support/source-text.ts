// Reads TypeScript as text, as far as the tidy rules need it: a file's place in the layout, its imports and
// its declarations.

/** A file directly in a noun's folder; null for any other file. */
export interface NounFile {
  readonly noun: string;
  /** The file's name without extension, such as `place-order`. */
  readonly name: string;
}

/** A declaration at the left margin with the comment above it. */
export interface Declaration {
  readonly name: string;
  readonly comment: string;
}

/** Folders of nouns: single nouns, and groups of several. */
const ONE_NOUN = /^src\/(customers|privacy|pay-page|waiting)\/([a-z0-9-]+)\.ts$/;
const GROUP =
  /^src\/(?:shop|catalog|pricing|sales|payments|messaging|analytics)\/(?:webhooks\/)?([a-z-]+)\/([a-z0-9-]+)\.ts$/;

/** The noun and the name of a file in a noun's folder. */
export function nounFile(path: string): NounFile | null {
  const found = ONE_NOUN.exec(path) ?? GROUP.exec(path);
  const noun = found?.[1];
  const name = found?.[2];
  return noun === undefined || name === undefined ? null : { noun, name };
}

/** The same text with comments and string contents blanked, every line where it was. */
export function codeOnly(text: string): string {
  return text.replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g,
    (found) => found.replace(/[^\n]/g, " "),
  );
}

/** Every module a file imports, type-only imports included. */
export function importedModules(text: string): string[] {
  const statement = /^import\s+(?:[^;"]*?\sfrom\s+)?"([^"]+)"|\bimport\("([^"]+)"\)/gm;
  return [...text.matchAll(statement)].map((found) => found[1] ?? found[2] ?? "");
}

/** The 1-based line of an offset. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** The declaration at the left margin that the offset lies in, or null above the first one. */
export function declarationAt(text: string, offset: number): Declaration | null {
  const lines = text.slice(0, offset).split("\n");
  const opening = /^(?:export )?(?:async )?(?:function\*?|const|class) (\w+)/;
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const name = opening.exec(lines[index] ?? "")?.[1];
    if (name !== undefined) return { name, comment: commentAbove(lines, index) };
  }
  return null;
}

/** The comment lines that stand directly above a line. */
function commentAbove(lines: readonly string[], index: number): string {
  let first = index;
  while (/^(\/\/|\/\*| \*)/.test(lines[first - 1] ?? "")) first -= 1;
  return lines.slice(first, index).join("\n");
}

/** The text from an offset to where the expression there ends: a comma or a closing bracket. */
export function expressionAt(text: string, offset: number): string {
  return textUntil(text, offset, /[,)\]};]/);
}

/** The arguments of the call whose name begins at an offset. */
export function argumentsAt(text: string, offset: number): string {
  return textUntil(text, text.indexOf("(", offset) + 1, /[)\]};]/);
}

function textUntil(text: string, offset: number, end: RegExp): string {
  const code = codeOnly(text);
  let depth = 0;
  for (let index = offset; index < code.length; index += 1) {
    const character = code.charAt(index);
    if (depth === 0 && end.test(character)) return text.slice(offset, index);
    if (/[([{]/.test(character)) depth += 1;
    if (/[)\]}]/.test(character)) depth -= 1;
  }
  return text.slice(offset);
}

/** `place-order` as `placeOrder`. */
export function camelCase(kebab: string): string {
  return kebab.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** `placeOrder`, `place-order` and `place_order` as `place`, `order`. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}
