// Takes products of a file. A product goes through the schema of `POST /v2/products`, so that a file has the faults that
// a request has.

import {
  type ImportedProduct,
  importProduct,
  type ImportResult,
} from "#catalog/products/import-product.ts";
import { newProductSchema, productWire, readImportedProduct } from "#catalog/products/schema.ts";
import { type Product, slugTaken } from "#catalog/rows/product.ts";
import { skuTaken } from "#catalog/rows/variant.ts";
import { assume, isObject } from "#kernel/assume.ts";
import type { Refusal } from "#kernel/refusal.ts";
import { soughtBy } from "#kernel/text.ts";
import type { Tx } from "#platform/database/database.ts";
import type { ChangedFields, Shown } from "#platform/event-log/event-log.ts";
import { differenceOf, shownOf } from "#platform/http/contract/audit-terms.ts";
import { shapeCheck } from "#platform/http/contract/check-shape.ts";
import { restoreSought, textFinder } from "#platform/http/intake/texts.ts";
import { lazy } from "#platform/process/lazy.ts";
import { recordAct } from "#shop/audit/record-act.ts";

import {
  type DraftAnswer,
  type DraftFault,
  importDraft,
  readGiven,
  refusedDraft,
  type TakeTerms,
} from "./import-draft.ts";

/** Answers in the order of the products, as `importedProducts` gives them. A transaction each, which share commits. */
export function takeProducts(
  given: readonly unknown[],
  terms: TakeTerms,
): Promise<readonly DraftAnswer[]> {
  return Promise.all(given.map((product) => take(product, terms)));
}

const intake = lazy(() => ({
  check: shapeCheck(newProductSchema),
  textsOf: textFinder(newProductSchema),
}));

async function take(given: unknown, terms: TakeTerms): Promise<DraftAnswer> {
  const { body, keepsSlug } = isObject(given) ? given : {};
  const { check, textsOf } = intake();
  // A product has no phone.
  const texts = await readGiven(body, textsOf, null);
  const faults = check(body);
  if (faults.length > 0) return refusedDraft(faults);
  restoreSought(texts);
  // The cast holds: the check found no fault.
  const read = readImportedProduct(assume<Parameters<typeof readImportedProduct>[0]>(body));
  const product = { ...read, keepsSlug: keepsSlug === true, existing: terms.existing };
  return importDraft(
    terms,
    async (tx) => {
      const result = await importProduct(tx, product);
      await record(tx, result, terms);
      return { outcome: result.outcome, keys: [result.product.id] };
    },
    (refusal) => faultsOf(refusal, product),
  );
}

async function record(
  tx: Tx,
  { outcome, before, product }: ImportResult,
  { recorded }: TakeTerms,
): Promise<void> {
  if (recorded === null || tx.isTrial === true) return;
  if (outcome !== "create" && outcome !== "update") return;
  await recordAct(tx, {
    actorName: recorded.by,
    action: "import products",
    subject: product.id,
    difference: before && differenceBetween(before, product),
  });
}

/** The fields that differ, with the prices that do: who changed one is asked most. */
function differenceBetween(before: Product, after: Product): ChangedFields {
  const [then, now] = [before, after].map((product) => shownOf(productWire.present(product)));
  const { fields } = differenceOf(shownOf(then), shownOf(now), undefined);
  const former = new Map(before.variants.map((variant) => [variant.id, variant.prices]));
  const repriced = after.variants.filter(({ id, prices }) => {
    const known = former.get(id);
    return known !== undefined && !Bun.deepEquals(known, prices);
  });
  if (repriced.length === 0) return { fields, before: null, after: null };
  const ids = new Set<unknown>(repriced.map(({ id }) => id));
  return { fields, before: pricesOf(then, ids), after: pricesOf(now, ids) };
}

function pricesOf(product: Shown | undefined, ids: ReadonlySet<unknown>): Shown {
  const variants = product?.["variants"];
  const shown = Array.isArray(variants) ? variants.map(shownOf) : [];
  return {
    variants: shown
      .filter((variant) => ids.has(variant["id"]))
      .map(({ id, prices }) => ({ id, prices })),
  };
}

/** The places of a refusal in the body. Those of a new product are its own; a taken SKU is found by its text. */
function faultsOf({ definition, details, message }: Refusal, given: ImportedProduct): DraftFault[] {
  const { faults, members } = details;
  if (faults !== undefined) {
    return faults.map(({ pointer = "", code, detail }) => ({ pointer, code, detail }));
  }
  const index = given.variants.findIndex(
    ({ fields: { sku } }) => sku && soughtBy(sku).some((one) => one === members?.sku),
  );
  const places = new Map([
    [slugTaken, "/slug"],
    [skuTaken, `/variants/${index}/sku`],
  ]);
  return [{ pointer: places.get(definition) ?? "", code: definition.code, detail: message }];
}
