// What the bare program over PostgreSQL makes of an order: the same JSON in and out as Duka, and nothing
// more.

export interface Row {
  readonly [column: string]: unknown;
}

export interface OrderBody {
  readonly customer_id: string;
  readonly line_items: readonly { readonly variant_id: string; readonly quantity: number }[];
  readonly payment_method: string;
  readonly currency: string;
  readonly metadata: object;
}

export interface BareLine {
  readonly id: string;
  readonly variant_id: string;
  readonly product_id: string;
  readonly sku: string | null;
  readonly name: string;
  readonly position: number;
  readonly quantity: number;
  readonly unit: number;
  readonly total: number;
  readonly amount: unknown;
}

/** An order whose number and buyer are known. */
export interface BareOrder {
  readonly id: string;
  readonly body: OrderBody;
  readonly email: string;
  readonly number: number;
  readonly lines: readonly BareLine[];
  readonly total: number;
  readonly now: number;
}

export const actor = '{"type":"api_key","id":"key_01ke6jq300ec1tntw41dqs0nfd"}';
export const answerHeaders = '{"ETag":"\\"1.abcdefghijk\\"","Location":"/v2/orders/x"}';

/** Time-ordered and of the length of Duka's, without its alphabet. */
export function id(prefix: string): string {
  return `${prefix}_${Bun.randomUUIDv7("hex").replaceAll("-", "").slice(0, 26)}`;
}

/** A text column of a row that must be there. */
export function textOf(row: Row | null | undefined, column: string): string {
  return String(row?.[column]);
}

/** One line of an order: what is offered, at its first price. */
export function lineOf(
  offer: Row | undefined,
  { variant_id, quantity }: OrderBody["line_items"][number],
  position: number,
): BareLine {
  const [price] = JSON.parse(textOf(offer, "prices"));
  const total = price.amountMinor * quantity;
  return {
    id: id("li"),
    variant_id,
    product_id: textOf(offer, "product_id"),
    sku: offer?.["sku"] === null ? null : textOf(offer, "sku"),
    name: textOf(offer, "name"),
    position,
    quantity,
    unit: price.amountMinor,
    total,
    amount: JSON.rawJSON((total / 100).toFixed(2)),
  };
}

/** The buyer as an order keeps them. */
export function snapshotOf(buyer: Row | null | undefined): string {
  return JSON.stringify({
    id: textOf(buyer, "id"),
    email: textOf(buyer, "email"),
    phone: null,
    name: "A",
  });
}

/** The payload of the event that announces it. */
export function payloadOf({ id: order_id, body, email, number, lines, total }: BareOrder): string {
  return JSON.stringify({
    order_id,
    total: JSON.rawJSON((total / 100).toFixed(2)),
    currency: body.currency,
    channel: "online_store",
    payment_method: body.payment_method,
    customer: { id: body.customer_id, email },
    number,
    external_id: null,
    line_items: lines.map(shown),
    metadata: body.metadata,
  });
}

/** What the request is answered with. */
export function answerOf(order: BareOrder): string {
  const { body, email, total } = order;
  const at = new Date(order.now).toISOString();
  return JSON.stringify({
    id: order.id,
    number: order.number,
    status: "open",
    payment_status: "unpaid",
    fulfillment_status: "unfulfilled",
    customer_id: body.customer_id,
    customer: { id: body.customer_id, email, phone: null, name: "A" },
    line_items: order.lines.map(shown),
    payment_method: body.payment_method,
    currency: body.currency,
    channel: "online_store",
    external_id: null,
    cart_id: null,
    shipping_address: null,
    billing_address: null,
    shipping: null,
    notes: null,
    ...totals(JSON.rawJSON((total / 100).toFixed(2)), total),
    fulfillments: [],
    cancel_reason: null,
    cancel_note: null,
    paid_at: null,
    fulfilled_at: null,
    cancelled_at: null,
    expires_at: at,
    metadata: body.metadata,
    version: 1,
    created_at: at,
    updated_at: at,
  });
}

/** As long as Duka's. */
export function fingerprintOf(answer: string): string {
  return Bun.hash(answer).toString(36).repeat(4);
}

function shown(line: BareLine) {
  return {
    id: line.id,
    variant_id: line.variant_id,
    product_id: line.product_id,
    sku: line.sku,
    name: line.name,
    quantity: line.quantity,
    fulfilled_quantity: 0,
    unit_price: line.amount,
    unit_price_minor: line.unit,
    subtotal: line.amount,
    discount_total: line.amount,
    tax_total: line.amount,
    total: line.amount,
    total_minor: line.total,
  };
}

const totalNames = ["subtotal", "discount_total", "shipping_total", "tax_total", "total"].concat([
  "paid_total",
  "refunded_total",
  "due",
]);

function totals(printed: unknown, total: number): Record<string, unknown> {
  return Object.fromEntries(
    totalNames.flatMap((name) => [
      [name, printed],
      [`${name}_minor`, total],
    ]),
  );
}
