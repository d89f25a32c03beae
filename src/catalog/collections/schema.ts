// Collections on the wire: responses and requests.

import Type, { type Static } from "typebox";

import { imageGiven, imageShape, readImage } from "#catalog/media/schema.ts";
import {
  NAME_LENGTH_MAX,
  slugGiven,
  TAG_LENGTH_MAX,
  WORD_LENGTH_MAX,
} from "#catalog/products/schema.ts";
import { readSeo, seoGiven, seoShape } from "#catalog/products/seo-schema.ts";
import {
  type Collection,
  type CollectionChange,
  MEMBERS_MAX,
  type NewCollection,
} from "#catalog/rows/collection.ts";
import type { CollectionRule, MemberOrder } from "#catalog/rows/column-types.ts";
import { shownImage } from "#catalog/rows/image.ts";
import type { WholeChange } from "#kernel/change.ts";
import { PUBLIC_NAMES } from "#kernel/metadata.ts";
import { publicFields } from "#platform/http/audience/audience.ts";
import { added, at, from, orNull, shape, wire } from "#platform/http/contract/wire.ts";
import {
  about,
  component,
  idOf,
  line,
  metadata,
  namedChoice,
  nullable,
  object,
  optional,
  prose,
  whole,
} from "#platform/http/contract/words.ts";

const RULE_TAGS_MAX = 20;
const QUERY_LENGTH_MAX = 200;

const ruleShape = shape<CollectionRule>()(
  {
    category: nullable(Type.String()),
    tags: Type.Array(Type.String()),
    brand: nullable(Type.String()),
    q: nullable(Type.String()),
  },
  { name: "CollectionRule" },
);

export const memberOrder = namedChoice<MemberOrder>(
  { name: "CollectionSort", about: "The order of the products of a collection." },
  {
    newest: "The newest first.",
    price: "The lowest price first.",
    "-price": "The highest price first.",
    name: "By name.",
    "-name": "By name, the last first.",
    position: "The order in which they were picked by hand.",
  },
);
const sort = about(
  memberOrder,
  "The order of its products in requests that name none. By default `position`, or `newest` with a rule.",
);

/** The response of a collection, and the payload of its events. */
export const collectionWire = wire<Collection>()("Collection", {
  ...publicFields({
    id: idOf("collection"),
    title: Type.String(),
    slug: Type.String(),
    description: Type.String(),
    image: from(
      ({ image, mediaUrl }: Collection) => image && shownImage(image, mediaUrl),
      orNull(imageShape),
    ),
  }),
  rule: orNull(ruleShape),
  ...publicFields({
    sort,
    seo: from((row: Collection) => row, seoShape),
    published: from(({ isPublished }: Collection) => isPublished, Type.Boolean()),
    parent_id: nullable(idOf("collection")),
    version: whole(1),
    created_at: at,
    updated_at: at,
  }),
  ...publicFields({ metadata: added(metadata) }, { names: PUBLIC_NAMES }),
});

const ruleGiven = component(
  "CollectionRuleInput",
  {
    category: optional(nullable(line(WORD_LENGTH_MAX))),
    tags: optional(
      Type.Array(line(TAG_LENGTH_MAX), {
        maxItems: RULE_TAGS_MAX,
        uniqueItems: true,
        description: "A product has at least one of these.",
      }),
    ),
    brand: optional(nullable(line(WORD_LENGTH_MAX))),
    q: optional(
      nullable(
        line(QUERY_LENGTH_MAX, {
          description: "Words or prefixes of words, all of which must match.",
        }),
      ),
    ),
  },
  { description: "What a product must have, all of it. Replaces the former rule as a whole." },
);

const title = line(NAME_LENGTH_MAX);
const fields = {
  slug: optional(line(NAME_LENGTH_MAX, slugGiven)),
  description: optional(prose(10_000)),
  image: optional(nullable(imageGiven)),
  rule: optional(nullable(ruleGiven)),
  sort: optional(sort),
  seo: optional(seoGiven),
  published: optional(Type.Boolean({ description: "True by default." })),
  parent_id: optional(nullable(idOf("collection"))),
  metadata: optional(metadata),
};

export const newCollectionSchema = object({ title, ...fields });
export const collectionChangeSchema = object({ title: optional(title), ...fields });

export const membersSchema = object({
  product_ids: Type.Array(idOf("product"), { maxItems: MEMBERS_MAX, uniqueItems: true }),
});

/** Reads the fields of a collection from a request body. */
export function readCollectionChange(
  body: Static<typeof collectionChangeSchema>,
): WholeChange<CollectionChange> {
  const { image } = body;
  return {
    title: body.title,
    slug: body.slug,
    description: body.description,
    image: image && readImage(image),
    rule: readRule(body.rule),
    sort: body.sort,
    isPublished: body.published,
    parentId: body.parent_id,
    metadata: body.metadata,
    ...readSeo(body.seo),
  };
}

/** Reads a new collection. */
export function readNewCollection(body: Static<typeof newCollectionSchema>): NewCollection {
  return { ...readCollectionChange(body), title: body.title };
}

function readRule(
  given: Static<typeof ruleGiven> | null | undefined,
): CollectionRule | null | undefined {
  if (given === null || given === undefined) return given;
  const { category = null, tags = [], brand = null, q = null } = given;
  return { category, tags, brand, q };
}
