// Texts as people type and paste them, made what is stored before they are checked. A schema's `x-text` names the form:
// a `line` where it says nothing, `paragraphs`, an `identifier`, or `verbatim` for what machines compare. Four forms are
// identifiers that are read on: a phone becomes E.164, the domain of an email ASCII, a code loses its spaces, a country is
// written in capitals. The address of a picture becomes a URI. What cannot be read stays as it is, and the check refuses it.
// Filters of lists are read likewise, apart from phones. What rows are looked up by (`x-sought`) is put back as it was sent
// once it is checked, because a row may be older than the forms and have it so.

import { isObject } from "#kernel/assume.ts";
import { identifier, inForm, line, readEmail, type TextForm } from "#kernel/text.ts";
import { type JsonObject, type JsonValue, LossyNumber } from "#platform/http/strict-json.ts";
import { readPhone } from "#platform/net/read-phone.ts";
import { isUri } from "#platform/net/target-url.ts";

/** The form that a text is read into. */
type Reading = TextForm | "capitals" | "phone" | "email" | "code" | "picture";

/** A text of a body that is not in its stored form. */
interface UnreadText {
  readonly reading: Reading;
  readonly text: string;
  /** True if the story needs it as it was sent. */
  readonly isSought: boolean;
  /** Puts the stored form in its place. */
  readonly put: (stored: string) => void;
}

/** Returns the texts of a body that must be read. */
export type TextFinder = (body: JsonValue) => readonly UnreadText[];
/** How a field of the schema is read. A text of more than twice its bound is not: the check refuses it. */
interface TextField {
  readonly reading: Reading;
  readonly lengthMax: number;
  readonly isSought: boolean;
}
type Visit = (value: JsonValue, found: UnreadText[]) => void;

const readings = [
  "line",
  "paragraphs",
  "identifier",
  "capitals",
  "phone",
  "email",
  "code",
  "picture",
] as const;
/** As a browser takes what stands in a page (RFC 3986, 4.2). */
const WITHOUT_SCHEME = /^\/\//;
const CAPITAL_SCHEME = /^[a-z]*[A-Z][A-Za-z]*:/;
const BEHIND_HOST = /(?<=^https?:\/\/[^/?#]*)[/?#].*$/;
/** A percent sign that encodes nothing, and characters that stand in no path (RFC 3986, 3.3). */
const NO_URI = /%(?![\da-f]{2})|[[\]|^\\`{}]/gi;
const E164 = /^\+[1-9][0-9]{6,14}$/;

/** Finds the texts that are not in the form of their field; compiled once per route. */
export function textFinder(schema: unknown): TextFinder {
  const visit = visitOf(schema);
  if (visit === null) return () => [];
  return (body) => {
    const found: UnreadText[] = [];
    visit(body, found);
    return found;
  };
}

function visitOf(schema: unknown): Visit | null {
  if (!isObject(schema)) return null;
  const branches = Array.isArray(schema["anyOf"]) ? schema["anyOf"].map(visitOf) : [];
  const visits = [
    ofProperties(schema["properties"]),
    ofList(schema["items"]),
    ofMembers(schema["additionalProperties"]),
    ...branches,
  ];
  const known = visits.filter((one) => one !== null);
  if (known.length === 0) return null;
  return (value, found) => {
    for (const visit of known) visit(value, found);
  };
}

function ofProperties(properties: unknown): Visit | null {
  if (!isObject(properties)) return null;
  const texts = Object.entries(properties).flatMap(([name, one]) => {
    const field = fieldOf(one);
    return field === null ? [] : [{ name, field }];
  });
  const inner = Object.entries(properties).flatMap(([name, one]) => {
    const visit = visitOf(one);
    return visit === null ? [] : [{ name, visit }];
  });
  if (texts.length === 0 && inner.length === 0) return null;
  return (value, found) => {
    if (!hasMembers(value)) return;
    for (const { name, field } of texts) {
      note(field, value[name], { found, put: (stored) => (value[name] = stored) });
    }
    for (const { name, visit } of inner) visit(value[name] ?? null, found);
  };
}

/** Adds the value if it is a text that is not in its stored form. */
function note(
  field: TextField,
  text: JsonValue | undefined,
  { found, put }: { readonly found: UnreadText[]; readonly put: UnreadText["put"] },
): void {
  if (typeof text !== "string" || isStored(field, text)) return;
  const { reading, isSought } = field;
  found.push({ reading, isSought, text, put });
}

function hasMembers(value: JsonValue): value is JsonObject {
  return isObject(value) && !(value instanceof LossyNumber);
}

function ofList(items: unknown): Visit | null {
  const [visit, field] = [visitOf(items), fieldOf(items)];
  if (visit === null && field === null) return null;
  return (value, found) => {
    if (!Array.isArray(value)) return;
    for (const [at, one] of value.entries()) {
      visit?.(one, found);
      if (field !== null) note(field, one, { found, put: (stored) => (value[at] = stored) });
    }
  };
}

/** An object whose members the caller names: names and values are of the same form. */
function ofMembers(members: unknown): Visit | null {
  const field = fieldOf(members);
  if (field === null) return null;
  return (value, found) => {
    if (!hasMembers(value)) return;
    for (const [name, text] of Object.entries(value)) {
      note(field, text, { found, put: (stored) => (value[name] = stored) });
      note(field, name, { found, put: (stored) => rename(value, name, stored) });
    }
  };
}

/** Leaves the name where the stored one is taken, by a member or by the prototype: the check refuses it. */
function rename(holder: JsonObject, name: string, stored: string): void {
  const { [name]: member } = holder;
  if (member === undefined || stored in holder) return;
  delete holder[name];
  holder[stored] = member;
}

function fieldOf(schema: unknown): TextField | null {
  if (!isObject(schema)) return null;
  if (Array.isArray(schema["anyOf"])) {
    return schema["anyOf"].map(fieldOf).find((one) => one !== null) ?? null;
  }
  if (schema["type"] !== "string") return null;
  const { "x-text": given = formBySchema(schema), maxLength } = schema;
  const reading = readings.find((one) => one === given);
  const isSought = schema["x-sought"] === true;
  return reading === undefined ? null : { reading, lengthMax: Number(maxLength), isSought };
}

/** Choices, times, addresses of the web and ids are written by machines. */
function formBySchema(schema: Record<string, unknown>): string {
  return ["enum", "format", "x-closed"].some((word) => word in schema) ? "verbatim" : "line";
}

/** Leaving characters out may bring a longer text within its bound. */
function isRead({ lengthMax }: TextField, text: string): boolean {
  return text.length <= 2 * lengthMax;
}

function isStored(field: TextField, text: string): boolean {
  if (!isRead(field, text)) return true;
  const { reading } = field;
  if (reading === "phone") return E164.test(text);
  return readText(reading, text) === text;
}

/** Puts each text in its stored form. `countryOf` is the country of phones without a country code. */
export async function readTexts(
  texts: readonly UnreadText[],
  countryOf: () => Promise<string | null>,
): Promise<void> {
  for (const { reading, text, put } of texts) {
    put(
      reading === "phone" ? await readPhone(identifier(text), countryOf) : readText(reading, text),
    );
  }
}

/** Puts those that rows are looked up by back as they were sent. Call it once the texts are checked. */
export function restoreSought(texts: readonly UnreadText[]): void {
  for (const { isSought, text, put } of texts) if (isSought) put(text);
}

/** Returns true if rows are looked up by the texts of this schema. */
export function isLookedUp(schema: unknown): boolean {
  return fieldOf(schema)?.isSought === true;
}

/** Returns what puts a text of this schema in its stored form; a phone becomes an identifier. */
export function textReader(schema: unknown): (text: string) => string {
  const field = fieldOf(schema);
  if (field === null) return (text) => text;
  const reading = field.reading === "phone" ? "identifier" : field.reading;
  return (text) => (isRead(field, text) ? readText(reading, text) : text);
}

function readText(reading: Exclude<Reading, "phone">, text: string): string {
  if (reading === "email") return readEmail(text);
  if (reading === "picture") return readPictureAddress(text);
  if (reading === "capitals") return identifier(text).toUpperCase();
  if (reading === "code") return identifier(text).replaceAll(/\s/g, "");
  return inForm(reading, text);
}

/**
 * The address of a picture as a URI: https where it names no scheme, its path percent-encoded and its host by IDNA, as
 * browsers send it. One that is a URI stays as it is.
 */
function readPictureAddress(text: string): string {
  if (isUri(text) && !CAPITAL_SCHEME.test(text)) return text;
  const url = URL.parse(line(text).replace(WITHOUT_SCHEME, "https://"));
  if (url === null || !/^https?:$/.test(url.protocol)) return text;
  // Browsers send some characters behind the host as they are.
  return url.href.replace(BEHIND_HOST, (path) => path.replaceAll(NO_URI, encodeURIComponent));
}
