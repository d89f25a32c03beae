// Opens a shop with its gateways: in test mode the simulated gateway, its page and its notices.

import type { Gateway } from "#payments/gateways/port.ts";
import { receiveNotice } from "#payments/notices/receive-notice.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import type { Shop } from "#platform/database/shop.ts";

import { magicBook } from "./magic.ts";
import { testPagePath } from "./serve-test-page.ts";
import { SimulatedGateway } from "./simulated.ts";

/**
 * The shop with its gateways: the given ones, else in test mode the simulated one. Live mode has none
 * that was not set up.
 */
export function openPaymentsShop(
  shop: Shop,
  {
    address,
    given,
  }: { readonly address: { url: string }; readonly given: readonly Gateway[] | null },
): PaymentsShop {
  const gateways: Gateway[] = [...(given ?? [])];
  const opened = { ...shop, gateways };
  if (given !== null || shop.mode !== "test") return opened;
  gateways.push(
    new SimulatedGateway({
      shop,
      book: magicBook,
      pageUrl: (token) => `${address.url}${testPagePath(token)}`,
      deliver: async (notice) => {
        await receiveNotice(opened, { gateway: "simulated", ...notice });
      },
    }),
  );
  return opened;
}
