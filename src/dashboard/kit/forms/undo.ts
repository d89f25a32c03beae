// Undoes an edit: what the form replaced is sent again by its own route, as its page and its scopes allow, and only
// for the version that the edit made. Invariant: a change that came after it is never overwritten.

import { createCipheriv, createDecipheriv } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";

import { objectOf } from "#dashboard/kit/asker.ts";
import { readCookie } from "#dashboard/kit/session-cookie.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { assume, isObject } from "#kernel/assume.ts";
import { randomBytes } from "#kernel/random.ts";
import type { JsonObject, JsonValue } from "#platform/http/strict-json.ts";

import { memberOf, onlyTaken, schemaOf } from "./form-body.ts";
import type { Edit, RequestForm, Undoable } from "./form.ts";
import { membersOf, UNDO } from "./submitted-form.ts";

/** Fields that change with every other field. */
const STAMPS: ReadonlySet<string> = new Set(["version", "updated_at"]);
/** Characters of a mark: enough to tell that something differs. */
const MARK_LENGTH = 4;

/** An edit by a form that can be undone. */
interface UndoableEdit {
  readonly visit: Visit;
  /** The form's name on its page. */
  readonly name: string;
  readonly route: string;
  readonly undo: Undoable;
  /** The record that the form changes, as it is before. */
  readonly shown: JsonObject;
}

/** Reads what the form is about to change; null where the edit could not be undone. */
export async function beforeEdit(
  visit: Visit,
  { name, form, version }: { readonly name: string; readonly form: RequestForm } & Versioned,
): Promise<UndoableEdit | null> {
  const { route, undo } = form;
  if (undo === undefined) return null;
  const shown = undo.readRoute === null ? {} : await read(visit, { route, undo });
  if (shown === null) return null;
  const isSeen = undo.readRoute === null || versionOf(shown) === Number(version);
  return isSeen ? { visit, name, route, undo, shown } : null;
}

interface Versioned {
  /** The version that the form was made of; null for what has none. */
  readonly version: string | null;
}

/** Seals the body that undoes the edit; null where nothing changed, or no body undoes it. */
export async function undoOf(
  edited: UndoableEdit,
  { answered, body }: { readonly answered: JsonObject; readonly body: JsonObject },
): Promise<string | null> {
  const { visit, name, undo } = edited;
  const after = await afterEdit(edited, answered);
  const back = after === null ? null : bodyBack(edited, after, body);
  if (after === null || back === null) return null;
  const held =
    undo.readRoute === null
      ? { version: null, marks: "" }
      : { version: String(versionOf(after)), marks: marksOf(after).join("") };
  return sealUndo(visit, { form: `${visit.page}/${name}`, body: back, ...held });
}

/** Reads the record as the edit left it; null where that is not known. */
async function afterEdit(
  { visit, route, undo, shown }: UndoableEdit,
  answered: JsonObject,
): Promise<JsonObject | null> {
  if (undo.readRoute === null) return answered;
  const after = "version" in answered ? answered : await read(visit, { route, undo });
  // A record whose answer has no version is read again: with more than one version more, another change is in it.
  return versionOf(after) === versionOf(shown) + 1 ? after : null;
}

function bodyBack(
  { visit, route, undo, shown }: UndoableEdit,
  after: JsonObject,
  body: JsonObject,
): JsonObject | null {
  const [before, now] = [shown, after].map((whole) =>
    undo.part === undefined ? whole : undo.part(whole, visit),
  );
  if (before === undefined || before === null || now === undefined || now === null) return null;
  const edit = { before, after: now, body };
  return undo.undoBody === undefined ? membersBefore(visit, route, edit) : undo.undoBody(edit);
}

/** Opens what was sealed for the form; null if that was for another one, or in another session. */
export function sealedFor(visit: Visit, name: string, fields: URLSearchParams): Undo | null {
  const undo = openUndo(visit, fields.get(UNDO) ?? "");
  return undo?.form === `${visit.page}/${name}` ? undo : null;
}

/** The members that are not any more what they were after the edit; none where that is not known. */
export async function changedSince(
  visit: Visit,
  { route, undo }: RequestForm,
  { marks }: Undo,
): Promise<readonly string[]> {
  const now = undo === undefined ? null : await read(visit, { route, undo });
  if (now === null) return [];
  const names = namesOf(now);
  if (marks.length !== names.length * MARK_LENGTH) return [];
  const found = marksOf(now);
  return names.filter(
    (_, index) => found[index] !== marks.slice(index * MARK_LENGTH, (index + 1) * MARK_LENGTH),
  );
}

async function read(
  visit: Visit,
  { route, undo }: Pick<UndoableEdit, "route" | "undo">,
): Promise<JsonObject | null> {
  const readRoute = undo.readRoute ?? route.replace(/^\w+/, "GET");
  const { status, text } = await visit.send(readRoute, { params: visit.params });
  return status === 200 ? membersOf(objectOf(text)) : null;
}

/** NaN of what shows none. */
function versionOf(shown: JsonObject | null): number {
  return Number(shown?.["version"]);
}

/**
 * The members that the form set, as they were, in the terms of its route; null where nothing differs or something was
 * not shown.
 */
function membersBefore(
  visit: Visit,
  route: string,
  { before, after, body }: Edit,
): JsonObject | null {
  const names = Object.keys(body);
  if (names.some((name) => !(name in before))) return null;
  const schema = schemaOf(visit.bodySchemaOf(route));
  const changed = names.filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (changed.length === 0) return null;
  return Object.fromEntries(
    changed.map((name) => [name, onlyTaken(before[name] ?? null, memberOf(schema, name))]),
  );
}

function namesOf(shown: JsonObject): string[] {
  return Object.keys(shown).filter((name) => !STAMPS.has(name));
}

function marksOf(shown: JsonObject): string[] {
  return namesOf(shown).map((name) => markOf(shown[name] ?? null));
}

function markOf(value: JsonValue): string {
  const hash = new Bun.CryptoHasher("sha256").update(JSON.stringify(value));
  return hash.digest("base64url").slice(0, MARK_LENGTH);
}

interface Undo {
  /** The address of the form that made the edit, which undoes it as well. */
  readonly form: string;
  /** The version that the edit made; null for what has none. */
  readonly version: string | null;
  readonly body: JsonObject;
  /** The marks of what was there after the edit. */
  readonly marks: string;
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Characters: proxies take addresses of 8 kB. A longer text is not offered back. */
const LENGTH_MAX = 6_000;
/** More than a text of that length was before it was packed. */
const BYTES_MAX = 262_144;

/**
 * Seals what undoes an edit, on its way through the browser. No one keeps it, so that it stands in the address that follows
 * the edit and in the form that is offered there: only the session that edited can open it, no one can make another one,
 * and an address tells nothing of what stood there. Null where it is too long for an address.
 */
function sealUndo(visit: Visit, undo: Undo): string | null {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(visit), nonce);
  const packed = cipher.update(deflateRawSync(JSON.stringify(undo)));
  const sealed = Buffer.concat([nonce, packed, cipher.final(), cipher.getAuthTag()]);
  const text = sealed.toString("base64url");
  return text.length > LENGTH_MAX ? null : text;
}

/** Opens what was sealed in this session; null for any other text. */
export function openUndo(visit: Visit, text: string): Undo | null {
  if (text.length > LENGTH_MAX) return null;
  const sealed = Buffer.from(text, "base64url");
  if (sealed.length <= NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, keyOf(visit), sealed.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    const packed = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
    const plain = inflateRawSync(Buffer.concat([packed, decipher.final()]), {
      maxOutputLength: BYTES_MAX,
    });
    const undo: unknown = JSON.parse(plain.toString());
    // The cast holds: only `sealUndo` makes what opens.
    return isObject(undo) ? assume<Undo>(undo) : null;
  } catch {
    return null;
  }
}

/** Only the browser and the server know the token of the session. */
function keyOf({ request, dashboardUrl }: Visit): Buffer {
  const token = readCookie(request, dashboardUrl, "session");
  return Buffer.from(new Bun.CryptoHasher("sha256", token).update("undo").digest());
}
