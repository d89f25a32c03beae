// The draft to which a row of a file is read: the body of a request, and which cell each of its values came from, so
// that a fault of the body is shown where the merchant can mend it.

import { isObject } from "#kernel/assume.ts";
import { parseStrictJson } from "#platform/http/strict-json.ts";
import { splitList } from "#sheets/sheet.ts";

import type { Row } from "./columns.ts";
import type { FileFault, FileWarning, Place } from "./file-fault.ts";
import { readFlag, repairs } from "./repair.ts";

/** A cell, and where its value goes. */
export interface Source {
  readonly row: Row;
  readonly column: string;
  readonly pointer: string;
}

/** The terms of a draft: its rows, and which shop wrote them. */
export interface DraftTerms {
  /** True for another shop's file, which is mended; Duka's own is taken as it stands. */
  readonly isForeign: boolean;
  /** All of its rows. */
  readonly rows: readonly Row[];
}

/** Tags of a product or a customer. */
const TAGS_MAX = 50;
/** Rows of one product or customer: more than variants, pictures or addresses that it may have, and read at once. */
const ROWS_MAX = 500;
/** Shopify has 2,048 variants and 250 pictures of a product. */
export const FOREIGN_ROWS_MAX = 2_500;
/** The form in which a spreadsheet writes a long number. */
const SHORTENED = /^\d+(?:[.,]\d+)?e\+\d+$/i;

/** A noun as it is read from the rows of a file. */
export class Draft<Body extends object = object> {
  readonly body: Body;
  readonly faults: FileFault[] = [];
  readonly warnings: FileWarning[] = [];
  /** True if the shop has no place for it. */
  isLeftOut = false;
  /** The rows of the file that it is read from. */
  readonly rows: readonly Row[];
  readonly isForeign: boolean;
  /** By row and column, cells that a report has in place of those of the file: read alone, they mean the same. */
  readonly cellsOfReport = new Map<number, Map<string, string>>();
  readonly #row: Row;
  readonly #places = new Map<string, Place>();

  /** `row` is the one that has what the noun has for itself. */
  constructor(row: Row, body: Body, { isForeign, rows }: DraftTerms) {
    this.#row = row;
    this.rows = rows;
    this.isForeign = isForeign;
    this.body = body;
  }

  /** True if a value of it is taken over otherwise than the file has it. */
  get isMended(): boolean {
    return this.warnings.some(({ isMended }) => isMended);
  }

  /** Leaves out what has so many rows that to read them would hold up the program. Returns whether it did. */
  leaveOutIfTooLong(rows: readonly Row[], most = ROWS_MAX): boolean {
    if (rows.length <= most) return false;
    const detail = `${rows.length} rows of the file are taken for this one, and at most ${most} may be: look at the column that tells which rows belong together.`;
    this.faults.push({ ...this.placeOf(""), code: "too_many", detail });
    this.isLeftOut = true;
    return true;
  }

  /** The text of the cell; undefined where it is blank. */
  text(source: Source): string | undefined {
    if (source.row.columnOf(source.column) === null) return undefined;
    this.at(source);
    return source.row.get(source.column) || undefined;
  }

  /** The text of a cell, mended in another shop's file where this shop takes it otherwise; a note says so. */
  mended(source: Source, kind: keyof typeof repairs): string | undefined {
    return this.mend(this.text(source), kind, source.row);
  }

  /** The text as this shop takes it; undefined for an empty one. */
  mend(text: string | undefined, kind: keyof typeof repairs, row: Row): string | undefined {
    const repaired = text === undefined || !this.isForeign ? null : repairs[kind](text);
    if (repaired !== null) this.noteMended(row, repaired.note);
    return (repaired?.text ?? text) || undefined;
  }

  /** The tags of another shop's file: as many as the shop takes, each cut to its length. */
  tags(source: Source): string[] | undefined {
    const given = splitList(this.text(source) ?? "", ",").filter((tag) => tag !== "");
    const all = [...new Set(given.map((tag) => this.mend(tag, "tag", source.row) ?? tag))];
    if (all.length > TAGS_MAX) {
      this.noteMended(source.row, `Of ${all.length} tags, the first ${TAGS_MAX} are taken over.`);
    }
    return all.length === 0 ? undefined : all.slice(0, TAGS_MAX);
  }

  /** The code in a cell of Duka's own file by which a row of the shop is looked up, as the file has it. */
  sent(source: Source): string | undefined {
    return this.code(source) === undefined ? undefined : source.row.raw(source.column);
  }

  /** A code with its digits as they were, such as a barcode. */
  code(source: Source, kind: "code" | "barcode" | "phone" = "code"): string | undefined {
    const value = this.mended(source, kind);
    if (value === undefined || !SHORTENED.test(value)) return value;
    this.fault(
      source,
      "invalid_format",
      "A spreadsheet has shortened this number: make its column one of text, and export the file again.",
    );
    return undefined;
  }

  flag(source: Source): boolean | undefined {
    const value = this.mended(source, "figure");
    if (value === undefined) return undefined;
    const flag = readFlag(value);
    if (flag !== undefined) return flag;
    this.fault(source, "invalid_choice", "This must be TRUE or FALSE.");
    return undefined;
  }

  json(source: Source): object | undefined {
    const text = this.text(source);
    if (text === undefined) return undefined;
    // A value that the interface would not read, such as deep nesting, is no value here either.
    if (parseStrictJson(new TextEncoder().encode(text)).ok) {
      const value: unknown = JSON.parse(text);
      if (isObject(value)) return value;
    }
    this.fault(source, "wrong_type", 'This must be a JSON object such as {"shelf": "B4"}.');
    return undefined;
  }

  /** A fault at each row that says something else than a row before it; `own` is what tells another one. */
  requireAgreement(
    { noun, own }: { readonly noun: string; readonly own: string },
    rows: readonly Row[],
    columns: readonly string[],
  ): void {
    const said = columns.map((column) => ({
      column,
      first: rows.find((one) => one.get(column) !== ""),
    }));
    for (const row of rows) {
      for (const { column, first } of said) {
        if (row.get(column) === "" || row.get(column) === first?.get(column)) continue;
        const detail = `Row ${first?.number} of the same ${noun} has another value here. Give this row ${own} of its own, or leave the cell blank.`;
        this.fault({ row, column }, "conflicting_fields", detail);
        break;
      }
    }
  }

  fault({ row, column }: Pick<Source, "row" | "column">, code: string, detail: string): void {
    this.faults.push({ ...placeOf({ row, column }), code, detail });
  }

  warn(row: Row, detail: string): void {
    this.warnings.push({ row: row.number, detail });
  }

  /** Sets the cell that a report has, by the name that the file has for its column. */
  setCellOfReport(row: number, column: string, text: string): void {
    const cells = this.cellsOfReport.get(row) ?? new Map<string, string>();
    this.cellsOfReport.set(row, cells.set(column, text));
  }

  /** Notes that a value is taken over otherwise than the row has it. */
  noteMended(row: Pick<Row, "number">, detail: string): void {
    this.warnings.push({ row: row.number, detail, isMended: true });
  }

  /** Notes the cell that a value of the body came from. */
  at({ pointer, ...source }: Source): void {
    this.#places.set(pointer, placeOf(source));
  }

  /** The cell of a fault in the body: that of its value, or of what the value is a part of. */
  placeOf(pointer: string): Place {
    for (let at = pointer; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
      const place = this.#places.get(at);
      if (place !== undefined) return place;
    }
    return { row: this.#row.number, column: null, value: null };
  }
}

function placeOf({ row, column }: Pick<Source, "row" | "column">): Place {
  return { row: row.number, column: row.columnOf(column), value: row.get(column) };
}
