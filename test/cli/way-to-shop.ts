// The way of the command line to a test shop, as if a server of it was running.

import { customerCommands } from "#cli/customers/customer-acts.ts";
import { exportCommands } from "#cli/exports/export-acts.ts";
import { productCommands } from "#cli/products/product-acts.ts";

import type { TestShop } from "../support/shop.ts";

/** Runs commands of files as the socket passes them on, for the user ada. */
export function wayTo(shop: TestShop) {
  const databases = { test: shop.test.database, live: shop.live.database };
  const commands = {
    ...productCommands(databases),
    ...customerCommands(databases),
    ...exportCommands(databases),
  };
  return {
    run: async (name: string, input: unknown): Promise<unknown> => {
      const output = await commands[name]?.(JSON.parse(JSON.stringify(input)), "ada");
      return JSON.parse(JSON.stringify(output));
    },
  };
}
