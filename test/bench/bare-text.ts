// The JSON of the fixed program: it reads the body of an order, and prints an order, its event and a product
// in the shape of Duka's. Amounts have two digits, because the bench sells in such currencies only.

const PREPAID = new Set(["mobile_money", "card", "gateway"]);
const METHODS = new Set([...PREPAID, "cash_on_delivery", "bank_transfer"]);
/** An unpaid order is given up after a day, milliseconds. */
const EXPIRES_AFTER_MS = 86_400_000;
/** Marks the place of a value that is filled in later; JSON escapes it, so no printed text holds it. */
const HOLE = "\u0001";

export interface OrderRequest {
  readonly customerId: string | null;
  readonly lines: readonly RequestedLine[];
  readonly method: string;
  readonly currency: string;
  /** JSON text. */
  readonly metadata: string;
}

export interface RequestedLine {
  readonly variantId: string;
  readonly quantity: number;
}

export interface PricedLine extends RequestedLine {
  readonly id: string;
  readonly productId: string;
  readonly sku: string | null;
  readonly name: string;
  readonly priceMinor: number;
  readonly totalMinor: number;
}

export interface Customer {
  readonly id: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly name: string | null;
}

export interface PlacedOrder {
  readonly id: string;
  readonly number: number;
  readonly request: OrderRequest;
  readonly customer: Customer | null;
  readonly lines: readonly PricedLine[];
  readonly totalMinor: number;
  readonly expiresAt: number | null;
  readonly now: number;
}

/** The text before and after a value that is filled in later. */
export interface Around {
  readonly head: string;
  readonly tail: string;
}

/** Reads the body of an order; returns null where it is not one. */
export function readOrder(text: string): OrderRequest | null {
  const body = parsed(text);
  if (!isObject(body)) return null;
  const { customer_id: customerId = null, payment_method: method, currency, metadata = {} } = body;
  const lines = readLines(body["line_items"]);
  if (lines === null || !isMethod(method)) return null;
  if (!isText(currency) || !isObject(metadata) || !(customerId === null || isText(customerId))) {
    return null;
  }
  return { customerId, lines, method, currency, metadata: JSON.stringify(metadata) };
}

function readLines(value: unknown): RequestedLine[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const lines: RequestedLine[] = [];
  for (const line of value) {
    if (!isObject(line)) return null;
    const { variant_id: variantId, quantity } = line;
    if (!isText(variantId) || typeof quantity !== "number") return null;
    if (!Number.isSafeInteger(quantity) || quantity < 1) return null;
    lines.push({ variantId, quantity });
  }
  return lines;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isMethod(value: unknown): value is string {
  return isText(value) && METHODS.has(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Returns when an unpaid order is given up, or null where it is paid after delivery. */
export function expiryOf({ method }: OrderRequest, now: number): number | null {
  return PREPAID.has(method) ? now + EXPIRES_AFTER_MS : null;
}

/** Prints the lines of an order, once for both its answer and its event. */
export function linesText(lines: readonly PricedLine[]): string {
  return `[${lines.map(lineText).join(",")}]`;
}

function lineText(line: PricedLine): string {
  const price = amount(line.priceMinor);
  const total = amount(line.totalMinor);
  return (
    `{"id":"${line.id}","variant_id":"${line.variantId}","product_id":"${line.productId}",` +
    `"sku":${JSON.stringify(line.sku)},"name":${JSON.stringify(line.name)},` +
    `"quantity":${line.quantity},"fulfilled_quantity":0,"unit_price":${price},` +
    `"unit_price_minor":${line.priceMinor},"subtotal":${total},"discount_total":0.00,` +
    `"tax_total":0.00,"total":${total},"total_minor":${line.totalMinor}}`
  );
}

/** Prints the answer to an order. */
export function orderText(order: PlacedOrder, lines: string): string {
  const { request, totalMinor, customer } = order;
  const total = amount(totalMinor);
  const at = new Date(order.now).toISOString();
  const expires =
    order.expiresAt === null ? "null" : `"${new Date(order.expiresAt).toISOString()}"`;
  return (
    `{"id":"${order.id}","number":${order.number},"status":"open","payment_status":"unpaid",` +
    `"fulfillment_status":"unfulfilled","customer_id":${JSON.stringify(request.customerId)},` +
    `"customer":${JSON.stringify(customer)},"line_items":${lines},` +
    `"payment_method":"${request.method}","currency":"${request.currency}",` +
    `"channel":"online_store","external_id":null,"cart_id":null,"shipping_address":null,` +
    `"billing_address":null,"shipping":null,"notes":null,"subtotal":${total},` +
    `"subtotal_minor":${totalMinor},"discount_total":0.00,"discount_total_minor":0,` +
    `"shipping_total":0.00,"shipping_total_minor":0,"tax_total":0.00,"tax_total_minor":0,` +
    `"total":${total},"total_minor":${totalMinor},"paid_total":0.00,"paid_total_minor":0,` +
    `"refunded_total":0.00,"refunded_total_minor":0,"due":${total},"due_minor":${totalMinor},` +
    `"fulfillments":[],"cancel_reason":null,"cancel_note":null,"paid_at":null,` +
    `"fulfilled_at":null,"cancelled_at":null,"expires_at":${expires},` +
    `"metadata":${request.metadata},"version":1,"created_at":"${at}","updated_at":"${at}"}`
  );
}

/** Prints the payload of the event that announces an order. */
export function eventText(order: PlacedOrder, lines: string): string {
  const { request, customer } = order;
  return (
    `{"order_id":"${order.id}","total":${amount(order.totalMinor)},` +
    `"currency":"${request.currency}","channel":"online_store",` +
    `"payment_method":"${request.method}","customer":${JSON.stringify(customer)},` +
    `"number":${order.number},"external_id":null,"line_items":${lines},` +
    `"metadata":${request.metadata}}`
  );
}

/** Prints an object once, except one member, so that a list only joins texts. */
export function textAround(object: object, member: string): Around {
  const [head = "", tail = ""] = JSON.stringify({ ...object, [member]: HOLE }).split(
    JSON.stringify(HOLE),
  );
  return { head, tail };
}

function amount(minor: number): string {
  const digits = String(minor % 100).padStart(2, "0");
  return `${Math.floor(minor / 100)}.${digits}`;
}
