// The OpenAPI document as pages show it: its operations by tag, and each named object at the one page that is its home.

import { type Operation, readOperations, resolved } from "#client/read-operations.ts";
import { type Json, listAt, objectAt, referredName } from "#client/type-text.ts";

export const INDEX_PATH = "/docs";

/** A page of the reference. */
export interface Section {
  readonly tag: string;
  readonly path: string;
  readonly description: string;
  readonly operations: readonly Described[];
  /** The objects whose home it is. */
  readonly objects: readonly NamedObject[];
}

/** An operation with what only people read. */
export interface Described extends Operation {
  readonly summary: string;
  readonly description: string;
  readonly isPublic: boolean;
  readonly isDeprecated: boolean;
  readonly parameters: readonly Json[];
  /** The schema of its body, which may only name it; null without one, or where it is a file. */
  readonly bodySchema: Json | null;
  /** The same with its fields. */
  readonly bodyFields: Json | null;
  readonly bodyExample: unknown;
  readonly status: string;
  readonly answerExample: unknown;
  readonly refusals: readonly Refused[];
}

/** A refusal of an operation. */
export interface Refused {
  readonly status: string;
  readonly code: string;
  readonly title: string;
}

export interface NamedObject {
  readonly name: string;
  readonly schema: Json;
  /** True if requests have it: then a field may be needed. */
  readonly isSent: boolean;
}

export interface Reference {
  readonly title: string;
  readonly version: string;
  /** The rules that all operations share, as Markdown. */
  readonly introduction: string;
  /** The address of the server. */
  readonly url: string;
  readonly sections: readonly Section[];
  /** The refusals of more than half of all operations: told once. */
  readonly common: readonly Refused[];
  /** The page that explains each object. */
  readonly homes: ReadonlyMap<string, string>;
}

/** Reads the document. Throws where the client would, since a page shows its calls. */
export function readReference(given: unknown): Reference {
  const document = objectAt(given, "the document");
  const info = objectAt(document["info"], "info");
  const [server] = listAt(document["servers"], "servers");
  const all = readOperations(document).map((operation) => describe(operation, document));
  const common = refusedMostly(all);
  const rare = all.map((one) => ({ ...one, refusals: one.refusals.filter(isRareIn(common)) }));
  const tags = listAt(document["tags"], "tags").map((tag) => objectAt(tag, "tags"));
  const pages = tags.map(({ name, description = "" }) => {
    const operations = rare.filter(({ tag }) => tag === name);
    return {
      tag: String(name),
      path: sectionPath(String(name)),
      description: String(description),
      operations,
    };
  });
  const found = new Objects(document, pages);
  return {
    title: String(info["title"]),
    version: String(info["version"]),
    introduction: String(info["description"]),
    url: String(objectAt(server, "servers")["url"]).replace(/\/$/, ""),
    sections: pages.map((one) => ({ ...one, objects: found.at(one.path) })),
    common,
    homes: found.homes,
  };
}

/** The page of a tag. */
export function sectionPath(tag: string): string {
  return `${INDEX_PATH}/${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;
}

function describe(operation: Operation, document: Json): Described {
  const { id, path, verb } = operation;
  const words = objectAt(objectAt(objectAt(document["paths"], "paths")[path], path)[verb], id);
  const responses = Object.entries(objectAt(words["responses"], id));
  const [status = "", answer] = responses.find(([one]) => one.startsWith("2")) ?? [];
  const body = jsonOf(words["requestBody"]);
  const bodySchema = body === null ? null : objectAt(body["schema"], id);
  return {
    ...operation,
    summary: String(words["summary"]),
    description: String(words["description"]),
    isPublic: words["x-audience"] === "public",
    isDeprecated: words["deprecated"] === true,
    parameters: listAt(words["parameters"], id).map((one) => objectAt(one, id)),
    bodySchema,
    bodyFields: bodySchema === null ? null : resolved(bodySchema, document),
    bodyExample: exampleOf(body),
    status,
    answerExample: exampleOf(jsonOf(answer)),
    refusals: responses.flatMap(([one, response]) => refusalsIn(one, response, document)),
  };
}

/** The example of a body or an answer; undefined without one. */
function exampleOf(json: Json | null): unknown {
  const { seed } = json?.["examples"] === undefined ? {} : objectAt(json["examples"], "examples");
  return seed === undefined ? undefined : objectAt(seed, "seed")["value"];
}

/** The JSON of a body or an answer; null without one. */
function jsonOf(message: unknown): Json | null {
  const { content } = message === undefined ? {} : objectAt(message, "a message");
  const json = content === undefined ? undefined : objectAt(content, "content")["application/json"];
  return json === undefined ? null : objectAt(json, "JSON");
}

/** A response of refusals names them as its examples. */
function refusalsIn(status: string, response: unknown, document: Json): Refused[] {
  const { $ref } = objectAt(response, status);
  if (typeof $ref !== "string" || Number(status) < 400) return [];
  const { responses, examples } = objectAt(document["components"], "components");
  const name = $ref.replace("#/components/responses/", "");
  const shared = jsonOf(objectAt(responses, "responses")[name]);
  const titles = objectAt(examples, "examples");
  return Object.keys(objectAt(shared?.["examples"], name)).map((code) => ({
    status,
    code,
    title: String(objectAt(titles[code], code)["summary"]),
  }));
}

function refusedMostly(operations: readonly Described[]): Refused[] {
  const all = operations.flatMap(({ refusals }) => refusals);
  const byCode = Map.groupBy(all, ({ code }) => code);
  return [...byCode.values()]
    .filter((same) => same.length * 2 > operations.length)
    .flatMap((same) => same.slice(0, 1))
    .toSorted((one, other) => (one.status + one.code < other.status + other.code ? -1 : 1));
}

function isRareIn(common: readonly Refused[]): (one: Refused) => boolean {
  const codes = new Set(common.map(({ code }) => code));
  return ({ code }) => !codes.has(code);
}

/** A page before its objects are known. */
type Page = Omit<Section, "objects">;

/** Gives each object the page that explains it: the one that answers it most often, else the first whose operations reach it. */
class Objects {
  readonly homes = new Map<string, string>();
  readonly #schemas: Json;
  /** The names in each schema: it is read once. */
  readonly #inner: ReadonlyMap<string, readonly string[]>;
  readonly #sent = new Set<string>();
  /** Bodies, which stand at their operation. */
  readonly #bodies = new Set<string>();

  constructor(document: Json, pages: readonly Page[]) {
    this.#schemas = objectAt(objectAt(document["components"], "components")["schemas"], "schemas");
    this.#inner = new Map(
      Object.entries(this.#schemas).map(([name, schema]) => [name, namesIn(schema)]),
    );
    const answers = pages.flatMap(({ path, operations }) =>
      operations.flatMap((one) => answeredBy(one).map((name) => ({ name, path }))),
    );
    for (const [name, places] of Map.groupBy(answers, (one) => one.name)) {
      const paths = [...Map.groupBy(places, ({ path }) => path).values()];
      const [most] = paths.toSorted((one, other) => other.length - one.length);
      this.#settle(name, most?.[0]?.path ?? "");
    }
    for (const { path, operations } of pages) {
      for (const one of operations) this.#add(path, one);
    }
  }

  /** A body stands at its operation alone, unless another object has it, too. */
  at(path: string): NamedObject[] {
    const within = new Set([...this.#inner.values()].flat());
    return [...this.homes]
      .filter(([name, home]) => home === path && (!this.#bodies.has(name) || within.has(name)))
      .map(([name]) => ({
        name,
        schema: objectAt(this.#schemas[name], name),
        isSent: this.#sent.has(name),
      }));
  }

  #add(path: string, operation: Described): void {
    const { bodySchema } = operation;
    if (bodySchema?.["$ref"] !== undefined)
      this.#bodies.add(referredName(bodySchema["$ref"], path));
    for (const name of this.#reached(namesIn(bodySchema))) {
      this.#sent.add(name);
      this.#settle(name, path);
    }
    for (const name of this.#reached(answeredBy(operation))) this.#settle(name, path);
  }

  #settle(name: string, path: string): void {
    if (!this.homes.has(name)) this.homes.set(name, path);
  }

  /** These and what they refer to, however far. */
  #reached(names: readonly string[], seen = new Set<string>()): Set<string> {
    for (const name of names) {
      if (seen.has(name)) continue;
      seen.add(name);
      this.#reached(this.#inner.get(name) ?? [], seen);
    }
    return seen;
  }
}

/** The objects that an operation answers. */
function answeredBy({ answer: { type, item } }: Described): string[] {
  if (type === null) return [];
  return type.schema === null ? [type.name, ...namesIn(item)] : namesIn(type.schema);
}

/** The names of the objects to which a schema refers directly. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([word, part]: [string, unknown]) =>
    word === "$ref" ? [referredName(part, "a schema")] : namesIn(part),
  );
}
