// Texts that strangers type, in what the shop sends to others: an email, a message. Invariant: a text of the shop carries
// no link of theirs.

/** A point before a letter, as in `shop.example`, also a wide one, an address, or the beginning of a link. */
const LINK = /[.。．｡]\p{L}|@|:\/\//u;

/**
 * The text that a customer typed; null if a mail program or a messenger would make a link of it. Strangers may order for
 * any address and any phone, and what the shop sends there carries no advertisement of theirs.
 */
export function typed(text: string | null | undefined): string | null {
  const line = oneLine(text ?? "");
  return line === "" || LINK.test(line) ? null : line;
}

/** The text in one line, as a subject or a name in a header has to be. */
export function oneLine(text: string): string {
  // Controls, and the two separators that some programs take for the end of a line.
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}
