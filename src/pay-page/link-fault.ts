// The page for a link that opens nothing, in the look of the shop.

import { Refusal } from "#kernel/refusal.ts";
import { linkInvalid } from "#sales/links/link-token.ts";

import { findShopfront } from "./frame/find-shopfront.ts";
import { frameFault, type ShownPage } from "./frame/shop-frame.ts";
import type { LinkTerms } from "./open-link.ts";
import { PAY_PAGE_STYLE } from "./page-frame.ts";
import type { Words } from "./words/en.ts";

interface LinkFault {
  readonly status: 404 | 410 | 429 | 500 | 503;
  readonly heading: string;
  readonly sentence: string;
}

/**
 * The page that says why the link opens nothing. What is not the link's fault is reported, and never called gone: the
 * customer may have paid.
 */
export async function pageOfFault(
  error: unknown,
  { shops, onFault }: Pick<LinkTerms, "shops" | "onFault">,
): Promise<{ readonly status: number; readonly page: ShownPage }> {
  const shop = await findShopfront(shops, onFault);
  const { status, heading, sentence } = faultOf(error, shop.words.faults);
  if (status >= 500) onFault(error);
  return { status, page: frameFault(shop, { heading, sentence, style: PAY_PAGE_STYLE }) };
}

/** A link without a valid signature never existed; every refusal by the shop means that it is gone. */
function faultOf(error: unknown, says: Words["faults"]): LinkFault {
  const { notFound, linkInvalid: invalid, gone, linkExpired, notAvailable, failed, busy } = says;
  if (!(error instanceof Refusal)) return { status: 500, heading: notAvailable, sentence: failed };
  const { definition } = error;
  if (definition === linkInvalid) return { status: 404, heading: notFound, sentence: invalid };
  if (definition.kind === "unavailable") {
    return { status: 503, heading: notAvailable, sentence: failed };
  }
  if (definition.kind === "limited") return { status: 429, heading: notAvailable, sentence: busy };
  return { status: 410, heading: gone, sentence: linkExpired };
}
