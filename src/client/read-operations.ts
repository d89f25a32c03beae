// The operations of an OpenAPI document as a client calls them. Invariant: what a method would not express
// throws, such as a header of another name or a body that is not JSON.

import { decimal } from "#platform/http/contract/words.ts";

import { deprecatedTag, type Json, listAt, objectAt, referredName } from "./type-text.ts";

export interface Operation {
  readonly id: string;
  readonly tag: string;
  /** Summary and description. */
  readonly about: string;
  readonly verb: Verb;
  readonly path: string;
  readonly query: Input | null;
  readonly body: Input | null;
  /** The headers that an option of a call sends, in lower case. */
  readonly headers: ReadonlySet<string>;
  readonly answer: Answer;
}

export type Verb = "get" | "post" | "put" | "delete";

/** The input of a call. */
interface Input {
  readonly type: TypeName;
  readonly isNeeded: boolean;
}

/** The name of a type, with its schema where the document gives it no name. */
interface TypeName {
  readonly name: string;
  readonly schema: Json | null;
}

export interface Answer {
  /** Null without a body. */
  readonly type: TypeName | null;
  /** The schema of one item where the answer is a page of a list. */
  readonly item: Json | null;
  /** True if a page has nothing beside its items and the cursor to the next one. */
  readonly isPlainPage: boolean;
}

const verbs: readonly Verb[] = ["get", "post", "put", "delete"];
const headersOfReads = new Set(["if-none-match"]);
const headersOfWrites = new Set(["idempotency-key", "if-match"]);

/** The operations in the order of the document. */
export function readOperations(document: Json): Operation[] {
  return Object.entries(objectAt(document["paths"], "paths")).flatMap(([path, methods]) =>
    Object.entries(objectAt(methods, path))
      // The same function by the way that will end.
      .filter(([, operation]) => objectAt(operation, path)["x-former-way"] === undefined)
      .map(([method, operation]) => {
        const verb = verbs.find((known) => known === method);
        if (verb === undefined) throw new Error(`The client has no method for ${method} ${path}`);
        return readOperation({ verb, path, operation: objectAt(operation, path), document });
      }),
  );
}

interface Found {
  readonly verb: Verb;
  readonly path: string;
  readonly operation: Json;
  readonly document: Json;
}

function readOperation(found: Found): Operation {
  const { verb, path, operation } = found;
  const id = String(operation["operationId"]);
  const [tag] = listAt(operation["tags"], id);
  const described = [operation["summary"], operation["description"]].filter(Boolean);
  const texts = [...described, ...deprecatedTag(operation)];
  const query = readQuery(id, parametersIn("query", found));
  const body = readBody(id, operation["requestBody"]);
  const hasBody = verb === "post" || verb === "put";
  if ((hasBody ? query : body) !== null) {
    throw new Error(
      `The client does not send a ${hasBody ? "query" : "body"} with ${verb} of ${id}`,
    );
  }
  return {
    id,
    tag: String(tag),
    about: texts.join("\n\n"),
    verb,
    path,
    query,
    body,
    headers: readHeaders(id, found),
    answer: readAnswer(id, found),
  };
}

function parametersIn(place: string, { operation, path }: Found): Json[] {
  return listAt(operation["parameters"], path)
    .map((parameter) => objectAt(parameter, path))
    .filter((parameter) => parameter["in"] === place);
}

function readHeaders(id: string, found: Found): Set<string> {
  const known = found.verb === "get" ? headersOfReads : headersOfWrites;
  const headers = parametersIn("header", found)
    .map(({ name }) => String(name).toLowerCase())
    // They are options of the client and of each call.
    .filter((name) => name !== "customer-token" && name !== "order-token");
  const unknown = headers.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new Error(`The client does not send ${unknown.join()} of ${id}`);
  return new Set(headers);
}

function readQuery(id: string, parameters: readonly Json[]): Input | null {
  if (parameters.length === 0) return null;
  const properties = parameters.map((parameter) => {
    const { name, schema, explode } = parameter;
    const { type, ...rest } = objectAt(schema, id);
    if (type === "array" && explode !== false) {
      throw new Error(`The client separates the values of ${String(name)} of ${id} by commas`);
    }
    const { description = rest["description"] } = parameter;
    // A program has amounts as numbers, too; both are the same in a URL.
    const given = rest["pattern"] === decimal.pattern ? ["string", "number"] : type;
    return [String(name), { ...rest, type: given, description }];
  });
  const required = parameters.filter((one) => one["required"] === true).map((one) => one["name"]);
  const schema = {
    type: "object",
    properties: Object.fromEntries(properties),
    required,
    additionalProperties: false,
  };
  return { type: { name: `${pascalCase(id)}Query`, schema }, isNeeded: required.length > 0 };
}

function readBody(id: string, requestBody: unknown): Input | null {
  if (requestBody === undefined) return null;
  const { required, content } = objectAt(requestBody, id);
  if (isFile(content)) return { type: { name: "FileBody", schema: null }, isNeeded: true };
  return { type: nameOf(jsonIn(content, id), pascalCase(id)), isNeeded: required === true };
}

function readAnswer(id: string, found: Found): Answer {
  const schemas = Object.entries(objectAt(found.operation["responses"], id))
    .filter(([status]) => status.startsWith("2"))
    .map(([, response]) => objectAt(response, id)["content"])
    .map((content) => (content === undefined ? null : jsonIn(content, id)));
  const [schema] = schemas;
  if (schema === undefined || new Set(schemas.map((one) => JSON.stringify(one))).size > 1) {
    throw new Error(`The client has one type for the answers of ${id}, which differ`);
  }
  if (schema === null) return { type: null, item: null, isPlainPage: false };
  const query = parametersIn("query", found).map(({ name }) => name);
  const type = nameOf(schema, `${pascalCase(id)}Response`);
  return { type, ...pageIn(type.schema ?? resolved(schema, found.document), query) };
}

/** A page has `data`, `has_more` and, for a parameter such as `cursor`, `next_cursor`. */
function pageIn(schema: Json, query: readonly unknown[]): Pick<Answer, "item" | "isPlainPage"> {
  const { properties } = schema;
  const members = properties === undefined ? {} : objectAt(properties, "a page");
  const place = ["cursor", "after"].find(
    (name) => query.includes(name) && members[`next_${name}`] !== undefined,
  );
  if (place === undefined || members["has_more"] === undefined) {
    return { item: null, isPlainPage: false };
  }
  const item = objectAt(objectAt(members["data"], "data of a page")["items"], "items of a page");
  return { item, isPlainPage: place === "cursor" && Object.keys(members).length === 3 };
}

/** A body that is no JSON is the bytes of a file. */
function isFile(content: unknown): boolean {
  const types = Object.values(objectAt(content, "content"));
  return types.length > 0 && types.every(isBinary);
}

function isBinary(type: unknown): boolean {
  return Object(Object(type).schema).format === "binary";
}

function jsonIn(content: unknown, id: string): Json {
  const json = objectAt(objectAt(content, id)["application/json"], `the JSON of ${id}`);
  return objectAt(json["schema"], `the schema of ${id}`);
}

/** The schema itself, where it may only name a component. */
export function resolved(schema: Json, document: Json): Json {
  if (schema["$ref"] === undefined) return schema;
  const name = referredName(schema["$ref"], "an answer");
  const { schemas } = objectAt(document["components"], "components");
  return objectAt(objectAt(schemas, "schemas")[name], name);
}

function nameOf(schema: Json, otherwise: string): TypeName {
  if (schema["$ref"] === undefined) return { name: otherwise, schema };
  return { name: referredName(schema["$ref"], otherwise), schema: null };
}

function pascalCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
