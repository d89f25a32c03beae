// Text for a terminal: tables with aligned columns, and values without control characters.

const GAP = "  ";
const CONTROL = /\p{Cc}/gu;

/** The text with control characters replaced: a stored value could move the cursor otherwise. */
export function printable(text: string): string {
  return text.replace(CONTROL, "�");
}

/** A table with a line of headings, printable, each column as wide as its widest cell. */
export function renderTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [headings, ...rows].map((row) => row.map(printable));
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => Bun.stringWidth(line[column] ?? ""))),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - Bun.stringWidth(cell)))
        .join(GAP)
        .trimEnd(),
    )
    .join("\n");
}
