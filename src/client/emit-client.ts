// The typed client as one file without dependencies: what the operations of the document take and
// answer, and the runtime that sends them. TypeScript, or JavaScript with the types stripped.

import type { OpenApiDocument } from "#platform/http/openapi/docs.ts";

import { type Operation, readOperations } from "./read-operations.ts";
import { resourceText } from "./resource-text.ts";
import { runtimeText } from "./runtime-text.ts" with { type: "macro" };
import { comment, indented } from "./source-lines.ts";
import { declarationText, type Json, listAt, objectAt } from "./type-text.ts";

/** Declarations that the runtime has for itself alone. */
const internal = /^export (?=(?:class Transport|function pathOf|interface AnyPage)\b)/gm;
const declared = /^(?:export )?(?:async )?(?:class|interface|type|function|const) (\w+)/gm;
/** Types of the document that the runtime refers to. */
const referred = ["Event", "Problem", "WebhookPing"];

/** The client in TypeScript. Throws where the document has a shape that the client does not know. */
export function clientSource(document: OpenApiDocument): string {
  const json = JSON.stringify(document);
  const parsed = objectAt(JSON.parse(json), "the document");
  const operations = readOperations(parsed);
  return [
    headerText(parsed, json),
    versionText(parsed),
    classText(parsed, operations),
    ...typeTexts(parsed, operations),
    refusalCodesText(parsed),
    runtimeText().replaceAll(internal, ""),
  ].join("\n");
}

/** The same in JavaScript. */
export function clientScript(document: OpenApiDocument): string {
  const source = clientSource(document);
  const header = /^(?:\/\/.*\n)+/.exec(source)?.[0] ?? "";
  return header + new Bun.Transpiler({ loader: "ts", target: "browser" }).transformSync(source);
}

function headerText(document: Json, json: string): string {
  const { title, version } = objectAt(document["info"], "info");
  const digest = new Bun.CryptoHasher("sha256").update(json).digest("hex").slice(0, 16);
  return `// The client of ${String(title)} ${String(version)}, emitted from its OpenAPI document (SHA-256 ${digest}…).
// One file without dependencies for browsers, Node 20, Bun and Deno:
//
//   const duka = new Duka({ baseUrl: "https://shop.example", key: "test_sk_…" });
//   const order = await duka.orders.create({ line_items: [{ variant_id, quantity: 1 }] });
//   for await (const product of duka.products.list({ tag: "new" })) console.log(product.name);
//
// A refused call throws a DukaError with a \`code\`. Failures that pass are retried, always with the same
// idempotency key.
`;
}

/** The server answers its own in `X-Duka-Version`. */
function versionText(document: Json): string {
  const { version } = objectAt(document["info"], "info");
  return `const VERSION = ${JSON.stringify(String(version))};\n`;
}

function classText(document: Json, operations: readonly Operation[]): string {
  const tags = listAt(document["tags"], "tags").map((tag) => objectAt(tag, "tags"));
  const stray = operations.find(({ tag }) => tags.every(({ name }) => name !== tag));
  if (stray !== undefined) throw new Error(`The document has no tag ${stray.tag} of ${stray.id}`);
  const resources = tags.map(({ name, description = "" }) =>
    resourceText(
      { name: String(name), description: String(description) },
      operations.filter(({ tag }) => tag === name),
    ),
  );
  const members = [
    "readonly #api: Transport;",
    "constructor(options: DukaOptions) {\n  this.#api = new Transport(options);\n}",
    ...resources,
  ];
  return `export class Duka {${indented(`\n${members.join("\n\n")}`)}\n}\n`;
}

/** Types of inputs and answers, then the components of the document. Throws for two of one name. */
function typeTexts(document: Json, operations: readonly Operation[]): string[] {
  const { schemas } = objectAt(document["components"], "components");
  const components = objectAt(schemas, "schemas");
  const types = new Map(Object.entries(components));
  for (const name of referred) {
    if (!types.has(name)) throw new Error(`The document has no schema ${name}`);
  }
  for (const { name, schema } of operations.flatMap(typesOf)) {
    if (types.has(name)) throw new Error(`Two types are named ${name}`);
    types.set(name, schema);
  }
  const taken = ["Duka", ...[...runtimeText().matchAll(declared)].map(([, name = ""]) => name)];
  const twice = taken.find((name) => types.has(name));
  if (twice !== undefined) throw new Error(`A type of the document and the client are ${twice}`);
  return [...types].map(([name, schema]) => declarationText(name, schema));
}

/** The types that the document gives no name. */
function typesOf({ query, body, answer }: Operation): { name: string; schema: Json }[] {
  const page = answer.isPlainPage ? null : answer.type;
  return [query?.type, body?.type, page].flatMap((type) => {
    const schema = type?.schema ?? null;
    return type === undefined || type === null || schema === null ? [] : [{ ...type, schema }];
  });
}

/** Every code that a response names. */
function refusalCodesText(document: Json): string {
  const { responses = {} } = objectAt(document["components"], "components");
  const found = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { code } = "properties" in value ? Object(value.properties) : {};
    for (const one of listAt(code?.enum, "code")) found.add(String(one));
    for (const part of Object.values(value)) collect(part);
  };
  collect(responses);
  const codes = [...found].toSorted().map((code) => `\n  | ${JSON.stringify(code)}`);
  return `${comment("The codes of refused calls.")}export type RefusalCode =${codes.join("")};\n`;
}
