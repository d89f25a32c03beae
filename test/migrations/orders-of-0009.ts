// A shop of the schema 0009 in the middle of every kind of order, as statements for both engines, what each order
// owes by the schema 0010, and what later schemas say of the rest. Every order is of two units at 1,000 with shipping
// of 300.

interface OldPayment {
  readonly status: string;
  readonly captured: number;
  readonly refunding?: number;
  readonly refunded?: number;
}

interface OldOrder {
  readonly status?: "open" | "completed" | "cancelled";
  readonly paymentStatus: string;
  readonly shipped?: number;
  readonly isPaid?: boolean;
  readonly openAttempts?: number;
  readonly payments?: readonly OldPayment[];
  /** Units of a refund that succeeded, put back on the shelf. */
  readonly restocked?: number;
  /** Whether a refund waits for an answer of its gateway that a person gets. */
  readonly needsAttention?: boolean;
  /** A refund that was opened and not answered. */
  readonly pendingMinor?: number;
  /** Whether the refund of the cancelled order waits to be opened. */
  readonly awaitsRefund?: boolean;
}

const TOTAL = 2_300;
const stamps = { version: 1, created_at: 1, updated_at: 1 };

/** The orders, by what happened to them. */
const orders: Readonly<Record<string, OldOrder>> = {
  unpaid: { paymentStatus: "unpaid" },
  pending: {
    paymentStatus: "pending",
    openAttempts: 1,
    payments: [{ status: "pending", captured: 0 }],
  },
  review: { paymentStatus: "unpaid", payments: [{ status: "review", captured: 0 }] },
  deposit: {
    paymentStatus: "partially_paid",
    payments: [{ status: "succeeded", captured: 800 }],
  },
  deposit_returned: {
    paymentStatus: "refunded",
    payments: [{ status: "refunded", captured: 800, refunding: 800, refunded: 800 }],
  },
  paid: {
    paymentStatus: "paid",
    isPaid: true,
    payments: [{ status: "succeeded", captured: TOTAL }],
  },
  overpaid: {
    paymentStatus: "overpaid",
    isPaid: true,
    payments: [{ status: "succeeded", captured: 2_500 }],
  },
  refund_pending: {
    paymentStatus: "paid",
    isPaid: true,
    pendingMinor: 500,
    payments: [{ status: "succeeded", captured: TOTAL, refunding: 500 }],
  },
  refund_stopped: {
    paymentStatus: "paid",
    isPaid: true,
    needsAttention: true,
    payments: [{ status: "succeeded", captured: TOTAL, refunding: 900 }],
  },
  partly_shipped: {
    paymentStatus: "paid",
    isPaid: true,
    shipped: 1,
    payments: [{ status: "succeeded", captured: TOTAL }],
  },
  returned_with_fee: {
    status: "completed",
    paymentStatus: "partially_refunded",
    isPaid: true,
    shipped: 2,
    restocked: 1,
    payments: [{ status: "partially_refunded", captured: TOTAL, refunding: 900, refunded: 900 }],
  },
  cash_shipped: { paymentStatus: "unpaid", shipped: 2 },
  cancelled: { status: "cancelled", paymentStatus: "unpaid" },
  cancelled_and_kept: {
    status: "cancelled",
    paymentStatus: "paid",
    isPaid: true,
    payments: [{ status: "succeeded", captured: TOTAL }],
  },
  cancelled_and_refunded: {
    status: "cancelled",
    paymentStatus: "refunded",
    isPaid: true,
    payments: [{ status: "refunded", captured: TOTAL, refunding: TOTAL, refunded: TOTAL }],
  },
  cancelled_just_now: {
    status: "cancelled",
    paymentStatus: "paid",
    isPaid: true,
    awaitsRefund: true,
    payments: [{ status: "succeeded", captured: TOTAL }],
  },
};

/** What the schema 0010 says of each: credited, kept, refunding, sale total, payments in review, payment status. */
export const owing: Readonly<Record<string, readonly (number | string | null)[]>> = {
  cancelled: [2_300, 0, 0, null, 0, "unpaid"],
  cancelled_and_kept: [2_300, 2_300, 0, 2_300, 0, "paid"],
  cancelled_and_refunded: [2_300, 0, 2_300, 2_300, 0, "refunded"],
  // Its timer refunds it as it would have.
  cancelled_just_now: [2_300, 0, 0, 2_300, 0, "paid"],
  cash_shipped: [0, 0, 0, null, 0, "unpaid"],
  deposit: [0, 0, 0, null, 0, "partially_paid"],
  deposit_returned: [0, 0, 800, null, 0, "unpaid"],
  overpaid: [0, 0, 0, 2_300, 0, "overpaid"],
  paid: [0, 0, 0, 2_300, 0, "paid"],
  partly_shipped: [0, 0, 0, 2_300, 0, "paid"],
  pending: [0, 0, 0, null, 0, "pending"],
  refund_pending: [0, 0, 500, 2_300, 0, "paid"],
  refund_stopped: [0, 0, 900, 2_300, 0, "paid"],
  returned_with_fee: [1_000, 100, 900, 2_300, 0, "partially_refunded"],
  review: [0, 0, 0, null, 1, "review"],
  unpaid: [0, 0, 0, null, 0, "unpaid"],
};

/** Cancelled and returned units of the lines that have any. */
export const movedUnits: Readonly<Record<string, readonly number[]>> = {
  cancelled: [2, 0],
  cancelled_and_kept: [2, 0],
  cancelled_and_refunded: [2, 0],
  cancelled_just_now: [2, 0],
  returned_with_fee: [0, 1],
};

/** Reads the columns of `owing`, by the id of the order. */
export const OWING =
  "SELECT id, credited_minor, kept_minor, refunding_minor, sale_total_minor, payments_in_review, payment_status FROM orders ORDER BY id";
/** Reads the columns of `movedUnits`. */
export const MOVED =
  "SELECT order_id, cancelled_quantity, returned_quantity FROM order_lines WHERE cancelled_quantity + returned_quantity > 0 ORDER BY order_id";

/** Reads what later schemas added: a key, and the values of `grown`. */
export const GROWN = [
  "SELECT id, attention, retried_at, closed_at, close_note FROM refunds",
  "SELECT variant_id, archived_at FROM inventory_levels",
  "SELECT id, country, payment_methods, gateway_methods FROM store",
  "SELECT id, channel, shipping_minor, external_id FROM carts",
  "SELECT 'figures', paid, written_off_minor FROM analytics_figures",
];

/** Only a gateway stopped refunds before; a level is archived with its variant; the rest has its default. */
export const grown: Readonly<Record<string, readonly unknown[]>> = {
  ref_refund_pending: [null, null, null, null],
  ref_refund_stopped: ["gateway", null, null, null],
  ref_returned_with_fee: [null, null, null, null],
  var_a: [null],
  var_old: [7],
  store: [null, "{}", "[]"],
  cart_a: ["online_store", 0, null],
  figures: [3, 0],
};

/** The statements that fill a database of the schema 0009. */
export const oldRows: readonly string[] = [
  ...shopRows(),
  ...Object.entries(orders).flatMap(([id, order], index) => [
    insert("orders", orderRow(id, order, index)),
    insert("order_lines", lineRow(id, order)),
    ...(order.payments ?? []).map((payment) => insert("payments", paymentRow(id, payment))),
    ...(order.restocked === undefined ? [] : [insert("refunds", refundRow(id, order.restocked))]),
    ...(order.pendingMinor === undefined
      ? []
      : [insert("refunds", pendingRow(id, order.pendingMinor))]),
    ...(order.needsAttention === true ? [insert("refunds", stoppedRow(id))] : []),
    ...(order.awaitsRefund === true
      ? [insert("timers", { name: "refund_cancelled_order", subject: id, due_at: 1, attempts: 0 })]
      : []),
  ]),
];

type Row = Readonly<Record<string, string | number | boolean | null>>;

function insert(table: string, row: Row): string {
  const values = Object.values(row).map((value) =>
    typeof value === "string" ? `'${value}'` : String(value),
  );
  return `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${values.join(", ")})`;
}

/** A product with a variant that is sold and one that is archived, a cart, the settings, and a figure. */
function shopRows(): string[] {
  const product = { id: "prod_a", name: "Mug", slug: "mug", description: "", status: "active" };
  const texts = { tags: "[]", images: "[]", options: "[]", metadata: "{}" };
  const variants = [
    { id: "var_a", position: 0, archived_at: null },
    { id: "var_old", position: 1, archived_at: 7 },
  ];
  const settings = { name: "Shop", currency: "USD", timezone: "UTC", low_stock_threshold: 5 };
  const figures =
    "placed paid fulfilled cancelled expired units_sold gross_minor discount_minor refunded_minor shipping_minor tax_minor started abandoned recovered recovered_minor attempts succeeded failed";
  return [
    insert("products", { ...product, ...texts, ...stamps }),
    ...variants.flatMap((variant) => [variantRow(variant), levelRow(variant.id)]),
    insert("carts", {
      id: "cart_a",
      status: "open",
      currency: "USD",
      lines: "[]",
      remembered: "{}",
      metadata: "{}",
      ...stamps,
    }),
    insert("store", { id: "store", ...settings, ...stamps }),
    insert("analytics_figures", {
      ...Object.fromEntries(figures.split(" ").map((name) => [name, 3])),
      scope: 1,
      level: 1,
      bucket: 1,
    }),
  ];
}

function variantRow(variant: Row): string {
  const texts = { title: "", options: "{}", prices: "[]", metadata: "{}" };
  return insert("variants", {
    ...variant,
    product_id: "prod_a",
    ...texts,
    created_at: 1,
    updated_at: 1,
  });
}

function levelRow(id: string): string {
  const counts = { on_hand: 9, reserved: 0, low_stock_threshold: 5, tracked: true };
  return insert("inventory_levels", {
    variant_id: id,
    product_id: "prod_a",
    ...counts,
    backorder: "deny",
    version: 1,
    updated_at: 1,
  });
}

function pendingRow(id: string, amountMinor: number): Row {
  const row = { ...refundRow(id, 0), amount_minor: amountMinor };
  return { ...row, status: "pending", lines: "[]", succeeded_at: null };
}

/** A refund of which its gateway said that a person has to see to it. */
function stoppedRow(id: string): Row {
  return { ...refundRow(id, 0), status: "needs_attention", lines: "[]", succeeded_at: null };
}

function orderRow(id: string, order: OldOrder, index: number): Row {
  const { payments = [], shipped = 0, status = "open" } = order;
  const captured = payments.reduce((sum, payment) => sum + payment.captured, 0);
  const refunded = payments.reduce((sum, payment) => sum + (payment.refunded ?? 0), 0);
  return {
    id,
    number: 1_001 + index,
    status,
    payment_status: order.paymentStatus,
    fulfillment_status: ["unfulfilled", "partially_fulfilled", "fulfilled"][shipped] ?? "",
    payment_method: "gateway",
    currency: "USD",
    channel: "online_store",
    metadata: "{}",
    subtotal_minor: 2_000,
    discount_minor: 0,
    shipping_minor: 300,
    tax_minor: 0,
    total_minor: TOTAL,
    paid_minor: captured,
    refunded_minor: refunded,
    open_attempts: order.openAttempts ?? 0,
    paid_at: order.isPaid === true ? 1 : null,
    ...stamps,
  };
}

function lineRow(id: string, { shipped = 0 }: OldOrder): Row {
  return {
    order_id: id,
    position: 0,
    id: `li_${id}`,
    variant_id: "var_a",
    product_id: "prod_a",
    name: "Mug",
    quantity: 2,
    fulfilled_quantity: shipped,
    unit_price_minor: 1_000,
    subtotal_minor: 2_000,
    discount_minor: 0,
    tax_minor: 0,
    total_minor: 2_000,
  };
}

function paymentRow(id: string, payment: OldPayment): Row {
  const { status, captured, refunding = 0, refunded = 0 } = payment;
  return {
    id: `pay_${id}`,
    reference: `pay_${id}`,
    status,
    order_id: id,
    method: "gateway",
    attempt_number: 1,
    amount_minor: TOTAL,
    currency: "USD",
    captured_minor: captured,
    refunding_minor: refunding,
    refunded_minor: refunded,
    is_unknown: false,
    not_found_looks: 0,
    looked_at: 1,
    metadata: "{}",
    ...stamps,
  };
}

function refundRow(id: string, restocked: number): Row {
  const line = { lineItemId: `li_${id}`, quantity: restocked, amountMinor: 900, restocked };
  return {
    id: `ref_${id}`,
    payment_id: `pay_${id}`,
    order_id: id,
    status: "succeeded",
    amount_minor: 900,
    currency: "USD",
    reason: "goods_returned",
    lines: JSON.stringify([line]),
    is_automatic: false,
    is_unknown: false,
    succeeded_at: 1,
    ...stamps,
  };
}
