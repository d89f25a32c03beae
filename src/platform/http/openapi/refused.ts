// Writes the refusals of operations into the document: each combination of codes is one response that all operations
// with it share, since repeated at each operation they would be more than half of the document. So are answers without
// a body.

import { type RefusalDefinition, validationFailed } from "#kernel/refusal.ts";
import { serverBusy, storageFull, storageUnavailable } from "#platform/database/errors.ts";
import { type Answer, problem, statusOfKind } from "#platform/http/contract/answer.ts";
import { idempotencyKeyReused } from "#platform/http/contract/idempotent.ts";
import {
  apiKeyInvalid,
  bodyTooLarge,
  cursorInvalid,
  headerInvalid,
  idempotencyInProgress,
  idempotencyKeyInvalid,
  internalError,
  jsonMalformed,
  mediaTypeUnsupported,
  queryInvalid,
  rateLimited,
  routeNotFound,
  scopeMissing,
  storageLow,
  tooManyFields,
} from "#platform/http/contract/refusals.ts";
import type { AnyRoute } from "#platform/http/contract/route.ts";

import { refusedHeaders, type Writing } from "./words.ts";

type Json = Record<string, unknown>;

/** All refusals of a route: its own and those of the HTTP layer. */
export function refusalsOf(route: AnyRoute): RefusalDefinition[] {
  const always = [
    apiKeyInvalid,
    scopeMissing,
    rateLimited,
    queryInvalid,
    headerInvalid,
    internalError,
  ];
  const writes = [
    bodyTooLarge,
    ...(route.file === null ? [jsonMalformed, mediaTypeUnsupported, tooManyFields] : []),
    serverBusy,
    validationFailed,
    idempotencyKeyInvalid,
    idempotencyKeyReused,
    storageFull,
    storageLow,
    storageUnavailable,
  ];
  const isRead = route.method === "GET";
  const parameters = Object.values(route.params).map((parameter) => parameter.notFound);
  const all = [
    ...always,
    ...(route.kind === "list" ? [cursorInvalid] : []),
    ...(isRead ? [] : writes),
    ...(route.kind === "workflow" && !isRead ? [idempotencyInProgress] : []),
    ...(route.isTestOnly ? [routeNotFound] : []),
    ...parameters,
    ...route.refusals,
  ];
  return [...new Set(all)];
}

/** A typical response of the refusal. `errorsUrl` is where the error reference is. */
export function exampleOf(refusal: RefusalDefinition, errorsUrl: string): Answer {
  return problem(refusal(refusal.explanation?.example), {
    requestId: "req_01jd2k8m3n4p5q6r7s8t9v0w1x",
    isPublic: false,
    errorsUrl,
  });
}

/**
 * The refusals of the HTTP layer itself with one status, by the name of that response: most operations refuse nothing
 * else with it, and name it.
 */
const ofEveryRoute: readonly (readonly [name: string, codes: string])[] = [
  // The longer before those that they begin with.
  ["BadWrite", joined([queryInvalid, headerInvalid, jsonMalformed, idempotencyKeyInvalid])],
  ["BadUpload", joined([queryInvalid, headerInvalid, idempotencyKeyInvalid])],
  ["BadRequest", joined([queryInvalid, headerInvalid])],
  ["Unprocessable", joined([tooManyFields, validationFailed, idempotencyKeyReused])],
  ["Unavailable", joined([serverBusy, storageFull, storageLow, storageUnavailable])],
];

/** The terms of writing what answers. */
export interface AnswerWriting extends Writing {
  readonly shared: SharedResponses;
}

/** Collects the responses that operations share as components of the document. */
export class SharedResponses {
  readonly #responses = new Map<string, Json>();
  readonly #refusals = new Set<RefusalDefinition>();

  /** References to what the route refuses, by status. */
  of(route: AnyRoute): Json {
    const byStatus = Map.groupBy(refusalsOf(route), ({ kind }) => statusOfKind[kind]);
    const sorted = [...byStatus].toSorted(([one], [other]) => one - other);
    return Object.fromEntries(sorted.map(([status, list]) => [status, this.#of(status, list)]));
  }

  /** All responses, and the examples that they refer to. */
  components(errorsUrl: string): { responses: Json; examples: Json } {
    const refusals = sortedBy([...this.#refusals], ({ code }) => code);
    const examples = refusals.map((refusal): [string, Json] => {
      const value: unknown = JSON.parse(exampleOf(refusal, errorsUrl).text);
      return [refusal.code, { summary: refusal.title, value }];
    });
    return {
      responses: Object.fromEntries(sortedBy([...this.#responses], ([name]) => name)),
      examples: Object.fromEntries(examples),
    };
  }

  /** A reference to the response under this name. */
  named(name: string, shared: Json): Json {
    const known = this.#responses.get(name);
    if (known === undefined) this.#responses.set(name, shared);
    else if (!Bun.deepEquals(known, shared)) {
      throw new Error(`Two different responses are named ${name}.`);
    }
    return { $ref: `#/components/responses/${name}` };
  }

  #of(status: number, list: readonly RefusalDefinition[]): Json {
    for (const one of list) this.#refusals.add(one);
    return this.named(responseName(list), response(status, list));
  }
}

/** The codes joined, where those of every route are one word. */
function responseName(list: readonly RefusalDefinition[]): string {
  const name = joined(list);
  const shared = ofEveryRoute.find(([, codes]) => `${name}Or`.startsWith(`${codes}Or`));
  if (shared === undefined) return name;
  const [word, codes] = shared;
  return word + name.slice(codes.length);
}

function joined(list: readonly RefusalDefinition[]): string {
  return list.map(({ code }) => pascal(code)).join("Or");
}

function response(status: number, list: readonly RefusalDefinition[]): Json {
  const codes = list.map(({ code }) => code);
  const content = {
    schema: {
      allOf: [
        { $ref: "#/components/schemas/Problem" },
        { type: "object", properties: { code: { enum: codes } } },
      ],
    },
    examples: Object.fromEntries(
      codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
    ),
  };
  return {
    description: list.map(({ code, title }) => `\`${code}\`: ${title}`).join("\n\n"),
    ...refusedHeaders(status, codes.includes(idempotencyInProgress.code)),
    content: { "application/json": content, "application/problem+json": content },
  };
}

function sortedBy<T>(list: readonly T[], nameOf: (one: T) => string): T[] {
  return list.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

/** `order_not_found` as `OrderNotFound`. */
function pascal(code: string): string {
  return code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
