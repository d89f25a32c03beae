// The till of test mode: the simulated gateway, its page and its notices, joined to one shop.

import type { Gateway } from "#payments/gateways/port.ts";
import { receiveNotice } from "#payments/notices/receive-notice.ts";
import type { Cashier } from "#payments/payments/cashier.ts";
import type { Shop } from "#platform/database/database.ts";

import { magicBook } from "./magic.ts";
import { testPagePath } from "./serve-test-page.ts";
import { SimulatedGateway } from "./simulated.ts";

/**
 * The shop with its gateways: the given ones, else in test mode the simulated one. Live mode has none
 * that was not set up.
 */
export function withGateways(
  shop: Shop,
  {
    address,
    given,
  }: { readonly address: { url: string }; readonly given: readonly Gateway[] | null },
): Cashier {
  const gateways: Gateway[] = [...(given ?? [])];
  const cashier = { ...shop, gateways };
  if (given !== null || shop.mode !== "test") return cashier;
  gateways.push(
    new SimulatedGateway({
      shop,
      book: magicBook,
      pageUrl: (token) => `${address.url}${testPagePath(token)}`,
      deliver: async (notice) => {
        await receiveNotice(cashier, { gateway: "simulated", ...notice });
      },
    }),
  );
  return cashier;
}
