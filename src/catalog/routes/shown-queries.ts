// The tables that decide on what publishable keys are told of the catalog.

import {
  collectionProducts,
  collections,
  collectionSlugs,
  inventoryLevels,
  media,
  mediaAddress,
  productIndexing,
  productMedia,
  productPrices,
  products,
  productSlugs,
  productTags,
  searchSpellings,
  variantOptions,
  variants,
} from "#catalog/rows/tables.ts";
import { watched } from "#platform/database/remembered.ts";

/** The index of texts is none of them: it changes with `products`, and while it is made anew with `search_rebuilds`. */
export const shownTables = watched([
  products,
  productTags,
  productPrices,
  productSlugs,
  variants,
  variantOptions,
  searchSpellings,
  productIndexing,
  productMedia,
  media,
  mediaAddress,
  collections,
  collectionProducts,
  collectionSlugs,
  inventoryLevels,
  "store",
  "receiving_accounts",
  "search_rebuilds",
]);
