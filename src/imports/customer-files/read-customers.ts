// The customers of a file, whichever shop wrote it.

import {
  type FileSources,
  type GivenFile,
  type ReadFile,
  readFile,
} from "#imports/tables/read-file.ts";

import type { CustomerDraft } from "./customer-draft.ts";
import { dukaLayout, readDuka, readShopify, readWoo, shopifyLayout, wooLayout } from "./layouts.ts";

const bySource: FileSources<CustomerDraft> = {
  shopify: {
    layout: shopifyLayout,
    marks: ["first_name", "last_name", "email"],
    read: readShopify,
  },
  woocommerce: { layout: wooLayout, marks: ["name", "username", "email"], read: readWoo },
  duka: { layout: dukaLayout, marks: [["email", "phone"]], read: readDuka },
};

/** Reads the file. Throws UnreadableFile where it is no table, or that of none of the shops. */
export function readCustomers(file: GivenFile): Promise<ReadFile<CustomerDraft>> {
  return readFile(file, bySource);
}
