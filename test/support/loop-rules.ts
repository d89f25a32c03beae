// Loops that wait but may leave no turn of the event loop to others. SQLite answers in microtasks, so a loop whose awaits
// are all such answers stops every timer and socket of the process until it ends.

import { codeOnly, lineAt } from "./source-text.ts";

/** Words that leave a turn. */
const TURN = /\bnextTurn\(|\bsetImmediate\b|\bsleep\(|\brest\(|\bwakeup\.next\(|\bsignal\.wait\(/;

/** Files whose loops need none, each with the reason. */
const loopsWithoutTurn: Readonly<Record<string, string>> = {
  "src/catalog/collections/update-collection.ts": "as many laps as a collection has levels",
  "src/catalog/inventory/queries.ts": "one transaction, as long as the movements of a variant",
  "src/catalog/listing/free-slug.ts": "as many laps as a number has digits",
  "src/catalog/listing/replace-prices.ts": "one transaction",
  "src/catalog/products/create-product.ts": "a second lap only if another story took the slug",
  "src/cli/client/listen.ts": "each lap waits for a server",
  "src/cli/exports/archive/tar.ts": "each lap reads a stream",
  "src/client/runtime/list.ts": "each lap waits for a server",
  "src/customers/lookups.ts": "one snapshot of the events of one customer",
  "src/messaging/webhooks/endpoints/advance-endpoint.ts": "one transaction",
  "src/payments/settling/plan-polls.ts": "one transaction",
  "src/platform/acme/order.ts": "each lap waits for a server",
  "src/platform/backup/packing.ts": "each lap writes to a file",
  "src/platform/database/postgres/reading.ts": "each lap waits for a server",
  "src/platform/database/postgres/writer.ts": "each lap waits for a server",
  "src/platform/database/sqlite/writer.ts": "the stories of one turn are its work",
  "src/platform/event-log/redaction.ts": "one transaction, as long as the events of one subject",
  "src/platform/files/image-maker.ts": "each lap reads a stream",
  "src/platform/files/s3-store.ts": "each lap waits for a server",
  "src/platform/files/s3-upload.ts": "each lap reads a file",
  "src/platform/http/intake/bodies.ts": "each lap reads a stream",
  "src/platform/http/intake/uploads.ts": "each lap reads a stream",
  "src/platform/transfer/copy-shop.ts": "a command with a process of its own",
  "src/pricing/discounts/codes.ts": "one transaction, repeated for codes that exist",
  "src/sales/carts/lookups.ts": "one snapshot of the carts of one customer",
};

/** The loops of a file that end by a condition, wait, and leave no turn. */
export function loopsThatStopOthers(path: string, text: string): string[] {
  if (path in loopsWithoutTurn) return [];
  return turnlessLoops(text).map(
    (line) => `${path}:${line}: begin each lap with await nextTurn(), or say in loop-rules why not`,
  );
}

/** Files of the list that have no such loop any more. */
export function emptyReasons(files: readonly { path: string; text: string }[]): string[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  return Object.keys(loopsWithoutTurn).filter(
    (path) => turnlessLoops(texts.get(path) ?? "").length === 0,
  );
}

function turnlessLoops(text: string): number[] {
  const code = codeOnly(text);
  const loops = [...code.matchAll(/(?<![.\w])(?:while|for|do)\b(?=\s*[({])/g)];
  return loops.flatMap(({ index }) => {
    const loop = loopAt(code, index);
    const isHeld = isUnbounded(loop.head) && /\bawait\b/.test(loop.whole) && !TURN.test(loop.whole);
    return isHeld ? [lineAt(text, index)] : [];
  });
}

/** The text in the parentheses of a loop, empty for `do`, and the whole loop. */
function loopAt(code: string, index: number): { readonly head: string; readonly whole: string } {
  const opening = code.slice(index).search(/[({]/) + index;
  const isDo = code[opening] === "{";
  const headEnd = isDo ? opening : closing(code, opening);
  const body = code.slice(headEnd).search(/[^\s)]/) + headEnd;
  const end = code[body] === "{" ? closing(code, body) : code.indexOf(";", body) + 1;
  return { head: isDo ? "" : code.slice(opening + 1, headEnd - 1), whole: code.slice(index, end) };
}

/** False for a loop over a list, and for one that counts up to a limit. */
function isUnbounded(head: string): boolean {
  if (/\b(?:of|in)\b/.test(head) && !head.includes(";")) return false;
  const parts = head.split(";");
  return parts.length < 3 || parts[1]?.trim() === "" || parts[2]?.trim() === "";
}

/** The offset after the bracket that closes the one at the offset. */
function closing(code: string, opening: number): number {
  let depth = 0;
  for (let at = opening; at < code.length; at += 1) {
    if ("({[".includes(code[at] ?? "")) depth += 1;
    else if (")}]".includes(code[at] ?? "")) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return code.length;
}
