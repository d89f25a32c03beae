// The commands of the administrative socket that take products and customers from a file.

import { readMode } from "#cli/operator/gateways/gateway-acts.ts";
import type { Databases } from "#cli/operator/key-commands.ts";
import { listMember, member } from "#cli/operator/members.ts";
import { policies, type TakeTerms } from "#imports/taking/import-draft.ts";
import { takeCustomers } from "#imports/taking/take-customers.ts";
import { takeProducts } from "#imports/taking/take-products.ts";
import { operator } from "#platform/database/database.ts";
import type { Commands } from "#platform/operator/serve-administration.ts";
import { getStore } from "#shop/store/lookups.ts";

/** `….import` answers in the order of what is given, `products.terms` with what the prices of a file are in. */
export function importCommands(databases: Databases): Commands {
  const termsOf = (input: unknown, by: string | null): TakeTerms => ({
    database: databases[readMode(input)],
    existing: policies.find((one) => one === member(input, "existing")) ?? "refuse",
    applies: member(input, "apply") === true,
    actor: operator,
    recorded: { by },
  });
  return {
    "products.import": async (input, by = null) => ({
      answers: await takeProducts(listMember(input, "given"), termsOf(input, by)),
    }),
    "products.terms": async (input) => {
      const { currency } = await getStore(databases[readMode(input)].read);
      return { currency };
    },
    "customers.import": async (input, by = null) => ({
      answers: await takeCustomers(listMember(input, "given"), termsOf(input, by)),
    }),
  };
}
