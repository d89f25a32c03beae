// An email as plain text. Pure.

import type { ShownLine } from "#pay-page/page-frame.ts";
import type { SumLine } from "#pay-page/sums.ts";
import { isolated } from "#platform/html/isolated.ts";

import { contactOf, oneLine, type Part, type Sheet } from "./letter.ts";

/** Returns the whole text. */
export function renderText({ store, greeting, letter }: Sheet): string {
  const foot = [oneLine(store.name), ...contactOf(store), store.websiteUrl ?? ""];
  // Mail programs take what follows this line for a signature (RFC 3676).
  const signature = ["-- ", ...foot.filter((line) => line !== "")].join("\n");
  return `${[greeting, ...letter.parts.map((part) => textOf(part, store.words.colon)), signature].join("\n\n")}\n`;
}

function textOf(part: Part, colon: string): string {
  switch (part.kind) {
    case "heading":
      return part.text.toUpperCase();
    case "paragraph":
    case "amount":
    case "note":
      return part.text;
    case "button":
    case "link":
      return `${part.label}${colon}\n${part.url}`;
    case "items":
      return part.items.map((item) => `- ${oneLine(item)}`).join("\n");
    case "lines":
      return part.lines.map((line) => textOfLine(line, colon)).join("\n");
    case "sums":
      return part.sums.map((sum) => textOfSum(sum, colon)).join("\n");
  }
}

function textOfLine({ name, total, remarks }: ShownLine, colon: string): string {
  const row = `- ${isolated(oneLine(name))}`;
  return `${row}${colon} ${total ?? "–"} (${remarks.join(", ")})`;
}

function textOfSum([name, amount]: SumLine, colon: string): string {
  return `${oneLine(name)}${colon} ${amount}`;
}
