// Workflow: what a file of products would do to the shop, and where that is asked for, doing it.

import type { Administration } from "#cli/operator/administer.ts";
import { textMember } from "#cli/operator/members.ts";
import { readProducts } from "#imports/product-files/read-products.ts";
import type { Comma } from "#imports/product-files/written-number.ts";
import { importedProducts as noun } from "#imports/taking/imported-nouns.ts";
import type { Outcomes } from "#imports/taking/run-import.ts";
import { realClock } from "#kernel/time.ts";
import { openGivenFile, readUnchanged } from "#platform/process/given-file.ts";

import { givenTerms, importDrafts, type ImportTerms, reportOf } from "./import-file.ts";
import type { FileReport } from "./import-report.ts";

/** The options of an import of products. */
export interface ProductTerms extends ImportTerms {
  readonly currency?: string;
  readonly decimalComma?: true;
  readonly thousandsComma?: true;
}

export interface ProductReport extends FileReport {
  /** The currency of prices that the file gives without one. */
  readonly currency: string;
  readonly products: Outcomes;
}

function commaOf({ decimalComma, thousandsComma }: ProductTerms): Comma | null {
  if (thousandsComma === true) return "thousands";
  return decimalComma === true ? "decimal" : null;
}

/** Tries every product, and imports them with `apply` if none has a fault. */
export async function importProducts(
  shop: Pick<Administration, "run">,
  path: string,
  terms: ProductTerms,
): Promise<ProductReport> {
  const { mode } = terms;
  using given = openGivenFile(path);
  const currency =
    terms.currency?.toUpperCase() ??
    textMember(await shop.run("products.terms", { mode }), "currency");
  const reading = {
    currency,
    comma: commaOf(terms),
    hints: { decimal: "add --decimal-comma", thousands: "add --thousands-comma" },
    now: realClock.now(),
  };
  const content = Bun.file(given.path);
  const file = await readUnchanged(given, () =>
    readProducts({ content, ...givenTerms(terms) }, reading),
  );
  const run = { plural: "products", noun, terms } as const;
  const done = await importDrafts(shop, file, run);
  return { ...reportOf({ path, terms, file, done }), currency, products: done.outcomes };
}
