// Texts as people write them, made what is stored before they are checked: a phone becomes E.164, the domain
// of an email ASCII; a name loses the marks of its direction, and one that cannot be seen is empty; a SKU is
// composed, so that two that look alike are one; a code loses its spaces. What cannot be read stays as it is, and the check refuses it.
// Filters of lists are read likewise, apart from phones.

import { domainToASCII } from "node:url";

import { isObject } from "#kernel/assume.ts";
import { type JsonObject, type JsonValue, LossyNumber } from "#platform/http/strict-json.ts";
import { readPhone } from "#platform/net/read-phone.ts";

/** A text of a body that is not in its stored form. */
interface Contact {
  readonly kind: "phone" | "email" | "name" | "sku" | "code";
  readonly text: string;
  /** Puts the stored form in its place. */
  readonly put: (stored: string) => void;
}

/** Returns the contacts of a body that must be read. */
export type ContactFinder = (body: JsonValue) => readonly Contact[];
/** The kind of contact that a field of the schema takes. A longer text is not read: the check refuses it. */
interface ContactField {
  readonly kind: Contact["kind"];
  readonly lengthMax: number;
}
type Visit = (value: JsonValue, found: Contact[]) => void;

const kinds = ["phone", "email", "name", "sku", "code"] as const;
/**
 * Marks of direction (Unicode, UAX 9). Texts in Arabic and Persian bring them along from keyboards and
 * programs; left in a name they turn the words around it.
 */
const DIRECTION = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;
const DIRECTIONS = new RegExp(DIRECTION, "g");
/** A text of nothing but characters that no screen shows, such as zero-width spaces: a row without a name. */
const UNSEEN = /^\s*\p{Default_Ignorable_Code_Point}[\s\p{Default_Ignorable_Code_Point}]*$/u;
const E164 = /^\+[1-9][0-9]{6,14}$/;
const ASCII = /^[!-~]*$/;
const DOMAIN_AS_WRITTEN = /^[\p{L}\p{M}\p{N}.-]+$/u;

/** Finds the fields that the schema marks with `x-contact`; compiled once per route. */
export function contactFinder(schema: unknown): ContactFinder {
  const visit = visitOf(schema);
  if (visit === null) return () => [];
  return (body) => {
    const found: Contact[] = [];
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
  const contacts = Object.entries(properties).flatMap(([name, one]) => {
    const field = fieldOf(one);
    return field === null ? [] : [{ name, field }];
  });
  const inner = Object.entries(properties).map(([name, one]) => ({ name, visit: visitOf(one) }));
  if (contacts.length === 0 && inner.every(({ visit }) => visit === null)) {
    return null;
  }
  return (value, found) => {
    if (!hasMembers(value)) return;
    for (const { name, field } of contacts) {
      const text = value[name];
      if (!isUnread(field, text)) continue;
      found.push({ kind: field.kind, text, put: (stored) => (value[name] = stored) });
    }
    for (const { name, visit } of inner) visit?.(value[name] ?? null, found);
  };
}

/** Returns true if the value is a text that is not in its stored form. */
function isUnread({ kind, lengthMax }: ContactField, value: unknown): value is string {
  return typeof value === "string" && value.length <= lengthMax && !isStored(kind, value);
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
      if (field === null || !isUnread(field, one)) continue;
      found.push({ kind: field.kind, text: one, put: (stored) => (value[at] = stored) });
    }
  };
}

/** An object whose members the caller names: names and values are of the same kind. */
function ofMembers(members: unknown): Visit | null {
  const field = fieldOf(members);
  if (field === null) return null;
  const { kind } = field;
  return (value, found) => {
    if (!hasMembers(value)) return;
    for (const [name, text] of Object.entries(value)) {
      if (isUnread(field, text))
        found.push({ kind, text, put: (stored) => (value[name] = stored) });
      if (!isUnread(field, name)) continue;
      found.push({ kind, text: name, put: (stored) => rename(value, name, stored) });
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

function fieldOf(schema: unknown): ContactField | null {
  if (!isObject(schema)) return null;
  if (Array.isArray(schema["anyOf"])) {
    return schema["anyOf"].map(fieldOf).find((one) => one !== null) ?? null;
  }
  const { "x-contact": kind, maxLength } = schema;
  const known = kinds.find((one) => one === kind);
  return known === undefined ? null : { kind: known, lengthMax: Number(maxLength) };
}

function isStored(kind: Contact["kind"], text: string): boolean {
  if (kind === "phone") return E164.test(text);
  if (kind === "code") return !/\s/.test(text);
  if (ASCII.test(text)) return true;
  if (kind === "name") return !DIRECTION.test(text) && !UNSEEN.test(text);
  return kind === "sku" && text.normalize("NFC") === text;
}

/** Puts each contact in its stored form. `countryOf` is the country of phones without a country code. */
export async function readContacts(
  contacts: readonly Contact[],
  countryOf: () => Promise<string | null>,
): Promise<void> {
  for (const { kind, text, put } of contacts) {
    put(kind === "phone" ? await readPhone(text, countryOf) : readText(kind, text));
  }
}

/** Returns what puts a filter of this schema in its stored form; a phone stays as it is. */
export function filterReader(schema: unknown): (text: string) => string {
  const field = fieldOf(schema);
  if (field === null || field.kind === "phone") return (text) => text;
  const { kind, lengthMax } = field;
  return (text) => (text.length > lengthMax ? text : readText(kind, text));
}

function readText(kind: Exclude<Contact["kind"], "phone">, text: string): string {
  if (kind === "email") return readEmail(text);
  if (kind === "sku") return text.normalize("NFC");
  if (kind === "code") return text.replaceAll(/\s/g, "");
  return UNSEEN.test(text) ? "" : text.replaceAll(DIRECTIONS, "");
}

/** The email with its domain by IDNA. The local part stays as written (RFC 6531), in composed form. */
function readEmail(text: string): string {
  const at = text.lastIndexOf("@");
  const domain = text.slice(at + 1);
  if (at === -1 || !DOMAIN_AS_WRITTEN.test(domain)) return text;
  return `${text.slice(0, at).normalize("NFC")}@${ASCII.test(domain) ? domain : domainToASCII(domain)}`;
}
