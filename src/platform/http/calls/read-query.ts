// Reads query strings: every parameter must be known and given once, and is converted to its
// schema's type. All faults are reported at once, by parameter.

import type { TSchema } from "typebox";

import { isObject } from "#kernel/assume.ts";
import type { Fault } from "#kernel/fault.ts";
import { fromPointerStep } from "#kernel/refusal.ts";
import { dayStartMs, toIso } from "#kernel/time.ts";
import { publicCheck } from "#platform/http/audience/public-check.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import { FAULTS_MAX, shapeCheck } from "#platform/http/contract/check-shape.ts";
import { queryInvalid } from "#platform/http/contract/refusals.ts";
import { isLookedUp, textReader } from "#platform/http/intake/texts.ts";
import { fieldMeant } from "#platform/process/nearest-name.ts";

type Convert = (text: string) => unknown;

/** Reads the query of a request; built once per route. */
export type QueryReader = (
  search: string,
  caller: Pick<Caller, "isPublic">,
) => Record<string, unknown>;

/** How each parameter is converted, and those that are families: their members are named in brackets. */
interface Known {
  readonly conversions: ReadonlyMap<string, Convert>;
  /** The reader of their names and values. */
  readonly families: ReadonlyMap<string, (text: string) => string>;
  readonly sought: ReadonlySet<string>;
}

/** A reader for a schema of parameters; refuses with `query_invalid`. */
export function queryReader(schema: TSchema | null): QueryReader {
  const known = knownIn(propertiesOf(schema));
  const check = schema === null ? null : shapeCheck(schema);
  const checkAudience = publicCheck(schema);
  const needsNothing = check === null || check({}).length === 0;
  return (search, { isPublic }) => {
    if (search === "" && needsNothing) return {};
    const { values, faults, sent } = convertAll(search, known);
    const atPointers = check?.(values) ?? [];
    if (isPublic) checkAudience(values, "", atPointers);
    for (const fault of atPointers) faults.push(atParameter(fault, known));
    if (faults.length > 0) throw queryInvalid({ faults: faults.slice(0, FAULTS_MAX) });
    return sent.size === 0 ? values : { ...values, ...Object.fromEntries(sent) };
  };
}

function knownIn(properties: Readonly<Record<string, unknown>>): Known {
  const [members, others] = [isFamily, (one: unknown) => !isFamily(one)].map((belongs) =>
    Object.entries(properties).filter(([, one]) => belongs(one)),
  );
  return {
    conversions: new Map(others?.map(([name, one]) => [name, conversion(one)])),
    families: new Map(members?.map(([name, one]) => [name, valueReader(one)])),
    sought: new Set(others?.filter(([, one]) => isLookedUp(one)).map(([name]) => name)),
  };
}

/** Names and values of a family have the form of its values. */
function valueReader(family: unknown): (text: string) => string {
  const values = isObject(family) ? family["additionalProperties"] : undefined;
  return textReader(isObject(values) ? values["items"] : undefined);
}

function isFamily(schema: unknown): boolean {
  return isObject(schema) && schema["x-family"] === true;
}

const MEMBER = /^(\w+)\[(.*)\]$/s;

/** The name by which a member of a family is given. */
export function familyMember(family: string, member: string): string {
  return `${family}[${member}]`;
}

interface Member {
  readonly family: string;
  readonly member: string;
}

function memberOf(name: string, { conversions, families }: Known): Member | null {
  const [, family = "", member = ""] = MEMBER.exec(name) ?? [];
  return families.has(family) && !conversions.has(name) ? { family, member } : null;
}

interface Converted {
  readonly values: Record<string, unknown>;
  /** Those that rows are looked up by, as they were sent. */
  readonly sent: ReadonlyMap<string, string>;
  readonly faults: Fault[];
}

function convertAll(search: string, known: Known): Converted {
  const values: Record<string, unknown> = {};
  const sent = new Map<string, string>();
  const members: (Member & { readonly texts: readonly string[] })[] = [];
  const faults: Fault[] = [];
  const faultOf = faultFinder(search, known);
  for (const [name, text] of new URLSearchParams(search)) {
    if (faults.length === FAULTS_MAX) break;
    const fault = faultOf(name);
    const member = memberOf(name, known);
    if (fault !== null) faults.push(fault);
    else if (member !== null) {
      const read = known.families.get(member.family) ?? String;
      members.push({ ...member, member: read(member.member), texts: text.split(",").map(read) });
    } else {
      values[name] = known.conversions.get(name)?.(text);
      if (known.sought.has(name)) sent.set(name, text);
    }
  }
  for (const [family, all] of Map.groupBy(members, (one) => one.family)) {
    const byName = Map.groupBy(all, ({ member }) => member);
    const asked = [...byName].map(([name, same]) => [name, same.flatMap(({ texts }) => texts)]);
    values[family] = Object.fromEntries(asked);
  }
  return { values, faults, sent };
}

/** Finds what is wrong with a parameter before it is converted; it is asked about each of them once, in their order. */
function faultFinder(search: string, known: Known): (name: string) => Fault | null {
  const given = new Set<string>();
  const misencoded = misencodedIn(search);
  return (name) => {
    const isKnown = known.conversions.has(name) || memberOf(name, known) !== null;
    if (!isKnown) return unknownParameter(name, known);
    if (given.has(name)) return twice(name);
    given.add(name);
    return misencoded.has(name) ? unreadable(name) : null;
  };
}

const NONE: ReadonlySet<string> = new Set();

/**
 * The parameters whose percent-encoding is not one of UTF-8: read leniently, such a filter would look for
 * another text and find nothing.
 */
function misencodedIn(search: string): ReadonlySet<string> {
  if (!search.includes("%")) return NONE;
  const parts = search.slice(1).split("&");
  return new Set(
    parts.filter(isMisencoded).flatMap((part) => [...new URLSearchParams(part).keys()]),
  );
}

function isMisencoded(part: string): boolean {
  if (!part.includes("%")) return false;
  try {
    decodeURIComponent(part);
    return false;
  } catch {
    return true;
  }
}

/** Text that cannot be converted stays text, so that the schema check reports it. */
function conversion(schema: unknown): Convert {
  const type = isObject(schema) ? schema["type"] : undefined;
  if (type === "integer") return (text) => (/^-?[0-9]{1,15}$/.test(text) ? Number(text) : text);
  if (type === "boolean") return (text) => (/^(true|false)$/.test(text) ? text === "true" : text);
  if (type === "array") {
    const read = textReader(isObject(schema) ? schema["items"] : undefined);
    return (text) => text.split(",").map(read);
  }
  return textReader(schema);
}

function unknownParameter(name: string, { conversions, families }: Known): Fault {
  const members = [...families.keys()].map((family) => familyMember(family, "…"));
  const nearest = fieldMeant(name, [...conversions.keys(), ...members]);
  const hint = nearest === null ? "." : `; is it ${nearest}?`;
  return {
    parameter: name,
    code: "unknown_parameter",
    detail: `There is no such parameter${hint}`,
  };
}

function unreadable(name: string): Fault {
  const detail = "This must be UTF-8 in percent-encoding.";
  return { parameter: name, code: "invalid_format", detail };
}

function twice(name: string): Fault {
  return { parameter: name, code: "duplicate", detail: "This parameter is given twice." };
}

function atParameter(fault: Fault, { families }: Known): Fault {
  const [, name = "", member] = (fault.pointer ?? "").split("/").map(fromPointerStep);
  const isMember = member !== undefined && families.has(name);
  return {
    parameter: isMember ? familyMember(name, member) : name,
    code: fault.code,
    detail: fault.detail,
  };
}

function propertiesOf(schema: TSchema | null): Record<string, unknown> {
  if (!isObject(schema)) return {};
  const properties = schema["properties"];
  return isObject(properties) ? properties : {};
}

// Days in the filters of a list. Handlers see instants only; cursors are bound to the filters as they were given.

const BOUND = /\[(gte|gt|lte|lt)\]$/;
const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/** The bounds that lie behind the day: with them, all of the day is in or out. */
const atItsEnd: ReadonlySet<string | undefined> = new Set(["gt", "lte"]);

/**
 * The query with an instant for each bound that is a day: its first instant for `gte` and `lt`, its
 * last millisecond for `gt` and `lte`. The time zone is asked for only if there is one.
 */
export async function readDays(
  query: Readonly<Record<string, unknown>>,
  timezoneOf: () => Promise<string>,
): Promise<Readonly<Record<string, unknown>>> {
  const days = Object.entries(query).flatMap(([name, day]) => {
    const bound = BOUND.exec(name)?.[1];
    const isDay = bound !== undefined && typeof day === "string" && DAY.test(day);
    return isDay ? [{ name, day, isEnd: atItsEnd.has(bound) }] : [];
  });
  if (days.length === 0) return query;
  const timezone = await timezoneOf();
  const instants = days.map(({ name, day, isEnd }) => {
    const atMs = isEnd ? dayStartMs(day, timezone, 1) - 1 : dayStartMs(day, timezone);
    return [name, toIso(atMs)] as const;
  });
  return { ...query, ...Object.fromEntries(instants) };
}
