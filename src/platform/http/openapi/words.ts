// Parts of the document that all operations share: the problem document and headers.

import { staleVersion } from "#kernel/version.ts";
import type { AnyRoute } from "#platform/http/contract/route.ts";

import type { Components } from "./components.ts";

type Json = Record<string, unknown>;

/** What was sent and answered in a run of the seeded shop, by operation id and by event. */
export interface Examples {
  readonly requests: Readonly<Record<string, unknown>>;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly events: Readonly<Record<string, unknown>>;
}

/** What the parts of the document are made with. */
export interface Writing {
  readonly components: Components;
  readonly examples: Examples;
}

/** JSON of this schema. The tests hold every operation to an example; a test's own routes have none. */
export function withExample(schema: unknown, example: unknown): Json {
  return { "application/json": { schema, ...(example === undefined ? {} : { example }) } };
}

/** A problem document (RFC 9457). Some codes add members, described with the code. */
export const problemSchema: Json = {
  type: "object",
  additionalProperties: true,
  required: ["type", "title", "status", "detail", "code", "request_id", "retryable", "errors"],
  properties: {
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
        type: "object",
        required: ["code", "detail"],
        additionalProperties: false,
        properties: {
          pointer: { type: "string", description: "JSON Pointer into the body, as a fragment." },
          parameter: { type: "string" },
          header: { type: "string" },
          code: { type: "string" },
          detail: { type: "string" },
        },
      },
    },
  },
};

const text = (description: string): Json => ({ description, schema: { type: "string" } });

export const headerComponents: Json = {
  "X-Request-Id": text("The id of the request in the logs."),
  "RateLimit-Policy": text("Quota and window."),
  RateLimit: text("The remaining quota, and seconds until it grows."),
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", minimum: 1 } },
  ETag: text("Version and hash of the representation; for If-None-Match and If-Match."),
  Location: text("The path of the created resource."),
  Link: text("The next page (RFC 8288)."),
  "Idempotent-Replayed": text("`true` if this is the stored response of an earlier request."),
  "WWW-Authenticate": text("Bearer (RFC 6750)."),
};

type Carries = (status: number, route: AnyRoute) => boolean;

/** Which responses may carry each header. */
const carriers: readonly (readonly [header: string, carries: Carries])[] = [
  ["X-Request-Id", () => true],
  ["RateLimit-Policy", (status) => status !== 401],
  ["RateLimit", (status) => status !== 401],
  ["Retry-After", isTemporary],
  ["WWW-Authenticate", (status) => status === 401 || status === 403],
  ["ETag", (status, route) => status < 400 && answersTag(route)],
  ["Location", (status) => status === 201],
  ["Link", (status, route) => status === 200 && route.kind === "list"],
  ["Idempotent-Replayed", (_, route) => route.method !== "GET"],
];

/** Whether its answer is one resource with a version. */
export function answersTag(route: AnyRoute): boolean {
  return route.hasVersion && route.kind !== "list";
}

/** A conflict is only worth a retry while another request with the key is running. */
function isTemporary(status: number, route: AnyRoute): boolean {
  return status === 429 || status === 503 || (status === 409 && route.kind === "workflow");
}

/** The headers of a response with this status. */
export function describedHeaders(status: number, route: AnyRoute): Json {
  return Object.fromEntries(
    carriers
      .filter(([, carries]) => carries(status, route))
      .map(([name]) => [name, { $ref: `#/components/headers/${name}` }]),
  );
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
  if (route.method === "GET") return answersTag(route) ? [ifNoneMatch] : [];
  const ifMatch = header("If-Match", "An ETag; the response is 412 if the version is another.");
  return [
    header("Idempotency-Key", "A retry with the same key never repeats the effect.", {
      type: "string",
      minLength: 1,
      maxLength: 257,
    }),
    ...(route.refusals.includes(staleVersion) ? [ifMatch] : []),
  ];
}
