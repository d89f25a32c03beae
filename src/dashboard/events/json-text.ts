// JSON as a person reads it: in lines, with every digit as it was sent.

/** A value whose numbers print as they were written, such as `25.00` (ECMAScript, JSON.rawJSON). Throws if it is no JSON. */
export function readExactly(text: string): unknown {
  return JSON.parse(text, (_, value: unknown, { source }) =>
    typeof value === "number" && source !== undefined ? JSON.rawJSON(source) : value,
  );
}

/** The value in lines. */
export function linesOf(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** JSON in lines; another text as it is. */
export function linesOfText(text: string): string {
  try {
    return linesOf(readExactly(text));
  } catch {
    return text;
  }
}
