// The methods of the client, grouped by the tags of their operations: `createOrder` of Orders is
// `orders.create`, `createVariant` of Products is `products.createVariant`.

import type { Answer, Operation } from "./read-operations.ts";
import { comment, indented } from "./source-lines.ts";
import { typeText } from "./type-text.ts";

/** The rest of 100 columns for a method: it stands in an object in a class. */
const METHOD_WIDTH = 96;

/** A tag of the document. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

/** The members of the class that call the operations of a tag. Throws for two of one name. */
export function resourceText(tag: Tag, operations: readonly Operation[]): string {
  const names = operations.map((operation) => methodName(operation));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${tag.name} has two methods named ${twice}`);
  const methods = operations.map((operation) => methodText(operation)).join("\n\n");
  const about = tag.description === "" ? "" : comment(tag.description);
  return `${about}readonly ${camelCase(tag.name)} = {${indented(`\n${methods}`)}\n};`;
}

/** How a program names the method of an operation, such as `carts.addLine`. */
export function clientMethod(operation: Operation): string {
  return `${camelCase(operation.tag)}.${methodName(operation)}`;
}

/** The words of the operation without its resource: verb first. */
function methodName({ id, tag }: Operation): string {
  const one = pascalCase(tag).replace(/ies$/, "y").replace(/s$/, "");
  const name = [pascalCase(tag), one].reduce(
    (rest, noun) => rest.replace(new RegExp(`^([a-z]+)${noun}(?![a-z])`), "$1"),
    id,
  );
  if (!/^[a-z]+[A-Z]\w*$/.test(id)) throw new Error(`${id} of ${tag} is no verb and noun`);
  return name;
}

function methodText(operation: Operation): string {
  const { about, path, verb, query, body, answer } = operation;
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => camelCase(name));
  const input = query ?? body;
  const inputName = query === null ? "body" : "query";
  const parameters = [
    ...ids.map((name) => `${name}: string`),
    ...(input === null ? [] : [parameterText(inputName, input)]),
    `options?: ${optionsOf(operation)}`,
  ];
  const args = [pathText(path), input === null ? "undefined" : inputName, "options"];
  const method = answer.item === null ? verb : "list";
  const head = called(`${methodName(operation)}: `, parameters, " =>");
  const call = called(`this.#api.${method}<${answerText(answer)}>`, args, ",");
  const isOneLine = !`${head}${call}`.includes("\n") && head.length + call.length < METHOD_WIDTH;
  const isBroken = head.includes("\n") && !call.includes("\n");
  return `${comment(about)}${head}${isOneLine || isBroken ? " " : "\n  "}${indented(call)}`;
}

/** A list in parentheses, on one line or one line each. */
function called(before: string, list: readonly string[], after: string): string {
  const line = `${before}(${list.join(", ")})${after}`;
  if (line.length <= METHOD_WIDTH - 2) return line;
  return `${before}(\n${list.map((one) => `  ${one},\n`).join("")})${after}`;
}

function parameterText(
  name: string,
  { type, isNeeded }: NonNullable<Operation["query" | "body"]>,
): string {
  return `${name}${isNeeded ? "" : "?"}: ${type.name}`;
}

function optionsOf({ verb, headers }: Operation): string {
  if (verb === "get") return "ReadOptions";
  return headers.has("if-match") ? "UpdateOptions" : "WriteOptions";
}

function answerText({ type, item, isPlainPage }: Answer): string {
  if (type === null) return "void";
  if (item === null) return type.name;
  const one = typeText(item, type.name);
  return isPlainPage ? one : `${one}, ${type.name}`;
}

function pathText(path: string): string {
  if (!path.includes("{")) return JSON.stringify(path);
  const text = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${${camelCase(name)}}`);
  return `pathOf\`${text}\``;
}

function pascalCase(text: string): string {
  return text
    .split(/[\s_-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

function camelCase(text: string): string {
  const name = pascalCase(text);
  return name.charAt(0).toLowerCase() + name.slice(1);
}
