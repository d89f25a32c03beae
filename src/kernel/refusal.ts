// Refusals: the only way for the shop to reject a request. Each is declared once beside the noun
// that makes it, has a stable code, and is thrown. Any other exception is a bug, and its message is
// never sent to a caller.

/** The kind of a refusal; `platform/http` maps each kind to one HTTP status. */
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

/** One fault and its place: a JSON Pointer into the body, a parameter, or a header. */
export interface Fault {
  readonly code: string;
  readonly detail: string;
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
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
  readonly members?: Readonly<Record<string, unknown>>;
  /** Headers the response must carry, such as Allow or Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A declared refusal: calling it makes the error to throw. */
export interface RefusalDefinition {
  (details?: RefusalDetails): Refusal;
  readonly code: string;
  readonly kind: RefusalKind;
  readonly title: string;
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
}

/** Declares a refusal. A code keeps its kind forever: callers branch on both. */
export function defineRefusal(code: string, kind: RefusalKind, title: string): RefusalDefinition {
  const definition: RefusalDefinition = Object.assign(
    (details: RefusalDetails = {}) => new Refusal(definition, details),
    { code, kind, title },
  );
  return definition;
}

/** A well-formed request that breaks rules; its faults list every broken rule at once. */
export const validationFailed = defineRefusal(
  "validation_failed",
  "invalid",
  "The request has faults.",
);

/** Collects faults, so that one response reports all of them. */
export class Faults {
  readonly list: Fault[] = [];
  readonly #definitions = new Set<RefusalDefinition>();

  /** Adds a fault at a JSON Pointer into the body, such as `/line_items/0/quantity`. */
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
