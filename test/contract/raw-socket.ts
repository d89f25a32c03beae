// Sends raw bytes to a server, for requests that no client library sends.

import { connect } from "node:net";

import type { TestShop } from "../support/shop.ts";

export interface RawAnswer {
  /** Everything that the server sent, one character per byte. */
  readonly text: string;
  /** The statuses of the answers in order. */
  readonly statuses: readonly number[];
  /** Whether the server closed the connection. */
  readonly isClosed: boolean;
}

/**
 * Sends the pieces in order and reads until the server closes, until the wanted number of answers has
 * arrived, or for at most `withinMs`.
 */
export function speak(
  url: string,
  pieces: readonly string[],
  { answers = 1, withinMs = 3_000 }: { answers?: number; withinMs?: number } = {},
): Promise<RawAnswer> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const finish = (isClosed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, statuses: statusesIn(text), isClosed });
    };
    const timer = setTimeout(() => finish(false), withinMs);
    socket.on("connect", () => void sendAll(pieces, (piece) => socket.write(piece, "latin1")));
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (isComplete(text) && statusesIn(text).length >= answers) finish(false);
    });
    socket.on("error", () => finish(true));
    socket.on("close", () => finish(true));
  });
}

/** The pause that makes two pieces two packets, milliseconds. */
async function sendAll(pieces: readonly string[], write: (piece: string) => void): Promise<void> {
  for (const piece of pieces) {
    write(piece);
    await Bun.sleep(20);
  }
}

function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)]
    .map((found) => Number(found[1]))
    .filter((status) => status >= 200);
}

/** Whether the body of the last answer is complete. */
function isComplete(text: string): boolean {
  const last = text.slice(text.lastIndexOf("HTTP/1.1 "));
  const end = last.indexOf("\r\n\r\n");
  if (end === -1 || last.startsWith("HTTP/1.1 1")) return false;
  const length = Number(/^content-length: (\d+)/im.exec(last.slice(0, end))?.[1] ?? 0);
  return last.length >= end + 4 + length || !last.includes("{");
}

/** A request line with the headers of every request of these tests. */
export function head(shop: Pick<TestShop, "key">, line: string, ...headers: string[]): string {
  const all = [`Authorization: Bearer ${shop.key}`, ...headers];
  return `${line} HTTP/1.1\r\n${all.join("\r\n")}\r\n\r\n`;
}
