// The products of a file, whichever shop wrote it.

import type { Place } from "#imports/tables/file-fault.ts";
import {
  type FileSources,
  type GivenFile,
  type ReadFile,
  readFile,
} from "#imports/tables/read-file.ts";

import { dukaLayout, readDuka } from "./duka-file.ts";
import type { ProductDraft, ReadingTerms } from "./product-draft.ts";
import { readShopify, shopifyLayout } from "./shopify.ts";
import { readWoo, wooLayout } from "./woocommerce.ts";

/** Reads the file. Throws UnreadableFile where it is no table, or that of none of the shops. */
export function readProducts(
  file: GivenFile,
  terms: ReadingTerms,
): Promise<ReadFile<ProductDraft>> {
  return readFile(file, sourcesOf(terms));
}

function sourcesOf(terms: ReadingTerms): FileSources<ProductDraft> {
  return {
    shopify: {
      layout: shopifyLayout,
      marks: ["handle", "title"],
      read: (columns) => withDuplicates(withOwnSkus(readShopify(columns, terms))),
    },
    woocommerce: {
      layout: wooLayout,
      marks: ["type", "name", "regular_price"],
      read: (columns) => withDuplicates(withOwnSkus(readWoo(columns, terms))),
    },
    duka: {
      layout: dukaLayout,
      marks: ["slug", "name"],
      read: (columns) => withDuplicates(readDuka(columns, terms)),
    },
  };
}

/** Leaves out each SKU that stands twice in a file of another shop, where several variants may have one. */
function* withOwnSkus(drafts: Iterable<ProductDraft>): Generator<ProductDraft> {
  const rows = new Map<string, number>();
  for (const draft of drafts) {
    for (const [index, variant] of draft.body.variants.entries()) {
      const { sku } = variant;
      if (sku === undefined) continue;
      const { row, column } = draft.placeOf(`/variants/${index}/sku`);
      const before = rows.get(sku);
      if (before === undefined) rows.set(sku, row);
      else {
        variant.sku = undefined;
        const detail = `The SKU ${sku} is that of row ${before}: this variant is taken over without it.`;
        draft.noteMended({ number: row }, detail);
        // Read alone, it would be taken for the product that has the SKU.
        if (column !== null) draft.setCellOfReport(row, column, "");
      }
    }
    yield draft;
  }
}

/** Notes each slug or SKU that stands twice: the shop would take both for the same product. */
function* withDuplicates(drafts: Iterable<ProductDraft>): Generator<ProductDraft> {
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
    yield draft;
  }
}
