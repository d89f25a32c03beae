// Prepares routes for serving: compiles their schemas, builds their query readers, and turns
// results into responses.

import type { TSchema } from "typebox";

import { isObject } from "#kernel/assume.ts";
import type { Fault } from "#kernel/refusal.ts";
import type { ExpectedVersion } from "#kernel/version.ts";
import { type Answer, entityTag, versionOfTag } from "#platform/http/answer.ts";
import { nullDropper } from "#platform/http/intake/absent-nulls.ts";
import { type ContactFinder, contactFinder } from "#platform/http/intake/contacts.ts";

import { type ShapeCheck, shapeCheck } from "./check-shape.ts";
import { type QueryReader, queryReader } from "./read-query.ts";
import { headerInvalid } from "./refusals.ts";
import { type AnyRoute, Existing } from "./route.ts";
import { line, object, optional, whole } from "./words.ts";

const PAGE_SIZE_MAX = 100;
export const PAGE_SIZE_DEFAULT = 20;

export interface BoundRoute {
  readonly route: AnyRoute;
  readonly readQuery: QueryReader;
  /** The body without the nulls that equal absent fields. */
  readonly dropNulls: ReturnType<typeof nullDropper>;
  /** The contacts in a body that are not in their stored form. */
  readonly contactsOf: ContactFinder;
  readonly bodyFaults: (value: unknown) => Fault[];
}

/** The routes of one path, by method. */
export type RoutesOfPath = ReadonlyMap<string, BoundRoute>;

/** All routes by path, prepared for serving. Two routes with the same method and path are a bug. */
export function bindRoutes(routes: readonly AnyRoute[]): Map<string, Map<string, BoundRoute>> {
  const paths = new Map<string, Map<string, BoundRoute>>();
  for (const route of routes) {
    const methods = paths.get(route.path) ?? new Map<string, BoundRoute>();
    if (methods.has(route.method)) throw new Error(`${route.method} ${route.path} is there twice.`);
    methods.set(route.method, bind(route));
    paths.set(route.path, methods);
  }
  return paths;
}

/** Compiles schemas on first use, so that the start does not wait for them. */
function bind(route: AnyRoute): BoundRoute {
  let readQuery: QueryReader | undefined;
  let bodyFaults: ShapeCheck | undefined;
  let contactsOf: ContactFinder | undefined;
  let dropNulls: BoundRoute["dropNulls"] | undefined;
  return {
    route,
    readQuery: (search) => {
      readQuery ??= queryReader(querySchema(route));
      return readQuery(search);
    },
    dropNulls: (value) => {
      dropNulls ??= nullDropper(route.body);
      return dropNulls(value);
    },
    contactsOf: (value) => {
      contactsOf ??= contactFinder(route.body);
      return contactsOf(value);
    },
    bodyFaults: (value) => {
      bodyFaults ??= shapeCheck(route.body ?? object({}));
      return bodyFaults(value);
    },
  };
}

/** The query of a list: its filters, `limit` and `cursor`. */
export function querySchema(route: AnyRoute): TSchema | null {
  if (route.kind !== "list") return route.query;
  const filters =
    route.query === null || !("properties" in route.query) ? {} : route.query.properties;
  return object({
    ...(isObject(filters) ? filters : {}),
    limit: optional(
      whole(1, PAGE_SIZE_MAX, {
        default: PAGE_SIZE_DEFAULT,
        description: "Rows per page.",
      }),
    ),
    cursor: optional(
      line(500, { description: "The `next_cursor` of the previous page, with the same filters." }),
    ),
  });
}

/** The response for a handler's result. */
export function render(route: AnyRoute, answered: unknown): Answer {
  const isThere = answered instanceof Existing;
  const body: unknown = isThere ? answered.body : answered;
  if (route.status === 204) return { status: 204, headers: {}, text: "" };
  const text = route.write(body);
  const headers: Record<string, string> = {};
  if (route.hasVersion && isVersioned(body)) headers["ETag"] = entityTag(body.version, text);
  if (isThere) return { status: 200, headers, text };
  if (route.location !== null) headers["Location"] = route.location(body);
  return { status: route.status, headers, text };
}

function isVersioned(body: unknown): body is { version: number } {
  return isObject(body) && typeof body["version"] === "number";
}

/** Entity tags may contain commas (RFC 9110, 8.8.3). */
const TAG = /(?:W\/)?"[^"]*"/g;
const TAG_LIST = /^\s*(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*\s*$/;

/** The versions that If-Match names; null if it is absent or `*` (RFC 9110, 13.1.1). */
export function expectedVersion(header: string | null): ExpectedVersion {
  if (header === null || header.trim() === "*") return null;
  if (!TAG_LIST.test(header)) {
    throw headerInvalid({
      faults: [
        { header: "If-Match", code: "invalid_format", detail: "An entity tag must be quoted." },
      ],
    });
  }
  // Weak tags and tags of other servers never match.
  const tags = header.match(TAG) ?? [];
  return tags.map(versionOfTag).filter((version) => version !== null);
}
