// What an operation asks of its callers beside the shape of what they send: scopes, limits, and the codes with which it
// refuses. A document that takes less than an earlier one breaks the clients of that one.

type Json = Readonly<Record<string, unknown>>;

interface Terms {
  /** The scopes of each operation, any of which is enough, with the audience as one of them. */
  readonly scopes: ReadonlyMap<string, ReadonlySet<string>>;
  /** The codes of each operation, each after its status. */
  readonly codes: ReadonlyMap<string, ReadonlySet<string>>;
  /** The limits of what is sent, by its place. */
  readonly limits: ReadonlyMap<string, Json>;
}

/** How limits are compared: what may not fall, what may not rise, and what may not become another. */
const uppers = ["maximum", "maxLength", "maxItems", "maxProperties"] as const;
const lowers = ["minimum", "minLength", "minItems", "minProperties"] as const;
const exact = ["pattern", "format", "uniqueItems", "additionalProperties"] as const;

/** Everything that a caller may do by the document before, and may not by the one after. */
export function narrowedTerms(before: unknown, after: unknown): string[] {
  const [was, is] = [termsOf(before), termsOf(after)];
  return [
    ...lost(was.scopes, is.scopes, "no longer enough"),
    ...lost(was.codes, is.codes, "no longer told"),
    ...[...was.limits].flatMap(([place, old]) => {
      const limits = is.limits.get(place);
      // What is gone is told by the lines of the wire.
      return limits === undefined
        ? []
        : narrowed(old, limits).map((why) => `narrower: ${place} ${why}`);
    }),
  ];
}

/** The names of operations, events and scopes that the document after has, and the one before has not. */
export function newNames(before: unknown, after: unknown): string[] {
  const known = new Set(namesOf(before));
  return namesOf(after).filter((name) => !known.has(name));
}

function namesOf(document: unknown): string[] {
  const { paths, webhooks } = objectOf(document);
  const operations = operationsIn(paths);
  const events = Object.values(objectOf(webhooks)).map((one) => objectOf(objectOf(one)["post"]));
  return [
    ...new Set([
      ...operations.map(([name]) => name),
      ...events.map(({ summary }) => String(summary)),
      ...operations.flatMap(([, one]) => listOf(one["x-scopes"]).map(String)),
    ]),
  ];
}

function lost(before: Terms["scopes"], after: Terms["scopes"], words: string): string[] {
  return [...before].flatMap(([operation, names]) => {
    const still = after.get(operation);
    if (still === undefined) return [];
    return [...names]
      .filter((name) => !still.has(name))
      .map((name) => `${words}: ${operation} ${name}`);
  });
}

function narrowed(old: Json, now: Json): string[] {
  const told = (name: string) => `${name} ${String(old[name])} -> ${String(now[name])}`;
  const numberOf = (limits: Json, name: string, otherwise: number) =>
    typeof limits[name] === "number" ? limits[name] : otherwise;
  return [
    ...uppers.filter((name) => numberOf(now, name, Infinity) < numberOf(old, name, Infinity)),
    ...lowers.filter(
      (name) => numberOf(now, name, leastOf(name)) > numberOf(old, name, leastOf(name)),
    ),
    ...exact.filter((name) => isSet(now[name]) && now[name] !== old[name]),
  ].map(told);
}

/** A length has a least value, a number has none. */
function leastOf(name: string): number {
  return name === "minimum" ? -Infinity : 0;
}

/** A schema takes unknown members unless it says false, and equal items unless it says true. */
function isSet(limit: unknown): boolean {
  return limit === false || limit === true || typeof limit === "string";
}

function termsOf(document: unknown): Terms {
  const { paths, components } = objectOf(document);
  const schemas = objectOf(objectOf(components)["schemas"]);
  const responses = objectOf(objectOf(components)["responses"]);
  const limits = new Map<string, Json>();
  const operations = operationsIn(paths);
  for (const [name, operation] of operations) {
    for (const parameter of listOf(operation["parameters"]).map(objectOf)) {
      const place = `${name} ${String(parameter["name"])}`;
      addLimits(limits, schemas, { place, schema: objectOf(parameter["schema"]) });
    }
    const body = { place: `${name} body`, schema: schemaIn(objectOf(operation["requestBody"])) };
    addLimits(limits, schemas, body);
  }
  return {
    scopes: new Map(operations.map(([name, one]) => [name, openTo(one)])),
    codes: new Map(operations.map(([name, one]) => [name, codesOf(one, responses)])),
    limits,
  };
}

function openTo(operation: Json): ReadonlySet<string> {
  const scopes = listOf(operation["x-scopes"]).map((scope) => `scope ${String(scope)}`);
  const audience = operation["x-audience"];
  return new Set([...scopes, ...(typeof audience === "string" ? [`audience ${audience}`] : [])]);
}

function codesOf(operation: Json, components: Json): ReadonlySet<string> {
  const codes = Object.entries(objectOf(operation["responses"])).flatMap(([status, one]) => {
    const { $ref } = objectOf(one);
    const name = typeof $ref === "string" ? ($ref.split("/").at(-1) ?? "") : null;
    const { allOf } = schemaIn(objectOf(name === null ? one : components[name]));
    const choices = listOf(allOf).flatMap((part) =>
      listOf(objectOf(objectOf(objectOf(part)["properties"])["code"])["enum"]),
    );
    return choices.map((code) => `${status} ${String(code)}`);
  });
  return new Set(codes);
}

interface Placed {
  readonly place: string;
  readonly schema: Json;
}

/** A component is walked once, under its own name. */
function addLimits(limits: Map<string, Json>, schemas: Json, { place, schema }: Placed): void {
  const { $ref: reference } = schema;
  if (typeof reference === "string") {
    const name = reference.split("/").at(-1) ?? "";
    if (limits.has(name)) return;
    addLimits(limits, schemas, { place: name, schema: objectOf(schemas[name]) });
    return;
  }
  limits.set(place, schema);
  for (const [name, member] of Object.entries(objectOf(schema["properties"]))) {
    addLimits(limits, schemas, { place: `${place}/${name}`, schema: objectOf(member) });
  }
  const items = objectOf(schema["items"]);
  if (schema["items"] !== undefined)
    addLimits(limits, schemas, { place: `${place}/*`, schema: items });
  for (const [index, branch] of listOf(schema["anyOf"]).entries()) {
    addLimits(limits, schemas, { place: `${place}|${index}`, schema: objectOf(branch) });
  }
}

function schemaIn(holder: Json): Json {
  return objectOf(objectOf(objectOf(holder["content"])["application/json"])["schema"]);
}

function operationsIn(paths: unknown): [name: string, operation: Json][] {
  return Object.entries(objectOf(paths)).flatMap(([path, methods]) =>
    Object.entries(objectOf(methods)).map(([method, one]): [string, Json] => [
      `${method.toUpperCase()} ${path}`,
      objectOf(one),
    ]),
  );
}

function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
