// Lists and expansions of Stripe's API: newest first, page by page; an id becomes its object where `expand[]` says so.

import { isObject } from "#kernel/assume.ts";

import { invalid, noSuch } from "./errors.ts";
import type { Params } from "./params.ts";

/** The object of the id; null if there is none. */
export type Build = (id: string) => object | null;

/** Deeper than Stripe expands. */
const DEPTH_MAX = 4;
const LIMIT_MAX = 100;

/** The object with what stands at these paths in full. */
export function expand(object: object, paths: readonly string[], build: Build): object {
  return paths.reduce((grown, path) => {
    const parts = path.split(".");
    if (parts.length > DEPTH_MAX) throw invalid(`You cannot expand more than ${DEPTH_MAX} levels.`);
    return Object(expandAt(grown, parts, { build, path }));
  }, object);
}

interface Expansion {
  readonly build: Build;
  readonly path: string;
}

function expandAt(value: unknown, parts: readonly string[], terms: Expansion): unknown {
  const [name, ...rest] = parts;
  if (value === null) return null;
  const full = typeof value === "string" ? terms.build(value) : value;
  if (name === undefined && isObject(full)) return full;
  if (Array.isArray(full)) return full.map((one) => expandAt(one, parts, terms));
  if (name === undefined || !isObject(full) || full[name] === undefined)
    throw notExpandable(terms.path);
  return { ...full, [name]: expandAt(full[name], rest, terms) };
}

function notExpandable(path: string) {
  return invalid(`This property cannot be expanded (${path}).`, { param: "expand" });
}

interface Listed {
  readonly id: string;
}

/** One page of the objects, which are given oldest first. */
export function listPage<T extends Listed>(oldest: readonly T[], params: Params, url: string) {
  const newest = oldest.toReversed();
  const limit = params.integer("limit") ?? 10;
  if (limit < 1 || limit > LIMIT_MAX) {
    throw invalid(`Invalid limit: ${limit}`, { param: "limit", code: "parameter_invalid_integer" });
  }
  const after = placeOf(newest, params, "starting_after");
  const before = placeOf(newest, params, "ending_before");
  const rest = before === null ? newest.slice((after ?? -1) + 1) : newest.slice(0, before);
  const data = before === null ? rest.slice(0, limit) : rest.slice(-limit);
  return { object: "list", data, has_more: rest.length > data.length, url } as const;
}

function placeOf(rows: readonly Listed[], params: Params, param: string): number | null {
  const id = params.text(param);
  if (id === null) return null;
  const place = rows.findIndex((row) => row.id === id);
  if (place < 0) throw noSuch("object", id, { status: 400, param });
  return place;
}

/** True if the instant, seconds, is in the range that the parameter has. */
export function isInRange(at: number, params: Params, name: string): boolean {
  const bound = (of: string, none: number) => params.integer(name, of) ?? none;
  return (
    at > bound("gt", -Infinity) &&
    at >= bound("gte", -Infinity) &&
    at < bound("lt", Infinity) &&
    at <= bound("lte", Infinity)
  );
}

/** True if the object has all of these members that the caller asked for. */
export function hasAsked(object: object, params: Params, names: readonly string[]): boolean {
  return names.every((name) => {
    const asked = params.text(name);
    return asked === null || Reflect.get(object, name) === asked;
  });
}
