// The words of a product for search engines, on the wire.

import type { Static } from "typebox";

import type { Product } from "#catalog/rows/product.ts";
import type { Change, WholeChange } from "#kernel/change.ts";
import { publicFields } from "#platform/http/audience/audience.ts";
import { from, shape } from "#platform/http/contract/wire.ts";
import { component, line, nullable, optional } from "#platform/http/contract/words.ts";

type Seo = Pick<Product, "seoTitle" | "seoDescription">;

const TITLE_LENGTH_MAX = 200;
const DESCRIPTION_LENGTH_MAX = 500;

const title = line(TITLE_LENGTH_MAX, {
  description: "Search engines show some 60 characters.",
});
const description = line(DESCRIPTION_LENGTH_MAX, {
  description: "Search engines show some 155 characters.",
});

export const seoShape = shape<Seo>()(
  publicFields({
    title: from(({ seoTitle }: Seo) => seoTitle, nullable(title)),
    description: from(({ seoDescription }: Seo) => seoDescription, nullable(description)),
  }),
  { name: "Seo" },
);

export const seoGiven = component(
  "SeoInput",
  { title: optional(nullable(title)), description: optional(nullable(description)) },
  { description: "For search engines, in place of the name and the description." },
);

/** Reads what a request says of it; what is not given stays as it is. */
export function readSeo(given: Static<typeof seoGiven> = {}): WholeChange<Change<Seo>> {
  return { seoTitle: given.title, seoDescription: given.description };
}
