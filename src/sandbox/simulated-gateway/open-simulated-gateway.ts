// Opens the simulated gateway of a test shop, with its test page and its notices.

import { receiveNotice } from "#payments/notices/receive-notice.ts";
import type { Shop } from "#platform/database/shop.ts";

import { magicBook } from "./magic.ts";
import { testPagePath } from "./serve-test-page.ts";
import { SimulatedGateway } from "./simulated.ts";

/** The gateway; `address` may be filled in later, before the first hosted page. Throws for a live shop. */
export function openSimulatedGateway(
  shop: Shop,
  address: { readonly url: string },
): SimulatedGateway {
  const gateway: SimulatedGateway = new SimulatedGateway({
    shop,
    book: magicBook,
    pageUrl: (token) => `${address.url}${testPagePath(token)}`,
    deliver: async (notice) => {
      await receiveNotice({ ...shop, gateways: [gateway] }, { gateway: gateway.id, ...notice });
    },
  });
  return gateway;
}
