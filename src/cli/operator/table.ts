// Rows for a person at a terminal: columns side by side, as wide as what is in them.

const GAP = "  ";
const CONTROL = /\p{Cc}/gu;

/** A table with a line of headings. Control characters, which could move a cursor, are replaced. */
export function renderTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [headings, ...rows].map((row) => row.map((cell) => cell.replace(CONTROL, "�")));
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
