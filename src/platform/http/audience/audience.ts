// Who may send and read a field, as data of its schema. A field is for secret keys alone until its declaration
// opens it to publishable keys, which strangers may hold: `x-audience` is then `public`, and `x-public` has what
// is narrower for them. Validation, answers and the document read the same words.

import { assume, isObject } from "#kernel/assume.ts";
import { defineFaults, type Meanings } from "#kernel/fault.ts";

/** The narrower terms of a publishable key. */
export interface PublicTerms {
  /** The pattern of the members of a free-form object that are open. */
  readonly names?: string;
  /** The only values that may be sent. */
  readonly values?: readonly (string | number | boolean)[];
  /** True if the field, optional for secret keys, must be sent. */
  readonly required?: true;
  /** The least and the greatest number that is told. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** Values in place of which another one is told. */
  readonly told?: Readonly<Record<string, string>>;
}

/** `sent` is narrower where a field of a resource is given; false where it is not open there. */
interface FieldTerms extends PublicTerms {
  readonly sent?: PublicTerms | false;
}

/** Opens these fields to publishable keys. What is within an object follows its own declaration. */
export function publicFields<const M extends Readonly<Record<string, object>>>(
  members: M,
  { sent, ...told }: FieldTerms = {},
): M {
  const opened = Object.entries(members).map(([name, one]) => {
    // A field of a resource has the schemas of its requests beside how it is answered.
    if (!("kind" in one)) return [name, answeredTo(one, told)];
    const requests = Object.entries(one).filter(([key]) => key === "create" || key === "change");
    const given = requests.map(([key, schema]) => [
      key,
      sent === false ? schema : withTerms(schema, sent ?? told),
    ]);
    return [name, { ...one, kind: answeredTo(one.kind, told), ...Object.fromEntries(given) }];
  });
  // The cast holds: words of the documentation change no type.
  return assume<M>(Object.fromEntries(opened));
}

/** A field of the wire kit has its schema beside how it is presented. */
function answeredTo(kind: unknown, terms: PublicTerms): object {
  const isField = isObject(kind) && "schema" in kind;
  return isField ? { ...kind, schema: withTerms(kind["schema"], terms) } : withTerms(kind, terms);
}

/** A copy with the words of the terms. typebox keeps what makes a field optional in a property that a spread loses. */
function withTerms(schema: unknown, terms: PublicTerms): object {
  const words = {
    "x-audience": "public",
    ...(Object.keys(terms).length > 0 && { "x-public": terms }),
  };
  const copy = Object.getOwnPropertyDescriptors(isObject(schema) ? schema : {});
  return Object.defineProperties({}, { ...copy, ...Object.getOwnPropertyDescriptors(words) });
}

/** Returns true if publishable keys may send and read the field. */
export function isPublicField(schema: unknown): boolean {
  return isObject(schema) && schema["x-audience"] === "public";
}

/** A schema without the words of its audience, of its end and of its use, and these words: they belong to the place where it stands. */
export function splitAudience(schema: Readonly<Record<string, unknown>>) {
  const {
    "x-audience": audience,
    "x-public": terms,
    deprecated,
    "x-about": about,
    ...bare
  } = schema;
  const words = {
    ...(audience !== undefined && { "x-audience": audience }),
    ...(terms !== undefined && { "x-public": terms }),
    ...(deprecated !== undefined && { deprecated }),
    ...(about !== undefined && { description: about }),
  };
  return { bare, words };
}

/** Returns the narrower terms of a publishable key in a schema that is open. */
export function termsOf(schema: unknown): PublicTerms {
  const terms = isObject(schema) ? schema["x-public"] : undefined;
  // The cast holds: only `open` writes this word.
  return isObject(terms) ? assume<PublicTerms>(terms) : {};
}

/** The alternatives of a schema; none if it has one form. */
export function branchesOf({ anyOf }: Record<string, unknown>): readonly unknown[] {
  return Array.isArray(anyOf) ? anyOf : [];
}

export const audienceFaults = defineFaults({
  not_allowed_for_public_key: "A publishable key may not send the field, or not this value.",
});
declare module "#kernel/fault.ts" {
  interface FaultCodes extends Meanings<typeof audienceFaults> {}
}
