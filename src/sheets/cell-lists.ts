// Several values in one cell, separated by a character that people type: `red | dark blue`.

/** The values in one cell. A bar and a backslash in a value stand behind a backslash. */
export function joinList(values: readonly string[]): string {
  return values.map((value) => value.replaceAll(/[\\|]/g, String.raw`\$&`)).join(" | ");
}

/** The values of a cell; what stands behind a backslash separates nothing. */
export function splitList(text: string, separator: string): string[] {
  const values: string[] = [];
  let value = "";
  for (const [token] of text.matchAll(/\\[\\|,>]|[\s\S]/gu)) {
    if (token === separator) {
      values.push(value.trim());
      value = "";
    } else value += token.length === 2 && token.startsWith("\\") ? token.slice(1) : token;
  }
  return [...values, value.trim()];
}
