// Opens the simulated gateway of a test shop, with its test page and its notices.

import { acceptNotice } from "#payments/reconciliation/notices.ts";
import type { Shop } from "#platform/database/shop.ts";

import { magicBook } from "./magic.ts";
import type { ScriptBook } from "./script.ts";
import { SimulatedGateway } from "./simulated.ts";

/** The path of a test page, to be appended to the server's address. */
export function testPagePath(token: string): string {
  return `/test/pay/${token}`;
}

/** The gateway, which plays the book; `address` may be filled in later, before the first hosted page. Throws for a live shop. */
export function openSimulatedGateway(
  shop: Shop,
  address: { readonly url: string },
  book: ScriptBook = magicBook,
): SimulatedGateway {
  const gateway: SimulatedGateway = new SimulatedGateway({
    shop,
    book,
    pageUrl: (token) => `${address.url}${testPagePath(token)}`,
    deliver: async (notice) => {
      const received = { gateway: gateway.id, ...notice, token: null };
      await acceptNotice({ ...shop, gateways: [gateway] }, received);
    },
  });
  return gateway;
}
