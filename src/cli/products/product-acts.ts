// The commands of the administrative socket that take products from a file and give them for one. A product goes
// through the schema of `POST /v2/products`, so that a file has the faults that a request has.

import {
  type ImportedProduct,
  importProduct,
  type ImportResult,
} from "#catalog/importing/import-product.ts";
import { listInventory } from "#catalog/inventory/lookups.ts";
import { findProducts } from "#catalog/products/lookups.ts";
import { type Product, slugTaken } from "#catalog/products/product.ts";
import { newProductSchema, productWire, readImportedProduct } from "#catalog/products/schema.ts";
import { skuTaken, VARIANTS_MAX } from "#catalog/variants/variant.ts";
import { readMode } from "#cli/operator/gateways/gateway-acts.ts";
import type { Databases } from "#cli/operator/key-commands.ts";
import { listMember, member, textOrNull } from "#cli/operator/members.ts";
import { rowsOf } from "#cli/product-files/product-rows.ts";
import { assume } from "#kernel/assume.ts";
import { isUnavailable, Refusal } from "#kernel/refusal.ts";
import { type Database, operator, type Tx } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { ChangedFields, Shown } from "#platform/event-log/act.ts";
import { differenceOf, shownOf } from "#platform/http/audit/audit-terms.ts";
import { type ShapeCheck, shapeCheck } from "#platform/http/contract/check-shape.ts";
import type { Commands } from "#platform/socket/serve-administration.ts";
import { recordAct } from "#shop/audit/record-act.ts";
import { getStore } from "#shop/store/get-store.ts";

/** What is done with products that the shop has. */
export const policies = ["update", "skip", "refuse"] as const;

/** One product of `products.import`. */
export interface ProductToImport {
  /** As `POST /v2/products` takes it, with variants. */
  readonly body: unknown;
  readonly keepsSlug: boolean;
}

/** The input of `products.import`. */
export interface ImportInput {
  readonly mode: Mode;
  readonly existing: ImportedProduct["existing"];
  /** Without it the products are only tried. */
  readonly apply: boolean;
  readonly products: readonly ProductToImport[];
}

/** What is wrong with a product, at a JSON Pointer into its body. */
export interface ProductFault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** What became of a product, or would become of it. */
export interface ImportAnswer {
  readonly outcome: ImportResult["outcome"] | "refuse";
  /** The product of the shop; null for one that is refused. */
  readonly id: string | null;
  readonly faults: readonly ProductFault[];
}

/** The input of `products.export`: a page of products after the last one that is known. */
export interface ExportInput {
  readonly mode: Mode;
  readonly after: string | null;
}

/** Small enough to be answered soon; each product may have a hundred variants. */
const PAGE_PRODUCTS = 20;

/** `products.terms` answers with what the prices of a file are in. `products.import` answers in the order of its products, `products.export` with rows of cells by their columns. */
export function productCommands(databases: Databases): Commands {
  return {
    "products.import": async (input, by = null) => {
      const database = databases[readMode(input)];
      const existing = policies.find((one) => one === member(input, "existing")) ?? "refuse";
      const terms = { database, existing, applies: member(input, "apply") === true, by };
      // A transaction each, which share commits.
      const products = await Promise.all(
        listMember(input, "products").map((product) => take(product, terms)),
      );
      return { products };
    },
    "products.terms": async (input) => {
      const { currency } = await getStore(databases[readMode(input)].read);
      return { currency };
    },
    "products.export": (input) =>
      databases[readMode(input)].readTogether(async (db) => {
        const before = textOrNull(input, "after") ?? undefined;
        const { rows, hasMore } = await findProducts(db, { before, limit: PAGE_PRODUCTS });
        const levels = await listInventory(
          db,
          { productIds: rows.map(({ id }) => id) },
          { limit: PAGE_PRODUCTS * VARIANTS_MAX, after: null },
        );
        const { currency } = await getStore(db);
        return {
          rows: rows.flatMap((product) => rowsOf(product, levels.rows)),
          currency,
          after: hasMore ? rows.at(-1)?.id : null,
        };
      }),
  };
}

interface TakeTerms {
  readonly database: Database;
  readonly existing: ImportedProduct["existing"];
  readonly applies: boolean;
  readonly by: string | null;
}

let check: ShapeCheck | undefined;

async function take(given: unknown, terms: TakeTerms): Promise<ImportAnswer> {
  const body = member(given, "body");
  check ??= shapeCheck(newProductSchema);
  const faults = check(body).map(({ pointer = "", code, detail }) => ({ pointer, code, detail }));
  if (faults.length > 0) return { outcome: "refuse", id: null, faults };
  // The cast holds: the check found no fault.
  const read = readImportedProduct(assume<Parameters<typeof readImportedProduct>[0]>(body));
  const keepsSlug = member(given, "keepsSlug") === true;
  const product = { ...read, keepsSlug, existing: terms.existing };
  try {
    return { ...(await write(product, terms)), faults: [] };
  } catch (error) {
    if (!(error instanceof Refusal) || isUnavailable(error)) throw error;
    return { outcome: "refuse", id: null, faults: faultsOf(error, product) };
  }
}

type Written = Pick<ImportAnswer, "outcome" | "id">;

/** Thrown to undo what was only tried. */
class Tried extends Error {
  readonly written: Written;

  constructor(written: Written) {
    super("The product was only tried.");
    this.name = "Tried";
    this.written = written;
  }
}

function write(product: ImportedProduct, { database, applies, by }: TakeTerms) {
  return database.write<Written>(
    async (tx) => {
      const result = await importProduct(tx, product);
      const written = { outcome: result.outcome, id: result.product.id };
      if (!applies) throw new Tried(written);
      await record(tx, result, by);
      return written;
    },
    {
      actor: operator,
      otherwise: async (_, error) => {
        if (!(error instanceof Tried)) throw error;
        return error.written;
      },
    },
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
function faultsOf(
  { definition, details, message }: Refusal,
  given: ImportedProduct,
): ProductFault[] {
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
