// The bodies of a changed product and variant from their pages: what was emptied is taken away.

import { isObject } from "#kernel/assume.ts";
import type { JsonObject } from "#platform/http/json/strict-json.ts";

/** Without the prices whose amount was emptied. */
export function variantChange(body: JsonObject): JsonObject {
  const { prices } = body;
  if (!Array.isArray(prices)) return body;
  return {
    ...body,
    prices: prices.filter(
      (price) => isObject(price) && ("amount" in price || "compare_at" in price),
    ),
  };
}
