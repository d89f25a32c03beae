// Prepares routes for serving: compiles their schemas, builds their query readers, and turns
// results into responses.

import type { TSchema } from "typebox";

import { isObject } from "#kernel/assume.ts";
import { type ExpectedVersion, staleVersion } from "#kernel/change.ts";
import type { Fault, FaultCode } from "#kernel/fault.ts";
import type { Refusal } from "#kernel/refusal.ts";
import { type PublicCheck, publicCheck } from "#platform/http/audience/public-check.ts";
import { type PublicView, publicView } from "#platform/http/audience/public-view.ts";
import { type Answer, entityTag, versionOfTag } from "#platform/http/contract/answer.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import { FAULTS_MAX, type ShapeCheck, shapeCheck } from "#platform/http/contract/check-shape.ts";
import { headerInvalid } from "#platform/http/contract/refusals.ts";
import { type AnyRoute, Existing } from "#platform/http/contract/route.ts";
import { formerRoutes } from "#platform/http/contract/ways.ts";
import { object, querySchema } from "#platform/http/contract/words.ts";
import { nullDropper } from "#platform/http/intake/absent-nulls.ts";
import { type TextFinder, textFinder } from "#platform/http/intake/texts.ts";

import { type QueryReader, queryReader } from "./read-query.ts";

export interface BoundRoute {
  readonly route: AnyRoute;
  readonly readQuery: QueryReader;
  /** The body without the nulls that equal absent fields. */
  readonly dropNulls: ReturnType<typeof nullDropper>;
  /** The texts of a body that are not in the form of their field. */
  readonly textsOf: TextFinder;
  /** Faults of its shape, and of what the caller may not send. */
  readonly bodyFaults: (value: unknown, caller: Pick<Caller, "isPublic">) => Fault[];
  /** The view of an answer that the caller is told; null if that is all of it. */
  readonly viewFor: (caller: Pick<Caller, "isPublic">) => PublicView | null;
}

/** The routes of one path, by method. */
export type RoutesOfPath = ReadonlyMap<string, BoundRoute>;

/** All routes by path, prepared for serving, with their former ways. Two routes with the same method and path are a bug. */
export function bindRoutes(routes: readonly AnyRoute[]): Map<string, Map<string, BoundRoute>> {
  const paths = new Map<string, Map<string, BoundRoute>>();
  for (const route of routes.flatMap((one) => [one, ...formerRoutes(one)])) {
    const methods = paths.get(route.path) ?? new Map<string, BoundRoute>();
    if (methods.has(route.method)) throw new Error(`${route.method} ${route.path} is there twice.`);
    methods.set(route.method, boundOf(route));
    paths.set(route.path, methods);
  }
  return paths;
}

const bound = new WeakMap<AnyRoute, BoundRoute>();

/** The route as it was prepared for the first server of this program. */
function boundOf(route: AnyRoute): BoundRoute {
  const known = bound.get(route);
  if (known !== undefined) return known;
  const made = bind(route);
  bound.set(route, made);
  return made;
}

/** Compiles schemas on first use, so that the start does not wait for them. */
function bind(route: AnyRoute): BoundRoute {
  let readQuery: QueryReader | undefined;
  let bodyFaults: ShapeCheck | undefined;
  let textsOf: TextFinder | undefined;
  let dropNulls: BoundRoute["dropNulls"] | undefined;
  let checkAudience: PublicCheck | undefined;
  let view: PublicView | undefined;
  return {
    route,
    readQuery: (search, caller) => {
      readQuery ??= queryReader(querySchema(route));
      return readQuery(search, caller);
    },
    dropNulls: (value) => {
      dropNulls ??= nullDropper(route.body);
      return dropNulls(value);
    },
    textsOf: (value) => {
      textsOf ??= textFinder(route.body);
      return textsOf(value);
    },
    bodyFaults: (value, { isPublic }) => {
      bodyFaults ??= shapeCheck(route.body ?? object({}));
      const faults = bodyFaults(value);
      if (!isPublic) return faults;
      checkAudience ??= publicCheck(route.body);
      checkAudience(value, "", faults);
      return faults.slice(0, FAULTS_MAX);
    },
    viewFor: ({ isPublic }) => {
      if (!isPublic) return null;
      view ??= publicView(route.response);
      return view;
    },
  };
}

/** A route, and what of its answers the caller is told. */
interface Told {
  readonly route: AnyRoute;
  readonly view: PublicView | null;
}

/** Makes the text of what a handler answered. */
export function writerOf({ route, view }: Told): (answered: unknown) => string {
  const write =
    view === null
      ? route.write
      : (answered: unknown) => JSON.stringify(view(route.present(answered)));
  if (!route.keepsRows || route.response === null) return write;
  const known = rowTextsOf(view === null ? texts : publicTexts, route.response);
  return (answered) => {
    if (!isObject(answered)) return write(answered);
    const before = known.get(answered);
    if (before !== undefined) return before;
    const text = write(answered);
    // Measuring it joins the parts that it was appended of: else each answer would join them anew.
    if (Buffer.byteLength(text) > 0) known.set(answered, text);
    return text;
  };
}

/** Texts of rows by the schema that they were written by. */
type Texts = WeakMap<TSchema, WeakMap<object, string>>;

/** As secret keys are told them, and as publishable keys are. */
const texts: Texts = new WeakMap();
const publicTexts: Texts = new WeakMap();

function rowTextsOf(all: Texts, schema: TSchema): WeakMap<object, string> {
  const known = all.get(schema) ?? new WeakMap<object, string>();
  all.set(schema, known);
  return known;
}

/** The response for a handler's result. */
export function render(told: Told, answered: unknown): Answer {
  const { route, view } = told;
  const isThere = answered instanceof Existing;
  const body: unknown = isThere ? answered.body : answered;
  if (route.status === 204) return { status: 204, headers: {}, text: "" };
  const text = writerOf(told)(body);
  const headers: Record<string, string> = {};
  const about = aboutOf(told, body, text);
  if (route.hasVersion && isVersioned(body)) headers["ETag"] = entityTag(body.version, text);
  if (isThere) return { status: 200, headers, text, ...about };
  if (route.location !== null) {
    // The path has the id that the caller is told.
    headers["Location"] = route.location(view === null ? body : view(route.present(body)));
  }
  return { status: route.status, headers, text, ...about };
}

/** The ids by which the stored text is not found. */
function aboutOf({ route, view }: Told, body: unknown, text: string): Pick<Answer, "about"> {
  // Only what is written can be asked for again.
  if (route.method === "GET" || (view === null && !route.answersSecret)) return {};
  // A secret is sealed: its text has no id that is found.
  return { about: hiddenIds(route.write(body), route.answersSecret ? "" : text) };
}

const ID = /\b[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;

/** The ids of a text that another does not have, separated by spaces. */
function hiddenIds(text: string, told: string): string {
  const ids = new Set(text.match(ID));
  return [...ids].filter((id) => !told.includes(id)).join(" ");
}

function isVersioned(body: unknown): body is { version: number } {
  return isObject(body) && typeof body["version"] === "number";
}

/** Entity tags may contain commas (RFC 9110, 8.8.3). */
const TAG = /(?:W\/)?"[^"]*"/g;
const TAG_LIST = /^\s*(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*\s*$/;

/** Returns true if the operation compares the versions of `If-Match`. */
export function comparesVersions({ refusals }: AnyRoute): boolean {
  return refusals.includes(staleVersion);
}

/**
 * The versions that If-Match names; null if it is absent or `*` (RFC 9110, 13.1.1). Refuses those that the operation
 * does not compare: the caller means to change only what it saw.
 */
export function expectedVersion(
  header: string | null,
  { isCompared }: { readonly isCompared: boolean },
): ExpectedVersion {
  if (header === null || header.trim() === "*") return null;
  if (!TAG_LIST.test(header)) throw badCondition("invalid_format", "An entity tag must be quoted.");
  if (!isCompared) {
    throw badCondition("version_not_compared", "This operation compares no versions.");
  }
  // Weak tags and tags of other servers never match.
  const tags = header.match(TAG) ?? [];
  return tags.map(versionOfTag).filter((version) => version !== null);
}

function badCondition(code: FaultCode, detail: string): Refusal {
  return headerInvalid({ faults: [{ header: "If-Match", code, detail }] });
}
