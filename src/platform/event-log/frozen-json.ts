// JSON text that was frozen when something happened, given again to the byte: every number keeps
// the digits it was printed with.

declare global {
  interface JSON {
    /** The reviver's third argument tells the literal (ECMAScript, JSON.parse source text access). */
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
    /** A piece of JSON text that `stringify` prints as it is (ECMAScript, JSON.rawJSON). */
    rawJSON(text: string): unknown;
  }
}

/** The value of a frozen text; `JSON.stringify` prints it as it was. */
export function thaw(text: string): unknown {
  return JSON.parse(text, (_key, value, context) =>
    typeof value === "number" && context.source !== undefined
      ? JSON.rawJSON(context.source)
      : value,
  );
}
