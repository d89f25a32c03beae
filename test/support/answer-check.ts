// Validates answers against the OpenAPI document with an independent validator: an answer with an
// undocumented status, header or shape fails the test that received it.

import addFormats from "ajv-formats";
import Ajv2020 from "ajv/dist/2020.js";

import { document } from "#interface.ts";

export interface SeenAnswer {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export type AnswerCheck = (seen: SeenAnswer) => void;

type Json = Record<string, unknown>;

const DOCUMENT = "duka";

let compiled: AnswerCheck | undefined;

/**
 * Returns a check that throws with every difference. The document is built and its schemas are compiled
 * once per process, since that costs more than opening a shop.
 */
export function answerCheck(): AnswerCheck {
  compiled ??= compileCheck();
  return compiled;
}

function compileCheck(): AnswerCheck {
  const spec: unknown = JSON.parse(JSON.stringify(document()));
  const paths = isJson(spec) && isJson(spec["paths"]) ? spec["paths"] : {};
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(isJson(spec) ? spec : {}, DOCUMENT);
  const templates = Object.keys(paths)
    .toSorted((one, other) => braces(one) - braces(other))
    .map((template) => ({
      template,
      matches: new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    }));
  return (seen) => {
    const template = templates.find((one) => one.matches.test(seen.path))?.template ?? "";
    const operation = inside(paths, template, methodOf(seen));
    if (operation === null) return;
    const where = `${seen.method} ${seen.path} answered ${seen.status}`;
    const response = inside(operation, "responses", String(seen.status));
    if (response === null) throw new Error(`${where}, which is not documented: ${seen.text}`);
    requireDescribedHeaders(seen, response, where);
    if (seen.text === "" || seen.method === "HEAD") return;
    const validate = ajv.getSchema(`${DOCUMENT}#/${pointerTo(template, seen)}`);
    if (validate === undefined) throw new Error(`${where}, but its document has no body.`);
    if (validate(JSON.parse(seen.text))) return;
    throw new Error(`${where}, and ${ajv.errorsText(validate.errors)}: ${seen.text}`);
  };
}

function inside(value: unknown, ...names: readonly string[]): Json | null {
  let found = value;
  for (const name of names) found = isJson(found) ? found[name] : undefined;
  return isJson(found) ? found : null;
}

function pointerTo(template: string, seen: SeenAnswer): string {
  return ["paths", template, methodOf(seen), "responses", String(seen.status)]
    .concat(["content", "application/json", "schema"])
    .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
    .join("/");
}

/** A header that is documented for some answers must not appear on others. */
const PROMISED = ["etag", "location", "link", "retry-after", "ratelimit", "www-authenticate"];

function requireDescribedHeaders(seen: SeenAnswer, response: Json, where: string): void {
  const described = isJson(response["headers"])
    ? Object.keys(response["headers"]).map((name) => name.toLowerCase())
    : [];
  for (const name of PROMISED) {
    if (seen.headers.has(name) && !described.includes(name)) {
      throw new Error(`${where} with ${name}, which is not documented.`);
    }
  }
  // A caller that is promised 304 needs the tag to ask for it.
  if (described.includes("etag") && !seen.headers.has("etag")) {
    throw new Error(`${where} without the ETag that is documented.`);
  }
}

function methodOf(seen: SeenAnswer): string {
  return seen.method === "HEAD" ? "get" : seen.method.toLowerCase();
}

function braces(template: string): number {
  return template.split("{").length;
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
