// Workflow: what a file of products would do to the shop, and where that is asked for, doing it.

import { slugOf } from "#catalog/products/product.ts";
import type { FileReport } from "#cli/imports/import-report.ts";
import {
  type ImportedNoun,
  type ImportTerms,
  type Outcomes,
  runImport,
} from "#cli/imports/run-import.ts";
import type { Administration } from "#cli/operator/administer.ts";
import { textMember } from "#cli/operator/members.ts";
import type { ProductDraft } from "#cli/product-files/product-draft.ts";
import { readProducts } from "#cli/product-files/read-products.ts";
import { realClock } from "#kernel/time.ts";

/** What a merchant says about an import of products. */
export interface ProductTerms extends ImportTerms {
  readonly currency?: string;
  readonly decimalComma?: true;
}

export interface ProductReport extends FileReport {
  /** Of prices that the file gives without one. */
  readonly currency: string;
  readonly products: Outcomes;
}

const noun: ImportedNoun<ProductDraft> = {
  command: "products.import",
  plural: "products",
  batch: 20,
  given: ({ body, keepsSlug }) => ({ body, keepsSlug }),
  same: {
    pointer: "/slug",
    detail: (row) => `By its slug or a SKU, the shop takes this for the product of row ${row}.`,
  },
  formatHint,
};

/** Tries every product, and imports them with `apply` if none has a fault. */
export async function importProducts(
  shop: Pick<Administration, "run">,
  path: string,
  terms: ProductTerms,
): Promise<ProductReport> {
  const { mode } = terms;
  const currency =
    terms.currency?.toUpperCase() ??
    textMember(await shop.run("products.terms", { mode }), "currency");
  const hasDecimalComma = terms.decimalComma === true;
  const reading = { currency, hasDecimalComma, now: realClock.now() };
  const { drafts, ...file } = await readProducts(path, terms.from, reading);
  const { outcomes, ...done } = await runImport(shop, { ...file, drafts }, { noun, terms });
  return { path, mode, currency, ...file, ...done, products: outcomes };
}

function formatHint(pointer: string, value: string): string | undefined {
  if (pointer === "/slug") {
    return `A slug has small letters, digits and hyphens, such as ${slugOf(value)}.`;
  }
  if (pointer.startsWith("/images")) {
    return "An image is an address such as https://shop.example/mug.jpg.";
  }
  return /[\r\n]/.test(value) ? "This must stand on one line." : undefined;
}
