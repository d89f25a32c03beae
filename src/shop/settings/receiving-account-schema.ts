// Receiving accounts: where customers send money that no gateway takes, such as the number of a till or of a bank account.

import Type from "typebox";

import { defineRefusal } from "#kernel/refusal.ts";
import { field } from "#platform/http/contract/resource.ts";
import { settingsResource } from "#platform/http/contract/settings-resource.ts";
import { at } from "#platform/http/contract/wire.ts";
import {
  choice,
  currency,
  idOf,
  inParagraphs,
  line,
  whole,
} from "#platform/http/contract/words.ts";
import { lockSettings } from "#shop/store/lookups.ts";
import { receivingMethods } from "#shop/store/payment-methods.ts";
import { receivingAccounts as table } from "#shop/store/tables.ts";

const LABEL_LENGTH_MAX = 60;
const INSTRUCTIONS_LENGTH_MAX = 1_000;
/** Accounts of a shop: a customer reads all that take a currency. */
const ACCOUNTS_MAX = 20;
const CURRENCIES_MAX = 50;
const POSITION_MAX = 1_000;

const method = choice(receivingMethods, {
  description: "Web pages never show an account of `card`: it is a terminal at the counter.",
});
const label = line(LABEL_LENGTH_MAX, {
  description: "The name of the account as customers read it.",
});
const instructions = line(INSTRUCTIONS_LENGTH_MAX, {
  ...inParagraphs,
  description: "What customers need to send money to it: a till number, an IBAN. Plain text.",
});
const currencies = Type.Array(currency, {
  maxItems: CURRENCIES_MAX,
  uniqueItems: true,
  description: "The currencies that it takes; empty for all.",
});
const active = Type.Boolean({ description: "Whether customers are told the account." });
const position = whole(0, POSITION_MAX, {
  description: "Customers read accounts with lower numbers first, and older ones of one number.",
});

export const receivingAccounts = settingsResource(
  table,
  {
    id: idOf("receivingAccount"),
    method: field(method, { given: method, on: "create" }),
    label: field(label, { given: label }),
    instructions: field(instructions, { given: instructions }),
    currencies: field(currencies, { given: currencies, initially: [] }),
    active: field(active, { given: active, initially: true }),
    position: field(position, { given: position, initially: 0 }),
    version: whole(1),
    created_at: at,
    updated_at: at,
  },
  {
    kind: "receivingAccount",
    notFound: defineRefusal(
      "receiving_account_not_found",
      "not_found",
      "There is no such receiving account.",
    ),
    path: "/v2/receiving-accounts",
    tag: "Store",
    scope: "store",
    says: {
      create:
        "Customers who pay with its method by hand are told the account, and publishable keys may use the method then.",
      update: "Only the fields in the request change; `currencies` are replaced as a whole.",
      remove:
        "An account that took recorded money stays and becomes `active: false`. Payments that were begun keep what the customer was told.",
    },
    limit: {
      most: ACCOUNTS_MAX,
      refusal: defineRefusal("receiving_account_limit", "conflict", {
        title: `A shop has at most ${ACCOUNTS_MAX} receiving accounts.`,
        cause: "The shop already has as many receiving accounts as a shop can have.",
        remedy: "Delete accounts that take no money any more.",
      }),
    },
    lock: lockSettings,
  },
);
