// The filters of the list of products on the wire.

import Type, { type Static } from "typebox";

import { optionFilter } from "#catalog/listing/options.ts";
import { boundParameters, readSorting, sortingParameters } from "#catalog/listing/query-schema.ts";
import type { MemberOrder } from "#catalog/rows/column-types.ts";
import { visibleStatuses } from "#catalog/rows/product.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { PageRequest } from "#kernel/page.ts";
import { line as asLine, soughtBy } from "#kernel/text.ts";
import { publicFields } from "#platform/http/audience/audience.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import { createdAtFilters, idSpan } from "#platform/http/contract/filters.ts";
import { queryInvalid } from "#platform/http/contract/refusals.ts";
import {
  identifying,
  line,
  nullable,
  object,
  optional,
  sought,
} from "#platform/http/contract/words.ts";

import type { ProductFilters } from "./lookups.ts";
import { NAME_LENGTH_MAX, status, TAG_LENGTH_MAX, WORD_LENGTH_MAX } from "./schema.ts";

/** As many as a page has at most. */
const IDS_MAX = 100;

/** The most values of one filter; a product needs only one of them. */
const CHOICES_MAX = 20;

/** Some values as one text, since one alone may have commas. */
function choiceGiven(values: string, lengthMax: number) {
  const description = `Any of at most ${CHOICES_MAX} ${values}, separated by commas.`;
  return optional(line(CHOICES_MAX * (lengthMax + 1), { ...sought, description }));
}

/** The filters of a list of products, to be spread into its query. */
const productFilters = {
  status: optional(
    Type.Array(status, { maxItems: 20, description: "One or more, separated by commas." }),
  ),
  id: optional(
    Type.Array(line(64), {
      minItems: 1,
      maxItems: IDS_MAX,
      description: "Any of these products, separated by commas.",
    }),
  ),
  slug: optional(
    line(NAME_LENGTH_MAX, {
      description:
        "The product that has this slug in its address, or else the one that had it before; its own `slug` is the current one.",
    }),
  ),
  category: choiceGiven("categories", WORD_LENGTH_MAX),
  brand: choiceGiven("brands", WORD_LENGTH_MAX),
  tag: choiceGiven("tags", TAG_LENGTH_MAX),
  sku: optional(line(WORD_LENGTH_MAX, { ...identifying, ...sought })),
  q: optional(
    line(200, {
      description:
        "Words or beginnings of words, all of which must match, in capital or small letters, with or without accents, written together or apart (`wifi`, `Wi-Fi`). Where fewer than five products have them, each word may also be its singular (`mugs`, `mug`). Where none has them, those of the nearest spelling are found: see `corrected_q`.",
    }),
  ),
  exact: optional(
    Type.Boolean({ description: "True: `q` is not corrected, and finds no singulars." }),
  ),
  ...createdAtFilters,
};

/** The same with an order. */
export const productParameters = { ...productFilters, ...sortingParameters };

/** The member of an answer that tells the words of a search that was corrected. */
export const correctedMember = publicFields({
  corrected_q: nullable(
    Type.String({
      description:
        "The words that were searched for in place of `q`, which no product has; null if they are those of `q`. Send `exact=true` to search for `q` as it is.",
    }),
  ),
});

export const productQuerySchema = object(publicFields(productParameters));

/** The filters without an order. */
export const productFilterSchema = object(publicFields({ ...productFilters, ...boundParameters }));

export interface ListOfProducts {
  readonly query: Omit<Static<typeof productQuerySchema>, "sort"> & {
    readonly sort?: MemberOrder | undefined;
  };
  readonly page: PageRequest;
  readonly caller: Caller;
  /** True if each word of `q` may also be its singular. */
  readonly orSingular?: boolean | undefined;
}

/** Reads what is asked of a list, limited to the statuses that the caller may see. */
export function readProductFilters({
  query,
  page,
  caller,
  orSingular,
}: ListOfProducts): ProductFilters {
  const span = idSpan("product", query);
  return {
    statuses: visibleStatuses(caller.scopes, query.status),
    ids: query.id,
    slug: query.slug,
    ...readChoices(query),
    ...(query.option !== undefined && optionFilter(query.option)),
    skus: query.sku === undefined ? undefined : soughtBy(query.sku),
    q: query.q,
    orSingular,
    from: span.from,
    before: earliest(span.below, page.after),
    limit: page.limit,
  };
}

const choices = ["category", "brand", "tag"] as const;

type Choices = Partial<Record<(typeof choices)[number], readonly string[]>>;

/** The values of each filter. Refuses with `query_invalid` where one has too many, all faults at once. */
function readChoices(query: ListOfProducts["query"]): Choices {
  const read = choices.flatMap((parameter) => {
    const text = query[parameter];
    return text === undefined ? [] : [{ parameter, values: choicesIn(text) }];
  });
  const faults = read.flatMap(({ parameter, values }) => {
    const detail = `At most ${CHOICES_MAX} values are taken.`;
    return values === null ? [{ parameter, code: "too_many" as const, detail }] : [];
  });
  if (faults.length > 0) throw queryInvalid({ faults });
  return Object.fromEntries(read.map(({ parameter, values }) => [parameter, values ?? []]));
}

/**
 * The whole text, which may be one value with commas, and its parts, as they stand and in the form of a line, which
 * products that were saved before texts had one may lack; null if these are too many.
 */
function choicesIn(text: string): string[] | null {
  const parts = text.split(",").filter(Boolean);
  if (parts.length > CHOICES_MAX) return null;
  return [...new Set([text, ...parts].flatMap((one) => soughtBy(one, asLine)))];
}

/** The same of a list in another order, or with bounds; amounts are in the store's currency unless another is named. */
export function readSortedFilters(
  asked: ListOfProducts,
  storeCurrency: CurrencyCode,
): ProductFilters {
  const { query, page } = asked;
  const sorting = readSorting(query, page, storeCurrency);
  // The place of a page by ids alone is one of its filters.
  const filtered = sorting.afterId === undefined ? page : { ...page, after: null };
  return { ...readProductFilters({ ...asked, page: filtered }), sorting };
}

/** The page ends where the requested range or the previous page's cursor ends it first. */
function earliest(below: string | undefined, after: string | null): string | undefined {
  if (below === undefined || after === null) return below ?? after ?? undefined;
  return below < after ? below : after;
}
