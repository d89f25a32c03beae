// The one way to say no. A refusal is declared once beside the noun that makes it, has a stable
// code, and is thrown; any other exception is a bug and is shown to nobody.

/** What sort of no it is; `platform/http` maps each kind to one HTTP status. */
export type RefusalKind =
  | "malformed"
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "conflict"
  | "stale"
  | "too_large"
  | "unsupported"
  | "limited"
  | "internal"
  | "unavailable";

/** One thing that is wrong, and where: a JSON Pointer into the body, or a parameter, or a header. */
export interface Fault {
  readonly code: string;
  readonly detail: string;
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
}

/** A member's name as one step of a JSON Pointer (RFC 6901, section 3). */
export function toPointerStep(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The member's name of such a step. */
export function fromPointerStep(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** What may be said about one occurrence. Members become top-level members of the answer. */
export interface RefusalDetails {
  readonly detail?: string;
  readonly faults?: readonly Fault[];
  readonly members?: Readonly<Record<string, unknown>>;
  /** Headers the answer must carry, such as Allow or Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A declared refusal: call it to make the error that is thrown. */
export interface RefusalDefinition {
  (details?: RefusalDetails): Refusal;
  readonly code: string;
  readonly kind: RefusalKind;
  readonly title: string;
}

/** Thrown by rules and stories; the transaction it passes through leaves nothing behind. */
export class Refusal extends Error {
  readonly definition: RefusalDefinition;
  readonly details: RefusalDetails;

  constructor(definition: RefusalDefinition, details: RefusalDetails) {
    super(details.detail ?? definition.title);
    this.name = "Refusal";
    this.definition = definition;
    this.details = details;
  }
}

/** Declares a refusal. A code keeps its kind forever: callers branch on both. */
export function defineRefusal(code: string, kind: RefusalKind, title: string): RefusalDefinition {
  const definition: RefusalDefinition = Object.assign(
    (details: RefusalDetails = {}) => new Refusal(definition, details),
    { code, kind, title },
  );
  return definition;
}

/** Answered when a request is well-formed and does not fit; its faults list everything at once. */
export const validationFailed = defineRefusal(
  "validation_failed",
  "invalid",
  "The request has faults.",
);

/** Collects faults so that a caller learns all of them in one answer. */
export class Faults {
  readonly list: Fault[] = [];
  readonly #definitions = new Set<RefusalDefinition>();

  /** Notes a fault of the body at a JSON Pointer such as `/line_items/0/quantity`. */
  add(pointer: string, code: string, detail: string): void {
    this.addAs(validationFailed, { pointer, code, detail });
  }

  /** Notes a fault that is refused under this definition where the request has no graver one. */
  addAs(definition: RefusalDefinition, fault: Fault): void {
    this.list.push(fault);
    this.#definitions.add(definition);
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
