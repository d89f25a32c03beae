// The OpenAPI document as lines that can be compared: one for each operation, parameter, body, component,
// field and event. `!` is what is always there or needed, `?` what is not.

type Json = Readonly<Record<string, unknown>>;

/** Lines of a document, sorted. What begins with `>` goes to the server, with `<` comes from it. */
export function wireLines(document: unknown): string[] {
  const lines = new WireLines(objectOf(document));
  return lines.sorted();
}

class WireLines {
  readonly #lines = new Set<string>();
  readonly #components: Json;

  constructor(document: Json) {
    this.#components = objectOf(objectOf(document["components"])["schemas"]);
    for (const [name, one] of operationsIn(document["paths"])) this.#addOperation(name, one);
    for (const [name, one] of operationsIn(document["webhooks"])) {
      const schema = bodyOf(one["requestBody"]);
      this.#lines.add(`${name.replace("POST ", "event ")}! ${this.#typeOf("<", schema)}`);
    }
  }

  sorted(): string[] {
    return [...this.#lines].toSorted();
  }

  #addOperation(name: string, operation: Json): void {
    this.#lines.add(name);
    for (const given of listOf(operation["parameters"])) {
      const { in: place, name: parameter, required, schema } = objectOf(given);
      const type = this.#typeOf(">", objectOf(schema));
      this.#lines.add(`${name} >${String(place)}:${String(parameter)}${markOf(required)} ${type}`);
    }
    if (operation["requestBody"] !== undefined) {
      const type = this.#typeOf(">", bodyOf(operation["requestBody"]));
      this.#lines.add(
        `${name} >body${markOf(objectOf(operation["requestBody"])["required"])} ${type}`,
      );
    }
    for (const [status, one] of Object.entries(objectOf(operation["responses"]))) {
      if (status >= "300") continue;
      const schema = bodyOf(one);
      this.#lines.add(`${name} <${status}! ${this.#typeOf("<", schema)}`);
      this.#addFields("<", schema, `${name} <${status} `);
    }
  }

  /** Fields in fields are named by their place, items of lists by a star. */
  #addFields(direction: Direction, schema: Json, prefix: string): void {
    const needed = listOf(schema["required"]);
    for (const [name, one] of Object.entries(objectOf(schema["properties"]))) {
      const at = `${prefix}/${name}`;
      const type = this.#typeOf(direction, objectOf(one));
      this.#lines.add(`${at}${markOf(needed.includes(name))} ${type}`);
      this.#addFields(direction, objectOf(one), at);
    }
    if (schema["items"] !== undefined) {
      this.#addFields(direction, objectOf(schema["items"]), `${prefix}/*`);
    }
    for (const one of branchesOf(schema)) this.#addFields(direction, one, prefix);
  }

  /** What a value may be, without its limits: types, choices and components, sorted. */
  #typeOf(direction: Direction, schema: Json): string {
    const reference = schema["$ref"];
    if (typeof reference === "string") return this.#component(direction, reference);
    const branches = branchesOf(schema);
    if (branches.length > 0) {
      const types = branches.flatMap((one) => this.#typeOf(direction, one).split("|"));
      return [...new Set(types)].toSorted().join("|");
    }
    const choices = "const" in schema ? [schema["const"]] : listOf(schema["enum"]);
    if (choices.length > 0)
      return choices
        .map((one) => JSON.stringify(one))
        .toSorted()
        .join("|");
    const items = () => this.#typeOf(direction, objectOf(schema["items"])).replaceAll("|", "/");
    return [schema["type"]]
      .flat()
      .map((type) => (type === "array" ? `array of ${items()}` : String(type)))
      .toSorted()
      .join("|");
  }

  /** Adds the lines of the component once for each direction in which it travels. */
  #component(direction: Direction, reference: string): string {
    const name = reference.split("/").at(-1) ?? "";
    const schema = objectOf(this.#components[name]);
    const line = `${direction}${name}`;
    if (this.#lines.has(line)) return name;
    this.#lines.add(line);
    if ("properties" in schema) this.#addFields(direction, schema, `${line} `);
    else this.#lines.add(`${line} value! ${this.#typeOf(direction, schema)}`);
    return name;
  }
}

type Direction = ">" | "<";

function markOf(isNeeded: unknown): string {
  return isNeeded === true ? "!" : "?";
}

function branchesOf(schema: Json): Json[] {
  return [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])].map(objectOf);
}

function operationsIn(paths: unknown): [name: string, operation: Json][] {
  return Object.entries(objectOf(paths)).flatMap(([path, methods]) =>
    Object.entries(objectOf(methods)).map(([method, one]): [string, Json] => [
      `${method.toUpperCase()} ${path}`,
      objectOf(one),
    ]),
  );
}

function bodyOf(holder: unknown): Json {
  const content = objectOf(objectOf(holder)["content"]);
  return objectOf(objectOf(content["application/json"])["schema"]);
}

interface Line {
  readonly key: string;
  readonly isNeeded: boolean;
  readonly isRequest: boolean;
  readonly types: readonly string[];
}

type Lines = ReadonlyMap<string, { readonly text: string; readonly line: Line }>;

/**
 * Whatever a client that was written for the lines before would trip over. A shape that got a name since is the same on
 * the wire: its fields are then looked for in the component.
 */
export function breakingChanges(before: readonly string[], after: readonly string[]): string[] {
  const [was, is] = [byKey(before), byKey(after)];
  const told = [...was].flatMap(([key, { text, line: old }]) => {
    const found = lineAt(is, key);
    if (found === null) return [`gone: ${text}`];
    const line = { ...found, key, types: sameTypes(is, { old, line: found }) };
    return old.isRequest
      ? brokenRequest({ old, line, isOfOld: true })
      : brokenAnswer({ old, line });
  });
  const needed = [...is].flatMap(([key, { line }]) =>
    !was.has(key) && line.isRequest
      ? brokenRequest({ old: null, line, isOfOld: was.has(ownerOf(key)) })
      : [],
  );
  return [...told, ...needed];
}

/** The line of a field, also where what it stands in is a component by now. */
function lineAt(lines: Lines, key: string): Line | null {
  const known = lines.get(key);
  if (known !== undefined) return known.line;
  const steps = key.split("/");
  const direction = /(^| )>/.test(key) ? ">" : "<";
  const within = steps.flatMap((_, count) => {
    const [holder, rest] = [steps.slice(0, count).join("/"), steps.slice(count).join("/")];
    const types = lines.get(holder.trimEnd())?.line.types ?? [];
    const isItem = rest.startsWith("*/");
    const names = isItem ? types.flatMap(itemsOf) : types;
    return names.map((name) => `${direction}${name} /${isItem ? rest.slice(2) : rest}`);
  });
  const found = within.flatMap((moved) => (moved === key ? [] : (lineAt(lines, moved) ?? [])));
  const [first] = found;
  if (first === undefined) return null;
  // It stands in any of several components.
  const types = [...new Set(found.flatMap((line) => line.types))];
  return { ...first, types, isNeeded: found.every(({ isNeeded }) => isNeeded) };
}

function itemsOf(type: string): string[] {
  return type.startsWith("array of ") ? type.slice("array of ".length).split("/") : [];
}

/** The types of a line, where those that got a name since are written as they were before. */
function sameTypes(lines: Lines, { old, line }: { old: Line; line: Line }): readonly string[] {
  const direction = line.isRequest ? ">" : "<";
  const plain = (type: string): readonly string[] => {
    if (old.types.includes(type) || !lines.has(`${direction}${type}`)) return [type];
    // The recorded form of the same, which lacks nothing that was there.
    const current = type.replace(/Snapshot$/, "");
    if (old.types.includes(current)) return [current];
    const extended = old.types.find((one) => hasAllOf(lines, { type, extended: one }));
    if (extended !== undefined) return [extended];
    return lines.get(`${direction}${type} value`)?.line.types ?? ["object"];
  };
  return line.types.flatMap((type) => {
    const items = itemsOf(type);
    if (items.length === 0 || old.types.includes(type)) return plain(type);
    return [`array of ${items.flatMap(plain).join("/")}`];
  });
}

/** Returns true if answers of the type have each field of the other, as the other has it. */
function hasAllOf(
  lines: Lines,
  { type, extended }: { readonly type: string; readonly extended: string },
): boolean {
  const fields = [...lines].filter(([key]) => key.startsWith(`<${extended} /`));
  return (
    fields.length > 0 &&
    fields.every(([key, { text }]) => {
      const moved = (line: string) => line.replace(`<${extended} `, `<${type} `);
      return lines.get(moved(key))?.text === moved(text);
    })
  );
}

interface Pair {
  readonly old: Line | null;
  readonly line: Line;
}

interface AnswerPair {
  readonly old: Line;
  readonly line: Line;
}

/** A request must be able to say what it said, and needs no more. */
function brokenRequest({ old, line, isOfOld }: Pair & { readonly isOfOld: boolean }): string[] {
  if (line.isNeeded && isOfOld && old?.isNeeded !== true) return [`needed now: ${textOf(line)}`];
  return old === null || isWithin(old.types, line.types) ? [] : [changed(old, line)];
}

/** An answer has what it had, of no other type. */
function brokenAnswer({ old, line }: AnswerPair): string[] {
  // A client ignores the events that it does not know.
  if (line.key === "<Event value") return [];
  if (old.isNeeded && !line.isNeeded) {
    return [`optional now: ${textOf(line)}`];
  }
  return isWithin(line.types, old.types) ? [] : [changed(old, line)];
}

/** The operation or the component that the line of a request belongs to. */
function ownerOf(key: string): string {
  return (key.startsWith(">") ? key.split(" ") : key.split(" >"))[0] ?? "";
}

function textOf({ key, isNeeded, types }: Line): string {
  return `${key}${markOf(isNeeded)} ${types.join("|")}`;
}

function changed(old: Line, line: Line): string {
  return `changed: ${line.key}${markOf(line.isNeeded)} ${old.types.join("|")} -> ${line.types.join("|")}`;
}

function isWithin(some: readonly string[], all: readonly string[]): boolean {
  return some.every(
    (one) =>
      all.includes(one) ||
      (one === "integer" && all.includes("number")) ||
      all.some((other) => hasItemsOf(one, other)),
  );
}

/** Returns true if both are lists, and what stands in the first may stand in the other. */
function hasItemsOf(list: string, other: string): boolean {
  const items = itemsOf(list);
  return items.length > 0 && isWithin(items, itemsOf(other));
}

function byKey(lines: readonly string[]): Lines {
  const all = new Map<string, { readonly text: string; readonly line: Line }>();
  for (const text of lines) {
    const [, key = text, mark = "", types = ""] = /^(.*?)([!?]) (.*)$/.exec(text) ?? [];
    // A field of several branches has the types of each.
    const { isNeeded, types: before } = all.get(key)?.line ?? { isNeeded: true, types: [] };
    const line = {
      key,
      isNeeded: mark === "!" && isNeeded,
      isRequest: /(^| )>/.test(key),
      types: [...new Set([...before, ...types.split("|")])],
    };
    all.set(key, { text, line });
  }
  return all;
}

function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
