// Collections: types, rules and refusals. Invariant: a collection has a rule, or products that were picked by hand,
// and stays what it is.

import type { Change } from "#kernel/change.ts";
import { defineFaults, type Meanings } from "#kernel/fault.ts";
import { defineRefusal, type Faults } from "#kernel/refusal.ts";

import type { CollectionRule, MemberOrder } from "./column-types.ts";
import type { GivenImage } from "./image.ts";
import type { Product } from "./product.ts";
import type { CollectionRow } from "./tables.ts";

export interface Collection extends CollectionRow {
  /** The beginning of the addresses of its picture. */
  readonly mediaUrl: string;
}

/** The fields of a collection that a request can set. */
export type CollectionFields = Omit<CollectionRow, "id" | "version" | "createdAt" | "updatedAt">;

/** The same with the picture as a request names it. */
export type GivenFields = Omit<CollectionFields, "image"> & { readonly image: GivenImage | null };

/** Every one is asked whether a product is in it, and menus show all of them. */
export const COLLECTIONS_MAX = 1_000;
/** Products of one collection that are picked by hand: a list finds all of them before it sorts them. */
export const MEMBERS_MAX = 1_000;
/** A menu, its parts, and theirs. */
export const LEVELS_MAX = 3;

export const collectionNotFound = defineRefusal(
  "collection_not_found",
  "not_found",
  "There is no such collection.",
);
export const collectionSlugTaken = defineRefusal("collection_slug_taken", "conflict", {
  title: "Another collection has this slug.",
  cause: "Slugs of collections are unique in a shop, and another collection has this one.",
  remedy: "Use another slug, or omit it to have one made from the title.",
});
export const collectionLimitReached = defineRefusal("collection_limit_reached", "conflict", {
  title: "The shop has as many collections as it may.",
  cause: `A shop has at most ${COLLECTIONS_MAX} collections.`,
  remedy: "Delete a collection that is not used any more.",
});
export const collectionIsAutomatic = defineRefusal("collection_is_automatic", "conflict", {
  title: "The products of the collection are those of its rule.",
  cause: "The collection has a rule, so no product is added, removed or moved by hand.",
  remedy: "Change the rule, or create a collection without one.",
});
export const collectionFull = defineRefusal("collection_full", "conflict", {
  title: "The collection has as many products as it may.",
  cause: `At most ${MEMBERS_MAX} products of a collection are picked by hand.`,
  remedy: "Remove a product, or create a collection with a rule, which has no limit.",
});

/** The default fields of a new collection. */
export const plainCollection: Omit<CollectionFields, "title" | "slug" | "sort"> = {
  description: "",
  image: null,
  rule: null,
  seoTitle: null,
  seoDescription: null,
  isPublished: true,
  parentId: null,
  metadata: {},
};

/** How the products are listed where neither the caller nor the merchant says it. */
export function plainSort(rule: CollectionRule | null): MemberOrder {
  return rule === null ? "position" : "newest";
}

/** Adds a fault for a rule that names nothing, and for an order by places that are not there. */
export function checkRule({ rule, sort }: Pick<Collection, "rule" | "sort">, faults: Faults): void {
  if (rule === null) return;
  const { category, tags, brand, q } = rule;
  if ((category ?? brand ?? q) === null && tags.length === 0) {
    const detail =
      "Name a category, a tag, a brand or words, or send null to pick products by hand.";
    faults.add("/rule", "rule_empty", detail);
  }
  if (sort === "position") {
    faults.add("/sort", "conflicting_fields", "Only products that are picked by hand have places.");
  }
}

/**
 * Returns true if nothing but the words of a rule can keep the product out: what the list of products finds, as a rule.
 */
export function fitsBesideWords(
  { category, tags, brand }: CollectionRule,
  product: Pick<Product, "category" | "tags" | "brand">,
): boolean {
  return (
    (category === null || product.category === category) &&
    (brand === null || product.brand === brand) &&
    (tags.length === 0 || tags.some((tag) => product.tags.includes(tag)))
  );
}

/** The conditions of a collection on its products, as filters of the list of products. */
export interface MemberFilters {
  readonly collection?: Collection["id"] | undefined;
  readonly category?: readonly string[] | undefined;
  readonly brand?: readonly string[] | undefined;
  /** Any of these. */
  readonly tags?: readonly string[] | undefined;
  /** All of these, as they are: a collection has no product by the singular of its words. */
  readonly ruleWords?: string | undefined;
}

/** The filters that only its products pass: those of its rule, or one that names the collection. */
export function memberFilters({ id, rule }: Pick<Collection, "id" | "rule">): MemberFilters {
  if (rule === null) return { collection: id };
  const { category, brand, tags, q } = rule;
  return {
    category: category === null ? undefined : [category],
    brand: brand === null ? undefined : [brand],
    tags: tags.length === 0 ? undefined : tags,
    ruleWords: q ?? undefined,
  };
}

/** Returns true if a key with these scopes sees published collections alone. */
export function seesPublishedOnly(scopes: ReadonlySet<string>): boolean {
  return !scopes.has("products:read");
}

/** A change of a collection. */
export type CollectionChange = Change<GivenFields>;

/** A collection to create. Without a slug it gets a free one made of its title. */
export type NewCollection = CollectionChange & Pick<Collection, "title">;

const collectionFaults = defineFaults({
  unknown_collection: "There is no such collection.",
  collection_levels: "The collection would stand below itself, or in too many levels.",
  rule_empty: "The rule names nothing, so every product would meet it.",
  rule_kept: "A collection with a rule keeps one, and one without a rule gets none.",
});
declare module "#kernel/fault.ts" {
  interface FaultCodes extends Meanings<typeof collectionFaults> {}
}
