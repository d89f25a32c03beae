// The way of the command line to a test shop, as if a server of it was running.

import { exportCommands, importCommands } from "#cli/file-acts.ts";

import type { TestShop } from "../support/shop.ts";

/** Runs commands of files as the socket passes them on, for the user ada. */
export function wayTo(shop: TestShop) {
  const databases = { test: shop.test.database, live: shop.live.database };
  const commands = {
    ...importCommands(databases),
    ...exportCommands(databases),
  };
  return {
    run: async (name: string, input: unknown): Promise<unknown> => {
      const output = await commands[name]?.(JSON.parse(JSON.stringify(input)), "ada");
      return JSON.parse(JSON.stringify(output));
    },
  };
}
