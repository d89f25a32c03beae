// Requests for a part of a file (RFC 9110, 14): one range of bytes. Several at once, and other units, get the whole file.

import type { ByteRange } from "#platform/files/file-store.ts";
import type { Parts } from "#platform/net/call-for-parts.ts";

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/i;

/** A range as it is asked for: of a file whose length is not known yet. */
interface AskedRange {
  /** Null: the file's last so many bytes, which `last` says. */
  readonly first: number | null;
  /** Null: to the end. */
  readonly last: number | null;
}

/** Null where the whole file is asked for, also since it is another one than the request has a part of. */
export function askedRange({ method, headers }: Request, tag: string): AskedRange | null {
  const isAsked = method === "GET" && [null, tag].includes(headers.get("if-range"));
  return isAsked ? readRange(headers.get("range") ?? "") : null;
}

function readRange(header: string): AskedRange | null {
  const [, first = "", last = ""] = RANGE.exec(header) ?? [];
  if (first + last === "") return null;
  const isBackward = first !== "" && last !== "" && Number(first) > Number(last);
  return isBackward ? null : { first: numberOf(first), last: numberOf(last) };
}

/** The range within a file of so many bytes; null if the file has none of it. */
export function rangeWithin({ first, last }: AskedRange, bytes: number): ByteRange | null {
  const from = first ?? Math.max(bytes - (last ?? 0), 0);
  const to = first === null ? bytes - 1 : Math.min(last ?? Infinity, bytes - 1);
  return from > to ? null : { first: from, last: to };
}

function numberOf(digits: string): number | null {
  return digits === "" ? null : Number(digits);
}

// Bodies of responses that come from another server while they are sent. Invariant: of each no more is in memory than one
// part and what the connections' buffers hold, since the next part is asked for when the client has taken this one.

/** Makes the body of a response. `onFault` is told once what broke it off, and the client's connection is closed. */
type OpenStream = (parts: Parts, onFault: (error: unknown) => void) => ReadableStream<Uint8Array>;

/**
 * At most so many bodies are open. One more ends the one that was taken from longest ago: clients that take nothing keep
 * none of the connections that the program may have.
 */
export function openStreams(max: number): OpenStream {
  /** The one that was taken from longest ago is the first. */
  const open = new Map<Parts, ReadableStreamDefaultController<Uint8Array>>();
  const makeRoom = () => {
    const [oldest] = open;
    if (oldest === undefined || open.size < max) return;
    const [parts, controller] = oldest;
    open.delete(parts);
    parts.end();
    controller.error(new Error("Another client took its place."));
  };
  return (parts, onFault) =>
    new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          makeRoom();
          open.set(parts, controller);
        },
        pull: async (controller) => {
          // It moves behind the others.
          open.delete(parts);
          open.set(parts, controller);
          try {
            const part = await parts.next();
            if (part !== null) controller.enqueue(part);
            else if (open.delete(parts)) controller.close();
          } catch (error) {
            // A stream that was ended here is no fault.
            if (!open.delete(parts)) return;
            onFault(error);
            controller.error(error);
          }
        },
        cancel: () => {
          open.delete(parts);
          parts.end();
        },
      },
      { highWaterMark: 0 },
    );
}
