// Moves a product within a collection: the whole order is read and sent as it is afterwards.

import { collectionWire } from "#catalog/collections/schema.ts";
import { productWire } from "#catalog/products/schema.ts";

import type { Handled } from "../forms/form.ts";
import type { Visit } from "../visit.ts";

const PAGE = "100";

/** Moves the product of the form up, down or to the first place; what changed meanwhile is refused as stale. */
export async function moveMember(visit: Visit, fields: URLSearchParams): Promise<Handled> {
  const params = { id: visit.params["id"] ?? "" };
  const { version } = await visit.ask(collectionWire, "GET /v2/collections/{id}", { params });
  const ids = await membersOf(visit, params);
  const body = { product_ids: moved(ids, fields.get("product") ?? "", fields.get("to") ?? "") };
  const route = "PUT /v2/collections/{id}/products";
  await visit.answerOf(route, { params, body, ifVersion: String(version) });
  return {};
}

async function membersOf(visit: Visit, params: { readonly id: string }): Promise<string[]> {
  const route = "GET /v2/collections/{id}/products";
  const ids: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const after: Record<string, string> = cursor === "" ? {} : { cursor };
    const query = { sort: "position", limit: PAGE, ...after };
    const { data, next_cursor: next } = await visit.list(productWire, route, { params, query });
    ids.push(...data.map(({ id }) => id));
    cursor = next;
  }
  return ids;
}

/** The same ids with this one at its new place; unchanged where it has none to go to. */
function moved(ids: readonly string[], id: string, to: string): string[] {
  const from = ids.indexOf(id);
  const places = new Map([
    ["up", Math.max(0, from - 1)],
    ["down", from + 1],
    ["first", 0],
  ]);
  const place = places.get(to);
  if (from === -1 || place === undefined) return [...ids];
  return ids.toSpliced(from, 1).toSpliced(place, 0, id);
}
