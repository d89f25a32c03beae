// Rules: a text that is written from the right, such as a name in Arabic, among other words (Unicode, UAX 9).

/** Letters that are written from the right, and the marks that a locale of them puts into amounts and days. */
const FROM_THE_RIGHT =
  /[\u0590-\u08FF\u200F\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/**
 * The text as a part of a sentence or a list. Without the two marks around it, the digits that follow a text from the
 * right are read as its own: `2 × قميص, 3 × كوب` would show each number at the other item.
 */
export function isolated(text: string): string {
  return FROM_THE_RIGHT.test(text) ? `\u2068${text}\u2069` : text;
}
