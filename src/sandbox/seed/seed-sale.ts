// One sale of a seeded shop. Each method is a step of its life and runs the shop's own stories; money
// moves at the simulated gateway, whose rows say the same as the shop's afterwards.

import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import type { PaymentMethod } from "#kernel/payment-method.ts";
import { isBeingPaid } from "#payments/rows/lookups.ts";
import type { RefundedLine } from "#payments/rows/payment-life.ts";
import type { Tx } from "#platform/database/database.ts";
import { clearTimer } from "#platform/scheduler/timers.ts";
import { shareOfUnits } from "#pricing/calculation/refund-shares.ts";
import type { ShippingOptionId } from "#pricing/shipping/shipping-charge.ts";
import { createCart, startCheckout } from "#sales/carts/update-cart.ts";
import { cancelOrder } from "#sales/changing/cancel-order.ts";
import { fulfillOrder } from "#sales/changing/fulfillments.ts";
import { type ReturnRequest, returnUnits } from "#sales/changing/returns.ts";
import { getOrder } from "#sales/orders/lookups.ts";
import { completeCart } from "#sales/placing/complete-cart.ts";
import { merchantTrust, plainSale } from "#sales/placing/order-request.ts";
import { placeOrder } from "#sales/placing/place-order.ts";
import { abandonCart, abandonOrder, expireOrder } from "#sales/recovery/unpaid-orders.ts";
import { replaceLines } from "#sales/rows/cart-lines.ts";
import { emptyShared } from "#sales/rows/cart.ts";
import type { UnitsRequest } from "#sales/rows/line-units.ts";
import type { WholeOrder } from "#sales/rows/order.ts";
import { taxedLine } from "#sales/rows/sale.ts";

import type { SeedCustomer } from "./seed-customers.ts";
import {
  announcePayment,
  confirmPaid,
  refundPaid,
  settleCharge,
  startCharge,
} from "./seed-payments.ts";

/** Phones of the simulated gateway: without enough money, and one that pays too little. */
const POOR_PHONE = "+233551234981";
const SHORT_PHONE = "+233551234991";
const VISA = "pm_card_visa";

export interface SaleTerms {
  readonly customer: SeedCustomer;
  readonly customerId: Id<"customer">;
  readonly lines: readonly { readonly variantId: Id<"variant">; readonly quantity: number }[];
  readonly currency: CurrencyCode;
  readonly method: PaymentMethod;
  readonly channel: string;
  readonly depositPercent: number | undefined;
  /** The codes that are entered at the checkout. */
  readonly codes: readonly string[];
  /** How the goods reach the customer; nothing is shipped from the counter. */
  readonly optionId: ShippingOptionId;
}

export class SeedSale {
  readonly #terms: SaleTerms;
  #cartId: Id<"cart"> | null = null;
  #orderId: Id<"order"> | null = null;
  /** The last attempt to pay. */
  #paymentId: Id<"payment"> | null = null;
  #isFree = false;

  constructor(terms: SaleTerms) {
    this.#terms = terms;
  }

  get cartId(): Id<"cart"> | null {
    return this.#cartId;
  }

  get orderId(): Id<"order"> | null {
    return this.#orderId;
  }

  /** True if the sale is of nothing to pay, since the shop has a discount of everything: nothing is charged then. */
  get isFree(): boolean {
    return this.#isFree;
  }

  async place(tx: Tx): Promise<void> {
    const { customerId, customer, lines, currency, method, channel, depositPercent } = this.#terms;
    const { codes, optionId } = this.#terms;
    const isSent = channel !== "pos";
    const { order } = await placeOrder(tx, {
      written: {
        ...emptyShared,
        channel,
        shippingAddress: isSent ? customer.address : null,
        cartId: null,
        paymentMethod: method,
      },
      contact: { customerId },
      sale: {
        ...plainSale,
        lines,
        currency,
        shipping: isSent ? { optionId } : null,
        codes,
        depositPercent,
      },
      trust: merchantTrust,
    });
    this.#orderId = order.id;
    this.#isFree = order.paidAt !== null;
  }

  async fillCart(tx: Tx): Promise<void> {
    const { customerId, customer, lines, currency, method } = this.#terms;
    const { cart } = await createCart(tx, {
      customerId,
      email: customer.details.email,
      lines: replaceLines(lines),
      currency,
      paymentMethod: method,
    });
    this.#cartId = cart.id;
  }

  async startCheckout(tx: Tx): Promise<void> {
    const { customer, codes: discountCodes, optionId } = this.#terms;
    const change = { shippingAddress: customer.address, shipping: { optionId }, discountCodes };
    await startCheckout(tx, known(this.#cartId), { change, expected: null });
  }

  async completeCart(tx: Tx): Promise<void> {
    const completion = { paymentMethod: undefined, metadata: undefined, isFromMerchant: true };
    const { placed } = await completeCart(tx, known(this.#cartId), { completion, expected: null });
    this.#orderId = placed.order.id;
    this.#isFree = placed.order.paidAt !== null;
  }

  /** Does what the timers of an unpaid order or of a checkout do. */
  async abandon(tx: Tx): Promise<void> {
    if (this.#orderId === null) return abandonCart(tx, known(this.#cartId));
    await clearTimer(tx, "abandon_order", this.#orderId);
    await abandonOrder(tx, this.#orderId, isBeingPaid);
  }

  async expire(tx: Tx): Promise<void> {
    await expireOrder(tx, known(this.#orderId), isBeingPaid);
  }

  async payByPhone(tx: Tx): Promise<void> {
    await this.#charge(tx, { phone: this.#terms.customer.phone });
  }

  async payWithoutFunds(tx: Tx): Promise<void> {
    await this.#charge(tx, { phone: POOR_PHONE });
  }

  async payTooLittle(tx: Tx): Promise<void> {
    await this.#charge(tx, { phone: SHORT_PHONE });
  }

  async payDeposit(tx: Tx): Promise<void> {
    await this.#charge(tx, { phone: this.#terms.customer.phone, isDeposit: true });
  }

  async payByCard(tx: Tx): Promise<void> {
    const orderId = known(this.#orderId);
    this.#paymentId = await startCharge(tx, { orderId, method: "card", cardToken: VISA });
  }

  /** The gateway has decided the last attempt. */
  settle(tx: Tx): Promise<void> {
    return settleCharge(tx, known(this.#paymentId));
  }

  async announceTransfer(tx: Tx): Promise<void> {
    this.#paymentId = await announcePayment(tx, known(this.#orderId));
  }

  confirmTransfer(tx: Tx): Promise<void> {
    return confirmPaid(tx, known(this.#paymentId));
  }

  /** Cash is taken and confirmed at once. */
  async collect(tx: Tx): Promise<void> {
    await this.announceTransfer(tx);
    await this.confirmTransfer(tx);
  }

  ship(tx: Tx): Promise<void> {
    return this.#ship(tx, undefined);
  }

  async shipFirstLine(tx: Tx): Promise<void> {
    const { lines } = await this.#order(tx);
    await this.#ship(
      tx,
      lines.slice(0, 1).map(({ id, quantity }) => ({ lineItemId: id, quantity })),
    );
  }

  /** Cancels the order; what was paid is refunded at once. */
  async cancel(tx: Tx): Promise<void> {
    const id = known(this.#orderId);
    const cancellation = { reason: "customer", note: null, refund: true } as const;
    await cancelOrder(tx, id, { cancellation, expected: null });
    if (this.#paymentId === null) return;
    await refundPaid(tx, this.#paymentId, { reason: "order_cancelled", lines: [] });
  }

  /** Everything comes back, and all of the money goes back. */
  async refund(tx: Tx): Promise<void> {
    const lines = refundedLines(await this.#order(tx), { isRestocked: true });
    await this.#takeBack(tx, lines, { reason: "unwanted", restock: true });
    await refundPaid(tx, known(this.#paymentId), { reason: "goods_returned", lines });
  }

  /** One unit of the first line was broken: what was paid for it is refunded. */
  async refundUnit(tx: Tx): Promise<void> {
    const whole = await this.#order(tx);
    const first = { ...whole, lines: whole.lines.slice(0, 1) };
    const lines = refundedLines(first, { units: 1, isRestocked: false });
    await this.#takeBack(tx, lines, { reason: "damaged", restock: false });
    const amountMinor = lines.reduce((sum, line) => sum + line.amountMinor, 0);
    await refundPaid(tx, known(this.#paymentId), { reason: "other", lines, amountMinor });
  }

  /** The units come back; their money is refunded by the next step. */
  async #takeBack(
    tx: Tx,
    lines: readonly UnitsRequest[],
    terms: Pick<ReturnRequest, "reason" | "restock">,
  ): Promise<void> {
    const id = known(this.#orderId);
    const sent = { note: null, exchangeOrderId: null, metadata: {} };
    const rest = { ...sent, refund: true, writeOff: undefined } as const;
    await returnUnits(tx, id, { request: { lines, ...terms, ...rest }, expected: null });
  }

  #order(tx: Tx): Promise<WholeOrder> {
    return getOrder(tx, known(this.#orderId));
  }

  async #charge(
    tx: Tx,
    by: { readonly phone: string; readonly isDeposit?: boolean },
  ): Promise<void> {
    const { provider } = this.#terms.customer;
    const orderId = known(this.#orderId);
    const terms = { orderId, method: "mobile_money", provider, ...by } as const;
    this.#paymentId = await startCharge(tx, terms);
  }

  async #ship(
    tx: Tx,
    lines:
      readonly { readonly lineItemId: Id<"lineItem">; readonly quantity: number }[] | undefined,
  ): Promise<void> {
    const isSent = this.#terms.channel !== "pos";
    const tracking = isSent ? { carrier: "Courier", number: null, url: null } : null;
    const request = { lines, tracking, isForced: false, metadata: {} };
    await fulfillOrder(tx, known(this.#orderId), { request, expected: null });
  }
}

/** So many units of each line, all of them if undefined, with their price, discount and taxes. */
function refundedLines(
  { order, lines }: WholeOrder,
  { units, isRestocked }: { readonly units?: number; readonly isRestocked: boolean },
): RefundedLine[] {
  return lines.map((line) => {
    const quantity = units ?? line.quantity;
    const { totalMinor, taxMinor, includedTaxMinor, discountMinor } = shareOfUnits(
      taxedLine(line, order.breakdown),
      { quantity: line.quantity, done: 0, units: quantity },
    );
    return {
      lineItemId: line.id,
      quantity,
      amountMinor: totalMinor,
      taxMinor,
      includedTaxMinor,
      discountMinor,
      restocked: isRestocked ? quantity : 0,
    };
  });
}

/** The id that an earlier step of the fate made. */
function known<T>(id: T | null): T {
  if (id === null) throw new Error("A step of a seeded sale comes before what it needs.");
  return id;
}
