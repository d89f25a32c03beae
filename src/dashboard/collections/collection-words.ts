// A collection as its pages speak of it: what is in it, and whether customers see it.

import type { Static } from "typebox";

import type { collectionWire } from "#catalog/collections/schema.ts";
import type { Html } from "#platform/html/html.ts";

import { mark } from "../parts/order-words.ts";
import { en } from "../words/en.ts";

export type Collection = Static<(typeof collectionWire)["schema"]>;

/** The rule in words, or that the products were picked by hand. */
export function howOf({ rule }: Pick<Collection, "rule">): string {
  const { collections } = en;
  if (rule === null) return collections.picked;
  const { category, brand, tags, q } = rule;
  const parts = [
    category,
    brand,
    tags.length > 0 && tags.join(collections.or),
    q !== null && `“${q}”`,
  ];
  return collections.ruled(parts.filter(Boolean).join(" · "));
}

export function publishedMark({ published }: Pick<Collection, "published">): Html {
  return mark(published ? "done" : "off", en.collections.states[published ? "shown" : "hidden"]);
}
