// Story: create the product of a file, or bring the one that the shop has to what the file says.

import { getLevel } from "#catalog/inventory/lookups.ts";
import { setStock, type StockChange } from "#catalog/inventory/set-stock.ts";
import type { Price, ProductOption } from "#catalog/rows/column-types.ts";
import { type NewProduct, type Product, slugTaken } from "#catalog/rows/product.ts";
import {
  type PriceInput,
  skuTaken,
  type Variant,
  type VariantInput,
  variantLimitReached,
} from "#catalog/rows/variant.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import { formatAmount } from "#kernel/money.ts";
import { Faults, Refusal } from "#kernel/refusal.ts";
import { soughtBy } from "#kernel/text.ts";
import type { Tx } from "#platform/database/database.ts";
import { getStore } from "#shop/store/lookups.ts";

import { createProduct } from "./create-product.ts";
import { findProducts, lockProduct } from "./lookups.ts";
import { knownSpelling, matchVariants } from "./match-variants.ts";
import { updateProduct } from "./update-product.ts";
import { addVariant, updateVariant } from "./update-variant.ts";

/** A variant of a file. What the file does not say is undefined, and keeps its value. */
export interface ImportedVariant {
  readonly fields: VariantInput;
  readonly stock: Pick<StockChange, "onHand" | "tracked" | "backorder" | "lowStockThreshold">;
}

export interface ImportedProduct {
  readonly fields: NewProduct["fields"];
  readonly variants: readonly ImportedVariant[];
  /** True if a product that is found by a SKU keeps its slug, since the file has none of its own. */
  readonly keepsSlug: boolean;
  /** The treatment of a product that the shop has. */
  readonly existing: "update" | "skip" | "refuse";
}

export interface ImportResult {
  readonly outcome: "create" | "update" | "unchanged" | "skip";
  /** Null for one that was created. */
  readonly before: Product | null;
  readonly product: Product;
}

/** The note in the ledger about stock that was set. */
const NOTE = "Import of products";
const UNCLEAR = "The product has several variants: a SKU or options say which one this row is.";

/**
 * The product is the one with the slug, else the one with one of the SKUs, or the other way around where the file has
 * no slugs; of its variants see `matchVariants`. Nothing is removed: variants, options, prices in other
 * currencies and metadata that the file does not have stay. Does nothing where no value differs. Refuses with
 * `slug_taken` what exists and may not, with `validation_failed` what differs and may not, and as `createProduct` does.
 */
export async function importProduct(tx: Tx, read: ImportedProduct): Promise<ImportResult> {
  const found = await findImported(tx, read);
  if (found === undefined) return create(tx, read);
  if (read.existing === "skip") return { outcome: "skip", before: found, product: found };
  if (read.existing === "refuse") throw slugTaken({ detail: "The shop has this product." });
  const before = await lockProduct(tx, found.id);
  const given = spelledAs(before, read);
  const faults = new Faults();
  await noted(faults, "", () =>
    updateProduct(tx, before.id, { change: changeOf(before, given), expected: null }),
  );
  // Variants that lack an option of the product would have faults that are none.
  faults.refuseIfAny();
  const isStockChanged = await writeVariants(tx, before, { given, faults });
  faults.refuseIfAny();
  const product = await lockProduct(tx, before.id);
  const isChanged = isStockChanged || product.version !== before.version;
  return { outcome: isChanged ? "update" : "unchanged", before, product };
}

/** The product with the names and values of options that the shop has, in the spelling of the shop. */
function spelledAs({ options }: Product, given: ImportedProduct): ImportedProduct {
  const known = knownSpelling(options);
  const variants = given.variants.map(({ fields, stock }) => ({
    fields: { ...fields, options: fields.options && known.choice(fields.options) },
    stock,
  }));
  const { fields } = given;
  const spelled = { ...fields, options: fields.options && known.options(fields.options) };
  return { ...given, fields: spelled, variants };
}

/** A slug that was made of a name says less than a SKU. */
async function findImported(tx: Tx, given: ImportedProduct): Promise<Product | undefined> {
  const { fields, variants, keepsSlug } = given;
  const skus = variants.flatMap((variant) =>
    variant.fields.sku ? soughtBy(variant.fields.sku).map((sku) => ({ skus: [sku] })) : [],
  );
  const slugs = fields.slug === undefined ? [] : [{ slug: fields.slug }];
  for (const key of keepsSlug ? [...skus, ...slugs] : [...slugs, ...skus]) {
    const [found] = (await findProducts(tx, key)).rows;
    if (found !== undefined) return found;
  }
  return undefined;
}

async function create(tx: Tx, { fields, variants }: ImportedProduct): Promise<ImportResult> {
  refuseAlike(variants);
  const product = await createProduct(tx, {
    fields,
    variants: variants.map(opened),
    short: { price: undefined, currency: undefined, sku: undefined, stock: undefined },
  });
  return { outcome: "create", before: null, product };
}

/** A row that stands twice would be another variant. */
function refuseAlike(variants: readonly ImportedVariant[]): void {
  const faults = new Faults();
  const plain = [...variants.entries()].filter(
    ([, { fields }]) => Object.keys(fields.options ?? {}).length === 0,
  );
  for (const [index, { fields }] of plain.slice(1)) {
    if (!fields.sku) faults.add(`/variants/${index}/sku`, "required", UNCLEAR);
  }
  faults.refuseIfAny();
}

function opened({ fields, stock }: ImportedVariant) {
  return { ...fields, stock: { ...stock, onHand: stock.onHand ?? 0 } };
}

function changeOf(before: Product, { fields, keepsSlug }: ImportedProduct) {
  return {
    ...fields,
    slug: keepsSlug ? undefined : fields.slug,
    options: fields.options && joinedOptions(before.options, fields.options),
    metadata: fields.metadata && { ...before.metadata, ...fields.metadata },
  };
}

/** The options that there are with their values, then those that are new. */
function joinedOptions(
  before: readonly ProductOption[],
  given: readonly ProductOption[],
): ProductOption[] {
  const names = new Set([...before, ...given].map(({ name }) => name));
  return [...names].map((name) => {
    const named = [...before, ...given].filter((option) => option.name === name);
    return { name, values: [...new Set(named.flatMap(({ values }) => values))] };
  });
}

interface Writing {
  readonly given: ImportedProduct;
  readonly faults: Faults;
}

/** Changes in the order in which orders lock variants, and then stock. Returns whether stock was changed. */
async function writeVariants(
  tx: Tx,
  before: Product,
  { given, faults }: Writing,
): Promise<boolean> {
  const { currency } = await getStore(tx);
  const matches = matchVariants(before.variants, given.variants);
  const known = [...matches.known].toSorted(([, one], [, other]) => (one.id < other.id ? -1 : 1));
  for (const [index, variant] of known) {
    const fields = given.variants[index]?.fields ?? {};
    checkZeros(faults, `/variants/${index}`, { before: variant, given: fields });
    const change = variantChange(variant, fields, currency);
    const id = { productId: before.id, variantId: variant.id };
    await noted(faults, `/variants/${index}`, () =>
      updateVariant(tx, id, { change, expected: null }),
    );
  }
  for (const [index, variant] of given.variants.entries()) {
    if (matches.known.has(index)) continue;
    if (matches.unclear.has(index)) {
      faults.add(`/variants/${index}/sku`, "required", UNCLEAR);
      continue;
    }
    const terms = { variant: opened(variant), expected: null };
    await noted(faults, `/variants/${index}`, () => addVariant(tx, before.id, terms));
  }
  let isChanged = false;
  for (const [index, { id }] of known) {
    const { stock = {} } = given.variants[index] ?? {};
    const at = `/variants/${index}`;
    await noted(faults, at, async () => {
      isChanged = (await isStockSet(tx, id, stock)) || isChanged;
    });
  }
  return isChanged;
}

/** A spreadsheet takes 00123 for a number. */
function checkZeros(
  faults: Faults,
  pointer: string,
  { before, given }: { readonly before: Variant; readonly given: VariantInput },
): void {
  for (const field of ["sku", "barcode"] as const) {
    const [known, code] = [before[field], given[field]];
    if (!code || !known?.startsWith("0") || known.replace(/^0+/, "") !== code) continue;
    const detail = `The shop has ${known}: a spreadsheet dropped the zeros. Make its column one of text.`;
    faults.add(`${pointer}/${field}`, "invalid_format", detail);
  }
}

function variantChange(before: Variant, given: VariantInput, currency: CurrencyCode): VariantInput {
  return {
    ...given,
    options: given.options && { ...before.options, ...given.options },
    prices: given.prices && joinedPrices(before.prices, given.prices, currency),
    metadata: given.metadata && { ...before.metadata, ...given.metadata },
  };
}

/** The prices that there are, of which those in the currencies of the file are replaced. */
function joinedPrices(
  before: readonly Price[],
  given: readonly PriceInput[],
  currency: CurrencyCode,
): PriceInput[] {
  const currencyOf = (price: PriceInput) => price.currency ?? currency;
  const kept = before.map(
    (price) => given.find((one) => currencyOf(one) === price.currency) ?? asInput(price),
  );
  const known = before.map((price) => price.currency);
  return [...kept, ...given.filter((one) => !known.includes(currencyOf(one)))];
}

function asInput({ currency, amountMinor, compareAtMinor }: Price): PriceInput {
  const compareAt = compareAtMinor === null ? null : formatAmount(compareAtMinor, currency);
  return { currency, amount: formatAmount(amountMinor, currency), compareAt };
}

async function isStockSet(
  tx: Tx,
  variantId: Id<"variant">,
  stock: ImportedVariant["stock"],
): Promise<boolean> {
  const { version } = await getLevel(tx, variantId);
  const change = { ...stock, reason: "count", note: NOTE } as const;
  return (await setStock(tx, variantId, { change, expected: null })).version !== version;
}

/** Runs a story of which a refusal is noted at its place in the product, so that one answer has all faults. */
async function noted(
  faults: Faults,
  pointer: string,
  story: () => Promise<unknown>,
): Promise<void> {
  try {
    await story();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { definition, details, message } = error;
    for (const fault of details.faults ?? []) {
      faults.add(`${pointer}${fault.pointer ?? ""}`, fault.code, fault.detail);
    }
    if (definition === skuTaken) faults.add(`${pointer}/sku`, "duplicate", message);
    else if (definition === slugTaken) faults.add("/slug", "duplicate", message);
    else if (definition === variantLimitReached) faults.add("/variants", "too_many", message);
    else if (details.faults === undefined) throw error;
  }
}
