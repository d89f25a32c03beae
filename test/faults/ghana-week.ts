// The fault `ghana-week`: a week of a shop in Ghana with Paystack, while calls and notices go wrong. Afterwards every
// pesewa of the vendor's books is a payment's and an order's. A round is one order.

import { everyFault } from "#mocks/faults.ts";
import type { Transaction } from "#mocks/paystack/account.ts";

import { initialize } from "../payments/scripted-shop.ts";
import {
  faultsOf,
  openPaystackShop,
  payByPhone,
  payOnPage,
  type PaystackShop,
} from "../vendors/paystack/paystack-shop.ts";
import { Chance, type Fault, type FaultOptions, type FaultReport, openExtent } from "./fault.ts";

const HOUR_S = 3_600;
const WEEK_S = 7 * 24 * HOUR_S;
/** Of a hundred calls, so many go wrong. */
const STRUCK_PERCENT = 8;
/** Ends of phones: mostly paid, some declined, not answered, lost, late, or with a code. */
const phones = ["87", "87", "87", "84", "80", "85", "81", "82", "83", "88", "86", "90", "93"];
const cards = ["pm_card_visa", "pm_card_visa", "pm_card_visa_chargeDeclined"];

export const ghanaWeek: Fault = {
  name: "ghana-week",
  what: "a week of a shop with Paystack: lost pushes, late approvals, refunds of the dashboard",
  short: { rounds: 24, minutes: 1 },
  long: { rounds: 500, minutes: 20 },
  run,
};

/** Those that last as long as a call may are left out, and one id for everything: ids are wide here anyway. */
const leftOut: ReadonlySet<string> = new Set(["hang", "drip", "wide_ids"]);
const quick = everyFault.filter(({ fault }) => !leftOut.has(fault.kind));

async function run({ seed, progress, ...extent }: FaultOptions): Promise<FaultReport> {
  const chance = new Chance(seed);
  const used = openExtent(extent);
  const refundMs = 12 * HOUR_S * 1000;
  await using opened = await openPaystackShop({
    refundMs,
    settings: { DUKA_LOG_LEVEL: "silent" },
  });
  const { face } = opened;
  face.faults.scatter({ seed, percent: STRUCK_PERCENT, faults: quick });
  const pauseS = Math.floor(WEEK_S / extent.rounds);
  let placed = 0;
  for (; !used.isUsedUp(placed); placed += 1) {
    await sell(opened, chance);
    if (chance.happens(0.2)) await refund(opened, chance);
    await hear(opened, chance);
    await opened.pass(pauseS);
    if (placed % 50 === 0) progress(`${placed} orders are placed`);
  }
  face.faults.end();
  progress("the vendor is well again");
  for (let day = 0; day < 3; day += 1) {
    await opened.told();
    await opened.pass(24 * HOUR_S);
  }
  const books = booksOf(opened);
  const payments = await sumPayments(opened);
  const orders = await sumOrders(opened);
  return {
    figures: {
      orders: placed,
      "calls that went wrong": face.faults.struck.length,
      "paid at the vendor, pesewas": books.paid,
      "given back there, pesewas": books.returned,
    },
    broken: [
      ...differenceOf("payments took", payments.paid, books.paid),
      ...differenceOf("payments gave back", payments.returned, books.returned),
      ...differenceOf("orders call paid", orders.paid, books.paid),
      ...differenceOf("orders call refunded", orders.returned, books.returned),
      ...(await faultsOf(opened)).map((fault) => JSON.stringify(fault)),
    ],
  };
}

/** An order, paid by a phone or on a page, and a second try where the first one was refused. */
async function sell(opened: PaystackShop, chance: Chance): Promise<void> {
  const { id } = await opened.order();
  if (chance.happens(0.6)) {
    const payment = await payByPhone(opened, id, chance.one(phones));
    if (payment.at("/next_action/type") === "otp") {
      const otp = chance.happens(0.7) ? "123456" : "000000";
      await opened.shop.post(`/v2/payments/${payment.id}/otp`, { otp });
    }
    return;
  }
  const payment = await initialize(opened.shop, { order_id: id });
  if (payment.at("/next_action/type") !== "redirect") return;
  payOnPage(opened, chance.one(cards));
}

/** Money goes back: by the shop, or by a person in the vendor's dashboard. */
async function refund(opened: PaystackShop, chance: Chance): Promise<void> {
  const { shop, face } = opened;
  if (chance.happens(0.5)) {
    const paid = paidAt(opened).filter(({ id }) => face.account.books.refundableMinor(id) >= 300);
    if (paid.length > 0) face.refundInDashboard(chance.one(paid).reference, 300);
    return;
  }
  const found = await shop.get("/v2/payments?status=succeeded&limit=20");
  const payments = found.list("/data").map((row) => String(Object(row).id));
  if (payments.length === 0) return;
  await shop.post(`/v2/payments/${chance.one(payments)}/refunds`, { amount: 4 });
}

/** Notices come, come twice, or come later; of a payment some never do. */
async function hear({ face, shop }: PaystackShop, chance: Chance): Promise<void> {
  shop.clock.advance(11_000);
  const news = chance.below(10);
  if (news < 5) await face.notices.send();
  else if (news < 7) await face.notices.send(2);
  else if (news < 9) face.notices.lose("charge.success");
}

function paidAt({ face }: PaystackShop): Transaction[] {
  return [...face.account.transactions.values()].filter(({ state }) => state.kind === "success");
}

interface Sums {
  readonly paid: number;
  readonly returned: number;
}

function booksOf(opened: PaystackShop): Sums {
  const back = opened.face.account.refunds.filter(({ status }) => status === "processed");
  return {
    paid: sum(paidAt(opened).map(({ amount }) => amount)),
    returned: sum(back.map(({ amount }) => amount)),
  };
}

async function sumPayments({ shop }: PaystackShop): Promise<Sums> {
  const rows = await everyRow(shop, "/v2/payments");
  const taken = rows.filter(({ status }) =>
    ["succeeded", "partially_refunded", "refunded"].includes(String(status)),
  );
  const refunds = await everyRow(shop, "/v2/refunds");
  const given = refunds.filter(({ status }) => status === "succeeded");
  return {
    paid: sum(taken.map(({ amount }) => pesewas(amount))),
    returned: sum(given.map(({ amount }) => pesewas(amount))),
  };
}

async function sumOrders({ shop }: PaystackShop): Promise<Sums> {
  const rows = await everyRow(shop, "/v2/orders");
  return {
    paid: sum(rows.map(({ paid_total }) => pesewas(paid_total))),
    returned: sum(rows.map(({ refunded_total }) => pesewas(refunded_total))),
  };
}

async function everyRow(
  shop: PaystackShop["shop"],
  path: string,
): Promise<Readonly<Record<string, unknown>>[]> {
  const rows: Readonly<Record<string, unknown>>[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page = await shop.get(`${path}?limit=100${cursor === "" ? "" : `&cursor=${cursor}`}`);
    rows.push(...page.list("/data").map(Object));
    cursor = page.at("/has_more") === true ? page.string("/next_cursor") : null;
  }
  return rows;
}

function pesewas(amount: unknown): number {
  return Math.round(Number(amount) * 100);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((left, right) => left + right, 0);
}

function differenceOf(what: string, found: number, expected: number): string[] {
  return found === expected ? [] : [`${what} ${found} pesewas, the vendor's books say ${expected}`];
}
