// Where a row keeps the members of a breakdown: by position, in the order of these lists. A member that is in none of
// them has its name.

const members: Readonly<Record<string, readonly string[]>> = {
  "": ["codes", "discounts", "taxes", "taxTerms", "taxClasses", "shipping", "sold"],
  discounts: ["discountId", "code", "title", "target", "amountMinor", "byLine", "agreed"],
  taxes: ["rate", "taxClass", "isIncluded", "taxableMinor", "amountMinor", "byLine", "shipping"],
  "taxes.rate": ["name", "country", "region", "millionths"],
  "taxes.byLine": ["taxableMinor", "amountMinor"],
  "taxes.shipping": ["taxableMinor", "amountMinor"],
  shipping: ["optionId", "discountMinor", "taxMinor", "includedTaxMinor"],
};

/** The place of a member: that of `taxes.1.amountMinor` is `2.1.4`. */
export function placeOf(path: string): string {
  const parents: string[] = [];
  const steps = path.split(".").map((step) => {
    if (/^\d+$/.test(step)) return step;
    const place = members[parents.join(".")]?.indexOf(step);
    parents.push(step);
    return place === undefined ? step : String(place);
  });
  return steps.join(".");
}
