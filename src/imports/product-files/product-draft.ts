// A product as it is read from the rows of a file: the body of `POST /v2/products`.

import type { Row } from "#imports/tables/columns.ts";
import { Draft, type Source } from "#imports/tables/draft.ts";
import { exponentOf, isCurrency } from "#kernel/currency.ts";
import { splitList } from "#sheets/sheet.ts";

/** Tags of a product. */
const TAGS_MAX = 50;

/** The ways of reading that differ from file to file. */
export interface ReadingTerms {
  /** The currency of prices without one. */
  readonly currency: string;
  /** True if prices and weights are written like 1.234,50. */
  readonly hasDecimalComma: boolean;
  /** The command that has them read so, such as `add --decimal-comma`. */
  readonly commaHint: string;
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

/** A product of a file, with the numbers of its cells. */
export class ProductDraft extends Draft<ProductBody> {
  /** True if the slug was made of the name. */
  keepsSlug = false;
  readonly terms: ReadingTerms;

  constructor(row: Row, terms: ReadingTerms, rows?: readonly Row[]) {
    super(row, { variants: [] }, rows);
    this.terms = terms;
  }

  whole(source: Source): number | undefined {
    const value = this.text(source);
    if (value === undefined) return undefined;
    // Three zeros behind a point may be thousands.
    if (/^-?\d{1,15}(?:\.(?!000$)0*)?$/.test(value)) return Number.parseInt(value, 10);
    this.fault(
      source,
      "wrong_type",
      this.#ambiguity(value) ?? "This must be a whole number such as 1000.",
    );
    return undefined;
  }

  /** Units on hand: fewer than none were sold before they arrived. */
  stock(source: Source): number | undefined {
    const units = this.whole(source);
    if (units === undefined || units >= 0) return units;
    this.noteMended(source.row, "The stock is below zero and is taken as 0.");
    return 0;
  }

  /** The tags of another shop's file: as many as a product may have, each cut to its length. */
  tags(source: Source): string[] | undefined {
    const given = splitList(this.text(source) ?? "", ",").filter((tag) => tag !== "");
    const all = [...new Set(given.map((tag) => this.mend(tag, "tag", source.row) ?? tag))];
    if (all.length > TAGS_MAX) {
      this.noteMended(source.row, `Of ${all.length} tags, the first ${TAGS_MAX} are taken over.`);
    }
    return all.length === 0 ? undefined : all.slice(0, TAGS_MAX);
  }

  /** A picture by its address. */
  image(source: Source, alt = ""): object | undefined {
    const url = this.text(source);
    return url === undefined ? undefined : { url, alt };
  }

  /** A weight in a unit of so many grams. */
  grams(source: Source, gramsPerUnit = 1): number | undefined {
    const value = this.text(source);
    if (value === undefined) return undefined;
    const { hasDecimalComma } = this.terms;
    const pointed = hasDecimalComma ? (withPoint(value) ?? "") : value;
    if (/^(?:\d{1,12}(?:\.\d*)?|\.\d+)$/.test(pointed)) {
      return Math.round(Number(pointed) * gramsPerUnit);
    }
    const detail = `This must be a number with a decimal ${hasDecimalComma ? "comma" : "point"}.`;
    this.fault(source, "wrong_type", this.#ambiguity(value) ?? detail);
    return undefined;
  }

  /** A sentence where a comma before three digits may part thousands or decimals. */
  #ambiguity(value: string): string | undefined {
    if (!/^-?\d{1,3},\d{3}$/.test(value)) return undefined;
    const [thousands, decimals] = [value.replace(",", ""), value.replace(",", ".")];
    return `This may be ${thousands} or ${decimals}: write ${thousands}, or, if the file has decimal commas, ${this.terms.commaHint}.`;
  }

  /** A price with a decimal point; the interface judges its digits, except three that may be thousands. */
  amount(source: Source, currency = this.terms.currency): string | undefined {
    const { hasDecimalComma } = this.terms;
    const value = this.text(source)?.replaceAll(/[\s\u{a0}\u{202f}]/gu, "");
    if (value === undefined) return undefined;
    const pointed = hasDecimalComma ? withPoint(value) : withoutThousands(value);
    if (pointed !== null && mayBeThousands(pointed, currency)) {
      const detail = `The last three digits may be decimals or thousands: write this with the decimals of ${currency}.`;
      this.fault(source, "amount_precision", detail);
      return undefined;
    }
    if (pointed !== null) return withBothSides(pointed);
    const detail = hasDecimalComma
      ? "With decimal commas a price is written like 1234,50 or 1.234,50."
      : `A price is written like 1234.50; if the file has decimal commas, ${this.terms.commaHint}.`;
    this.fault(source, "amount_invalid", detail);
    return undefined;
  }
}

/** Returns true if `49.500` may be 49500, since the currency has no three decimals. */
function mayBeThousands(amount: string, currency: string): boolean {
  return /^-?\d{1,3}\.\d{3}$/.test(amount) && isCurrency(currency) && exponentOf(currency) < 3;
}

/** `.99` as 0.99 and `12.` as 12. */
function withBothSides(amount: string): string {
  return amount
    .replace(/^(-?)\.(?=\d)/, (_, sign: string) => `${sign}0.`)
    .replace(/(?<=\d)\.$/, "");
}

/** `1.234,50` with a point; null for other texts. */
function withPoint(text: string): string | null {
  if (!/^-?(?:\d+|\d{1,3}(?:\.\d{3})+)(?:,\d+)?$/.test(text)) return null;
  return text.replaceAll(".", "").replace(",", ".");
}

/** `1,234.50` without its commas; null for a comma that may be a decimal one. */
function withoutThousands(text: string): string | null {
  if (!text.includes(",")) return text;
  return /^-?\d{1,3}(?:,\d{3})+\.\d+$/.test(text) ? text.replaceAll(",", "") : null;
}
