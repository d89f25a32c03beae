// The products of a file, whichever shop wrote it.

import { newProductSchema } from "#catalog/products/schema.ts";
import { blankFaults } from "#imports/tables/blank-faults.ts";
import type { Place } from "#imports/tables/file-fault.ts";
import {
  type FileSources,
  type GivenFile,
  type ReadFile,
  readFile,
} from "#imports/tables/read-file.ts";
import { identifier } from "#kernel/text.ts";
import { shapeCheck } from "#platform/http/contract/check-shape.ts";
import { textFinder } from "#platform/http/intake/texts.ts";
import { lazy } from "#platform/process/lazy.ts";

import { dukaLayout, readDuka } from "./duka-file.ts";
import type { ProductDraft, ReadingTerms } from "./product-draft.ts";
import { readShopify, shopifyLayout } from "./shopify.ts";
import { readWoo, wooLayout } from "./woocommerce.ts";

const ENOUGH =
  "These columns are enough, under these names: slug, name and price; sku, stock, description, images and weight_grams may stand beside them.";
/** The column of a report for a file without one. */
const SLUG_COLUMN = "duka_slug";
/** A slug with a number behind it fits into the length of one. */
const SLUG_STEM_LENGTH = 170;

/** Reads the file. Throws UnreadableFile where it is no table, or that of none of the shops. */
export function readProducts(
  file: GivenFile,
  terms: ReadingTerms,
): Promise<ReadFile<ProductDraft>> {
  return readFile(file, { bySource: sourcesOf(terms), enough: ENOUGH });
}

function sourcesOf(terms: ReadingTerms): FileSources<ProductDraft> {
  return {
    shopify: {
      layout: shopifyLayout,
      marks: ["handle", "title"],
      read: (columns) => withDuplicates(withOwnCodes(readShopify(columns, terms))),
      mend,
    },
    woocommerce: {
      layout: wooLayout,
      marks: ["type", "name", "regular_price"],
      read: (columns) => withDuplicates(withOwnCodes(readWoo(columns, terms))),
      mend,
    },
    duka: {
      layout: dukaLayout,
      marks: ["slug", "name"],
      read: (columns) => withDuplicates(readDuka(columns, terms)),
    },
  };
}

const intake = lazy(() => ({
  check: shapeCheck(newProductSchema),
  textsOf: textFinder(newProductSchema),
  mayBeBlank:
    /^\/(?:images\/\d+|metadata(?:\/[^/]+)?|variants\/\d+\/(?:sku|barcode|image|low_stock_threshold|metadata(?:\/[^/]+)?))(?=\/|$)/,
}));

/** A product has no phone. */
function mend(draft: ProductDraft): Promise<void> {
  return blankFaults(draft, intake(), []);
}

/**
 * Leaves out each SKU that stands twice in a file of another shop, where several variants may have one, and gives each
 * product a slug of its own, where those of several are one in this shop's letters.
 */
function* withOwnCodes(drafts: Iterable<ProductDraft>): Generator<ProductDraft> {
  const rows = new Map<string, number>();
  const slugs = new Set<string>();
  for (const draft of drafts) {
    giveOwnSlug(draft, slugs);
    for (const [index, variant] of draft.body.variants.entries()) {
      const sku = variant.sku === undefined ? undefined : identifier(variant.sku);
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

function giveOwnSlug(draft: ProductDraft, slugs: Set<string>): void {
  const { slug } = draft.body;
  if (slug === undefined) return;
  let own = slug;
  for (let number = 2; slugs.has(own); number += 1) {
    own = `${slug.slice(0, SLUG_STEM_LENGTH).replace(/-$/, "")}-${number}`;
  }
  slugs.add(own);
  if (own === slug) return;
  draft.body.slug = own;
  const { row, column } = draft.placeOf("/slug");
  draft.noteMended(
    { number: row },
    `The address ${slug} is that of a product before: ${own} is taken.`,
  );
  // Read alone, it would be taken for the product that has the slug.
  for (const { number } of draft.rows) {
    draft.setCellOfReport(number, draft.keepsSlug ? SLUG_COLUMN : (column ?? SLUG_COLUMN), own);
  }
}

/** Notes each slug or SKU that stands twice: the shop would take both for the same product. */
function* withDuplicates(drafts: Iterable<ProductDraft>): Generator<ProductDraft> {
  const rows = new Map<string, number>();
  for (const draft of drafts) {
    const note = (kind: "slug" | "SKU", text: string | undefined, place: Place) => {
      if (text === undefined) return;
      const key = `${kind} ${identifier(text)}`;
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
