// Refusals: the only way for the shop to reject a request. Each is declared once beside the noun that makes it,
// has a stable code, and is thrown. Any other exception is a bug, and its message is never sent to a caller.

import type { AbuseKind } from "./abuse.ts";
import { type Fault, type FaultCode, requestFaults } from "./fault.ts";

/** The kind of a refusal; `platform/http` maps each kind to one HTTP status. */
export type RefusalKind =
  | "malformed"
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "misdirected"
  | "conflict"
  | "stale"
  | "too_large"
  | "unsupported"
  | "limited"
  | "internal"
  | "unavailable";

/** JSON Schemas of members by the type of their values. */
export const member = {
  text: (description: string) => ({ type: "string", description }),
  units: (description: string) => ({ type: "integer", description }),
  unitsOrNull: (description: string) => ({ type: ["integer", "null"], description }),
  number: (description: string) => ({ type: "number", description }),
  texts: (description: string) => ({ type: "array", items: { type: "string" }, description }),
  idOrNull: (description: string) => ({ type: ["string", "null"], description }),
};

/** Marks a member that publishable keys are told too; what is not marked is left out for them. */
export function publicMember<S extends object>(schema: S) {
  return { "x-audience": "public", ...schema };
}

const kernelMembers = {
  existing_id: member.idOrNull(
    "The object that has the unique value; null if it is not known yet.",
  ),
  field: member.text("The field with the unique value."),
  current_version: publicMember(member.units("The version of the resource now.")),
  from: publicMember(member.text("The state of the object.")),
  action: publicMember(member.text("What the state does not allow.")),
  allowed: publicMember(member.texts("The actions that the state allows.")),
};

/** Members that a file defines, as members of `ProblemMembers`. */
export type Members<M> = Readonly<Record<keyof M, unknown>>;

/** The members that refusals add to a problem. A noun adds its own where it defines them. */
export interface ProblemMembers extends Members<typeof kernelMembers> {}

let definedMembers: Readonly<Record<string, object>> = inOrder(kernelMembers);

/** They are read in one order, whichever noun is loaded first. */
function inOrder(members: Readonly<Record<string, object>>): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(members).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/**
 * Defines members that a noun's refusals add to a problem, each with its JSON Schema; a member means the same with every
 * code. Throws if another noun has a member of the name.
 */
export function defineMembers<M extends Readonly<Record<string, object>>>(members: M): M {
  const known = Object.keys(members).find((name) => definedMembers[name] !== undefined);
  if (known !== undefined) throw new Error(`Two members of problems are named ${known}.`);
  definedMembers = inOrder({ ...definedMembers, ...members });
  return members;
}

/** Returns the members of the kernel and of all nouns that are loaded, by their names. */
export function problemMembers(): Readonly<Record<string, object>> {
  return definedMembers;
}

/** Escapes a member's name as one step of a JSON Pointer (RFC 6901, section 3). */
export function toPointerStep(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The member's name of an escaped step. */
export function fromPointerStep(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Details of one occurrence. `members` become top-level members of the response. */
export interface RefusalDetails {
  readonly detail?: string;
  readonly faults?: readonly Fault[];
  readonly members?: Partial<ProblemMembers>;
  /** Headers the response must carry, such as Allow or Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
  /** As which the merchant is told of the occurrence. */
  readonly abuse?: AbuseKind;
}

/** The text of the error reference about a refusal, in complete sentences with Markdown's code spans. */
export interface Explanation {
  /** Why a request is refused with this code. */
  readonly cause: string;
  /** The steps that the caller can take. */
  readonly remedy: string;
  /** The meanings of the codes that `errors` can have. */
  readonly faults?: Readonly<Partial<Record<FaultCode, string>>>;
  /** A typical occurrence. */
  readonly example?: RefusalDetails;
  /** As which the merchant is told of each occurrence. */
  readonly abuse?: AbuseKind;
}

/** A declared refusal: calling it makes the error to throw. */
export interface RefusalDefinition {
  (details?: RefusalDetails): Refusal;
  readonly code: string;
  readonly kind: RefusalKind;
  readonly title: string;
  /** Null for a refusal that the API does not return. */
  readonly explanation: Explanation | null;
}

/** Thrown by rules and stories; the transaction that it leaves is rolled back. */
export class Refusal extends Error {
  readonly definition: RefusalDefinition;
  readonly details: RefusalDetails;

  constructor(definition: RefusalDefinition, details: RefusalDetails) {
    super(details.detail ?? definition.title);
    this.name = "Refusal";
    this.definition = definition;
    this.details = details;
  }

  /** The kind that the merchant is told of; undefined for a refusal that no limit made. */
  get abuse(): AbuseKind | undefined {
    return this.details.abuse ?? this.definition.explanation?.abuse;
  }
}

/** Returns true if a part of the shop that the work needs, such as the database, is away for now. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Refusal && error.definition.kind === "unavailable";
}

/** All refusals of an id have the same cause. */
const unknownId: Explanation = {
  cause:
    "The shop of the key's mode has no object with this id: the id is wrong, the object was deleted, or it belongs to the other mode.",
  remedy: "Check the id, and use a key of the mode in which the object was created.",
};

/**
 * Declares a refusal. A code keeps its kind forever: callers branch on both. The explanation of kind
 * `not_found` is known; every other refusal of the API has its own.
 */
export function defineRefusal(
  code: string,
  kind: RefusalKind,
  words: string | (Explanation & { readonly title: string }),
): RefusalDefinition {
  const title = typeof words === "string" ? words : words.title;
  const known = kind === "not_found" ? unknownId : null;
  const explanation = typeof words === "string" ? known : words;
  const definition: RefusalDefinition = Object.assign(
    (details: RefusalDetails = {}) => new Refusal(definition, details),
    { code, kind, title, explanation },
  );
  return definition;
}

/** A well-formed request that breaks rules; its faults list every broken rule at once. */
export const validationFailed = defineRefusal("validation_failed", "invalid", {
  title: "The request has faults.",
  cause: "The body is well-formed JSON, but its values break rules. `errors` lists every fault.",
  remedy: "Correct each entry of `errors`: `pointer` leads to its value in the body.",
  get faults() {
    return requestFaults();
  },
  example: {
    faults: [
      { pointer: "/line_items/0/quantity", code: "too_small", detail: "This must be at least 1." },
    ],
  },
});

/** Collects faults, so that one response reports all of them. */
export class Faults {
  readonly list: Fault[] = [];
  readonly #definitions = new Set<RefusalDefinition>();

  /** Adds a fault at a JSON Pointer into the body, such as `/line_items/0/quantity`. */
  add(pointer: string, code: FaultCode, detail: string): void {
    this.addAs(validationFailed, { pointer, code, detail });
  }

  /** Notes a fault that is refused under this definition where the request has no graver one. */
  addAs(definition: RefusalDefinition, fault: Fault): void {
    this.list.push(fault);
    this.#definitions.add(definition);
  }

  /** Notes what was noted apart, after what is here. */
  addAll(others: Faults): void {
    this.list.push(...others.list);
    for (const definition of others.#definitions) this.#definitions.add(definition);
  }

  /**
   * Refuses with all faults when any was noted, under the first of `gravity`, the gravest first, that
   * one of them has.
   */
  refuseIfAny(gravity: readonly RefusalDefinition[] = [validationFailed]): void {
    const [first] = this.#definitions;
    const definition = gravity.find((one) => this.#definitions.has(one)) ?? first;
    if (definition !== undefined) throw definition({ faults: this.list });
  }
}

/** The place at which a request gives a value, and the faults that a reader of it adds to. */
export interface Place {
  readonly pointer: string;
  readonly faults: Faults;
}
