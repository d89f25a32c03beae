// The texts of customers, for a rebuild of the search index.

import type { IndexedTexts } from "#platform/database/search/rebuild.ts";

import { searchText } from "./customer.ts";
import { lockPresentAfter } from "./queries.ts";

export const customerTexts: IndexedTexts = {
  kind: "customers",
  textsAfter: async (tx, at) =>
    (await lockPresentAfter(tx, at)).map((one) => ({ subject: one.id, text: searchText(one) })),
};
