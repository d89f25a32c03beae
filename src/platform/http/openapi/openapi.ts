// Generates the OpenAPI 3.1 document from the routes that are served, so that the server returns no
// status or code that the document does not list.

import { isObject } from "#kernel/assume.ts";
import { scopeSentence } from "#platform/http/contract/caller.ts";
import { deprecationWords } from "#platform/http/contract/deprecation.ts";
import type { AnyRoute } from "#platform/http/contract/route.ts";
import { formerRoutes } from "#platform/http/contract/ways.ts";
import { querySchema } from "#platform/http/contract/words.ts";
import { takingNulls } from "#platform/http/intake/absent-nulls.ts";

import { Components, type Vocabulary } from "./components.ts";
import type { OpenApiDocument } from "./docs.ts";
import { describeEvents, type EventTerms } from "./events.ts";
import { type AnswerWriting, SharedResponses } from "./refused.ts";
import {
  answersTag,
  describedHeaders,
  type Examples,
  headerComponents,
  problemSchema,
  publicWords,
  requestHeaders,
  withExample,
  type Writing,
} from "./words.ts";

type Json = Record<string, unknown>;

interface DocumentTerms {
  readonly info: OpenApiDocument["info"];
  /** The address at which the server is reached; `/` is where the document was read. */
  readonly url: string;
  /** The description of each tag, in the order of the table of contents. */
  readonly tags: Readonly<Record<string, string>>;
  readonly routes: readonly AnyRoute[];
  /** True if publishable keys may call the route. */
  readonly isPublic: (route: AnyRoute) => boolean;
  readonly events: EventTerms;
  readonly examples: Examples;
  readonly vocabulary: Vocabulary;
}

interface OperationWriting extends AnswerWriting {
  readonly isPublic: boolean;
}

/** The document of all routes. Schemas are named by their `x-component`. */
export function openApiDocument(terms: DocumentTerms): OpenApiDocument {
  const components = new Components(terms.vocabulary);
  const shared = new SharedResponses();
  const { examples } = terms;
  const paths: Record<string, Json> = {};
  const writing = { components, shared, examples };
  for (const route of terms.routes) {
    const isPublic = terms.isPublic(route);
    for (const one of [route, ...documentedFormer(route)]) {
      const path = (paths[one.path] ??= {});
      const described = operation(one, { ...writing, isPublic });
      path[one.method.toLowerCase()] = one === route ? described : asFormer(one, described);
    }
  }
  components.named("Problem", problemSchema());
  const { union, webhooks } = describeEvents(terms.events, writing);
  return {
    openapi: "3.1.0",
    info: terms.info,
    servers: [{ url: terms.url, description: "The server that serves this document." }],
    tags: Object.entries(terms.tags).map(([name, description]) => ({ name, description })),
    security: [{ api_key: [] }],
    paths,
    webhooks,
    components: {
      schemas: { ...components.schemas(), Event: union },
      ...shared.components(errorsUrl(terms.url)),
      headers: headerComponents(terms.routes),
      securitySchemes: {
        api_key: {
          type: "http",
          scheme: "bearer",
          description:
            "`test_sk_…` or `live_sk_…`, in web pages `test_pk_…` or `live_pk_…`: the prefix picks the mode.",
        },
      },
    },
  };
}

/** Absolute, as the `type` of a problem is, also where the server's address is not known. */
function errorsUrl(url: string): string {
  return new URL("/docs/errors", url === "/" ? "https://shop.example" : url).href;
}

function operation(route: AnyRoute, writing: OperationWriting): Json {
  const isRead = route.method === "GET";
  const description = [
    route.description,
    scopeSentence(route, "Needs"),
    writing.isPublic ? publicWords(route) : undefined,
  ]
    .filter((text) => text !== undefined)
    .join("\n\n");
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description,
    ...(route.deprecated !== null && deprecationWords(route.deprecated, description)),
    ...(writing.isPublic && { "x-audience": "public" }),
    "x-scopes": route.scopes,
    ...(route.alsoScopes.length > 0 && { "x-also-scopes": route.alsoScopes }),
    parameters: [
      ...pathParameters(route),
      ...queryParameters(route, writing.components),
      ...requestHeaders(route),
    ],
    ...(isRead ? {} : requestBody(route, writing)),
    responses: responses(route, writing),
  };
}

function documentedFormer(route: AnyRoute): AnyRoute[] {
  return formerRoutes(route).filter((_, index) => route.also[index]?.isDocumented);
}

/** A former way has a name of its own, since no two operations have the same; clients leave it out. */
function asFormer({ method, operationId }: AnyRoute, described: Json): Json {
  const verb = capitalized(method.toLowerCase());
  return { ...described, operationId: `${operationId}By${verb}`, "x-former-way": true };
}

function pathParameters(route: AnyRoute): Json[] {
  return Object.entries(route.params).map(([name, parameter]) => ({
    name,
    in: "path",
    required: true,
    description: parameter.description,
    schema: { type: "string", pattern: parameter.pattern },
  }));
}

function queryParameters(route: AnyRoute, components: Components): Json[] {
  const schema: unknown = components.query({ ...querySchema(route) });
  const properties = isObject(schema) && isObject(schema["properties"]) ? schema["properties"] : {};
  const needed: unknown[] = isObject(schema) ? [schema["required"]].flat() : [];
  return Object.entries(properties).map(([name, one]) => {
    const described = isObject(one) ? one : {};
    const isList = described["type"] === "array";
    return {
      name,
      in: "query",
      required: needed.includes(name),
      ...(described["description"] === undefined ? {} : { description: described["description"] }),
      ...(described["deprecated"] === true && { deprecated: true }),
      ...(isList ? { style: "form", explode: false } : {}),
      ...(described["type"] === "object" ? { style: "deepObject", explode: true } : {}),
      schema: described,
    };
  });
}

/** The bytes as they are. */
const fileSchema: Json = { type: "string", format: "binary" };

/** A body without a name of its own is named after its operation: `CreateOrder`. */
function requestBody(route: AnyRoute, { components, examples }: Writing): Json {
  if (route.body === null) return {};
  if (route.file !== null) {
    const content = route.file.mediaTypes.map((type) => [type, { schema: fileSchema }]);
    return { requestBody: { required: true, content: Object.fromEntries(content) } };
  }
  const taken = Object(takingNulls(route.body));
  const schema =
    "x-component" in route.body
      ? components.of(taken)
      : components.named(capitalized(route.operationId), taken);
  const isNeeded = "required" in route.body && [route.body.required].flat().length > 0;
  const content = withExample(schema, examples.requests[route.operationId]);
  return { requestBody: { required: isNeeded, content } };
}

function responses(route: AnyRoute, writing: OperationWriting): Json {
  return {
    [route.status]: success(route, writing),
    ...(route.existing === null ? {} : { 200: existing(route, writing, route.existing) }),
    ...(route.method === "GET" && answersTag(route)
      ? { 304: withoutBody(route, 304, writing) }
      : {}),
    ...writing.shared.of(route),
  };
}

function success(route: AnyRoute, writing: AnswerWriting, status: number = route.status): Json {
  if (route.response === null) return withoutBody(route, 204, writing);
  const { components, examples } = writing;
  const row = components.of(route.response);
  const members = Object(components.of(route.members));
  const schema = route.kind === "list" ? pageOf(row, members, components) : row;
  return {
    description: "OK.",
    ...describedHeaders(status, route),
    content: withExample(schema, examples.responses[route.operationId]),
  };
}

const bodiless = {
  204: { name: "NoContent", description: "Done." },
  304: { name: "NotModified", description: "Unchanged." },
} as const;

/** Operations share the response without a body. Deprecated ones have their own, because its headers say when they end. */
function withoutBody(route: AnyRoute, status: 204 | 304, { shared }: AnswerWriting): Json {
  const { name, description } = bodiless[status];
  return shared.named(route.deprecated === null ? name : `Deprecated${name}`, {
    description,
    ...describedHeaders(status, route),
  });
}

function existing(route: AnyRoute, writing: AnswerWriting, description: string): Json {
  return { ...success(route, writing, 200), description };
}

/** A page of rows, named after them; one of a search tells more of it by members of its own. */
function pageOf(row: unknown, members: Json, components: Components): Json {
  const reference = isObject(row) ? row["$ref"] : undefined;
  const page = {
    type: "object",
    required: ["data", "has_more", "next_cursor", ...Object.keys(members)],
    additionalProperties: false,
    properties: {
      data: { type: "array", items: row },
      has_more: { type: "boolean" },
      next_cursor: { type: ["string", "null"] },
      ...members,
    },
  };
  if (typeof reference !== "string") return Object(components.of(page));
  const kind = Object.keys(members).length === 0 ? "Page" : "SearchPage";
  return components.named(`${reference.split("/").at(-1)}${kind}`, page);
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The introduction of the API reference: the rules that all operations share. */
export const guide = `
The logic of a shop as a JSON API.

**Guides** lead through a storefront, payments, webhooks and operations, with requests and their answers. [All guides](/guides)

**Keys.** Every request carries \`Authorization: Bearer <key>\`. A \`test_sk_…\` key belongs to the test shop, a
\`live_sk_…\` key to the live shop; the two share no data. A key has scopes; each operation names the one it needs.

**Errors** have the members of RFC 9457. Branch on \`code\`, which never changes; show \`detail\`; quote
\`request_id\` in support requests. \`errors\` lists every fault at once, each with a JSON Pointer into the body.
\`retryable\` says whether the same request may succeed later. [All codes](/docs/errors)

**Retries.** Send an \`Idempotency-Key\` with every mutation. Its effect happens once; for 96 hours (24 with a
publishable key) every retry gets the first response, byte for byte. A retry has the same method, path, query and body. Headers are not compared:
use a new key with a new \`If-Match\`.

**Versions.** A resource has an integer \`version\` and an \`ETag\`. \`If-Match\` refuses to overwrite a newer version;
\`If-None-Match\` gives 304 while nothing has changed.

**Every answer** has the server's version in \`X-Duka-Version\`, and in \`X-Request-Id\` the id of the request in the logs.
Where requests are limited, it has the quota and its window in \`RateLimit-Policy\`, and in \`RateLimit\` what is left of it
and the seconds until it grows. Answers that caches may keep (\`Cache-Control: public\`) tell nothing of the request.

**Lists** are \`{data, has_more, next_cursor}\`, newest first. Pass \`next_cursor\` as \`cursor\` with the same filters.

**Money** is a number or a decimal string in major units in requests, and a number with exactly the digits of its
currency in responses. Totals are also given as integers in minor units. Amounts are never rounded.

**Time** is ISO 8601 in UTC with milliseconds.

**Webhooks** follow Standard Webhooks and are delivered at least once: \`webhook-id\` is the event's id, the same on
every attempt. Respond with 2xx within 15 seconds; otherwise the delivery is attempted ten times over three days.
\`GET /v2/events\` reads the same events in order and without gaps; \`wait\` waits for new ones.

**Limits.** 1,000 requests in any 60 seconds for a shop and mode; \`RateLimit\` headers give the remaining quota. Bodies are
strict JSON up to 1 MiB: no duplicate keys, no numbers that a double cannot hold as written.
`.trim();
