// Builders of schemas for the API: bounded types with descriptions for the documentation.

import Type, { type TObject, type TProperties, type TSchema } from "typebox";

import { isObject } from "#kernel/assume.ts";
import { type CurrencyCode, currencyCodes } from "#kernel/currency.ts";
import { type Id, type IdKind, nameOfKind, prefixOf, zeroId } from "#kernel/id.ts";
import { publicFields } from "#platform/http/audience/audience.ts";

/** The largest integer that all JSON readers agree on (RFC 8259, section 6). */
const INTEGER_MAX = Number.MAX_SAFE_INTEGER;

/** Characters; no id is longer. Bounds the texts that are compared with an id's pattern. */
const ID_LENGTH_MAX = 40;

/** Rows of a page of a list. */
const PAGE_SIZE_MAX = 100;
export const PAGE_SIZE_DEFAULT = 20;

/** A pattern with what a text is refused with that does not match it. */
export function matching(pattern: string, sentence: string) {
  return { pattern, "x-sentence": sentence };
}

/** A text that machines compare: it stays as it was sent. Other texts have a form; see `intake/texts.ts`. */
export const verbatim = { "x-text": "verbatim" };
/** A text in lines of its own. */
export const inParagraphs = { "x-text": "paragraphs" };
/** A text that people copy letter by letter. */
export const identifying = { "x-text": "identifier" };
/** An identifier by which rows are looked up: it is checked in its form, and reaches the story as sent; see `soughtBy`. */
export const sought = { "x-sought": true };

/**
 * A country, in capital or small letters. The bound is far above two letters, so that a country's name keeps its fault:
 * it does not have the format.
 */
export const countryCode = {
  ...matching("^[A-Z]{2}$", "This is not the code of a country: two letters, such as GH."),
  maxLength: 40,
  "x-text": "capitals",
};

/** A number printed with exactly its currency's digits; see `printAmount`. */
export type WireAmount = number & { readonly printed: unique symbol };

/** An object that refuses unknown fields. */
export function object<P extends TProperties>(properties: P, options: object = {}): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/** An object that is a named component of the documentation. */
export function component<P extends TProperties>(
  name: string,
  properties: P,
  options: object = {},
): TObject<P> {
  return object(properties, { "x-component": name, ...options });
}

/** A publishable key is told zeros in place of an id that it may not know. */
export function idOf<K extends IdKind>(kind: K) {
  return Type.Unsafe<Id<K>>({
    type: "string",
    ...matching(
      `^${prefixOf(kind)}_[0-7][0-9a-hjkmnp-tv-z]{25}$`,
      `This is not the id of ${withArticle(nameOfKind(kind))}: ${prefixOf(kind)}_ and 26 characters.`,
    ),
    maxLength: ID_LENGTH_MAX,
    description: `The id of ${withArticle(nameOfKind(kind))}.`,
    "x-closed": zeroId(kind),
  });
}

/** The same schema with a sentence about this use of it: a component keeps its own words. */
export function about<S extends TSchema>(schema: S, sentence: string): S {
  const word = "x-component" in schema ? "x-about" : "description";
  return { ...schema, [word]: sentence };
}

export function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
}

export function nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()]);
}

export function optional<S extends TSchema>(schema: S) {
  return Type.Optional(schema);
}

/** A text of one to `maxLength` characters. */
export function line(maxLength: number, options: object = {}) {
  return Type.String({ minLength: 1, maxLength, ...options });
}

/** A text that may be empty. */
export function prose(maxLength: number, options: object = {}) {
  return Type.String({ maxLength, ...inParagraphs, ...options });
}

/** The keyword of a text with a `maxLength` in which card numbers are refused; see `check-meaning.ts`. */
export const cardFree = { "x-card-free": "text" };

/** A text that people write beside a sale; card numbers are refused in it. */
export function note(maxLength: number, options: object = {}) {
  return prose(maxLength, { ...cardFree, ...options });
}

export function choice<const T extends readonly string[]>(
  values: readonly [...T],
  options: object = {},
) {
  return Type.Unsafe<T[number]>({ type: "string", enum: [...values], ...options });
}

interface ChoiceTerms {
  /** Its name in the documentation. */
  readonly name: string;
  readonly about: string;
}

/**
 * A choice that stands at many places: with a name of its own in the documentation, and a sentence about each value. A
 * value without one does not compile where `S` is given.
 */
export function namedChoice<S extends string>(
  { name, about: words }: ChoiceTerms,
  meanings: Readonly<Record<S, string>>,
) {
  const sentences = Object.entries<string>(meanings).map(
    ([one, means]) => `- \`${one}\`: ${means}`,
  );
  return Type.Unsafe<S>({
    type: "string",
    enum: Object.keys(meanings),
    description: `${words}\n\n${sentences.join("\n")}`,
    "x-component": name,
  });
}

/** An integer; by default bounded by what all JSON readers agree on. */
export function whole(minimum = -INTEGER_MAX, maximum = INTEGER_MAX, options: object = {}) {
  return Type.Integer({ minimum, maximum, ...options });
}

/** A number that is not negative, as text. */
export const decimal = {
  ...matching(
    "^(0|[1-9][0-9]*)(\\.[0-9]+)?$",
    "This is not a number such as 12.50: digits, with a point before decimals.",
  ),
  maxLength: 32,
};

/** An amount in requests: a number or a decimal string, in major units. Forms read it as people write money. */
export const amountGiven = Type.Union(
  [Type.Number({ minimum: 0 }), Type.String({ ...decimal, "x-amount": true })],
  {
    description: "In major units, with at most the currency's digits.",
  },
);

/** A percentage in requests: a number or a decimal string. */
export const percentGiven = Type.Union([Type.Number({ minimum: 0 }), Type.String(decimal)], {
  description: "A percentage from 0 to 100, with at most four decimals.",
});

/** A percentage in responses. */
export const percent = Type.Number({
  minimum: 0,
  maximum: 100,
  description: "A percentage, with at most four decimals.",
});

/** An amount in responses, in major units. */
export const amount = Type.Unsafe<WireAmount>({
  type: "number",
  description: "In major units, printed with exactly the currency's digits.",
  "x-component": "Amount",
});

/** A currency that the shop supports. */
export const currency = Type.Unsafe<CurrencyCode>({
  type: "string",
  enum: currencyCodes,
  description: "ISO 4217 code.",
  "x-component": "Currency",
});

/** Characters of an instant; a day has the same bound, because a list's filter takes either. */
const TIME_LENGTH_MAX = 40;

/** An instant in requests and responses. Leap seconds are refused: JavaScript's dates have none. */
export const instant = Type.String({
  format: "date-time",
  ...matching(":[0-5][0-9](\\.|Z|z|[+-])", "This is not an instant, such as 2026-01-31T09:30:00Z."),
  maxLength: TIME_LENGTH_MAX,
  "x-component": "Timestamp",
});

/** A day of the calendar. */
export const day = {
  format: "date",
  maxLength: TIME_LENGTH_MAX,
  "x-sentence": "This is not a day, such as 2026-01-31.",
};

/** An instant or a whole day, in filters of lists. */
export const instantOrDay = Type.Union([instant, Type.String(day)], {
  description:
    "An instant, or a day in the store's time zone such as 2026-01-31, which is in or out as a whole.",
});

/** Letters of any script before the `@` (RFC 6531); the domain is in ASCII. */
const storedEmail = {
  format: "idn-email",
  ...matching("@[!-~]+$", "This is not an email address, such as ada@example.com."),
  maxLength: 254,
};

export const email = Type.String(storedEmail);

/**
 * An email in requests, whose domain may be written in any script; see `intake/texts.ts`. No customer has
 * a mailbox at a domain without a point: `ada@gmail` was typed too early.
 */
export const emailGiven = Type.String({
  ...storedEmail,
  pattern: "@[!-~]+\\.[!-~]+$",
  "x-text": "email",
  description: "The domain is kept in ASCII (IDNA).",
});

/** The same of a contact by which a customer is looked up. */
export const emailSought = { ...emailGiven, ...sought };

const storedPhone = {
  ...matching(
    "^\\+[1-9][0-9]{6,14}$",
    "This is not a phone number with its country code, such as +233551234987. Without the code, it is read as one of the store's country, if that is set.",
  ),
  maxLength: 40,
};

export const phone = Type.String({ ...storedPhone, description: "E.164." });

/** The name of the place that a sale comes from. */
export const channelName = Type.String({
  ...matching(
    "^[a-z][a-z0-9_]{0,39}$",
    "Small letters, digits and _, 1 to 40 of them, a letter first, such as online_store.",
  ),
  maxLength: 40,
});

/** Which tax rates products are taxed by. */
export const taxClass = line(40, {
  ...matching("^[a-z][a-z0-9_-]*$", "Small letters, digits, - and _, a letter first."),
  description:
    "Which rates apply. A class without rates at a place has those of `standard`; `exempt` is never taxed.",
});

/** The beginning of the postal codes of an area. */
export const postalPrefix = line(20, {
  ...identifying,
  description: "The beginning of postal codes. Case, spaces and punctuation do not matter.",
});

/** The number under which a tax office knows a business; its form differs by country. */
export const taxId = line(40, {
  ...identifying,
  ...matching("^[!-~]([ -~]*[!-~])?$", "Letters A to Z, digits and signs, such as DE123456789."),
  description: "The number under which the tax office knows the business, such as a VAT number.",
});

/** A phone in requests, as people write it; see `intake/texts.ts`. */
export const phoneGiven = Type.String({
  ...storedPhone,
  "x-text": "phone",
  description:
    "As people write it in the country of the store, such as 055 123 4987, or with the country code. Kept as E.164.",
});

export const webAddress = Type.String({
  format: "uri",
  ...matching(
    "^https?://[^/?#]",
    "This is not an address of the web, such as https://shop.example.org/mug.",
  ),
  maxLength: 2048,
});

/** Free-form data of the caller, returned unchanged. */
export const metadata = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: "object",
  additionalProperties: true,
  "x-metadata": true,
  description:
    "At most 50 keys of up to 40 characters; texts up to 500 characters; 4 KB of JSON in all. No card numbers.",
  "x-component": "Metadata",
});

/** The same of a line, of which an order has up to a hundred. */
export const lineMetadata = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: "object",
  additionalProperties: true,
  "x-metadata": "line",
  description:
    "At most 20 keys of up to 40 characters; texts up to 500 characters; 1 KB of JSON in all. No card numbers.",
  "x-component": "LineMetadata",
});

/** An object of which the interface does not say the members. */
export function anyMembers(description: string) {
  return Type.Unsafe<unknown>({ type: "object", additionalProperties: true, description });
}

interface QueriedRoute {
  readonly kind: string;
  readonly query: TSchema | null;
}

/** The query that a route takes; that of a list has its filters, `limit` and `cursor`. */
export function querySchema(route: QueriedRoute): TSchema | null {
  if (route.kind !== "list") return route.query;
  const filters =
    route.query === null || !("properties" in route.query) ? {} : route.query.properties;
  return object({
    ...(isObject(filters) ? filters : {}),
    ...publicFields({
      limit: optional(
        whole(1, PAGE_SIZE_MAX, {
          default: PAGE_SIZE_DEFAULT,
          description: "Rows per page.",
        }),
      ),
      cursor: optional(
        line(500, {
          description: "The `next_cursor` of the previous page, with the same filters.",
        }),
      ),
    }),
  });
}
