// Valid bodies with every field, for each operation that takes one: hostile values replace one place at a
// time.

import { UNHEARD } from "./operations.ts";

const address = {
  name: "Ada",
  line1: "1 High Street",
  city: "Accra",
  country: "GH",
  phone: "+233201234567",
};
const stock = {
  expected: 5,
  reason: "correction",
  note: "Counted.",
  low_stock_threshold: 2,
  tracked: true,
  backorder: "deny",
};

/** Variants of one product differ in their options. */
const COLORS = 40;

function variant(n: number) {
  return {
    sku: `SKU-${n}`,
    barcode: `B${n}`,
    title: "Blue",
    options: { Color: `Blue ${n % COLORS}` },
    prices: [{ currency: "USD", amount: 12.5, compare_at: "15.00" }],
    weight_grams: 300,
    requires_shipping: true,
    image: { url: "https://shop.example/blue.png", alt: "A blue mug" },
    metadata: { shelf: [1] },
  };
}

function product(n: number) {
  return {
    name: "Mug",
    slug: `mug-${n}`,
    description: "Holds tea.",
    status: "active",
    category: "Kitchen",
    tags: ["blue"],
    images: [{ url: "https://shop.example/mug.png", alt: "A mug" }],
    options: [{ name: "Color", values: Array.from({ length: COLORS }, (_, one) => `Blue ${one}`) }],
    metadata: { shelf: 1 },
    related_product_ids: [],
  };
}

function customer(n: number) {
  return {
    email: `ama${n}@example.com`,
    phone: `+2332${String(n).padStart(8, "0")}`,
    name: "Ada",
    first_name: "Ada",
    last_name: "Mensah",
    addresses: [address],
    marketing_consent: true,
    tags: ["vip"],
    metadata: { note: "x" },
  };
}

function order(n: number, variantId: string) {
  return {
    line_items: [{ variant_id: variantId, quantity: 1 }],
    customer: { email: `kofi${n}@example.com`, name: "Kofi" },
    payment_method: "cash_on_delivery",
    currency: "USD",
    channel: "pos",
    external_id: `x-${n}`,
    shipping_address: address,
    billing_address: address,
    shipping: { label: "Courier", amount: "2.50" },
    notes: "Ring twice.",
    metadata: { source: "till" },
    paid: { method: "cash", amount: "1.00", tendered: "2.00" },
    fulfilled: true,
  };
}

function discount(n: number, ids: Readonly<Record<string, string>>) {
  const scope = { product_ids: [ids["prod"]], variant_ids: [ids["var"]], tags: ["blue"] };
  return {
    title: "Summer",
    target: "lines",
    buy_get: {
      buy: { quantity: 2, scope },
      get: { quantity: 1, scope, percent: 50 },
      times: 3,
    },
    minimum: { amounts: [{ currency: "USD", amount: "20.00" }], quantity: 2 },
    automatic: false,
    stackable: true,
    starts_at: "2026-01-01T00:00:00Z",
    ends_at: "2999-01-01T00:00:00Z",
    usage_limit: 100,
    per_customer_limit: 1,
    customer_tags: ["vip"],
    metadata: { campaign: n },
  };
}

const endpoint = { url: UNHEARD, events: ["webhook.disabled"], description: "The till." };

/** The body of an operation; `n` makes its unique fields unique. Undefined where none is known. */
export function wholeBody(
  name: string,
  { ids, n }: { readonly ids: Readonly<Record<string, string>>; readonly n: number },
): unknown {
  const variantId = ids["var"] ?? "";
  const level = { ...stock, on_hand: 5 };
  const { line_items, shipping, ...edited } = order(n, variantId);
  const bodies: Readonly<Record<string, unknown>> = {
    "POST /v2/products": { ...product(n), variants: [{ ...variant(n), stock: 5, tracked: true }] },
    "PUT /v2/products/{id}": product(n),
    "POST /v2/products/{id}/variants": { ...variant(n), stock: 5 },
    "PUT /v2/products/{id}/variants/{variant_id}": variant(n),
    "PUT /v2/inventory/{variant_id}": level,
    "POST /v2/inventory/batch": { rows: [{ variant_id: variantId, ...level }] },
    "POST /v2/discounts": { ...discount(n, ids), codes: [`SUMMER-${n}`] },
    "PUT /v2/discounts/{id}": { ...discount(n, ids), archived: false },
    "POST /v2/discounts/{id}/codes": { codes: [`TEA-${n}`], usage_limit: 1 },
    "POST /v2/customers": customer(n),
    "PUT /v2/customers/{id}": customer(n),
    "POST /v2/orders": order(n, variantId),
    "PUT /v2/orders/{id}": { line_items, shipping, notes: edited.notes, metadata: edited.metadata },
    "POST /v2/orders/{id}/fulfill": {
      line_items: [{ line_item_id: ids["li"], quantity: 1 }],
      tracking: { carrier: "DHL", number: "1", url: "https://dhl.example/1" },
    },
    "POST /v2/orders/{id}/cancel": { reason: "customer", note: "-", refund: true },
    "PUT /v2/store": {
      name: "Shop",
      currency: "USD",
      timezone: "UTC",
      low_stock_threshold: 2,
      order_expiry_minutes: 60,
      recovery_url_template: "https://shop.example/recover",
      payment_methods: {
        card: {
          enabled: true,
          by: "hand",
          label: "Card",
          instructions: "At the door.",
          expires_minutes: 60,
        },
      },
    },
    "POST /v2/keys": {
      name: "Till",
      scopes: ["products:read"],
      expires_at: "2999-01-01T00:00:00Z",
    },
    "POST /v2/test/trigger": { event: "order.paid", data: { channel: "pos", number: 7 } },
    "POST /v2/webhooks": endpoint,
    "PUT /v2/webhooks/{id}": { ...endpoint, status: "enabled" },
    "POST /v2/webhooks/{id}/rotate-secret": { overlap_hours: 1 },
    "POST /v2/webhooks/{id}/replay": {
      from: "2026-01-01T00:00:00Z",
      to: "2999-01-01T00:00:00Z",
      after: 0,
      until: 5,
      events: ["order.*"],
      failed_only: true,
    },
  };
  return bodies[name];
}

/** The path of keys to every place in a value, except the value itself. */
export function placesIn(value: unknown, path: readonly string[] = []): string[][] {
  const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return inner.flatMap(([key, one]) => [[...path, key], ...placesIn(one, [...path, key])]);
}

/** A copy of a value with one place replaced. */
export function withValueAt(value: unknown, path: readonly string[], other: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return other;
  const inner = withValueAt(Reflect.get(Object(value), key), rest, other);
  if (Array.isArray(value)) return value.map((one, index) => (String(index) === key ? inner : one));
  return { ...Object(value), [key]: inner };
}
