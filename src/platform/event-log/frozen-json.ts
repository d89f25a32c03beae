// Parses stored JSON so that it can be printed again byte for byte: every number keeps its digits.

declare global {
  interface JSON {
    /**
     * The reviver's third argument has the source text (ECMAScript, JSON.parse source text access).
     */
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
    /** JSON text that `stringify` prints unchanged (ECMAScript, JSON.rawJSON). */
    rawJSON(text: string): unknown;
    /** True if `rawJSON` made the value (ECMAScript, JSON.isRawJSON). */
    isRawJSON(value: unknown): boolean;
  }
}

/** Parses a stored text into a value that `JSON.stringify` prints unchanged. */
export function thaw(text: string): unknown {
  return JSON.parse(text, (_key, value, context) =>
    typeof value === "number" && context.source !== undefined
      ? JSON.rawJSON(context.source)
      : value,
  );
}
