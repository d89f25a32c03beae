// The faults of a request: the codes of all things that can be wrong with one of its values, and what they mean.

/** Why a text is not strict JSON. */
export const jsonFaults = {
  json_empty: "The body is empty.",
  json_encoding: "The body is not UTF-8, or begins with a byte order mark.",
  json_syntax: "The text does not follow the grammar of JSON, or ends too early.",
  json_depth: "Objects and lists are nested too deeply.",
  json_duplicate_key: "An object has the same key twice.",
  json_forbidden_key: "A key is one that JavaScript treats specially, such as `__proto__`.",
  json_string: "A string has a control character or half a surrogate pair.",
} as const;

/** How a value differs from the schema of its field or parameter. */
export const shapeFaults = {
  required: "A required value is missing.",
  unknown_field: "There is no field with this name.",
  wrong_type: "The value has another JSON type.",
  invalid_choice: "The value is none of the allowed ones.",
  invalid_format: "The value is written otherwise than the field takes it.",
  too_small: "The number is below the minimum.",
  too_large: "The number is above the maximum, or the object has too many bytes.",
  too_short: "The text has too few characters.",
  too_long: "The text has too many characters.",
  too_few: "The list or object has too few entries.",
  too_many: "The list or object has too many entries.",
  duplicate: "The value, or one that must be unique, is given twice.",
  number_precision: "The number has more digits than a double keeps; send it as text.",
  looks_like_a_card: "The text has what looks like a card number, which must not be kept.",
  amount_precision: "The amount has more decimal digits than its currency or gateway accepts.",
  amount_too_large: "The amount, or a product of price and quantity, is too large.",
  amount_invalid: "The amount is not a decimal number.",
} as const;

/** How a value differs from what its field means. */
export const valueFaults = {
  amount_too_small: "The amount is zero, or below the minimum of the gateway.",
  conflicting_fields: "Two fields exclude each other; send one of them.",
  invalid_length: "The text is empty or too long.",
  guard_required: "Without an `Idempotency-Key` or `If-Match`, sent twice, it would act twice.",
  not_in_the_future: "The time must be in the future.",
  out_of_range: "The number or time is outside of the allowed range.",
  percent_invalid: "The percentage is not a decimal number from 0 to 100.",
  rate_precision: "The percentage has more than four decimals.",
  dates_backwards: "The end is not later than the start.",
} as const;

/** Faults of headers beside those of their shape. */
export const headerFaults = {
  version_not_compared: "The operation compares no versions, so it takes none in `If-Match`.",
} as const;

/** Faults of query parameters and periods beside those of their shape. */
export const parameterFaults = {
  unknown_parameter: "There is no parameter with this name.",
  not_after_from: "`to` is not later than `from`.",
  period_too_long: "The period has too many years.",
  too_many_points: "The period has too many intervals; choose a longer interval.",
} as const;

/** Codes of faults as members of `FaultCodes`, each with its meaning. */
export type Meanings<F> = Readonly<Record<keyof F, string>>;

type KernelFaults = Meanings<
  typeof jsonFaults &
    typeof shapeFaults &
    typeof valueFaults &
    typeof headerFaults &
    typeof parameterFaults
>;

/** The codes of faults. A noun adds its codes where it defines them, and the union stays closed. */
export interface FaultCodes extends KernelFaults {}
export type FaultCode = keyof FaultCodes;

const meaningsElsewhere: Readonly<Record<string, string>> = {
  ...jsonFaults,
  ...headerFaults,
  ...parameterFaults,
};
const meaningsInBodies: Record<string, string> = { ...shapeFaults, ...valueFaults };

/**
 * Defines what can be wrong with values of a body that a noun knows of: each code with its meaning, a complete
 * sentence. Throws if a code has a meaning already.
 */
export function defineFaults<const F extends Readonly<Record<string, string>>>(faults: F): F {
  for (const [code, meaning] of Object.entries(faults)) {
    const known = meaningsInBodies[code] ?? meaningsElsewhere[code];
    if (known !== undefined) throw new Error(`Two faults are ${code}: "${known}" and "${meaning}"`);
    meaningsInBodies[code] = meaning;
  }
  return faults;
}

/** Returns the meanings of the faults of values in a body, of all nouns that are loaded. */
export function requestFaults(): Readonly<Partial<Record<FaultCode, string>>> {
  return meaningsInBodies;
}

/** One fault and its place: a JSON Pointer into the body, a parameter, or a header. */
export interface Fault {
  readonly code: FaultCode;
  readonly detail: string;
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
}
