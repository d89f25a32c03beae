// Masks the rows of an archive. Texts go unless they are known to say nothing of a person: what is of a closed
// form, such as an id, an instant or a choice, and what the merchant tells everyone of goods and terms.

import { collections, inventoryLevels, media, products, variants } from "#catalog/rows/tables.ts";
import { isObject } from "#kernel/assume.ts";
import { eventNames } from "#messaging/events/event.ts";
import { disputes, payments } from "#payments/rows/tables.ts";
import { isPlain, propertyOf, type RecordTable } from "#platform/database/record.ts";
import { thaw } from "#platform/event-log/event-log.ts";
import { branchesOf } from "#platform/http/audience/audience.ts";
import { countryCode } from "#platform/http/contract/words.ts";
import { pickupLocations, shippingRates, shippingZones } from "#pricing/shipping/tables.ts";
import { carts, orderLines, orders } from "#sales/rows/tables.ts";
import { eventPayloads } from "#sandbox/trigger/event-payloads.ts";
import { receivingAccounts, store } from "#shop/store/tables.ts";
import { taxRates } from "#shop/taxes/tables.ts";

/** Makes the line of a masked archive. */
export type MaskLine = (line: string) => string;

/** Answers what is kept of a value, or HIDDEN. */
type Mask = (value: unknown) => unknown;

const HIDDEN = Symbol("hidden");

/** The records whose plain columns are shown, by the component of the documentation. */
const records: Readonly<Record<string, RecordTable>> = {
  Cart: carts,
  Collection: collections,
  Dispute: disputes,
  InventoryLevel: inventoryLevels,
  LineItem: orderLines,
  Medium: media,
  Order: orders,
  Payment: payments,
  PickupLocation: pickupLocations,
  Product: products,
  ReceivingAccount: receivingAccounts,
  ShippingRate: shippingRates,
  ShippingZone: shippingZones,
  Store: store,
  TaxRate: taxRates,
  Variant: variants,
};

/** The members of a line that show its variant. */
const shownOfVariant = ["product_slug", "variant_title", "options", "image"];

/**
 * The texts without a column that are kept, by the component that has them, or else by the name of the member. `all` also
 * means what is within, but for components that stand here or have a record. Other components are parts of what has them.
 */
const shownTexts: Readonly<Record<string, "all" | readonly string[]>> = {
  Address: [],
  CartLine: ["sku", "name", ...shownOfVariant],
  Collection: ["seo"],
  Contact: [],
  InventoryLevel: ["name"],
  LineItem: ["tax_class", ...shownOfVariant],
  Medium: ["url", "sizes"],
  // As an erasure keeps it: where tax was due.
  Order: ["tax_country", "tax_region"],
  OrderCustomer: [],
  Product: ["seo"],
  tax_lines: "all",
  /** The payload of an event that is no component. */
  payload: ["channel", "gateway", "sku"],
};

/** The texts of plain columns that are hidden: names that a merchant tells no one, and how the business is reached. */
const hiddenTexts: Readonly<Record<string, readonly string[]>> = {
  Cart: ["discount_codes", "external_id"],
  Dispute: ["reason"],
  Order: ["external_id"],
  Payment: ["gateway_code", "reference"],
  PickupLocation: ["instructions"],
  ReceivingAccount: ["instructions", "label"],
  Store: [
    "brand_color",
    "contact_email",
    "contact_phone",
    "legal_name",
    "logo_url",
    "order_url_template",
    "payment_methods",
    "postal_address",
    "recovery_url_template",
    "support_line",
    "tax_id",
    "website_url",
  ],
};

/** The mask of rows with this schema. */
export function maskRows(schema: unknown): MaskLine {
  const mask = maskOf(schema, { name: "", isShown: false });
  return (line) => JSON.stringify(shownOr({}, mask(thaw(line))));
}

/** The mask of events with this envelope, whose payloads have schemas of their own. */
export function maskEvents(envelope: unknown): MaskLine {
  const mask = maskOf(envelope, { name: "", isShown: false });
  const payloads = new Map<unknown, Mask>(
    eventNames.map((name) => [
      name,
      maskOf(eventPayloads[name], { name: "payload", isShown: false }),
    ]),
  );
  return (line) => {
    const event = thaw(line);
    const masked = shownOr({}, mask(event));
    if (!isObject(event) || !isObject(masked)) return "{}";
    const payload = payloads.get(event["event"])?.(event["data"]) ?? HIDDEN;
    return JSON.stringify({ ...masked, data: shownOr({}, payload) });
  };
}

/** The place of a value. */
interface Place {
  /** The name of the member. */
  readonly name: string;
  /** True where its texts are kept, of whatever form. */
  readonly isShown: boolean;
}

function maskOf(schema: unknown, place: Place): Mask {
  if (!isObject(schema)) return () => HIDDEN;
  const branches = branchesOf(schema);
  if (branches.length > 0) return maskOfBranches(branches.map((one) => maskOf(one, place)));
  switch (schema["type"]) {
    case "string":
      return maskOfText(schema, place);
    case "number":
    case "integer":
      return (value) => (JSON.isRawJSON(value) ? value : HIDDEN);
    case "boolean":
      return (value) => (typeof value === "boolean" ? value : HIDDEN);
    case "null":
      return (value) => (value === null ? value : HIDDEN);
    case "array":
      return maskOfList(maskOf(schema["items"], place));
    case "object":
      return maskOfObject(schema, place);
    default:
      return () => HIDDEN;
  }
}

/** A value of several schemas has what any of them shows. */
function maskOfBranches(masks: readonly Mask[]): Mask {
  return (value) => {
    const kept = masks.map((mask) => mask(value)).filter((one) => one !== HIDDEN);
    const objects = kept.filter((one) => isObject(one) && !JSON.isRawJSON(one));
    return objects.length > 1 ? Object.assign({}, ...objects) : kept.length > 0 ? kept[0] : HIDDEN;
  };
}

function maskOfText(schema: Record<string, unknown>, { isShown }: Place): Mask {
  if (isShown) return showText(() => true);
  const { enum: choices, format, pattern } = schema;
  if (Array.isArray(choices)) return showText((text) => choices.includes(text));
  if (format === "date-time") return showText((text) => !Number.isNaN(Date.parse(text)));
  // Only ids have a value that is told in their place.
  const isClosed = "x-closed" in schema || pattern === countryCode.pattern;
  if (!isClosed || typeof pattern !== "string") return () => HIDDEN;
  const form = new RegExp(pattern);
  return showText((text) => form.test(text));
}

function showText(isKept: (text: string) => boolean): Mask {
  return (value) => (typeof value === "string" && isKept(value) ? value : HIDDEN);
}

function maskOfList(mask: Mask): Mask {
  return (value) =>
    Array.isArray(value) ? value.map(mask).filter((one) => one !== HIDDEN) : HIDDEN;
}

function maskOfObject(schema: Record<string, unknown>, place: Place): Mask {
  const { properties, additionalProperties, "x-component": component } = schema;
  if (!isObject(properties)) {
    // The options of a variant have names of their own; metadata may have anything.
    const isKept = place.isShown && isObject(additionalProperties);
    return (value) => (isKept && isObject(value) ? value : isObject(value) ? {} : HIDDEN);
  }
  const isMemberShown =
    typeof component === "string" &&
    (Object.hasOwn(records, component) || Object.hasOwn(shownTexts, component))
      ? (name: string) => isShownOf(component, name)
      : (name: string) => isNamed(place.name, name) ?? place.isShown;
  const members = Object.entries(properties).map(([name, one]) => ({
    name,
    mask: maskOf(one, { name, isShown: isMemberShown(name) }),
    hidden: isNullable(one) ? null : "",
  }));
  return (value) => {
    if (!isObject(value) || JSON.isRawJSON(value)) return HIDDEN;
    const masked: Record<string, unknown> = {};
    for (const { name, mask, hidden } of members) {
      if (Object.hasOwn(value, name)) masked[name] = shownOr(hidden, mask(value[name]));
    }
    return masked;
  };
}

/** Tells whether the texts of a component's member are kept. */
function isShownOf(component: string, name: string): boolean {
  if (hiddenTexts[component]?.includes(name) === true) return false;
  const record = records[component];
  const isOfPlainColumn = record !== undefined && isPlain(record, propertyOf(name));
  return isOfPlainColumn || isNamed(component, name) === true;
}

/** Tells whether the member is among the texts that are kept of an object; undefined if there are none of it. */
function isNamed(object: string, name: string): boolean | undefined {
  const shown = shownTexts[object];
  return shown === "all" || shown?.includes(name);
}

function isNullable(schema: unknown): boolean {
  return (
    isObject(schema) && branchesOf(schema).some((one) => isObject(one) && one["type"] === "null")
  );
}

function shownOr(instead: unknown, masked: unknown): unknown {
  return masked === HIDDEN ? instead : masked;
}
