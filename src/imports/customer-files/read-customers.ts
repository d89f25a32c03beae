// The customers of a file, whichever shop wrote it.

import { customerChangeSchema } from "#customers/schema.ts";
import {
  type FileSources,
  type GivenFile,
  type ReadFile,
  readFile,
} from "#imports/tables/read-file.ts";
import { shapeCheck } from "#platform/http/contract/check-shape.ts";
import { textFinder } from "#platform/http/intake/texts.ts";
import { lazy } from "#platform/process/lazy.ts";

import type { CustomerDraft } from "./customer-draft.ts";
import { dukaLayout, readDuka, readShopify, readWoo, shopifyLayout, wooLayout } from "./layouts.ts";

const ENOUGH =
  "These columns are enough, under these names: email or phone, and name; address_line1, address_city and address_country may stand beside them.";

const intake = lazy(() => ({
  check: shapeCheck(customerChangeSchema),
  textsOf: textFinder(customerChangeSchema),
  mayBeBlank: /^\/(?:phone|metadata\/[^/]+|addresses\/\d+(?:\/\w+)?)(?=\/|$)/,
}));

/**
 * Reads the file. `country` is that of phones without a code. Throws UnreadableFile where it is no table, or that of none
 * of the shops.
 */
export function readCustomers(
  file: GivenFile,
  { country }: { readonly country: string | null },
): Promise<ReadFile<CustomerDraft>> {
  const mend = (draft: CustomerDraft) => draft.mendForeign(intake(), country);
  const bySource: FileSources<CustomerDraft> = {
    shopify: {
      layout: shopifyLayout,
      marks: ["first_name", "last_name", "email"],
      read: readShopify,
      mend,
    },
    woocommerce: { layout: wooLayout, marks: ["name", "username", "email"], read: readWoo, mend },
    duka: { layout: dukaLayout, marks: [["email", "phone"]], read: readDuka },
  };
  return readFile(file, { bySource, enough: ENOUGH });
}
