// A product as it is read from the rows of a file: the body of `POST /v2/products`.

import { VARIANTS_MAX } from "#catalog/rows/variant.ts";
import type { Row } from "#imports/tables/columns.ts";
import { Draft, type DraftTerms, type Source } from "#imports/tables/draft.ts";

import { isAnySign, isSignOf, withSign } from "./currency-signs.ts";
import {
  type Comma,
  mayBeThousands,
  pointed,
  readingsOf,
  rounded,
  ungrouped,
  weighed,
  withBothSides,
  type Writing,
} from "./written-number.ts";

/** Pictures of a product. */
export const PICTURES = { most: 50, noun: "pictures" } as const;

/** The ways of reading that differ from file to file. */
export interface ReadingTerms {
  /** The currency of prices without one. */
  readonly currency: string;
  /** The meaning of a comma in a number; null where the person has not said it. */
  readonly comma: Comma | null;
  /** The words by which it is said, such as `add --decimal-comma`. */
  readonly hints: Readonly<Record<Comma, string>>;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface VariantBody {
  title?: string | undefined;
  sku?: string | undefined;
  barcode?: string | undefined;
  options?: Readonly<Record<string, string>> | undefined;
  prices?: readonly object[] | undefined;
  weight_grams?: number | undefined;
  requires_shipping?: boolean | undefined;
  image?: object | undefined;
  metadata?: unknown;
  stock?: number | undefined;
  tracked?: boolean | undefined;
  backorder?: string | undefined;
  low_stock_threshold?: number | undefined;
}

export interface ProductBody {
  name?: string | undefined;
  slug?: string | undefined;
  description?: string | undefined;
  status?: string | undefined;
  category?: string | undefined;
  brand?: string | undefined;
  seo?: { readonly title?: string | undefined; readonly description?: string | undefined };
  tags?: readonly string[] | undefined;
  images?: readonly object[] | undefined;
  options?: readonly { readonly name: string; readonly values: readonly string[] }[] | undefined;
  metadata?: unknown;
  tax_class?: string | undefined;
  variants: VariantBody[];
}

export type Backorder = "allow" | "deny";

/** The pictures of a cell, which some programs put there together. */
export function picturesIn(text: string): string[] {
  return text.split(/[\s,;|]+(?=(?:https?:)?\/\/)/i);
}

/** A product of a file, with the numbers of its cells. */
export class ProductDraft extends Draft<ProductBody> {
  /** True if the slug was made of the name. */
  keepsSlug = false;
  readonly terms: ReadingTerms;

  constructor(row: Row, terms: ReadingTerms, given: DraftTerms) {
    super(row, { variants: [] }, given);
    this.terms = terms;
  }

  /** As many of another shop's list as this one takes; a note says how many there were. */
  first<T>(
    all: readonly T[],
    { most, noun }: { readonly most: number; readonly noun: string },
  ): T[] {
    if (all.length > most) {
      const detail = `Of ${all.length} ${noun}, the first ${most} are taken over.`;
      this.noteMended({ number: this.placeOf("").row }, detail);
    }
    return all.slice(0, most);
  }

  /**
   * The rows of another shop's variants, as many as a product may have, of which no two are alike. `choiceOf` tells the
   * options of one; it is empty without, where a SKU alone tells one from another.
   */
  variantRows(rows: readonly Row[], choiceOf: (row: Row) => string): Row[] {
    const choices = new Map<string, number>();
    const own = rows.filter((row) => {
      const choice = choiceOf(row);
      const before = choices.get(choice);
      choices.set(choice, before ?? row.number);
      if (before === undefined || (choice === "" && row.get("sku") !== "")) return true;
      this.noteMended(row, `The variant has the options of row ${before}, and is left out.`);
      return false;
    });
    return this.first(own, { most: VARIANTS_MAX, noun: "variants" });
  }

  /** The number of a cell, without what only parts its digits. */
  #figure(source: Source): string | undefined {
    const value = this.mended(source, "figure");
    return value === undefined || !this.isForeign ? value : ungrouped(value);
  }

  whole(source: Source): number | undefined {
    const value = this.#figure(source);
    if (value === undefined) return undefined;
    const { comma } = this.#writing;
    const given = comma === "decimal" ? value.replace(/,0*$/, "") : value;
    // Three zeros behind a point may be thousands.
    if (/^-?\d{1,15}(?:\.(?!000$)0*)?$/.test(given)) return Number.parseInt(given, 10);
    const read = comma === "decimal" ? null : pointed(value, this.#writing);
    if (read !== null && read !== value && /^-?\d{1,15}(?:\.0*)?$/.test(read)) {
      return Number.parseInt(read, 10);
    }
    this.fault(
      source,
      "wrong_type",
      this.#ambiguity(value) ?? "This must be a whole number such as 1000.",
    );
    return undefined;
  }

  /** Says if a variant is sold beyond its stock: in a word of its shop, or in one for yes or no. */
  backorder(source: Source, words: ReadonlyMap<string, Backorder>): Backorder | undefined {
    const word = words.get(this.text(source)?.toLowerCase() ?? "");
    if (word !== undefined) return word;
    const allows = this.flag(source);
    return allows === undefined ? undefined : allows ? "allow" : "deny";
  }

  /** Units on hand: fewer than none were sold before they arrived. */
  stock(source: Source): number | undefined {
    const units = this.whole(source);
    if (units === undefined || units >= 0) return units;
    this.noteMended(source.row, "The stock is below zero and is taken as 0.");
    return 0;
  }

  /** A picture by its address. */
  image(source: Source, alt = ""): object | undefined {
    const url = this.text(source);
    return url === undefined ? undefined : { url, alt };
  }

  /** A weight in a unit of so many grams; the cell of another shop may name its own. */
  grams(source: Source, perUnit = 1): number | undefined {
    const given = this.#figure(source);
    if (given === undefined) return undefined;
    const own = this.isForeign ? weighed(given) : null;
    if (own !== null) this.noteMended(source.row, `The weight ${given} is read in its own unit.`);
    const { number: value, grams } = own ?? { number: given, grams: perUnit };
    const read = pointed(value, this.#writing) ?? "";
    if (/^(?:\d{1,12}(?:\.\d*)?|\.\d+)$/.test(read)) return Math.round(Number(read) * grams);
    const point = this.#writing.comma === "decimal" ? "comma" : "point";
    const detail = `This must be a number with a decimal ${point}.`;
    this.fault(source, "wrong_type", this.#ambiguity(value) ?? detail);
    return undefined;
  }

  get #writing(): Writing {
    return { comma: this.terms.comma, isForeign: this.isForeign };
  }

  /** A sentence where a comma before three digits may part thousands or decimals. */
  #ambiguity(value: string): string | undefined {
    const readings = readingsOf(value, this.#writing);
    if (readings === null) return undefined;
    const { thousands, decimals } = readings;
    const { hints } = this.terms;
    return `This may be ${thousands} or ${decimals}: ${hints.thousands} for ${thousands}, or ${hints.decimal} for ${decimals}.`;
  }

  /** A price with a decimal point; the interface judges its digits, except three that may be thousands. */
  amount(source: Source, currency = this.terms.currency): string | undefined {
    const given = this.#figure(source);
    if (given === undefined) return undefined;
    const value = this.#withoutSign(source, given, currency);
    if (value === undefined) return undefined;
    const read = pointed(value, this.#writing);
    if (read !== null && mayBeThousands(read, currency, this.#writing)) {
      const detail = `The last three digits may be decimals or thousands: write this with the decimals of ${currency}.`;
      this.fault(source, "amount_precision", detail);
      return undefined;
    }
    if (read !== null) return this.#withDigits(source, withBothSides(read), currency);
    const { comma, hints } = this.terms;
    const detail =
      comma === "decimal"
        ? "With decimal commas a price is written like 1234,50 or 1.234,50."
        : `A price is written like 1234.50; if the file has decimal commas, ${hints.decimal}.`;
    this.fault(source, "amount_invalid", this.#ambiguity(value) ?? detail);
    return undefined;
  }

  /** The price without the sign of its currency, which another shop's cell may have; a fault for another currency. */
  #withoutSign(source: Source, text: string, currency: string): string | undefined {
    const priced = this.isForeign ? withSign(text) : null;
    if (priced === null) return text;
    if (isSignOf(priced.sign, currency)) {
      this.noteMended(source.row, "The price is taken without the sign of its currency.");
      return priced.number;
    }
    if (!isAnySign(priced.sign)) return text;
    const detail = `The sign ${priced.sign} is not that of ${currency}, in which the prices of this file are read.`;
    this.fault(source, "amount_invalid", detail);
    return undefined;
  }

  /** Another shop may calculate with more digits than the currency has. */
  #withDigits({ row }: Source, amount: string, currency: string): string {
    const price = this.isForeign ? rounded(amount, currency) : null;
    if (price !== null) this.noteMended(row, `The price ${amount} is taken as ${price}.`);
    return price ?? amount;
  }
}
