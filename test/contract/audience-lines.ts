// The fields of the operations that publishable keys may call, as the document describes them: one for each
// parameter, member of a body and member of an answer, with its audience.

type Json = Readonly<Record<string, unknown>>;

export interface AudienceLine {
  readonly operation: string;
  /** `>` goes to the server, `<` comes from it. */
  readonly direction: ">" | "<";
  /** `/customer/email`, with a star for the items of a list. */
  readonly place: string;
  /** The same from the component that has the field, such as `Address /city`. */
  readonly within: string;
  /** `public`, with what is narrower for publishable keys; else `secret`. */
  readonly audience: string;
}

type Place = Omit<AudienceLine, "audience">;

/** All lines of a document, in its order. Members of refusals are those of the operation `refusals`. */
export function audienceLines(document: unknown): AudienceLine[] {
  const spec = objectOf(document);
  const schemas = objectOf(objectOf(spec["components"])["schemas"]);
  const reading = new Reading(schemas);
  for (const [path, methods] of Object.entries(objectOf(spec["paths"]))) {
    for (const [method, one] of Object.entries(objectOf(methods))) {
      const operation = objectOf(one);
      if (operation["x-audience"] === "public") {
        reading.addOperation(`${method.toUpperCase()} ${path}`, operation);
      }
    }
  }
  const refused = { operation: "refusals", direction: "<", place: "", within: "Problem " } as const;
  reading.addMembers(refused, objectOf(schemas["Problem"]));
  return reading.lines;
}

class Reading {
  readonly lines: AudienceLine[] = [];
  readonly #schemas: Json;

  constructor(schemas: Json) {
    this.#schemas = schemas;
  }

  addOperation(name: string, operation: Json): void {
    const whole = { operation: name, place: "", within: `${name} ` };
    const sent = { ...whole, direction: ">" } as const;
    for (const given of listOf(operation["parameters"]).map(objectOf)) {
      if (given["in"] === "query") {
        this.#add(sent, `?${String(given["name"])}`, objectOf(given["schema"]));
      }
    }
    this.addMembers(sent, schemaIn(operation["requestBody"]));
    for (const [status, answer] of Object.entries(objectOf(operation["responses"]))) {
      const told = { ...whole, direction: "<" } as const;
      if (status.startsWith("2")) this.addMembers(told, this.#rowOf(schemaIn(answer)));
    }
  }

  /** The row of a page, or the resource itself. */
  #rowOf(schema: Json): Json {
    const { data } = objectOf(schema["properties"]);
    return data === undefined ? schema : objectOf(objectOf(data)["items"]);
  }

  addMembers(holder: Place, given: Json): void {
    const component = textOf(given["$ref"]).split("/").at(-1) ?? "";
    const isNamed = component !== "";
    const at = isNamed ? { ...holder, within: `${component} ` } : holder;
    const schema = isNamed ? objectOf(this.#schemas[component]) : given;
    for (const [name, one] of Object.entries(objectOf(schema["properties"]))) {
      this.#add(at, `/${name}`, objectOf(one));
    }
    if (schema["items"] !== undefined) {
      this.addMembers(inner(at, "/*"), objectOf(schema["items"]));
    }
    for (const one of listOf(schema["anyOf"])) this.addMembers(at, objectOf(one));
  }

  #add(holder: Place, step: string, schema: Json): void {
    const at = inner(holder, step);
    const terms = schema["x-public"];
    const narrower = terms === undefined ? "" : ` ${JSON.stringify(terms)}`;
    const isOpen = schema["x-audience"] === "public";
    const line = { ...at, audience: isOpen ? `public${narrower}` : "secret" };
    if (this.lines.some((one) => Bun.deepEquals(one, line))) return;
    this.lines.push(line);
    // What is within a secret field is secret with it.
    if (isOpen) this.addMembers(at, schema);
  }
}

function inner(at: Place, step: string): Place {
  return { ...at, place: at.place + step, within: at.within + step };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function schemaIn(holder: unknown): Json {
  const content = objectOf(objectOf(holder)["content"]);
  return objectOf(objectOf(content["application/json"])["schema"]);
}

/** The members of a value; none if it has none. */
export function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
