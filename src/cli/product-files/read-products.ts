// The products of a file, whichever shop wrote it.

import { printable } from "#cli/operator/table.ts";

import { type Columns, columnsOf, type Layout } from "./columns.ts";
import type { Draft, ReadingTerms } from "./draft.ts";
import { dukaLayout, readDuka } from "./duka-file.ts";
import { type FileFault, type FileWarning, type Place, UnreadableFile } from "./file-fault.ts";
import { readTable, type Table } from "./read-table.ts";
import { readShopify, shopifyLayout } from "./shopify.ts";
import { readWoo, wooLayout } from "./woocommerce.ts";

/** The shops whose files are read. */
export const sources = ["shopify", "woocommerce", "duka"] as const;
export type SourceName = (typeof sources)[number];

interface Source {
  readonly layout: Layout;
  /** Columns that every file of the shop has, and that no other shop's has. */
  readonly marks: readonly string[];
  readonly read: (columns: Columns, terms: ReadingTerms) => Draft[];
}

const bySource: Readonly<Record<SourceName, Source>> = {
  shopify: { layout: shopifyLayout, marks: ["handle", "title"], read: readShopify },
  woocommerce: { layout: wooLayout, marks: ["type", "name", "regular_price"], read: readWoo },
  duka: { layout: dukaLayout, marks: ["slug", "name"], read: readDuka },
};

/** A hundred variants with all their fields have less. */
const PRODUCT_BYTES_MAX = 900_000;

export interface ProductFile {
  readonly source: SourceName;
  /** Without the names of the columns. */
  readonly rows: number;
  readonly drafts: readonly Draft[];
  /** Faults that no product has by itself. */
  readonly faults: readonly FileFault[];
  readonly warnings: readonly FileWarning[];
}

/** Reads the file. Throws UnreadableFile where it is no table, or that of none of the shops. */
export async function readProducts(
  path: string,
  given: SourceName | undefined,
  terms: ReadingTerms,
): Promise<ProductFile> {
  const table = await readTable(path);
  const source = given ?? sourceOf(table);
  const { layout, marks, read } = bySource[source];
  const columns = columnsOf(table, layout);
  const missing = marks.filter((mark) => !columns.has(mark));
  if (missing.length > 0) {
    const names = missing.map((mark) => layout.columns[mark]?.[0] ?? mark).join(", ");
    throw new UnreadableFile(`The file has no column ${names}, which a file of ${source} has.`);
  }
  const drafts = read(columns, terms);
  for (const draft of drafts) leaveOutIfTooLarge(draft);
  findDuplicates(drafts);
  const { dropped, unknown } = columns;
  return {
    source,
    rows: table.rows.length,
    drafts: drafts.filter(({ isLeftOut }) => !isLeftOut),
    faults: [...columns.faults, ...drafts.flatMap(({ faults }) => faults)],
    warnings: [
      ...table.warnings,
      ...columnWarning("Columns that are not known, and not taken over", unknown),
      ...columnWarning("Columns that are not taken over", dropped),
      ...drafts.flatMap(({ warnings }) => warnings),
    ],
  };
}

/** The socket to the server would not take it. */
function leaveOutIfTooLarge(draft: Draft): void {
  if (Buffer.byteLength(JSON.stringify(draft.body)) <= PRODUCT_BYTES_MAX) return;
  const detail = "The product has more text than a shop can hold.";
  draft.faults.push({ ...draft.placeOf(""), code: "too_large", detail });
  draft.isLeftOut = true;
}

function sourceOf(table: Table): SourceName {
  const found = sources.find((source) => {
    const { layout, marks } = bySource[source];
    const columns = columnsOf(table, layout);
    return marks.every((mark) => columns.has(mark));
  });
  if (found !== undefined) return found;
  throw new UnreadableFile(
    `The columns are those of no shop that is known (${sources.join(", ")}). The first are: ${printable(table.header.slice(0, 5).join(", "))}. The names of the columns must stand in the first row.`,
  );
}

function columnWarning(what: string, columns: readonly string[]): FileWarning[] {
  return columns.length === 0 ? [] : [{ row: null, detail: `${what}: ${columns.join(", ")}.` }];
}

/** A slug or SKU that stands twice: the shop would take both for the same product. */
function findDuplicates(drafts: readonly Draft[]): void {
  const rows = new Map<string, number>();
  for (const draft of drafts) {
    const note = (kind: "slug" | "SKU", text: string | undefined, place: Place) => {
      if (text === undefined) return;
      const key = `${kind} ${text}`;
      const before = rows.get(key);
      if (before === undefined) rows.set(key, place.row);
      else {
        const detail = `Row ${before} has the same ${kind}.`;
        draft.faults.push({ ...place, code: "duplicate", detail });
      }
    };
    note("slug", draft.body.slug, draft.placeOf("/slug"));
    for (const [index, { sku }] of draft.body.variants.entries()) {
      note("SKU", sku, draft.placeOf(`/variants/${index}/sku`));
    }
  }
}
