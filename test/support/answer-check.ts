// Validates answers and events against the OpenAPI document with an independent validator: an answer with
// an undocumented status, header or shape fails the test that received it, and an event with an undocumented
// payload the test that caused it.

import addFormats from "ajv-formats";
import Ajv2020 from "ajv/dist/2020.js";

import { document, refusals } from "#interface.ts";
import type { LoggedEvent } from "#platform/event-log/event-log.ts";

export interface SeenAnswer {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Throws with every difference. */
export interface ContractCheck {
  readonly answer: (seen: SeenAnswer) => void;
  /** An event whose subject is no id was invented by a test, and is let through. */
  readonly event: (event: LoggedEvent) => void;
}

type Json = Record<string, unknown>;

const DOCUMENT = "duka";

let compiled: ContractCheck | undefined;

/**
 * Returns the check of this program. The document is built and its schemas are compiled once per process,
 * since that costs more than opening a shop.
 */
export function contractCheck(): ContractCheck {
  compiled ??= compileCheck();
  return compiled;
}

function compileCheck(): ContractCheck {
  const spec: unknown = JSON.parse(JSON.stringify(document()));
  const paths = isJson(spec) && isJson(spec["paths"]) ? spec["paths"] : {};
  // Most validators check one answer: a component is compiled once and called, and their code is not made faster.
  const cheap = { inlineRefs: false, code: { optimize: false } };
  const ajv = new Ajv2020({ strict: false, allErrors: true, ...cheap });
  addFormats.default(ajv);
  // The library has no format of its own for it; the patterns beside it are checked.
  ajv.addFormat("idn-email", true);
  ajv.addSchema(isJson(spec) ? spec : {}, DOCUMENT);
  const templates = Object.keys(paths)
    .toSorted((one, other) => braces(one) - braces(other))
    .map((template) => ({
      template,
      matches: new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    }));
  const checkAnswer = (seen: SeenAnswer): void => {
    const template = templates.find((one) => one.matches.test(seen.path))?.template ?? "";
    const operation = inside(paths, template, methodOf(seen));
    if (operation === null) return;
    const where = `${seen.method} ${seen.path} answered ${seen.status}`;
    const { response, place } = responseIn(spec, template, seen);
    if (response === null) throw new Error(`${where}, which is not documented: ${seen.text}`);
    requireDescribedHeaders(seen, response, where);
    if (seen.text === "" || seen.method === "HEAD") return;
    if (seen.status >= 400) requireExplainedFaults(JSON.parse(seen.text), where);
    const validate = ajv.getSchema(`${DOCUMENT}#/${pointerTo(place)}`);
    if (validate === undefined) throw new Error(`${where}, but its document has no body.`);
    if (validate(JSON.parse(seen.text))) return;
    throw new Error(`${where}, and ${ajv.errorsText(validate.errors)}: ${seen.text}`);
  };
  const checkEvent = ({ name, subject, data }: LoggedEvent): void => {
    if (!/^[a-z]+_[0-9a-z]{26}$/.test(subject)) return;
    const content = inside(spec, "webhooks", name, "post", "requestBody", "content");
    const schema = inside(content, "application/json", "schema");
    if (schema === null) throw new Error(`${name} was emitted, which is not documented.`);
    const validate = ajv.getSchema(`${DOCUMENT}${String(schema["$ref"])}/properties/data`);
    if (validate?.(JSON.parse(data)) === true) return;
    throw new Error(`${name} was emitted, and ${ajv.errorsText(validate?.errors)}: ${data}`);
  };
  return { answer: checkAnswer, event: checkEvent };
}

function inside(value: unknown, ...names: readonly string[]): Json | null {
  let found = value;
  for (const name of names) found = isJson(found) ? found[name] : undefined;
  return isJson(found) ? found : null;
}

/** The response of the operation with the status, and its place in the document, which may be a component. */
function responseIn(spec: unknown, template: string, seen: SeenAnswer) {
  const own = ["paths", template, methodOf(seen), "responses", String(seen.status)];
  const reference = inside(spec, ...own)?.["$ref"];
  const place = typeof reference === "string" ? reference.split("/").slice(1) : own;
  return { response: inside(spec, ...place), place };
}

function pointerTo(response: readonly string[]): string {
  return [...response, "content", "application/json", "schema"]
    .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
    .join("/");
}

/** A header that is documented for some answers must not appear on others. */
const PROMISED = ["etag", "location", "link", "retry-after", "www-authenticate"];

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

const explanations = new Map(
  refusals().map(({ code, explanation }): [string, object] => [code, explanation?.faults ?? {}]),
);

/** The error reference lists the codes of faults below each refusal. */
function requireExplainedFaults(problem: unknown, where: string): void {
  const { code, errors } = isJson(problem) ? problem : {};
  const explained = Object.keys(explanations.get(String(code)) ?? {});
  for (const fault of Array.isArray(errors) ? errors : []) {
    const inner = isJson(fault) ? String(fault["code"]) : "";
    if (explained.includes(inner)) continue;
    throw new Error(`${where}, and ${String(code)} is not explained with the fault ${inner}.`);
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
