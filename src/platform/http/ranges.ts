// Requests for a part of a file (RFC 9110, 14): one range of bytes. Several at once, and other units, get the whole file.

import type { ByteRange } from "#platform/files/file-store.ts";

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/i;

/** A range as it is asked for: of a file whose length is not known yet. */
export interface AskedRange {
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
