// What a bookkeeper writes down who looks at the rows of the shop after every step: each sale as it was when its
// order became paid, and each amount of it that went back. Rows that change later, such as lines of which units are
// cancelled or come back, no longer show that.

import { rowsBehind } from "../support/behind-the-shop.ts";

/** Epoch milliseconds; `to` is exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Question extends Range {
  readonly currency: string;
  /** All channels by default. */
  readonly channel?: string | undefined;
}

type Row = Readonly<Record<string, unknown>>;

interface Entry {
  readonly at: number;
  readonly currency: string;
  readonly channel: string;
}

interface BookedSale extends Entry {
  readonly method: string;
  readonly shippingMinor: number;
  readonly lines: readonly {
    readonly variant: string;
    readonly units: number;
    readonly minor: number;
  }[];
}

interface BookedRefund extends Entry {
  readonly minor: number;
}

/** What is known of an order with a sale. */
interface Known {
  readonly totalMinor: number;
  refundedMinor: number;
  /** What went back of the sale itself. */
  ofSaleMinor: number;
}

const number = (row: Row | undefined, name: string): number => Number(row?.[name] ?? 0);

export class SalesBook {
  readonly #sales: BookedSale[] = [];
  readonly #refunds: BookedRefund[] = [];
  readonly #known = new Map<string, Known>();

  /** Books what is new since the last look. */
  async look(directory: string): Promise<void> {
    const paid = await rowsBehind(directory, "SELECT * FROM orders WHERE paid_at IS NOT NULL");
    const lines = await rowsBehind(directory, "SELECT * FROM order_lines");
    const refunds = await rowsBehind(directory, "SELECT * FROM refunds WHERE order_id IS NOT NULL");
    for (const order of paid) {
      const own = lines.filter((line) => line["order_id"] === order["id"]);
      this.#sell(order, own);
      this.#giveBack(
        order,
        refunds.filter((refund) => refund["order_id"] === order["id"]),
      );
    }
  }

  #sell(order: Row, own: readonly Row[]): void {
    const id = String(order["id"]);
    if (this.#known.has(id)) return;
    const lines = own.map((line) => {
      const gone = number(line, "cancelled_quantity") + number(line, "returned_quantity");
      const units = number(line, "quantity") - gone;
      const minor = units * number(line, "unit_price_minor");
      return { variant: String(line["variant_id"]), units, minor };
    });
    const isUnshipped = own.every((line) => line["cancelled_quantity"] === line["quantity"]);
    const shippingMinor = isUnshipped ? 0 : number(order, "shipping_minor");
    const totalMinor = lines.reduce((sum, { minor }) => sum + minor, shippingMinor);
    this.#known.set(id, { totalMinor, refundedMinor: 0, ofSaleMinor: 0 });
    this.#sales.push({
      ...entryOf(order, number(order, "paid_at")),
      method: String(order["payment_method"]),
      shippingMinor,
      lines: lines.filter(({ units }) => units > 0),
    });
  }

  /** Money beyond what was owed goes back first, and is no refund of the sale. */
  #giveBack(order: Row, refunds: readonly Row[]): void {
    const known = this.#known.get(String(order["id"]));
    const refundedMinor = number(order, "refunded_minor");
    if (known === undefined || known.refundedMinor === refundedMinor) return;
    known.refundedMinor = refundedMinor;
    const automatic = refunds.filter((one) => Boolean(one["is_automatic"]));
    const sum = (rows: readonly Row[]) =>
      rows.reduce((total, row) => total + number(row, "amount_minor"), 0);
    const isBack = (row: Row) => row["status"] === "succeeded" || row["status"] === "closed";
    const returning = sum(automatic.filter((one) => one["status"] !== "failed"));
    const owedMinor =
      known.totalMinor + number(order, "kept_minor") - number(order, "written_off_minor");
    const beyondMinor = Math.max(0, number(order, "paid_minor") - returning - owedMinor);
    const back = refundedMinor - sum(automatic.filter(isBack)) - beyondMinor;
    const ofSaleMinor = Math.min(Math.max(back, 0), known.totalMinor);
    const backAt = refunds
      .filter(isBack)
      .map((row) => Math.max(number(row, "succeeded_at"), number(row, "closed_at")));
    const at = Math.max(number(order, "paid_at"), ...backAt);
    this.#refunds.push({ ...entryOf(order, at), minor: ofSaleMinor - known.ofSaleMinor });
    known.ofSaleMinor = ofSaleMinor;
  }

  /** The booked figures that the question asks for. */
  figures({ from, to, currency, channel }: Question): Record<string, unknown> {
    const isAsked = (entry: Entry) =>
      entry.at >= from &&
      entry.at < to &&
      entry.currency === currency &&
      (channel === undefined || entry.channel === channel);
    const sales = this.#sales.filter(isAsked);
    const lines = sales.flatMap((sale) => sale.lines);
    const sum = (amounts: readonly number[]) => amounts.reduce((total, one) => total + one, 0);
    const ofSale = (sale: BookedSale) => sum(sale.lines.map(({ minor }) => minor));
    const variants = [...new Set(lines.map(({ variant }) => variant))].map((variant) => {
      const own = lines.filter((line) => line.variant === variant);
      return [variant, sum(own.map(({ units }) => units)), sum(own.map(({ minor }) => minor))];
    });
    const methods = [...new Set(sales.map(({ method }) => method))].map((method) => {
      const own = sales.filter((sale) => sale.method === method);
      return [method, own.length, sum(own.map(ofSale))];
    });
    return {
      gross: sum(sales.map(ofSale)),
      discounts: 0,
      shipping: sum(sales.map(({ shippingMinor }) => shippingMinor)),
      tax: 0,
      refunds: sum(this.#refunds.filter(isAsked).map(({ minor }) => minor)),
      units: sum(lines.map(({ units }) => units)),
      lines: variants.map((row) => row.join(" ")).toSorted(),
      methods: methods.map((row) => row.join(" ")).toSorted(),
    };
  }
}

function entryOf(order: Row, at: number): Entry {
  return { at, currency: String(order["currency"]), channel: String(order["channel"]) };
}
