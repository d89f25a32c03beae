// What a bookkeeper writes down who looks at the rows of the shop after every step: each sale as it was when its
// order became paid, and each amount of it that went back. Rows that change later, such as lines of which units are
// cancelled or come back, no longer show that.

import { packedBreakdown } from "#pricing/quote/breakdown.ts";

import { shareOut } from "../pricing/calculation/fractions.ts";
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
  readonly lines: readonly BookedLine[];
  readonly discounts: readonly { readonly name: string; readonly minor: number }[];
}

interface BookedLine {
  readonly variant: string;
  readonly units: number;
  /** Without discounts. */
  readonly minor: number;
  readonly discountMinor: number;
  readonly totalMinor: number;
}

/** A line of a receipt: one tax of a sale, or of what went back of one. */
interface BookedTax extends Entry {
  readonly name: string;
  readonly isIncluded: boolean;
  readonly isBack: boolean;
  readonly taxableMinor: number;
  readonly minor: number;
}

interface BookedRefund extends Entry {
  readonly minor: number;
}

/** What is known of an order with a sale. */
interface Known {
  /** What was sold, less what went back of it without money, because it was written off. */
  totalMinor: number;
  refundedMinor: number;
  /** What went back of the sale itself. */
  ofSaleMinor: number;
  /** The taxes that the order keeps as sold, which have no names there. */
  soldTaxes: readonly Row[];
}

const list = (value: unknown): Row[] =>
  Array.from<Row>(typeof value === "string" ? JSON.parse(value) : (value ?? []));

/** What remains of an amount of a line once some of its units are gone, half a unit up for those. */
function remaining(minor: number, { gone, of }: { readonly gone: number; readonly of: number }) {
  return minor - Math.floor((2 * minor * gone + of) / (2 * of));
}

const number = (row: Row | undefined, name: string): number => Number(row?.[name] ?? 0);

export class SalesBook {
  readonly #sales: BookedSale[] = [];
  readonly #refunds: BookedRefund[] = [];
  readonly #taxes: BookedTax[] = [];
  readonly #taxedRefunds = new Set<unknown>();
  readonly #known = new Map<string, Known>();

  /** Books what is new since the last look. */
  async look(directory: string): Promise<void> {
    const paid = await rowsBehind(directory, "SELECT * FROM orders WHERE paid_at IS NOT NULL");
    const lines = await rowsBehind(directory, "SELECT * FROM order_lines");
    const refunds = await rowsBehind(directory, "SELECT * FROM refunds WHERE order_id IS NOT NULL");
    for (const order of paid) {
      const own = lines.filter((line) => line["order_id"] === order["id"]);
      this.#sell(order, own);
      const back = refunds.filter((refund) => refund["order_id"] === order["id"]);
      this.#reduce(order, back);
      this.#giveBack(order, back);
      this.#giveTaxesBack(order, back);
    }
  }

  #sell(order: Row, own: readonly Row[]): void {
    const id = String(order["id"]);
    if (this.#known.has(id)) return;
    const breakdown = breakdownOf(order);
    const isUnshipped = own.every((line) => line["cancelled_quantity"] === line["quantity"]);
    const entry = entryOf(order, number(order, "paid_at"));
    const taxes = list(breakdown["taxes"]).map((tax) => soldTax(tax, { own, isUnshipped }));
    const lines = own.map((line): BookedLine => {
      const { gone, of } = goneOf(line);
      const units = of - gone;
      const minor = units * number(line, "unit_price_minor");
      const totalMinor = remaining(number(line, "total_minor"), { gone, of });
      const position = number(line, "position");
      const onTop = taxes.filter(({ isIncluded }) => !isIncluded);
      const taxMinor = onTop.reduce((sum, { byLine }) => sum + (byLine[position] ?? 0), 0);
      // Each tax is rounded by itself: a discount below nothing is tax.
      const discountMinor = Math.max(0, minor + taxMinor - totalMinor);
      return { variant: String(line["variant_id"]), units, minor, discountMinor, totalMinor };
    });
    const shippingMinor = isUnshipped ? 0 : number(order, "shipping_minor");
    const shippingTaxMinor = isUnshipped ? 0 : number(Object(breakdown["shipping"]), "taxMinor");
    const totalMinor = lines.reduce(
      (sum, line) => sum + line.totalMinor,
      shippingMinor + shippingTaxMinor,
    );
    const soldTaxes = soldTaxesOf(order);
    this.#known.set(id, { totalMinor, refundedMinor: 0, ofSaleMinor: 0, soldTaxes });
    for (const { name, isIncluded, taxableMinor, minor } of taxes) {
      this.#taxes.push({ ...entry, name, isIncluded, isBack: false, taxableMinor, minor });
    }
    this.#sales.push({
      ...entry,
      method: String(order["payment_method"]),
      shippingMinor,
      lines: lines.filter(({ units }) => units > 0),
      discounts: soldDiscounts(list(breakdown["discounts"]), { lines, own, isUnshipped }),
    });
  }

  /** The taxes in what went back. */
  #giveTaxesBack(order: Row, refunds: readonly Row[]): void {
    for (const refund of refunds) {
      const isBack = refund["status"] === "succeeded" || refund["status"] === "closed";
      if (isBack === this.#taxedRefunds.has(refund["id"])) continue;
      // What failed after it was booked is booked once more, the other way.
      const sign = isBack ? 1 : -1;
      if (isBack) this.#taxedRefunds.add(refund["id"]);
      else this.#taxedRefunds.delete(refund["id"]);
      const back = Math.max(number(refund, "succeeded_at"), number(refund, "closed_at"));
      const happenedAt = isBack ? back : number(refund, "updated_at");
      const entry = entryOf(order, Math.max(number(order, "paid_at"), happenedAt));
      for (const tax of list(refund["taxes"])) {
        this.#taxes.push({
          ...entry,
          name: nameOf(tax),
          isIncluded: Boolean(tax["isIncluded"]),
          isBack: true,
          taxableMinor: sign * number(tax, "taxableMinor"),
          minor: sign * number(tax, "amountMinor"),
        });
      }
    }
  }

  /** Goods that came back, of which neither the customer nor the merchant has the money, because none was paid. */
  #reduce(order: Row, refunds: readonly Row[]): void {
    const known = this.#known.get(String(order["id"]));
    if (known === undefined) return;
    const keptMinor = number(order, "kept_minor");
    const goodsMinor = number(order, "total_minor") - number(order, "credited_minor");
    const haveMinor = number(order, "paid_minor") - number(order, "refunding_minor");
    const surplusMinor = haveMinor + number(order, "written_off_minor") - goodsMinor - keptMinor;
    const refundingMinor = backOf(order, { known, refunds, isBack: isOpenOrBack });
    const goneMinor =
      known.totalMinor - goodsMinor - keptMinor - refundingMinor - Math.max(0, surplusMinor);
    const minor = Math.min(goneMinor, -beyondOf(order, { known, refunds }));
    if (minor <= 0) return;
    const entry = entryOf(order, number(order, "updated_at"));
    this.#refunds.push({ ...entry, minor });
    known.totalMinor -= minor;
    const left = soldTaxesOf(order);
    list(breakdownOf(order)["taxes"]).forEach((tax, at) => {
      const lessOf = (name: string) => number(known.soldTaxes[at], name) - number(left[at], name);
      this.#taxes.push({
        ...entry,
        name: nameOf(tax),
        isIncluded: Boolean(tax["isIncluded"]),
        isBack: true,
        taxableMinor: lessOf("taxableMinor"),
        minor: lessOf("amountMinor"),
      });
    });
    known.soldTaxes = left;
  }

  /** Money beyond what was owed goes back first, and is no refund of the sale, unless units or shipping were named. */
  #giveBack(order: Row, refunds: readonly Row[]): void {
    const known = this.#known.get(String(order["id"]));
    const refundedMinor = number(order, "refunded_minor");
    if (known === undefined || known.refundedMinor === refundedMinor) return;
    const isLess = refundedMinor < known.refundedMinor;
    known.refundedMinor = refundedMinor;
    const ofSaleMinor = backOf(order, { known, refunds, isBack });
    const backAt = refunds
      .filter(isBack)
      .map((row) => Math.max(number(row, "succeeded_at"), number(row, "closed_at")));
    const failedAt = refunds
      .filter((row) => row["status"] === "failed")
      .map((row) => number(row, "updated_at"));
    const at = Math.max(number(order, "paid_at"), ...(isLess ? failedAt : backAt));
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
      const net = own.map(({ minor, discountMinor }) => minor - discountMinor);
      return [variant, sum(own.map(({ units }) => units)), sum(net)];
    });
    const methods = [...new Set(sales.map(({ method }) => method))].map((method) => {
      const own = sales.filter((sale) => sale.method === method);
      return [method, own.length, sum(own.map(ofSale))];
    });
    const netOf = (sale: BookedSale) =>
      sum(sale.lines.map(({ minor, discountMinor }) => minor - discountMinor));
    const given = sales.flatMap((sale) =>
      sale.discounts.map((one) => ({ ...one, net: netOf(sale) })),
    );
    const discounts = [...new Set(given.map(({ name }) => name))].map((name) => {
      const own = given.filter((one) => one.name === name);
      return [name, own.length, sum(own.map(({ minor }) => minor)), sum(own.map(({ net }) => net))];
    });
    // A rate whose goods were all cancelled before the sale is no line of a return.
    const taxes = this.#taxes
      .filter(isAsked)
      .filter(({ taxableMinor, minor }) => taxableMinor !== 0 || minor !== 0);
    const receipts = [...new Set(taxes.map(({ name }) => name))].map((name) => {
      const own = taxes.filter((one) => one.name === name);
      return [
        name,
        ...[false, true].flatMap((isBack) => {
          const side = own.filter((one) => one.isBack === isBack);
          const taxable = side.map(({ taxableMinor }) => taxableMinor);
          return [sum(taxable), sum(side.map(({ minor }) => minor))];
        }),
      ];
    });
    const taxWhere = (isIncluded: boolean) =>
      taxes.filter((one) => one.isIncluded === isIncluded && !one.isBack);
    return {
      gross: sum(sales.map(ofSale)),
      discounts: sum(lines.map(({ discountMinor }) => discountMinor)),
      shipping: sum(sales.map(({ shippingMinor }) => shippingMinor)),
      tax: sum(taxWhere(false).map(({ minor }) => minor)),
      includedTax: sum(taxWhere(true).map(({ minor }) => minor)),
      refunds: sum(this.#refunds.filter(isAsked).map(({ minor }) => minor)),
      units: sum(lines.map(({ units }) => units)),
      lines: variants.map((row) => row.join(" ")).toSorted(),
      methods: methods.map((row) => row.join(" ")).toSorted(),
      discountRows: discounts.map((row) => row.join(" ")).toSorted(),
      taxRows: receipts.map((row) => row.join(" ")).toSorted(),
    };
  }
}

interface BackOf {
  readonly known: Known;
  readonly refunds: readonly Row[];
}

const isBack = (row: Row) => row["status"] === "succeeded" || row["status"] === "closed";
const isOpenOrBack = (row: Row) => row["status"] !== "failed";
const isAutomatic = (row: Row) => Boolean(row["is_automatic"]);

function sumOf(rows: readonly Row[], name: string): number {
  return rows.reduce((total, row) => total + number(row, name), 0);
}

/** The money beyond what the sale asks for; below zero where less came. */
function beyondOf(order: Row, { known, refunds }: BackOf): number {
  const returning = refunds.filter((row) => isAutomatic(row) && isOpenOrBack(row));
  const owedMinor = known.totalMinor - number(order, "written_off_minor");
  return number(order, "paid_minor") - sumOf(returning, "amount_minor") - owedMinor;
}

/** What these refunds give back of the sale. */
function backOf(
  order: Row,
  { isBack: isCounted, ...of }: BackOf & { readonly isBack: (row: Row) => boolean },
): number {
  const counted = of.refunds.filter(isCounted);
  const namedMinor = sumOf(counted, "named_minor");
  const unnamedMinor =
    sumOf(counted, "amount_minor") -
    sumOf(counted.filter(isAutomatic), "amount_minor") -
    namedMinor;
  const back = namedMinor + Math.max(0, unnamedMinor - Math.max(0, beyondOf(order, of)));
  return Math.min(back, of.known.totalMinor);
}

/** The taxes that were sold, as the order keeps them. */
function soldTaxesOf(order: Row): readonly Row[] {
  return list(Object(breakdownOf(order)["sold"]).taxes);
}

function entryOf(order: Row, at: number): Entry {
  return { at, currency: String(order["currency"]), channel: String(order["channel"]) };
}

function breakdownOf({ breakdown }: Row): Row {
  if (typeof breakdown !== "string") return {};
  return { ...packedBreakdown.unpack(JSON.parse(breakdown)) };
}

function goneOf(line: Row): { readonly gone: number; readonly of: number } {
  const gone = number(line, "cancelled_quantity") + number(line, "returned_quantity");
  return { gone, of: number(line, "quantity") };
}

/** As the rows of a summary name a tax. */
function nameOf(tax: Row): string {
  const { name, country, region, millionths } = Object(tax["rate"]);
  const kind = tax["isIncluded"] === true ? "inside" : "on top";
  return `${name} ${Number(millionths) / 10_000} ${country} ${region} ${kind}`;
}

interface SoldLines {
  readonly own: readonly Row[];
  readonly isUnshipped: boolean;
}

/** A tax of what is sold, with the share of each line. */
function soldTax(tax: Row, { own, isUnshipped }: SoldLines) {
  const shares = list(tax["byLine"]);
  const left = (member: string) =>
    own.map((line) => remaining(number(shares[number(line, "position")], member), goneOf(line)));
  const ofShipping = (member: string) =>
    isUnshipped ? 0 : number(Object(tax["shipping"]), member);
  const sum = (amounts: readonly number[], first: number) =>
    amounts.reduce((total, one) => total + one, first);
  const byLine: number[] = [];
  left("amountMinor").forEach((minor, at) => (byLine[number(own[at], "position")] = minor));
  return {
    name: nameOf(tax),
    isIncluded: Boolean(tax["isIncluded"]),
    byLine,
    taxableMinor: sum(left("taxableMinor"), ofShipping("taxableMinor")),
    minor: sum(left("amountMinor"), ofShipping("amountMinor")),
  };
}

/** What each discount takes off what is sold: the discount of a line is shared as it was when it was agreed. */
function soldDiscounts(
  discounts: readonly Row[],
  { lines, own, isUnshipped }: SoldLines & { readonly lines: readonly BookedLine[] },
) {
  const minors = discounts.map((discount) =>
    discount["target"] === "shipping" && !isUnshipped ? number(discount, "amountMinor") : 0,
  );
  own.forEach((row, at) => {
    const weights = discounts.map(({ byLine }) =>
      BigInt(Array.from<number>(Object(byLine))[number(row, "position")] ?? 0),
    );
    const shares = shareOut(BigInt(lines[at]?.discountMinor ?? 0), weights);
    shares.forEach((share, index) => (minors[index] = (minors[index] ?? 0) + Number(share)));
  });
  return discounts
    .map(({ discountId, code }, index) => ({
      name: `${String(discountId)} ${String(code)}`,
      minor: minors[index] ?? 0,
    }))
    .filter(({ minor }) => minor > 0);
}
