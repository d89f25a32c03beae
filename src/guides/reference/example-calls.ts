// An operation as it is called: with curl, and with the typed client. What they send is what a run of the seeded shop
// sent; ids are shortened, since those of the reader's shop are others.

import { clientMethod } from "#client/resource-text.ts";
import type { Json } from "#client/type-text.ts";

import type { Described } from "./read-reference.ts";

/** Headers that a call cannot do without, and how the client names them. */
const tokens = [
  { header: "Customer-Token", option: "customerToken", variable: "CUSTOMER_TOKEN" },
  { header: "Order-Token", option: "orderToken", variable: "ORDER_TOKEN" },
];

/** A file that the examples upload. */
const FILE = { name: "mug.jpg", type: "image/jpeg" };

/** The call for a terminal. `url` is the address of the server. */
export function curlCall(operation: Described, url: string): string {
  const { verb, path, body } = operation;
  const method = verb === "get" ? [] : [`-X ${verb.toUpperCase()}`];
  const address = `${url}${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => idOf(operation, name))}`;
  const headers = neededTokens(operation).map(
    ({ header, variable }) => `-H "${header}: $${variable}"`,
  );
  return [
    ["curl", ...method, address].join(" "),
    '-H "Authorization: Bearer $KEY"',
    ...headers,
    ...(body === null ? [] : sentByCurl(operation)),
  ].join(" \\\n  ");
}

function sentByCurl(operation: Described): string[] {
  if (isFile(operation)) {
    return [`-H "Content-Type: ${FILE.type}"`, `--data-binary @${FILE.name}`];
  }
  const { bodyExample } = operation;
  if (bodyExample === undefined) return [];
  const json = JSON.stringify(bodyExample, null, 2).replaceAll("'", "'\\''");
  return ['-H "Content-Type: application/json"', `-d '${json}'`];
}

/** The call in a program. */
export function clientCall(operation: Described): string {
  const { answer } = operation;
  const options = neededTokens(operation).map(({ option }) => option);
  const input = inputText(operation);
  const inputs = input ?? (options.length > 0 && takesInput(operation) ? "{}" : null);
  const ids = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) =>
    JSON.stringify(idOf(operation, name)),
  );
  const args = [
    ...ids,
    ...(inputs === null ? [] : [inputs]),
    ...(options.length === 0 ? [] : [`{ ${options.join(", ")} }`]),
  ];
  const call = `duka.${clientMethod(operation)}(${args.join(", ")})`;
  if (answer.item !== null) return `for await (const one of ${call}) {\n  console.log(one);\n}`;
  return answer.type === null ? `await ${call};` : `const answer = await ${call};`;
}

function takesInput({ query, body }: Described): boolean {
  return query !== null || body !== null;
}

function inputText(operation: Described): string | null {
  if (isFile(operation)) return "file";
  const { bodyExample } = operation;
  if (bodyExample === undefined) return null;
  return JSON.stringify(bodyExample, null, 2).replaceAll(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, "$1$2:");
}

function isFile({ body }: Described): boolean {
  return body?.type.name === "FileBody";
}

function neededTokens({ parameters }: Described): typeof tokens {
  const needed = new Set(parameters.filter(isNeeded).map(({ name }) => name));
  return tokens.filter(({ header }) => needed.has(header));
}

function isNeeded({ required }: Json): boolean {
  return required === true;
}

/** An id by its prefix, such as `cart_…`; another parameter by its name. */
function idOf({ parameters }: Described, name: string): string {
  const { schema } = parameters.find((one) => one["name"] === name) ?? {};
  const prefix = /^\^([a-z]+_)\[/.exec(String(Object(schema).pattern))?.[1];
  return prefix === undefined ? name.toUpperCase() : `${prefix}…`;
}
