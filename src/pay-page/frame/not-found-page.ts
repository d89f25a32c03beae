// The page of an address that leads nowhere, for someone who typed it or followed an old link.

import type { Shop } from "#platform/database/shop.ts";
import { PAGE_STYLE } from "#platform/html/html-document.ts";

import { findShopfront } from "./find-shopfront.ts";
import { answerPage, frameFault } from "./shop-frame.ts";

/** The page in the look of the shop, with the way to it. */
export async function answerNotFound(
  shops: readonly Pick<Shop, "database">[],
  onFault: (error: unknown) => void,
): Promise<Response> {
  const shop = await findShopfront(shops, onFault);
  const { notFound: heading, nothingHere: sentence } = shop.words.faults;
  return answerPage(404, frameFault(shop, { heading, sentence, style: PAGE_STYLE }), "'none'");
}
