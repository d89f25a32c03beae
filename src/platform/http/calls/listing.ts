// Pagination of lists: reads `limit` and `cursor`, and makes `next_cursor`. A cursor is bound to
// mode, path and filters, so that it is refused for another list.

import { isObject } from "#kernel/assume.ts";
import type { Page, PageRequest } from "#kernel/page.ts";
import type { Mode } from "#platform/database/shop.ts";
import { isPublicField } from "#platform/http/audience/audience.ts";
import type { PublicView } from "#platform/http/audience/public-view.ts";
import { canonicalJson } from "#platform/http/canonical-json.ts";
import type { Answer } from "#platform/http/contract/answer.ts";
import { cursorInvalid } from "#platform/http/contract/refusals.ts";
import type { AnyRoute } from "#platform/http/contract/route.ts";
import { listText } from "#platform/http/contract/wire.ts";
import { PAGE_SIZE_DEFAULT } from "#platform/http/contract/words.ts";
import type { JsonValue } from "#platform/http/strict-json.ts";

import { writerOf } from "./bound-route.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { familyMember } from "./read-query.ts";

/** The checked query of a list, and what its cursors are bound to. */
export interface ListRequest {
  readonly query: Readonly<Record<string, unknown>>;
  readonly path: string;
  readonly mode: Mode;
}

/** The page that the caller asks for. Refuses with `invalid_cursor`. */
export function pageRequest(route: AnyRoute, request: ListRequest): PageRequest {
  const { limit, cursor } = request.query;
  const size = typeof limit === "number" ? limit : PAGE_SIZE_DEFAULT;
  if (route.kind !== "list" || typeof cursor !== "string") return { limit: size, after: null };
  const place = decodeCursor(cursor, scopeOf(request));
  if (place === null) throw cursorInvalid();
  return { limit: size, after: place.after };
}

/**
 * The response of a list: its rows, whether there are more, and a `Link` to the next page (RFC
 * 8288).
 */
export function renderPage(
  told: { readonly route: AnyRoute; readonly view: PublicView | null },
  page: Page<unknown>,
  request: ListRequest & { readonly publicUrl: string },
): Answer {
  const { route } = told;
  const last = page.rows.at(-1);
  const after = page.end ?? (last === undefined ? undefined : route.cursorOf(last));
  const next =
    page.hasMore && after !== undefined ? encodeCursor({ after, scope: scopeOf(request) }) : null;
  const data = listText(page.rows, writerOf(told));
  const headers: Record<string, string> = {};
  if (next !== null) {
    const query = new URLSearchParams(filtersOf(request.query));
    if (typeof request.query["limit"] === "number")
      query.set("limit", String(request.query["limit"]));
    query.set("cursor", next);
    headers["Link"] = `<${request.publicUrl}${request.path}?${query.toString()}>; rel="next"`;
  }
  const members = Object.entries(route.members)
    .filter(([, schema]) => told.view === null || isPublicField(schema))
    .map(([name]) => `,"${name}":${JSON.stringify(page.members?.[name] ?? null)}`)
    .join("");
  const text = `{"data":${data},"has_more":${page.hasMore},"next_cursor":${JSON.stringify(next)}${members}}`;
  return { status: 200, headers, text };
}

function scopeOf(request: ListRequest): string {
  const filters: JsonValue = filtersOf(request.query);
  return `${request.mode} ${request.path} ${canonicalJson(filters)}`;
}

function filtersOf(query: Readonly<Record<string, unknown>>): Record<string, string> {
  const filters: Record<string, string> = {};
  for (const [name, value] of Object.entries(query)) {
    if (name === "limit" || name === "cursor") continue;
    const members = isObject(value) ? Object.entries(value) : null;
    if (members === null) filters[name] = String(value);
    for (const [member, one] of members ?? []) filters[familyMember(name, member)] = String(one);
  }
  return filters;
}
