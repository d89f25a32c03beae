// The facets of products, on the wire.

import Type from "typebox";

import { correctedMember } from "#catalog/products/query-schema.ts";
import { publicFields } from "#platform/http/audience/audience.ts";
import { from, inBothUnits, list, shape, wire } from "#platform/http/contract/wire.ts";
import { currency, whole } from "#platform/http/contract/words.ts";

import {
  type FacetGroup,
  type FacetOption,
  type FacetValue,
  OPTIONS_MAX,
  type PriceRange,
  VALUES_MAX,
} from "./facets.ts";
import type { Facets } from "./lookups.ts";

const count = whole(0);
const leftOut = whole(0, undefined, { description: "Values with fewer products, not listed." });
const values = list(
  shape<FacetValue>()(publicFields({ value: Type.String(), count }), { name: "FacetValue" }),
  {
    maxItems: VALUES_MAX,
  },
);
const groupFields = publicFields({ values, left_out: leftOut });
const group = shape<FacetGroup>()(groupFields, { name: "FacetGroup" });

const priceRange = shape<PriceRange>()(
  publicFields({
    currency,
    count,
    ...inBothUnits("min", (range: PriceRange) => range.minMinor),
    ...inBothUnits("max", (range: PriceRange) => range.maxMinor),
  }),
  {
    name: "PriceRange",
    description: "The lowest prices of the products that have one in the currency.",
  },
);

export interface CorrectedFacets extends Facets {
  readonly correctedQ: string | null;
}

export const facetsWire = wire<CorrectedFacets>()(
  "ProductFacets",
  publicFields({
    total: whole(0, undefined, { description: "Products that pass all filters." }),
    available: whole(0, undefined, {
      description: "Products of which a unit can be ordered now; `available` is not applied.",
    }),
    categories: group,
    brands: group,
    tags: group,
    options: list(
      shape<FacetOption>()(
        { ...publicFields({ name: Type.String() }), ...groupFields },
        { name: "FacetOption" },
      ),
      {
        maxItems: OPTIONS_MAX,
      },
    ),
    options_left_out: from(
      ({ optionsLeftOut }: Facets) => optionsLeftOut,
      whole(0, undefined, { description: "Options with fewer products, not listed." }),
    ),
    prices: list(priceRange),
    complete: Type.Boolean({
      description:
        "False in a large shop where the newest products alone were counted, of up to 6,000 that were looked at, and while the options of older products are indexed after an upgrade.",
    }),
    ...correctedMember,
  }),
);
