// The names under which the projection numbers discounts and taxes. Invariant: a name tells every member by which a
// summary tells two of them apart, since sums are kept by number.

/** A discount with the code that the customer entered; both are null for what the merchant took off one sale. */
export interface DiscountName {
  readonly discountId: string | null;
  readonly code: string | null;
}

/** A tax by what makes a line of a return. */
export interface TaxName {
  readonly name: string;
  /** In percent. */
  readonly rate: number;
  readonly country: string;
  readonly region: string | null;
  /** True if the prices contain it. */
  readonly isIncluded: boolean;
}

/** Neither ids nor codes contain it. */
const SPACE = " ";
/** Names of taxes and regions are single lines. */
const LINE = "\n";
const INCLUDED = "included";
const ON_TOP = "on top";

/** The name of a discount. */
export function nameOfDiscount({ discountId, code }: DiscountName): string {
  return [discountId ?? "", code ?? ""].join(SPACE);
}

/** The discount of a name. */
export function readDiscountName(text: string): DiscountName {
  const [discountId = "", code = ""] = text.split(SPACE);
  return { discountId: orNull(discountId), code: orNull(code) };
}

/** The name of a tax. */
export function nameOfTax({ name, rate, country, region, isIncluded }: TaxName): string {
  return [isIncluded ? INCLUDED : ON_TOP, String(rate), country, region ?? "", name].join(LINE);
}

/** The tax of a name. */
export function readTaxName(text: string): TaxName {
  const [basis, rate, country = "", region = "", name = ""] = text.split(LINE);
  return {
    name,
    rate: Number(rate),
    country,
    region: orNull(region),
    isIncluded: basis === INCLUDED,
  };
}

function orNull(text: string): string | null {
  return text === "" ? null : text;
}
