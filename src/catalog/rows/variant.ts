// Variants: types, rules and refusals. A variant has prices and stock and is what orders sell; its option
// values distinguish it from the other variants of its product.

import { type Change, defined } from "#kernel/change.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { defineFaults, type Meanings } from "#kernel/fault.ts";
import type { Id } from "#kernel/id.ts";
import { readAmount } from "#kernel/money.ts";
import {
  defineMembers,
  defineRefusal,
  type Faults,
  member,
  type Members,
  toPointerStep,
} from "#kernel/refusal.ts";
import { identifier } from "#kernel/text.ts";

import type { KeptVariant, OptionValues, Price, ProductOption } from "./column-types.ts";
import {
  type GivenImage,
  type Image,
  type KeptImage,
  type ShownImage,
  shownImage,
} from "./image.ts";
import type { Backorder, StockLevel } from "./inventory.ts";
import type { VariantRow } from "./tables.ts";

/** Variants of one product, without archived ones: as many as an order may have lines. */
export const VARIANTS_MAX = 100;
/** The title of a variant without option values. */
export const DEFAULT_TITLE = "Default";

/** A price in a request, in major units. The shop's currency is the default. */
export interface PriceInput {
  readonly currency: CurrencyCode | undefined;
  readonly amount: number | string;
  readonly compareAt: number | string | null;
}

/** A variant that is not archived. */
export interface Variant extends Omit<
  VariantRow,
  "firstSoldAt" | "archivedAt" | "createdAt" | "updatedAt"
> {
  /** Units that can be sold; null if the variant is untracked. */
  readonly available: number | null;
  /** True if a unit can be ordered now. */
  readonly inStock: boolean;
  /** The beginning of the address of its picture. */
  readonly mediaUrl: string;
}

/** The fields of a variant that a request can set. */
export type VariantFields = Omit<
  Variant,
  "id" | "productId" | "position" | "available" | "inStock" | "mediaUrl"
>;

/** The opening stock and stock settings of a new variant. */
export interface NewStock {
  readonly onHand: number;
  readonly tracked?: boolean | undefined;
  readonly backorder?: Backorder | undefined;
  readonly lowStockThreshold?: number | undefined;
}

/** A variant that was just made, with the settings of its stock. */
export interface AddedVariant extends Variant, Pick<StockLevel, "tracked" | "lowStockThreshold"> {
  readonly backorder: Backorder;
}

/** The fields that a request gives of a new or changed variant. */
export type VariantInput = Change<
  Omit<VariantFields, "prices" | "image"> & {
    readonly prices: readonly PriceInput[];
    readonly image: GivenImage | null;
  }
>;

/** A variant to create. Without a title it is named after its option values. */
export type NewVariant = VariantInput & { readonly stock: NewStock };

/** A variant to insert, with prices in minor units and defaults filled in; its picture is found before that. */
export interface VariantDraft extends Omit<VariantFields, "title" | "image"> {
  readonly title?: string;
  readonly image: GivenImage | null;
  readonly stock: NewStock;
}

/** The default fields of a new variant. */
export const plainVariant: Omit<VariantFields, "title"> & { readonly image: null } = {
  sku: null,
  barcode: null,
  options: {},
  prices: [],
  weightGrams: null,
  requiresShipping: true,
  image: null,
  metadata: {},
};

export const variantNotFound = defineRefusal(
  "variant_not_found",
  "not_found",
  "There is no such variant of this product.",
);
export const skuTaken = defineRefusal("sku_taken", "conflict", {
  title: "Another variant has this SKU.",
  cause: "SKUs are unique in a shop, and another variant (`existing_id`) has this one.",
  remedy: "Use another SKU, or change the other variant first.",
});
export const lastVariant = defineRefusal("last_variant", "conflict", {
  title: "A product keeps at least one variant.",
  cause: "The variant is the only one of its product.",
  remedy: "Create another variant first, or delete the product.",
});
export const variantLimitReached = defineRefusal("variant_limit_reached", "conflict", {
  title: `A product has at most ${VARIANTS_MAX} variants.`,
  cause: "The product already has as many variants as a product can have.",
  remedy: "Delete variants that are not needed, or create another product.",
});

/** Returns the variant with this id. Refuses with `variant_not_found`. */
export function variantAmong(variants: readonly Variant[], id: Id<"variant">): Variant {
  const variant = variants.find((one) => one.id === id);
  if (variant === undefined) throw variantNotFound();
  return variant;
}

/** Returns a title made of the option values in the order of the product's options, such as "M / red". */
export function titleOf(values: OptionValues, options: readonly ProductOption[]): string {
  const chosen = options.map((option) => valueOf(values, option.name)).filter(Boolean);
  return chosen.length === 0 ? DEFAULT_TITLE : chosen.join(" / ");
}

/** Returns the variant with the title of the new options if its title was derived from the old ones; else the same. */
export function retitled(
  variant: Variant,
  options: { readonly from: readonly ProductOption[]; readonly to: readonly ProductOption[] },
): Variant {
  const title = titleOf(variant.options, options.to);
  const isDerived = variant.title === titleOf(variant.options, options.from);
  return isDerived && title !== variant.title ? { ...variant, title } : variant;
}

/** Returns the name of an order line. */
export function saleName(productName: string, variantTitle: string): string {
  return variantTitle === DEFAULT_TITLE ? productName : `${productName} – ${variantTitle}`;
}

/** The same as a line shows them, in a cart with the whole picture. */
export interface ShownVariant extends KeptVariant {
  readonly image: Image | KeptImage | null;
  /** The beginning of the address of the picture. */
  readonly mediaUrl: string;
}

interface VariantToShow extends Pick<VariantRow, "title" | "options" | "image"> {
  readonly slug: string;
  readonly images: readonly Image[];
}

/** Makes the parts that a line shows. */
export function shownOf(
  { slug, title, options, image, images }: VariantToShow,
  mediaUrl: string,
): ShownVariant {
  return {
    slug,
    title: title === DEFAULT_TITLE ? null : title,
    options,
    image: image ?? images[0] ?? null,
    mediaUrl,
  };
}

/** The picture that a line shows, with the addresses of its files. */
export function pictureOf(shown: ShownVariant | null): ShownImage | null {
  return shown?.image ? shownImage(shown.image, shown.mediaUrl) : null;
}

/** Adds a fault for each option that is declared twice. */
export function checkOptions(options: readonly ProductOption[], faults: Faults): void {
  const names = new Set<string>();
  options.forEach(({ name }, index) => {
    if (names.has(name))
      faults.add(`/options/${index}/name`, "duplicate", "Another option has this name.");
    names.add(name);
  });
}

/** Collects the faults of a request body; `currency` is the default of its prices. */
export interface Reading {
  readonly faults: Faults;
  readonly currency: CurrencyCode;
}

/** Fills in the defaults of a new variant and reads its prices, adding their faults. */
export function readVariant(input: NewVariant, pointer: string, reading: Reading): VariantDraft {
  const prices = readPrices(input.prices ?? [], `${pointer}/prices`, reading);
  return { ...plainVariant, ...defined(input), prices, stock: input.stock };
}

/**
 * Returns prices in minor units. Adds faults for invalid amounts, for a second price in one currency and for a
 * `compare_at` below the amount.
 */
export function readPrices(
  inputs: readonly PriceInput[],
  pointer: string,
  { faults, currency: defaultCurrency }: Reading,
): Price[] {
  const currencies = new Set<string>();
  return inputs.map(({ currency = defaultCurrency, amount, compareAt }, index) => {
    const at = `${pointer}/${index}`;
    if (currencies.has(currency)) {
      faults.add(`${at}/currency`, "duplicate", `Another price is in ${currency}.`);
    }
    currencies.add(currency);
    const amountMinor = readAmount(amount, currency, { faults, pointer: `${at}/amount` });
    const compareAtMinor =
      compareAt === null
        ? null
        : readAmount(compareAt, currency, { faults, pointer: `${at}/compare_at` });
    if (amountMinor !== null && compareAtMinor !== null && compareAtMinor < amountMinor) {
      faults.add(
        `${at}/compare_at`,
        "compare_at_too_low",
        "compare_at must be at least the amount.",
      );
    }
    return { currency, amountMinor: amountMinor ?? 0, compareAtMinor };
  });
}

/** The SKU as it is stored, of one as it was sent. */
export function skuInForm(sent: string | null): string | null {
  return sent === null ? null : identifier(sent);
}

/** A new or changed variant, with its pointer in the request body. */
export interface VariantAtPointer {
  readonly sku: string | null;
  readonly options: OptionValues;
  readonly pointer: string;
}

/**
 * Adds faults for unknown options and values, and for a combination of values or a SKU that two variants
 * share. `others` are the product's variants that do not change.
 */
export function checkVariants(
  changed: readonly VariantAtPointer[],
  among: { readonly options: readonly ProductOption[]; readonly others: readonly Variant[] },
  faults: Faults,
): void {
  const skus = new Set<string>();
  const choices = new Set(among.others.map((one) => choiceOf(one.options, among.options)));
  for (const { sku, options, pointer } of changed) {
    const known = checkValues(options, among.options, { pointer, faults });
    const choice = choiceOf(options, among.options);
    if (known && choice !== null && choices.has(choice)) {
      faults.add(`${pointer}/options`, "duplicate", "Another variant has the same options.");
    }
    const formed = skuInForm(sku);
    if (formed !== null && skus.has(formed)) {
      faults.add(`${pointer}/sku`, "duplicate", "Another variant in this request has this SKU.");
    }
    choices.add(choice);
    if (formed !== null) skus.add(formed);
  }
}

/** Returns true if the options declare every value of every variant. */
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
    const at = `${place.pointer}/options/${toPointerStep(name)}`;
    if (option === undefined) {
      place.faults.add(at, "unknown_option", "The product has no such option.");
    } else {
      place.faults.add(at, "invalid_choice", "The option has no such value.");
    }
  }
  return known;
}

/** Returns a key of the combination of values; null for a variant without values. */
function choiceOf(values: OptionValues, options: readonly ProductOption[]): string | null {
  const chosen = options.map((option) => valueOf(values, option.name) ?? null);
  return chosen.every((value) => value === null) ? null : JSON.stringify(chosen);
}

function valueOf(values: OptionValues, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

const variantFaults = defineFaults({
  compare_at_too_low: "The former price (`compare_at`) is below the price.",
  unknown_option: "The product has no such option.",
});
declare module "#kernel/fault.ts" {
  interface FaultCodes extends Meanings<typeof variantFaults> {}
}

const variantMembers = defineMembers({ sku: member.text("The SKU that is taken.") });
declare module "#kernel/refusal.ts" {
  interface ProblemMembers extends Members<typeof variantMembers> {}
}
