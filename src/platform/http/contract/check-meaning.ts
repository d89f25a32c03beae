// Checks that JSON Schema cannot express: amounts against their currency, the limits of metadata, codes of
// countries, and card numbers in what people write. Compiled from the schema's `x-…` keywords, so other schemas
// cost nothing.

import { isCountry } from "#kernel/address.ts";
import { isObject } from "#kernel/assume.ts";
import { holdsCardNumber, tokenHoldsCardNumber } from "#kernel/card-number.ts";
import { isCurrency } from "#kernel/currency.ts";
import type { Fault, FaultCode } from "#kernel/fault.ts";
import { amountSentence, parseAmount } from "#kernel/money.ts";
import { toPointerStep } from "#kernel/refusal.ts";
import { LossyNumber } from "#platform/http/strict-json.ts";

const COUNTRY_LENGTH = 2;
const METADATA_KEY_LENGTH_MAX = 40;
const METADATA_TEXT_LENGTH_MAX = 500;
/** Bytes of JSON, including nested values: enough for references, too little for documents. */
const metadataBounds = { keysMax: 50, bytesMax: 4096 };
/** The bounds of a line of a cart or an order. */
const lineBounds = { keysMax: 20, bytesMax: 1024 };

type Check = (value: unknown, pointer: string, faults: Fault[]) => void;

/** The check of a schema; null if it has none. Accepts values of any shape. */
export function checkMeaning(schema: unknown): Check | null {
  if (!isObject(schema)) return null;
  const checks = [
    isObject(schema["x-money"]) ? checkMoney(schema["x-money"]) : null,
    schema["x-metadata"] === true ? checkMetadata(metadataBounds) : null,
    schema["x-metadata"] === "line" ? checkMetadata(lineBounds) : null,
    schema["x-country"] === true ? checkCountry : null,
    checkEither(schema["x-either"]),
    checkCardFree(schema),
    checkProperties(schema["properties"]),
    checkItems(schema["items"]),
    ...branches(schema["anyOf"]),
  ].filter((check) => check !== null);
  if (checks.length === 0) return null;
  return (value, pointer, faults) => {
    for (const check of checks) check(value, pointer, faults);
  };
}

function branches(anyOf: unknown): (Check | null)[] {
  return Array.isArray(anyOf) ? anyOf.map(checkMeaning) : [];
}

function checkProperties(properties: unknown): Check | null {
  if (!isObject(properties)) return null;
  const checks = Object.entries(properties)
    .map(([name, schema]) => ({ name, check: checkMeaning(schema) }))
    .filter((one) => one.check !== null);
  if (checks.length === 0) return null;
  return (value, pointer, faults) => {
    if (!isMap(value)) return;
    for (const { name, check } of checks) {
      if (Object.hasOwn(value, name)) check?.(value[name], `${pointer}/${name}`, faults);
    }
  };
}

function checkItems(items: unknown): Check | null {
  const check = checkMeaning(items);
  if (check === null) return null;
  return (value, pointer, faults) => {
    if (!Array.isArray(value)) return;
    value.forEach((item, index) => check(item, `${pointer}/${index}`, faults));
  };
}

/**
 * `{ amount field: currency field }` of one object. Without a valid currency the story checks the
 * amount.
 */
function checkMoney(fields: Record<string, unknown>): Check {
  return (value, pointer, faults) => {
    if (!isMap(value)) return;
    for (const [field, currencyField] of Object.entries(fields)) {
      const given = value[field];
      const currency = value[String(currencyField)];
      if (typeof given !== "number" && typeof given !== "string") continue;
      if (typeof currency !== "string" || !isCurrency(currency)) continue;
      const parsed = parseAmount(given, currency);
      if (!("fault" in parsed)) continue;
      faults.push({
        pointer: `${pointer}/${field}`,
        code: parsed.fault,
        detail: amountSentence(parsed.fault, currency),
      });
    }
  };
}

/**
 * One of several forms of an object: each is a list of fields, of which those without a "?" are required. The
 * first is meant where no field of any is given.
 */
function checkEither(forms: unknown): Check | null {
  if (!Array.isArray(forms)) return null;
  const known = forms.map((form) => formOf(Array.isArray(form) ? form.map(String) : []));
  const sentence = known.map(({ required }) => required.join(" and ")).join(", or ");
  return (value, pointer, faults) => {
    if (!isMap(value)) return;
    const given = known.filter(({ fields }) => fields.some((name) => Object.hasOwn(value, name)));
    const [meant = known[0], ...others] = given;
    for (const name of others.flatMap(({ fields }) => fields)) {
      if (!Object.hasOwn(value, name)) continue;
      const detail = `Give either ${sentence}.`;
      faults.push({ pointer: `${pointer}/${name}`, code: "conflicting_fields", detail });
    }
    for (const name of meant?.required ?? []) {
      if (Object.hasOwn(value, name)) continue;
      const detail = "This field is required.";
      faults.push({ pointer: `${pointer}/${name}`, code: "required", detail });
    }
  };
}

function formOf(names: readonly string[]) {
  return {
    fields: names.map((name) => name.replace("?", "")),
    required: names.filter((name) => !name.endsWith("?")),
  };
}

function checkMetadata({ keysMax, bytesMax }: typeof metadataBounds): Check {
  return (value, pointer, faults) => {
    if (!isMap(value)) return;
    const add = (at: string, code: FaultCode, detail: string) =>
      faults.push({ pointer: at, code, detail });
    const entries = Object.entries(value);
    if (entries.length > keysMax) {
      add(pointer, "too_many", `This has more than ${keysMax} keys.`);
      return;
    }
    for (const [key, one] of entries) {
      const at = `${pointer}/${toPointerStep(key)}`;
      if ([...key].length > METADATA_KEY_LENGTH_MAX) {
        add(at, "too_long", `A key has at most ${METADATA_KEY_LENGTH_MAX} characters.`);
      }
      if (typeof one === "string" && [...one].length > METADATA_TEXT_LENGTH_MAX) {
        add(at, "too_long", `A text has at most ${METADATA_TEXT_LENGTH_MAX} characters.`);
      }
    }
    if (Buffer.byteLength(JSON.stringify(value)) > bytesMax) {
      add(pointer, "too_large", `This is more than ${bytesMax} bytes of JSON.`);
      return;
    }
    const withCard = entries.filter(hasCardNumber);
    faults.push(...withCard.map(([key]) => cardFault(`${pointer}/${toPointerStep(key)}`)));
  };
}

/** A text of another length and one in small letters are refused for that. */
function checkCountry(value: unknown, pointer: string, faults: Fault[]): void {
  if (typeof value !== "string" || value.length !== COUNTRY_LENGTH) return;
  if (isCountry(value.toUpperCase())) return;
  const detail = "The value is not the ISO 3166-1 code of a country.";
  faults.push({ pointer, code: "invalid_choice", detail });
}

/** Returns true if a value of metadata has a card number in one of its texts, names or numbers. */
function hasCardNumber(value: unknown): boolean {
  if (typeof value === "string") return holdsCardNumber(value);
  if (typeof value === "number") return holdsCardNumber(String(value));
  if (Array.isArray(value)) return value.some(hasCardNumber);
  return isMap(value) && hasCardNumber(Object.entries(value));
}

/** A text that is too long is refused for that, and not searched. */
function checkCardFree({ "x-card-free": kind, maxLength }: Record<string, unknown>): Check | null {
  if (kind === undefined) return null;
  const lengthMax = Number(maxLength);
  const holdsCard = kind === "token" ? tokenHoldsCardNumber : holdsCardNumber;
  return (value, pointer, faults) => {
    if (typeof value !== "string" || [...value].length > lengthMax) return;
    if (holdsCard(value)) faults.push(cardFault(pointer));
  };
}

function cardFault(pointer: string): Fault {
  const detail =
    "This looks like a card number. Send no card numbers: gateways have pages for them.";
  return { pointer, code: "looks_like_a_card", detail };
}

/** Returns true if a value of a body is an object; a LossyNumber is not. */
function isMap(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !(value instanceof LossyNumber);
}
