// A part of the fault `abuse`: strangers of one /48 order all that they are let, in a live shop that has only mail set up,
// without a contact, with those of known customers, and with phones. They hold half of the stock, or twenty units.

import type { RunningDuka } from "../support/running-duka.ts";
import {
  asMerchant,
  each,
  goodsOf,
  memberOf,
  pageKeyOf,
  reservedOf,
  Visitors,
} from "./abuse-visitors.ts";
import type { Chance } from "./fault.ts";

const CONNECTIONS = 8;
/** Orders that one /48 places in ten minutes hold more of it than half, with twenty units each. */
const STOCK = 2_000;
const SCARCE = 30;
const UNITS = 20;
const CUSTOMERS = 50;

export interface Stock {
  readonly orders: number;
  readonly placed: number;
  readonly heldUnits: number;
  readonly heldOfScarce: number;
  readonly broken: readonly string[];
}

interface StockTerms {
  /** A secret key of live mode. */
  readonly key: string;
  readonly orders: number;
  readonly chance: Chance;
}

export async function holdStock(
  duka: RunningDuka,
  { key, orders, chance }: StockTerms,
): Promise<Stock> {
  const visitors = new Visitors(duka, await pageKeyOf(duka, key));
  const goods = await goodsOf(duka, STOCK, key);
  const scarce = await goodsOf(duka, SCARCE, key);
  const token = await knownCustomers(duka, key);
  const statuses: number[] = [];
  await each(orders, CONNECTIONS, async (nth) => {
    const from = `2001:db8:7:${(nth % 65_536).toString(16)}::1`;
    const contacts = [
      {},
      { customer: { email: emailOf(chance.below(CUSTOMERS)) } },
      { customer: { phone: `+2332${String(10_000_000 + nth)}` } },
    ];
    const line = {
      variant_id: nth % 8 === 0 ? scarce : goods,
      quantity: nth % 8 === 0 ? 1 : UNITS,
    };
    const body = {
      line_items: [line],
      payment_method: "cash_on_delivery",
      ...chance.one(contacts),
    };
    statuses.push((await visitors.ask("POST", "/v2/orders", { from, body })).status);
  });
  const line_items = [{ variant_id: goods, quantity: UNITS }];
  const own = {
    from: "192.0.2.1",
    token,
    body: { line_items, payment_method: "cash_on_delivery" },
  };
  const ofOwner = await visitors.ask("POST", "/v2/orders", own);
  const [held, heldOfScarce] = [
    (await reservedOf(duka, goods, key)) - (ofOwner.status === 201 ? UNITS : 0),
    await reservedOf(duka, scarce, key),
  ];
  return {
    orders,
    placed: statuses.filter((status) => status === 201).length,
    heldUnits: held,
    heldOfScarce,
    broken: [
      ...(held <= STOCK / 2 ? [] : [`strangers hold ${held} of ${STOCK} units`]),
      ...(held > STOCK / 4 ? [] : [`strangers met no bound: they hold ${held} of ${STOCK} units`]),
      ...(heldOfScarce <= UNITS ? [] : [`strangers hold ${heldOfScarce} of ${SCARCE} units`]),
      ...(ofOwner.status === 201 ? [] : [`a customer who signed in is refused: ${ofOwner.text}`]),
    ],
  };
}

/** Makes customers whose contacts are proved; returns the token of the last one. */
async function knownCustomers(duka: RunningDuka, key: string): Promise<string> {
  let token = "";
  for (let nth = 0; nth < CUSTOMERS; nth += 1) {
    const email = emailOf(nth);
    const made = await asMerchant(duka, "POST /v2/customers", { key, body: { email } });
    const body = { customer_id: memberOf({ text: made }, "id"), email };
    const text = await asMerchant(duka, "POST /v2/customer-sessions", { key, body });
    token = memberOf({ text }, "token");
  }
  return token;
}

function emailOf(nth: number): string {
  return `known${nth}@shop.example`;
}
