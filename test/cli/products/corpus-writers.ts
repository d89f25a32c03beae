// The ways in which programs write one table into a file.

import { TextEncoder } from "node:util";

import type { CorpusFile } from "./corpus.ts";

type Rows = readonly (readonly string[])[];

/** Writes a file. Its values stay the same values, however they are written. */
export type Writer = (file: CorpusFile) => Uint8Array<ArrayBuffer>;

interface Dialect {
  readonly delimiter?: string;
  readonly end?: string;
  readonly quotesAll?: boolean;
}

const MARK = "\u{feff}";

/** The letters of Windows-1252 that are others in Latin 1. */
const windows1252: Readonly<Record<string, number>> = { "“": 0x93, "”": 0x94, "€": 0x80 };

function text(
  rows: Rows,
  { delimiter = ",", end = "\n", quotesAll = false }: Dialect = {},
): string {
  const quoted = (cell: string) =>
    quotesAll || [delimiter, '"', "\n", "\r"].some((one) => cell.includes(one))
      ? `"${cell.replaceAll('"', '""')}"`
      : cell;
  return rows.map((row) => row.map(quoted).join(delimiter) + end).join("");
}

function bytes(written: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(written));
}

function wide(written: string, isBigEndian: boolean): Uint8Array<ArrayBuffer> {
  const buffer = Buffer.from(MARK + written, "utf16le");
  return new Uint8Array(isBigEndian ? buffer.swap16() : buffer);
}

function mapped(
  { rows }: CorpusFile,
  columns: readonly number[],
  change: (cell: string) => string,
): Rows {
  return rows.map((row, at) =>
    at === 0 ? row : row.map((cell, column) => (columns.includes(column) ? change(cell) : cell)),
  );
}

const german: Readonly<Record<string, string>> = {
  TRUE: "WAHR",
  FALSE: "FALSCH",
  yes: "WAHR",
  no: "FALSCH",
};

/** The file as a spreadsheet of German people saves it. */
function inGerman(file: CorpusFile): Rows {
  const rows = mapped(file, file.choices, (cell) => german[cell] ?? cell);
  return mapped({ ...file, rows }, file.decimals, (cell) =>
    cell === "" ? "" : String(Number(cell)).replace(".", ","),
  );
}

const withBlankRows = (rows: Rows, blank: readonly string[]) =>
  rows.flatMap((row) => [row, blank, blank]);

const simple: Readonly<Record<string, (file: CorpusFile) => string>> = {
  "with line feeds": ({ rows }) => text(rows),
  "without an end of the last line": ({ rows }) => text(rows).trimEnd(),
  "as Excel does, with a mark and CRLF": ({ rows }) => MARK + text(rows, { end: "\r\n" }),
  "with the line ends of an old Mac": ({ rows }) => text(rows, { end: "\r" }),
  "with a line end of its own in each row": ({ rows }) =>
    rows.map((row, at) => text([row], { end: at % 2 === 0 ? "\r\n" : "\n" })).join(""),
  "with semicolons": ({ rows }) => text(rows, { delimiter: ";" }),
  "with tabs": ({ rows }) => text(rows, { delimiter: "\t" }),
  "with sep=; before them": ({ rows }) => `sep=;\r\n${text(rows, { delimiter: ";", end: "\r\n" })}`,
  "with sep=, in quotes, saved again": ({ rows }) => `"sep=,",,,\n${text(rows)}`,
  "with a mark and sep=;": ({ rows }) => `${MARK}sep=;\n${text(rows, { delimiter: ";" })}`,
  "with every cell in quotes": ({ rows }) => text(rows, { quotesAll: true }),
  "with semicolons and quotes, as LibreOffice does": ({ rows }) =>
    text(rows, { delimiter: ";", quotesAll: true }),
  "with empty columns behind": ({ rows }) => text(rows.map((row) => [...row, "", "", ""])),
  "without the empty cells at the end of a row": ({ rows }) =>
    text(rows.map((row) => row.slice(0, row.findLastIndex((cell) => cell !== "") + 1))),
  "with blank lines between": ({ rows }) => text(withBlankRows(rows, [])),
  "with rows of empty cells between": ({ rows }) =>
    text(withBlankRows(rows, rows[0]?.map(() => "") ?? [])),
  "with blank lines before the first": ({ rows }) => `\n\n${text(rows, { delimiter: ";" })}`,
  "with the names of the columns again in the middle": ({ rows }) =>
    text([...rows.slice(0, 2), ...rows.slice(0, 1), ...rows.slice(2)]),
  "with names of columns in capitals": ({ rows: [head = [], ...rows] }) =>
    text([head.map((name) => name.toUpperCase()), ...rows]),
  "with names of columns in small letters": ({ rows: [head = [], ...rows] }) =>
    text([head.map((name) => name.toLowerCase()), ...rows]),
  "with blanks around cells": ({ rows }) =>
    text(rows.map((row) => row.map((cell) => ` ${cell}\u{a0}`))),
  "with its columns in another order": ({ rows }) => text(rows.map((row) => row.toReversed())),
  "with columns that nobody knows": ({ rows }) =>
    text(
      rows.map((row, at) => [at === 0 ? "Internal remark" : "x", ...row, at === 0 ? "Rack" : ""]),
    ),
  "with codes in formulas": (file) =>
    text(mapped(file, file.codes, (cell) => (cell === "" ? "" : `="${cell}"`))),
  "with codes in bare formulas": (file) =>
    file.rows
      .map((row, at) =>
        row
          .map((cell, column) =>
            at > 0 && file.codes.includes(column) && cell !== ""
              ? `="${cell}"`
              : `"${cell.replaceAll('"', '""')}"`,
          )
          .join(","),
      )
      .join("\n"),
  "with numbers without zeros at the end": (file) =>
    text(mapped(file, file.decimals, (cell) => (cell === "" ? "" : String(Number(cell))))),
};

/** The writers by what they do. */
export const writers: readonly (readonly [string, Writer])[] = [
  ...Object.entries(simple).map(
    ([name, write]) => [name, (file: CorpusFile) => bytes(write(file))] as const,
  ),
  [
    "in UTF-16, as Excel saves Unicode text",
    ({ rows }) => wide(text(rows, { delimiter: "\t" }), false),
  ],
  ["in UTF-16 with the high bytes first", ({ rows }) => wide(text(rows), true)],
  [
    "in Windows-1252, as old Excel does",
    ({ rows }) =>
      new Uint8Array(
        [...text(rows, { delimiter: ";", end: "\r\n" })].map(
          (one) => windows1252[one] ?? one.codePointAt(0) ?? 0,
        ),
      ),
  ],
  [
    "in the numbers and words of German people",
    (file) => bytes(text(inGerman(file), { delimiter: ";" })),
  ],
];
