// The books after random lives of orders: what is booked of an order is what its row says, after every step, and the rows
// are those of the log.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { auditBooks } from "#books/audit-books.ts";
import { projectBookings, rebuildBooks } from "#books/project-bookings.ts";

import { order, takeCash } from "../analytics/counter.ts";
import { rowsBehind, tamper } from "../support/behind-the-shop.ts";
import { kanga, mug } from "../support/cast.ts";
import { runs } from "../support/runs.ts";
import { type Answered, openTestShop, type TestShop } from "../support/shop.ts";

const acts = [
  "pay",
  "correct",
  "refund",
  "cancel unit",
  "cancel",
  "ship",
  "return",
  "write off",
] as const;
const lives = fc.array(fc.tuple(fc.constantFrom(...acts), fc.integer({ min: 1, max: 4_000 })), {
  minLength: 3,
  maxLength: 9,
});

/** A shop of taxed goods with an order of three mugs, and its last payment. */
class Life {
  readonly #shop: TestShop;
  readonly #placed: Answered;
  #payment: string | null = null;

  constructor(shop: TestShop, placed: Answered) {
    this.#shop = shop;
    this.#placed = placed;
  }

  /** An act that the order refuses is none. */
  async act(act: (typeof acts)[number], minor: number): Promise<void> {
    const amount = minor / 100;
    const path = `/v2/orders/${this.#placed.id}`;
    const line_items = [{ line_item_id: this.#placed.string("/line_items/0/id"), quantity: 1 }];
    switch (act) {
      case "pay":
        return this.#pay(amount);
      case "correct":
        await this.#shop.post(`/v2/payments/${this.#payment}/correct`, { amount });
        break;
      case "refund":
        await this.#shop.post(`${path}/refunds`, { amount });
        break;
      case "cancel unit":
        await this.#shop.post(`${path}/cancel`, { reason: "customer", line_items, refund: false });
        break;
      case "cancel":
        await this.#shop.post(`${path}/cancel`, { reason: "customer", refund: minor % 2 === 0 });
        break;
      case "ship":
        await this.#shop.post(`${path}/fulfill`, {});
        break;
      case "return":
        await this.#shop.post(`${path}/returns`, { line_items, refund: minor % 3 === 0 });
        break;
      default:
        await this.#shop.post(`${path}/write-off`, { amount });
    }
  }

  async #pay(amount: number): Promise<void> {
    try {
      this.#payment = (await takeCash(this.#shop, this.#placed, amount)).id;
    } catch {
      // Nothing is due.
    }
  }
}

async function openTaxed(): Promise<TestShop> {
  const shop = await openTestShop();
  await shop.put("/v2/store", { country: "GH", timezone: "Africa/Accra" });
  await shop.post("/v2/tax-rates", { country: "GH", name: "VAT", rate: 15 });
  await shop.post("/v2/tax-rates", { country: "GH", name: "NHIL", rate: 2.5 });
  return shop;
}

/** Books all that happened. */
async function book({ test: { database } }: TestShop): Promise<void> {
  for (let isMore = true; isMore;) isMore = await database.write(projectBookings);
}

/** What is booked of the order, by account; `customers` is the rest. */
async function bookedOf(shop: TestShop, id: string): Promise<Readonly<Record<string, number>>> {
  const rows = await rowsBehind(
    shop.folder.path,
    `SELECT account, cast(sum(amount_minor) AS bigint) AS minor FROM bookings
     JOIN events ON events.sequence = bookings.entry WHERE events.subject = '${id}' GROUP BY account`,
  );
  const sums = new Map(rows.map((row) => [String(row["account"]), Number(row["minor"])]));
  const of = (account: string) => sums.get(account) ?? 0;
  const customers = [...sums.values()].reduce((rest, minor) => rest - minor, 0);
  return { customers, money: of("money"), writtenOff: of("write_offs") };
}

/** What its row says. */
async function owedBy(shop: TestShop, id: string): Promise<Readonly<Record<string, number>>> {
  const [row] = await rowsBehind(
    shop.folder.path,
    `SELECT paid_minor, refunding_minor, refunded_minor, sale_total_minor, sale_refunding_minor, kept_apart_minor,
       kept_refunding_minor, written_off_minor FROM orders WHERE id = '${id}'`,
  );
  const of = (name: string) => Number(row?.[name] ?? 0);
  const isSold = row?.["sale_total_minor"] !== null;
  const net = of("paid_minor") - of("refunding_minor");
  const kept = of("kept_apart_minor") - of("kept_refunding_minor");
  const writtenOff = isSold ? of("written_off_minor") : 0;
  const sold = of("sale_total_minor") - of("sale_refunding_minor");
  return { customers: sold + kept - writtenOff - net, money: net, writtenOff };
}

/** Refunds that wait are set aside on the order, and booked once the money goes. */
async function isWaiting(shop: TestShop, id: string): Promise<boolean> {
  const rows = await rowsBehind(
    shop.folder.path,
    `SELECT id FROM orders WHERE id = '${id}' AND refunding_minor <> refunded_minor`,
  );
  return rows.length > 0;
}

describe("the books", () => {
  test("say of an order what its row says, after every step of any life", async () => {
    await using shop = await openTaxed();
    const { variantId } = await mug(shop, { stock: 10_000 });
    await fc.assert(
      fc.asyncProperty(lives, async (life) => {
        const placed = await order(shop, variantId, { quantity: 3 });
        const lived = new Life(shop, placed);
        for (const [act, minor] of life) {
          await lived.act(act, minor);
          await book(shop);
          if (await isWaiting(shop, placed.id)) continue;
          expect(await bookedOf(shop, placed.id)).toEqual(await owedBy(shop, placed.id));
        }
      }),
      { numRuns: runs(8) },
    );
    expect(await Array.fromAsync(auditBooks(shop.test.database.read))).toEqual([]);
  });

  test("are the same once the log is booked again", async () => {
    await using shop = await openTaxed();
    const { variantId } = await kanga(shop);
    await takeCash(shop, await order(shop, variantId));
    await book(shop);
    const rows = () => rowsBehind(shop.folder.path, "SELECT * FROM bookings ORDER BY entry, line");
    const before = await rows();

    await rebuildBooks(shop.test.database);

    expect(before).not.toEqual([]);
    expect(await rows()).toEqual(before);
  });

  test("have nothing of an event that was triggered to try a receiver", async () => {
    await using shop = await openTaxed();
    const triggered = await shop.post("/v2/test/trigger", { event: "order.paid" });

    await book(shop);

    expect(triggered.status).toBe(200);
    expect(await rowsBehind(shop.folder.path, "SELECT * FROM bookings")).toEqual([]);
  });

  test("tell a row that was changed, and the sum of its day", async () => {
    await using shop = await openTaxed();
    const { variantId } = await kanga(shop);
    await takeCash(shop, await order(shop, variantId));
    await book(shop);

    await tamper(
      shop.folder.path,
      "UPDATE bookings SET amount_minor = amount_minor + 1 WHERE account = 'money'",
    );

    const found = await Array.fromAsync(auditBooks(shop.test.database.read));
    expect(found.map(({ what }) => what)).toEqual(["bookings", "money cash_on_delivery"]);
  });

  test("tell a sum of a day that has no rows", async () => {
    await using shop = await openTaxed();

    await tamper(
      shop.folder.path,
      "INSERT INTO booking_days VALUES (1, 'GHS', 'money', 'bank', 500, 1)",
    );

    expect(await Array.fromAsync(auditBooks(shop.test.database.read))).toEqual([
      {
        subject: "books 1970-01-02 GHS",
        what: "money bank",
        expected: "0 in 0 rows",
        found: "500 in 1 rows",
      },
    ]);
  });

  test("tell rows of events that are not booked yet", async () => {
    await using shop = await openTaxed();
    const { variantId } = await kanga(shop);
    await takeCash(shop, await order(shop, variantId));
    await book(shop);

    await tamper(shop.folder.path, "UPDATE log_cursors SET sequence = 0 WHERE consumer = 'books'");

    const found = await Array.fromAsync(auditBooks(shop.test.database.read));
    expect(found).not.toEqual([]);
    expect(found.filter(({ expected }) => expected !== "none")).toEqual([]);
  });
});
