// The address of a request without what may be personal: a search has names in it, and a mistaken path may have more.

import { isObject } from "#kernel/assume.ts";
import { MASK } from "#kernel/card-number.ts";
import { kindOfId } from "#kernel/id.ts";
import type { AnyRoute } from "#platform/http/contract/route.ts";
import { querySchema } from "#platform/http/contract/words.ts";

interface Addressed {
  readonly operation: AnyRoute | null;
  readonly status: number;
  readonly address: string | null;
}

/**
 * The path with the parameters that the operation takes, and the query with numbers, choices, times and ids. Other
 * values are masked, as are those that were refused, but for ids in the path; an address that leads nowhere is null.
 */
export function plainAddress({ operation, status, address }: Addressed): string | null {
  if (operation === null || address === null) return null;
  const [path = "", ...search] = address.split("?");
  const query = search.length === 0 ? "" : plainQuery(operation, status, search.join("?"));
  return plainPath(operation, status, path) + (query === "" ? "" : `?${query}`);
}

/** A reference that was refused may be a number of a phone, typed in its place. */
function plainPath({ path: pattern, params }: AnyRoute, status: number, path: string): string {
  if (!pattern.includes("{")) return pattern;
  const texts = path.split("/");
  return pattern
    .split("/")
    .map((step, index) => {
      if (!step.startsWith("{")) return step;
      const text = texts[index] ?? "";
      const isTaken = params[step.slice(1, -1)]?.accepts(text) === true;
      return isTaken && (status < 400 || kindOfId(text) !== null) ? text : MASK;
    })
    .join("/");
}

function plainQuery(operation: AnyRoute, status: number, search: string): string {
  const schema = querySchema(operation);
  const properties = schema !== null && "properties" in schema ? schema.properties : null;
  if (!isObject(properties)) return "";
  return [...new URLSearchParams(search)]
    .filter(([name]) => Object.hasOwn(properties, name))
    .map(([name, value]) => {
      const isKept = status < 400 && isPlain(properties[name]);
      return `${name}=${isKept ? encodeURIComponent(value) : MASK}`;
    })
    .join("&");
}

/** Returns true if values of the schema can be no text that a person wrote. */
function isPlain(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { type, anyOf, items, format } = schema;
  if (Array.isArray(anyOf)) return anyOf.every(isPlain);
  if (items !== undefined) return isPlain(items);
  if ("enum" in schema || "const" in schema || "x-closed" in schema) return true;
  return type === "integer" || type === "number" || type === "boolean" || isTime(format);
}

function isTime(format: unknown): boolean {
  return format === "date-time" || format === "date";
}
