// Shops of older schemas with rows, and what these are by the newest schema, on either engine.

import { expect } from "bun:test";

import { GROWN, grown, MOVED, movedUnits, oldRows, OWING, owing } from "./orders-of-0009.ts";
import { CORRECTED, correctedBy, ordersOf0071, OWED, owedBy0071 } from "./orders-of-0071.ts";
import { LINEAGES, lineages, shopOf0018 } from "./shop-of-0018.ts";

/** The rows of a query, as their values. */
export type Read = (query: string) => Promise<readonly (readonly unknown[])[]>;

export interface OldShop {
  readonly name: string;
  /** The first migration that the shop does not have. */
  readonly before: string;
  readonly statements: readonly string[];
  readonly check: (read: Read) => Promise<void>;
}

export const oldShops: readonly OldShop[] = [
  {
    name: "a payment of the last schema belongs to the key that asked for it",
    before: "0019",
    statements: shopOf0018,
    check: async (read) => expect(byId(await read(LINEAGES))).toEqual(lineages),
  },
  {
    name: "orders of a shop of the last schema owe what they owed, and no stock moves",
    before: "0010",
    statements: oldRows,
    check: async (read) => {
      expect(byId(await read(OWING))).toEqual(owing);
      expect(byId(await read(MOVED))).toEqual(movedUnits);
      const found = await Promise.all(GROWN.map(async (query) => byId(await read(query))));
      expect(Object.assign({}, ...found)).toEqual(grown);
      expect(await read("SELECT count(*) FROM inventory_movements")).toEqual([[0]]);
    },
  },
  {
    name: "a code that was sent before codes had challenges is still to be given, and codes to phones stay counted",
    before: "0054",
    statements: [
      `INSERT INTO customer_codes (contact_hash, code_hash, tries, expires_at, asked_at, forgotten_at)
       VALUES ('one', 'code', 2, 1700000600000, '[]', 1700003600000), ('two', NULL, 0, 1700000000000, '[]', 1700003600000)`,
      "INSERT INTO phone_codes (hour, sent, withheld) VALUES (1699999200000, 7, 1)",
    ],
    check: async (read) => {
      const challenges = "SELECT contact_hash, code_hash, expires_at FROM customer_challenges";
      expect(await read(challenges)).toEqual([["one", "code", 1_700_000_600_000]]);
      const contacts = "SELECT contact_hash, failures, bare_tries FROM customer_codes ORDER BY 1";
      expect(await read(contacts)).toEqual([
        ["one", 0, 2],
        ["two", 0, 0],
      ]);
      const counts = "SELECT kind, hour, sent, strangers, withheld FROM code_counts";
      expect(await read(counts)).toEqual([["phone", 1_699_999_200_000, 7, 0, 1]]);
    },
  },
  {
    name: "what is due and overpaid, and was refunded of a sale, stays as it was, but for what a correction had forgiven",
    before: "0072",
    statements: ordersOf0071,
    check: async (read) => {
      const found = (await read(OWED))
        .map((row) => row.map(Number))
        .map(([number, due, overpaid = 0, refunded]) => [
          number,
          due,
          overpaid,
          overpaid > 0 ? null : refunded,
        ]);
      expect(found.slice(0, -1)).toEqual(owedBy0071);
      expect(found.at(-1)).toEqual([CORRECTED, correctedBy, 0, 0]);
    },
  },
  {
    name: "transfers that were recorded keep their references, in order where one was recorded twice",
    before: "0085",
    statements: [
      ["pay_1", "bank_transfer", "ft 08-15"],
      ["pay_2", "bank_transfer", "FT0815"],
      ["pay_3", "cash", "FT0815"],
      ["pay_4", "cash", "- -"],
    ].map(
      ([id, method, reference]) =>
        `INSERT INTO payments (id, reference, status, method, attempt_number, amount_minor, currency, captured_minor,
           refunding_minor, refunded_minor, is_unknown, not_found_looks, looked_at, metadata, version, created_at, updated_at,
           transaction_reference)
         VALUES ('${id}', '${id}', 'succeeded', '${method}', 1, 100, 'GHS', 100, 0, 0, false, 0, 0, '{}', 1, 0, 0,
           '${reference}')`,
    ),
    check: async (read) => {
      const keys = "SELECT id, transaction_key, transaction_copy FROM payments ORDER BY id";
      expect(await read(keys)).toEqual([
        ["pay_1", "FT0815", 0],
        ["pay_2", "FT0815", 1],
        ["pay_3", "FT0815", 0],
        ["pay_4", null, 0],
      ]);
    },
  },
];

function byId(rows: readonly (readonly unknown[])[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(rows.map(([id, ...values]) => [id, values]));
}
