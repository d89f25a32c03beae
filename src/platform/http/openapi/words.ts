// Parts of the document that all operations share: the problem document and headers.

import { isObject } from "#kernel/assume.ts";
import { problemMembers } from "#kernel/refusal.ts";
import { isPublicField, publicFields } from "#platform/http/audience/audience.ts";
import { comparesVersions } from "#platform/http/calls/bound-route.ts";
import type { AnyRoute } from "#platform/http/contract/route.ts";

import type { Components } from "./components.ts";

type Json = Record<string, unknown>;

/** The requests and answers of a run of the seeded shop, by operation id and by event. */
export interface Examples {
  readonly requests: Readonly<Record<string, unknown>>;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly events: Readonly<Record<string, unknown>>;
}

/** The terms with which the parts of the document are made. */
export interface Writing {
  readonly components: Components;
  readonly examples: Examples;
}

/**
 * JSON of this schema. The tests hold every operation to an example; a test's own routes have none. It stands among
 * `examples`: generators copy an `example` into the comments of their types, which were twice as long.
 */
export function withExample(schema: unknown, example: unknown): Json {
  const examples = example === undefined ? {} : { examples: { seed: { value: example } } };
  return { "application/json": { schema, ...examples } };
}

const problemProperties: Json = publicFields({
  type: { type: "string", format: "uri", description: "The explanation of the code." },
  title: { type: "string" },
  status: { type: "integer", minimum: 400, maximum: 599 },
  detail: { type: "string", description: "For people; do not parse it." },
  code: { type: "string", description: "Stable; branch on this." },
  request_id: { type: "string" },
  retryable: { type: "boolean", description: "Whether the same request may succeed later." },
  errors: {
    type: "array",
    items: {
      "x-component": "Fault",
      type: "object",
      required: ["code", "detail"],
      additionalProperties: false,
      properties: publicFields({
        pointer: { type: "string", description: "JSON Pointer into the body, as a fragment." },
        parameter: { type: "string" },
        header: { type: "string" },
        code: { type: "string" },
        detail: { type: "string" },
      }),
    },
  },
});

/** A problem document (RFC 9457), with the members that single codes add to it. */
export function problemSchema(): Json {
  return {
    type: "object",
    // Later codes may have other members.
    additionalProperties: true,
    required: Object.keys(problemProperties),
    properties: { ...problemProperties, ...problemMembers() },
  };
}

const text = (description: string): Json => ({ description, schema: { type: "string" } });

/** The headers that some answers carry. Those of every answer are told once, in the introduction. */
const everyHeader: Json = {
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", minimum: 1 } },
  ETag: text("Version and hash of the representation; for If-None-Match and If-Match."),
  Location: text("The path of the created resource."),
  Link: text("The next page (RFC 8288)."),
  Deprecation: text("Since when the operation is deprecated (RFC 9745)."),
  Sunset: text("The day on which the operation may be gone (RFC 8594)."),
  "Idempotent-Replayed": text("`true` if this is the stored response of an earlier request."),
  "WWW-Authenticate": text("Bearer (RFC 6750)."),
};

type Carries = (status: number, route: AnyRoute) => boolean;

/** Which responses besides refusals may carry each header. */
const carriers: readonly (readonly [header: string, carries: Carries])[] = [
  ["ETag", (_, route) => answersTag(route)],
  ["Location", (status) => status === 201],
  ["Link", carriesLink],
  ["Deprecation", (_, route) => isDeprecated(route)],
  ["Sunset", (_, route) => isDeprecated(route)],
  ["Idempotent-Replayed", (_, route) => route.method !== "GET"],
];

function carriesLink(status: number, route: AnyRoute): boolean {
  if (status === 304) return false;
  return isDeprecated(route) || (status === 200 && route.kind === "list");
}

/** The headers of the document, without those that none of its operations has. */
export function headerComponents(routes: readonly AnyRoute[]): Json {
  const { Deprecation: _, Sunset: __, ...others } = everyHeader;
  return routes.some((route) => isDeprecated(route) || route.also.length > 0)
    ? everyHeader
    : others;
}

function isDeprecated({ deprecated }: AnyRoute): boolean {
  return deprecated !== null;
}

/** Returns true if its answer is one resource with a version, or one that caches keep. */
export function answersTag(route: AnyRoute): boolean {
  return (route.hasVersion && route.kind !== "list") || route.edge !== null;
}

/** The headers of a response with this status, below 400, besides those of every answer. */
export function describedHeaders(status: number, route: AnyRoute): Json {
  const own = carriers.filter(([, carries]) => carries(status, route)).map(([name]) => name);
  return headersNamed(own);
}

/** The refusals that are stored with the idempotency key of the request. */
const storedStatuses = new Set([404, 409, 422]);

/**
 * The headers of a refusal, besides those of every answer; `isTemporary` of a conflict that is worth a retry: another
 * request with the idempotency key is running.
 */
export function refusedHeaders(status: number, isTemporary: boolean): Json {
  return headersNamed([
    ...(status === 401 || status === 403 ? ["WWW-Authenticate"] : []),
    ...(status === 429 || status === 503 || isTemporary ? ["Retry-After"] : []),
    ...(storedStatuses.has(status) ? ["Idempotent-Replayed"] : []),
  ]);
}

/** The member `headers` of a response, which is left out where there are none. */
function headersNamed(names: readonly string[]): Json {
  if (names.length === 0) return {};
  const references = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return { headers: Object.fromEntries(references) };
}

/** The request headers besides Authorization. */
export function requestHeaders(route: AnyRoute): Json[] {
  const header = (name: string, description: string, schema: Json = { type: "string" }): Json => ({
    name,
    in: "header",
    required: false,
    description,
    schema,
  });
  const ifNoneMatch = header("If-None-Match", "An ETag; the response is 304 if nothing changed.");
  const ofCustomer = {
    ...header("Customer-Token", "The `token` of the customer's session."),
    required: route.asCustomer,
  };
  const ofOrder = {
    ...header("Order-Token", "The `order_token` of the order, or the token of a link to its page."),
    required: true,
  };
  const orderToken = route.asBearer ? [ofOrder] : [];
  const customerToken = route.asCustomer || route.takesCustomer ? [ofCustomer] : [];
  if (route.method === "GET")
    return [...customerToken, ...orderToken, ...(answersTag(route) ? [ifNoneMatch] : [])];
  const ifMatch = header("If-Match", "An ETag; the response is 412 if the version is another.");
  return [
    ...customerToken,
    header("Idempotency-Key", "A retry with the same key never repeats the effect.", {
      type: "string",
      minLength: 1,
      maxLength: 255,
    }),
    ...(comparesVersions(route) ? [ifMatch] : []),
  ];
}

/** Sentences on an operation that publishable keys may call. */
export function publicWords({
  body,
  response,
  edge,
}: Pick<AnyRoute, "body" | "response" | "edge">): string {
  const sent = membersOf(body).filter(({ schema }) => isPublicField(schema));
  const hidden = hiddenIn(response);
  return [
    "A publishable key may call it",
    sent.length === 0 ? "." : ` with ${quoted(sent.map(({ name }) => name))}.`,
    hidden.length === 0 ? "" : ` It is not told ${quoted(hidden)}.`,
    edge === null ? "" : " Caches may keep the answer for `storefront_cache_seconds`.",
  ].join("");
}

/** The places of an answer that publishable keys are not told, such as `customer.id`. */
function hiddenIn(schema: unknown): string[] {
  const places = membersOf(schema).flatMap(({ name, schema: one }) =>
    isPublicField(one) ? hiddenIn(one).map((place) => `${name}.${place}`) : [name],
  );
  return [...new Set(places)];
}

interface Member {
  readonly name: string;
  readonly schema: unknown;
}

/** The members of an object, of the items of a list, and of what may be null. */
function membersOf(schema: unknown): readonly Member[] {
  if (!isObject(schema)) return [];
  const { properties, items, anyOf } = schema;
  const own = isObject(properties) ? Object.entries(properties) : [];
  const inner = [items, ...(Array.isArray(anyOf) ? anyOf : [])];
  return [...own.map(([name, one]) => ({ name, schema: one })), ...inner.flatMap(membersOf)];
}

function quoted(names: readonly string[]): string {
  const [last = "", ...others] = names.map((name) => `\`${name}\``).toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(", ")} and ${last}`;
}
