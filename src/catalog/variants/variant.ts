// Variants: types, rules and refusals. A variant is what is priced, stocked and sold; its options
// tell it from the others of its product.

import type { Backorder } from "#catalog/inventory/inventory.ts";
import { type Change, defined } from "#kernel/change.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import type { Metadata } from "#kernel/metadata.ts";
import { readAmount } from "#kernel/money.ts";
import { defineRefusal, type Faults } from "#kernel/refusal.ts";

/** Variants that are offered at a time; as many lines as an order may have. */
export const VARIANTS_MAX = 100;
/** The title of a variant that differs from no other. */
export const DEFAULT_TITLE = "Default";

/** Such as size, with the values a variant may have. */
export interface ProductOption {
  readonly name: string;
  readonly values: readonly string[];
}

/** The value a variant has of each option; one that is left out is open. */
export type OptionValues = Readonly<Record<string, string>>;

/** In one currency, integer minor units; `compareAtMinor` is the price it is marked down from. */
export interface Price {
  readonly currency: CurrencyCode;
  readonly amountMinor: number;
  readonly compareAtMinor: number | null;
}

/** A price as it is asked for, in major units; in the shop's currency where nothing is said. */
export interface GivenPrice {
  readonly currency: CurrencyCode | undefined;
  readonly amount: number | string;
  readonly compareAt: number | string | null;
}

/** What a merchant says of a variant. */
export interface VariantFields {
  readonly sku: string | null;
  readonly barcode: string | null;
  readonly title: string;
  readonly options: OptionValues;
  readonly prices: readonly Price[];
  readonly weightGrams: number | null;
  readonly metadata: Metadata;
}

export interface Variant extends VariantFields {
  readonly id: Id<"variant">;
  readonly productId: Id<"product">;
  readonly position: number;
  /** Units that can be sold; null where nobody counts. */
  readonly available: number | null;
}

/** What a new variant is counted from. */
export interface NewStock {
  readonly onHand: number;
  readonly tracked?: boolean | undefined;
  readonly backorder?: Backorder | undefined;
  readonly lowStockThreshold?: number | undefined;
}

/** What is said of a variant that is made or changed. */
export type GivenVariant = Change<
  Omit<VariantFields, "prices"> & { readonly prices: readonly GivenPrice[] }
>;

/** A variant to be made; without a title it is named after its options. */
export type NewVariant = GivenVariant & { readonly stock: NewStock };

/** A variant that was read without a fault. */
export interface VariantDraft extends Omit<VariantFields, "title"> {
  readonly title?: string;
  readonly stock: NewStock;
}

/** What a variant is of which nothing is said. */
export const plainVariant: Omit<VariantFields, "title"> = {
  sku: null,
  barcode: null,
  options: {},
  prices: [],
  weightGrams: null,
  metadata: {},
};

export const variantNotFound = defineRefusal(
  "variant_not_found",
  "not_found",
  "There is no such variant of this product.",
);
export const skuTaken = defineRefusal("sku_taken", "conflict", "Another variant has this SKU.");
export const lastVariant = defineRefusal(
  "last_variant",
  "conflict",
  "A product keeps at least one variant.",
);
export const variantLimitReached = defineRefusal(
  "variant_limit_reached",
  "conflict",
  `A product has at most ${VARIANTS_MAX} variants.`,
);

/** The variant of that id among those of a product. Refuses with `variant_not_found`. */
export function variantAmong(variants: readonly Variant[], id: Id<"variant">): Variant {
  const variant = variants.find((one) => one.id === id);
  if (variant === undefined) throw variantNotFound();
  return variant;
}

/** The option values of a variant in the order of the product's options, as a customer reads them. */
export function titleOf(values: OptionValues, options: readonly ProductOption[]): string {
  const chosen = options.map((option) => valueOf(values, option.name)).filter(Boolean);
  return chosen.length === 0 ? DEFAULT_TITLE : chosen.join(" / ");
}

/** What an order line is called. */
export function saleName(productName: string, variantTitle: string): string {
  return variantTitle === DEFAULT_TITLE ? productName : `${productName} – ${variantTitle}`;
}

/** Notes each option that is declared twice. */
export function checkOptions(options: readonly ProductOption[], faults: Faults): void {
  const names = new Set<string>();
  options.forEach(({ name }, index) => {
    if (names.has(name)) faults.add(`/options/${index}/name`, "duplicate", "This is there twice.");
    names.add(name);
  });
}

/** Where a body is read: the faults noted so far, and the currency where none is given. */
export interface Reading {
  readonly faults: Faults;
  readonly currency: CurrencyCode;
}

/** A variant of a body, with what is not said filled in. Notes the faults of its prices. */
export function readVariant(asked: NewVariant, pointer: string, reading: Reading): VariantDraft {
  const prices = readPrices(asked.prices ?? [], `${pointer}/prices`, reading);
  return { ...plainVariant, ...defined(asked), prices, stock: asked.stock };
}

/** The prices of a body. Notes amounts that are none, currencies given twice, false reductions. */
export function readPrices(
  given: readonly GivenPrice[],
  pointer: string,
  { faults, currency: ownCurrency }: Reading,
): Price[] {
  const currencies = new Set<string>();
  return given.map(({ currency = ownCurrency, amount, compareAt }, index) => {
    const at = `${pointer}/${index}`;
    if (currencies.has(currency)) {
      faults.add(`${at}/currency`, "duplicate", `There are two prices in ${currency}.`);
    }
    currencies.add(currency);
    const amountMinor = readAmount(amount, currency, { faults, pointer: `${at}/amount` });
    const compareAtMinor =
      compareAt === null
        ? null
        : readAmount(compareAt, currency, { faults, pointer: `${at}/compare_at` });
    if (amountMinor !== null && compareAtMinor !== null && compareAtMinor < amountMinor) {
      faults.add(`${at}/compare_at`, "compare_at_too_low", "This must be at least the amount.");
    }
    return { currency, amountMinor: amountMinor ?? 0, compareAtMinor };
  });
}

/** A variant as it is asked for, and where its fields stand in the body. */
export interface AskedVariant {
  readonly sku: string | null;
  readonly options: OptionValues;
  readonly pointer: string;
}

/**
 * Notes values that no option of the product has, and what two variants share that tells them
 * apart. `others` are the variants that stay as they are.
 */
export function checkVariants(
  asked: readonly AskedVariant[],
  among: { readonly options: readonly ProductOption[]; readonly others: readonly Variant[] },
  faults: Faults,
): void {
  const skus = new Set<string>();
  const choices = new Set(among.others.map((one) => choiceOf(one.options, among.options)));
  for (const { sku, options, pointer } of asked) {
    const known = checkValues(options, among.options, { pointer, faults });
    const choice = choiceOf(options, among.options);
    if (known && choice !== null && choices.has(choice)) {
      faults.add(`${pointer}/options`, "duplicate", "Another variant has the same options.");
    }
    if (sku !== null && skus.has(sku)) {
      faults.add(`${pointer}/sku`, "duplicate", "Another variant of this request has this SKU.");
    }
    choices.add(choice);
    if (sku !== null) skus.add(sku);
  }
}

/** Whether each variant still has only values that the options declare. */
export function fitsOptions(variants: readonly Variant[], options: readonly ProductOption[]) {
  return variants.every(({ options: values }) =>
    Object.entries(values).every(([name, value]) =>
      options.some((option) => option.name === name && option.values.includes(value)),
    ),
  );
}

function checkValues(
  values: OptionValues,
  options: readonly ProductOption[],
  place: { readonly pointer: string; readonly faults: Faults },
): boolean {
  let known = true;
  for (const [name, value] of Object.entries(values)) {
    const option = options.find((one) => one.name === name);
    if (option?.values.includes(value) === true) continue;
    known = false;
    const at = `${place.pointer}/options/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (option === undefined) {
      place.faults.add(at, "unknown_option", "The product has no such option.");
    } else {
      place.faults.add(at, "invalid_choice", "The option has no such value.");
    }
  }
  return known;
}

/** One text per combination of values; null for a variant that has chosen nothing. */
function choiceOf(values: OptionValues, options: readonly ProductOption[]): string | null {
  const chosen = options.map((option) => valueOf(values, option.name) ?? null);
  return chosen.every((value) => value === null) ? null : JSON.stringify(chosen);
}

function valueOf(values: OptionValues, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
