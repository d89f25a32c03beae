// What a masked archive keeps of a row. Texts go unless they are known to say nothing of a person: what is of a closed
// form, such as an id, an instant or a choice, and what the merchant tells everyone of goods and terms.

import { isObject } from "#kernel/assume.ts";
import { eventNames } from "#messaging/events/event.ts";
import { thaw } from "#platform/event-log/frozen-json.ts";
import { branchesOf } from "#platform/http/audience/audience.ts";
import { countryCode } from "#platform/http/contract/words.ts";
import { eventPayloads } from "#sandbox/trigger/event-payloads.ts";

/** Makes the line of a masked archive. */
export type MaskLine = (line: string) => string;

/** Answers what is kept of a value, or HIDDEN. */
type Mask = (value: unknown) => unknown;

const HIDDEN = Symbol("hidden");

type Shown = "all" | readonly string[];

/**
 * The texts that are kept, by the component of the documentation that has them, or else by the name of the member. `all`
 * also means what is within, but for components, which are named themselves.
 */
const shownTexts: Readonly<Record<string, Shown>> = {
  Product: "all",
  Variant: "all",
  Collection: "all",
  Medium: "all",
  InventoryLevel: "all",
  TaxRate: "all",
  ShippingZone: "all",
  ShippingRate: "all",
  PickupLocation: ["name"],
  Store: ["name", "timezone", "locale"],
  LineItem: ["sku", "name"],
  CartLine: ["sku", "name"],
  // As an erasure keeps it: where tax was due.
  Order: ["channel", "tax_country", "tax_region"],
  tax_lines: "all",
  Cart: ["channel"],
  Payment: ["gateway"],
  Dispute: ["gateway"],
  /** The payload of an event that is no component. */
  payload: ["channel", "gateway", "sku"],
};

/** The mask of rows with this schema. */
export function maskRows(schema: unknown): MaskLine {
  const mask = maskOf(schema, { name: "", shown: [] });
  return (line) => JSON.stringify(shownOr({}, mask(thaw(line))));
}

/** The mask of events with this envelope, whose payloads have schemas of their own. */
export function maskEvents(envelope: unknown): MaskLine {
  const mask = maskOf(envelope, { name: "", shown: [] });
  const payloads = new Map<unknown, Mask>(
    eventNames.map((name) => [name, maskOf(eventPayloads[name], { name: "payload", shown: [] })]),
  );
  return (line) => {
    const event = thaw(line);
    const masked = shownOr({}, mask(event));
    if (!isObject(event) || !isObject(masked)) return "{}";
    const payload = payloads.get(event["event"])?.(event["data"]) ?? HIDDEN;
    return JSON.stringify({ ...masked, data: shownOr({}, payload) });
  };
}

/** Where a value stands. */
interface Place {
  /** Of the member. */
  readonly name: string;
  /** What is shown of the object that it is a member of. */
  readonly shown: Shown;
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

function maskOfText(schema: Record<string, unknown>, { name, shown }: Place): Mask {
  if (shown === "all" || shown.includes(name)) return showText(() => true);
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
  const inherited = component === undefined && place.shown === "all" ? "all" : [];
  const shown = shownTexts[typeof component === "string" ? component : place.name] ?? inherited;
  if (!isObject(properties)) {
    // The options of a variant have names of their own; metadata may have anything.
    const isKept = shown === "all" && isObject(additionalProperties);
    return (value) => (isKept && isObject(value) ? value : isObject(value) ? {} : HIDDEN);
  }
  const members = Object.entries(properties).map(([name, one]) => ({
    name,
    mask: maskOf(one, { name, shown }),
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

function isNullable(schema: unknown): boolean {
  return (
    isObject(schema) && branchesOf(schema).some((one) => isObject(one) && one["type"] === "null")
  );
}

function shownOr(instead: unknown, masked: unknown): unknown {
  return masked === HIDDEN ? instead : masked;
}
