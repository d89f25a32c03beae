// The answers of Paystack's API as its own document publishes them: OpenAPI 3.0, which comes with the client that
// others generated from it.

import Schema from "typebox/schema";

import { assume, isObject } from "#kernel/assume.ts";

/** Beside the folder of the client's code. */
const DOCUMENT = new URL("../openapi.yaml", import.meta.resolve("@alexasomba/paystack-node"));
const OK = ["responses", "200"];
const JSON_BODY = ["content", "application/json", "schema"];

const document: unknown = Bun.YAML.parse(await Bun.file(DOCUMENT).text());

function memberOf(value: unknown, name: string): unknown {
  const whole = resolved(value);
  return isObject(whole) ? whole[name] : undefined;
}

function reach(value: unknown, names: readonly string[]): unknown {
  return names.reduce(memberOf, value);
}

/** What a reference leads to. */
function resolved(value: unknown): unknown {
  const reference = isObject(value) ? value["$ref"] : undefined;
  if (typeof reference !== "string") return value;
  return resolved(reach(document, reference.replace(/^#\//, "").split("/")));
}

/** The schema in the words of JSON Schema: without references, and with null where OpenAPI 3.0 says `nullable`. */
function jsonSchema(published: unknown): unknown {
  const schema = resolved(published);
  if (Array.isArray(schema)) return schema.map(jsonSchema);
  if (!isObject(schema)) return schema;
  const { nullable, ...rest } = schema;
  const own = Object.fromEntries(
    Object.entries(rest).map(([name, one]) => [name, jsonSchema(one)]),
  );
  return nullable === true ? { anyOf: [{ type: "null" }, own] } : own;
}

/** Where the answer is not of the published schema of the operation, as the pointer and what it must be. */
export function publishedFaults(method: "get" | "post", path: string, answer: unknown): string[] {
  const published = reach(document, ["paths", path, method, ...OK, ...JSON_BODY]);
  if (published === undefined) throw new Error(`${method} ${path} is not published.`);
  // The cast holds: the document has an object for each schema.
  const schema = assume<Record<string, unknown>>(jsonSchema(published));
  const [, errors] = Schema.Errors(schema, answer);
  return errors.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** The schemas of a member, or of the elements of a list, which is `-`. */
function membersOf(published: unknown, name: string): unknown[] {
  const schema = resolved(published);
  if (!isObject(schema)) return [];
  const parts = ["allOf", "anyOf", "oneOf"].flatMap((word) => schema[word] ?? []);
  const own = name === "-" ? schema["items"] : memberOf(schema["properties"], name);
  return [...(own === undefined ? [] : [own]), ...parts.flatMap((one) => membersOf(one, name))];
}

/** Whether an answer of the operation has the member, by the published document. */
export function isPublished(operation: string, pointer: string): boolean {
  const [method = "", path = ""] = operation.split(" ");
  const answers = reach(document, ["paths", path, method.toLowerCase(), "responses"]);
  const bodies = Object.values(isObject(answers) ? answers : {}).map((one) =>
    reach(one, JSON_BODY),
  );
  const names = pointer.split("/").slice(1);
  return names.reduce((all, name) => all.flatMap((one) => membersOf(one, name)), bodies).length > 0;
}
