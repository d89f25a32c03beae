// The commands of the administrative socket that take products from a file. A product goes
// through the schema of `POST /v2/products`, so that a file has the faults that a request has.

import {
  type ImportedProduct,
  importProduct,
  type ImportResult,
} from "#catalog/importing/import-product.ts";
import { type Product, slugTaken } from "#catalog/products/product.ts";
import { newProductSchema, productWire, readImportedProduct } from "#catalog/products/schema.ts";
import { skuTaken } from "#catalog/variants/variant.ts";
import {
  type DraftAnswer,
  type DraftFault,
  importDraft,
  readTakeTerms,
  refusedDraft,
  type TakeTerms,
} from "#cli/imports/import-draft.ts";
import { readMode } from "#cli/operator/gateways/gateway-acts.ts";
import type { Databases } from "#cli/operator/key-commands.ts";
import { listMember, member } from "#cli/operator/members.ts";
import { assume } from "#kernel/assume.ts";
import type { Refusal } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import type { ChangedFields, Shown } from "#platform/event-log/act.ts";
import { differenceOf, shownOf } from "#platform/http/audit/audit-terms.ts";
import { type ShapeCheck, shapeCheck } from "#platform/http/contract/check-shape.ts";
import type { Commands } from "#platform/socket/serve-administration.ts";
import { recordAct } from "#shop/audit/record-act.ts";
import { getStore } from "#shop/store/get-store.ts";

/** `products.terms` answers with what the prices of a file are in, `products.import` in the order of its products. */
export function productCommands(databases: Databases): Commands {
  return {
    "products.import": async (input, by = null) => {
      const terms = readTakeTerms(input, { database: databases[readMode(input)], by });
      // A transaction each, which share commits.
      const given = listMember(input, "given").map((product) => take(product, terms));
      return { answers: await Promise.all(given) };
    },
    "products.terms": async (input) => {
      const { currency } = await getStore(databases[readMode(input)].read);
      return { currency };
    },
  };
}

let check: ShapeCheck | undefined;

async function take(given: unknown, terms: TakeTerms): Promise<DraftAnswer> {
  const body = member(given, "body");
  check ??= shapeCheck(newProductSchema);
  const faults = check(body).map(({ pointer = "", code, detail }) => ({ pointer, code, detail }));
  if (faults.length > 0) return refusedDraft(faults);
  // The cast holds: the check found no fault.
  const read = readImportedProduct(assume<Parameters<typeof readImportedProduct>[0]>(body));
  const keepsSlug = member(given, "keepsSlug") === true;
  const product = { ...read, keepsSlug, existing: terms.existing };
  return importDraft(
    terms,
    async (tx) => {
      const result = await importProduct(tx, product);
      await record(tx, result, terms.by);
      return { outcome: result.outcome, keys: [result.product.id] };
    },
    (refusal) => faultsOf(refusal, product),
  );
}

async function record(tx: Tx, { outcome, before, product }: ImportResult, by: string | null) {
  if (outcome !== "create" && outcome !== "update") return;
  await recordAct(tx, {
    actorName: by,
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

function pricesOf(shown: unknown, ids: ReadonlySet<unknown>): Shown {
  const variants = listMember(shown, "variants").map(shownOf);
  return {
    variants: variants
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
  const index = given.variants.findIndex(({ fields }) => fields.sku === members?.sku);
  const places = new Map([
    [slugTaken, "/slug"],
    [skuTaken, `/variants/${index}/sku`],
  ]);
  return [{ pointer: places.get(definition) ?? "", code: definition.code, detail: message }];
}
