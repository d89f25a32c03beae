// The types of what the rows of the catalog hold.

import type { CurrencyCode } from "#kernel/currency.ts";

import type { KeptImage } from "./image.ts";

/** An option such as size, with the values that variants may have. */
export interface ProductOption {
  readonly name: string;
  readonly values: readonly string[];
}

/** The value of each option by the option's name. Options may be left out. */
export type OptionValues = Readonly<Record<string, string>>;

/** A price in one currency, in minor units. `compareAtMinor` is the price before a reduction. */
export interface Price {
  readonly currency: CurrencyCode;
  readonly amountMinor: number;
  readonly compareAtMinor: number | null;
}

/** The parts of a variant that an order keeps, to show them beside the name of the line. */
export interface KeptVariant {
  readonly slug: string;
  /** Null for the default variant. */
  readonly title: string | null;
  readonly options: OptionValues;
  /** The variant's picture, else the first one of its product. */
  readonly image: KeptImage | null;
}

/** Only active products are sold. Storefront keys see neither drafts nor archived products. */
export const productStatuses = ["draft", "active", "archived"] as const;
export type ProductStatus = (typeof productStatuses)[number];

/** The conditions of an automatic collection: everything that is not null or empty. */
export interface CollectionRule {
  readonly category: string | null;
  /** Any of these. */
  readonly tags: readonly string[];
  readonly brand: string | null;
  /** Words that must all occur, as a search for products finds them. */
  readonly q: string | null;
}

export const productOrders = ["newest", "price", "-price", "name", "-name"] as const;

/** Those of a collection, which may have an order of its own. */
export const memberOrders = [...productOrders, "position"] as const;
export type MemberOrder = (typeof memberOrders)[number];

/** One width of a medium. */
export interface MediumFile {
  readonly width: number;
  readonly bytes: number;
  /** By which backups and `duka check` prove it, in hexadecimal. */
  readonly sha256: string;
  /**
   * `alone`: the file is nothing but pixels. `beside`: the one with this hash is beside it, and gets its name next.
   * Absent: a build wrote it that kept color profiles of any size.
   */
  readonly pixels?: "alone" | "beside";
}
