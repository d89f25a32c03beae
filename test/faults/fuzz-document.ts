// The OpenAPI document as the fuzz reads it: operations, their scopes and their inputs.

import { document } from "#interface.ts";

export type Json = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly schema: Json;
}

/** An operation as the document describes it. */
export interface Operation {
  /** `GET /v2/orders/{id}`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** Any of these scopes grants access. */
  readonly scopes: readonly string[];
  /** Whether publishable keys may call it. */
  readonly isPublic: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: Json | null;
}

/** The document as a client receives it: JSON, independent of the program that wrote it. */
const spec: Json = objectOf(JSON.parse(JSON.stringify(document())));

/** Every operation of the document. */
export const described: readonly Operation[] = Object.entries(objectOf(spec["paths"])).flatMap(
  ([path, methods]) =>
    Object.entries(objectOf(methods)).map(([method, operation]) =>
      operationOf(`${method.toUpperCase()} ${path}`, objectOf(operation)),
    ),
);

function operationOf(name: string, operation: Json): Operation {
  const [method = "", path = ""] = name.split(" ");
  return {
    name,
    method,
    path,
    scopes: listOf(operation["x-scopes"]).map(String),
    isPublic: operation["x-audience"] === "public",
    parameters: listOf(operation["parameters"]).map(parameterOf),
    body: bodyOf(operation),
  };
}

function parameterOf(given: unknown): Parameter {
  const { name, in: place, schema } = objectOf(given);
  const where = place === "path" || place === "query" ? place : "header";
  return { name: String(name), in: where, schema: objectOf(schema) };
}

function bodyOf(operation: Json): Json | null {
  const found = inside(operation, "requestBody", "content", "application/json", "schema");
  return found === undefined ? null : objectOf(found);
}

/** A schema with its reference resolved. */
export function resolved(schema: Json): Json {
  const reference = schema["$ref"];
  if (typeof reference !== "string") return schema;
  return resolved(objectOf(inside(spec, ...reference.split("/").slice(1))));
}

function inside(value: unknown, ...names: readonly string[]): unknown {
  let found = value;
  for (const name of names) found = objectOf(found)[name];
  return found;
}

/** The value if it is an object, else an empty one. */
export function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}

/** The value if it is an array, else an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
