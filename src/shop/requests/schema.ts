// Requests on the wire.

import Type, { type Static } from "typebox";

import { at, from, list, orNull, shape, wire } from "#platform/http/contract/wire.ts";
import { idOf, line, nullable, object, optional, whole } from "#platform/http/contract/words.ts";
import type { LoggedRequest } from "#platform/http/server/request-log.ts";
import type { RequestView } from "#platform/http/server/shown-request.ts";

/** Requests per page. */
const LIMIT_MAX = 100;
const LIMIT_DEFAULT = 20;

type RequestKey = NonNullable<RequestView["key"]>;

const keyShape = shape<RequestKey>()(
  { id: Type.String(), name: Type.String() },
  { name: "RequestKey" },
);

const fields = {
  sequence: whole(1, undefined, {
    description: "Counts the requests of the mode to this program, from its start.",
  }),
  request_id: Type.String({
    description: "The `X-Request-Id` of the response. A caller that sends its own may repeat it.",
  }),
  at,
  method: Type.String(),
  route: nullable(Type.String({ description: "The path with its parameters in braces." })),
  path: from(
    ({ address }: RequestView) => address,
    nullable(
      Type.String({
        description:
          "The path and the query, without secrets. In live mode without searches and other free text. Null unless the caller has every scope of the key that sent it.",
      }),
    ),
  ),
  status: whole(100, 599),
  duration_ms: whole(0),
  key: orNull(keyShape),
  code: nullable(Type.String({ description: "The `code` of the refusal." })),
  is_replay: Type.Boolean({
    description: "Whether the stored response of an earlier request was sent.",
  }),
};

const requestWire = wire<RequestView>()("Request", fields);

export const wholeRequestWire = wire<RequestView>()("WholeRequest", {
  ...fields,
  request_body: nullable(
    Type.String({
      description:
        "The body, without secrets: empty if none was read, null in live mode, above 16 KB, or after a customer was erased.",
    }),
  ),
  response_body: nullable(Type.String({ description: "The same of the response." })),
});

interface Listed {
  readonly requests: readonly RequestView[];
  readonly hasMore: boolean;
}

export const requestsShape = shape<Listed>()({
  data: from(({ requests }: Listed) => requests, list(requestWire)),
  has_more: Type.Boolean(),
});

export const requestsQuerySchema = object({
  method: optional(line(10, { description: "Such as `POST`." })),
  "status[gte]": optional(whole(100, 599, { description: "`400` shows what was refused." })),
  code: optional(line(64, { description: "The code of a refusal." })),
  key_id: optional(idOf("key")),
  request_id: optional(line(64)),
  before: optional(whole(1, undefined, { description: "Only requests with a smaller sequence." })),
  limit: optional(whole(1, LIMIT_MAX, { default: LIMIT_DEFAULT })),
});

/** The requests that a list shows: which requests, and how many of them. */
export function readRequestsQuery(query: Static<typeof requestsQuerySchema>) {
  const { before = Infinity, "status[gte]": least = 0, limit = LIMIT_DEFAULT } = query;
  const asked = [query.method?.toUpperCase(), query.code, query.key_id, query.request_id];
  const passes = ({ sequence, status, method, code, caller, requestId }: LoggedRequest) =>
    sequence < before &&
    status >= least &&
    [method, code, caller?.actor.id, requestId].every(
      (one, index) => (asked[index] ?? one) === one,
    );
  return { passes, limit };
}
