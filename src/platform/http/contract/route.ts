// A route is data: what it takes, what it answers, what it refuses, and one handler whose first
// parameter tells its power. Everything else is done once, in `dispatch.ts`, from this data.

import type { Static, TSchema } from "typebox";

import { assume } from "#kernel/assume.ts";
import type { Page, PageRequest } from "#kernel/page.ts";
import type { RefusalDefinition } from "#kernel/refusal.ts";
import type { ExpectedVersion } from "#kernel/version.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import type { IdempotentRequest } from "#platform/http/idempotency/idempotent.ts";

import type { Caller } from "./caller.ts";
import type { PathParameter } from "./path.ts";
import type { Field } from "./wire.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

type Parameters = Readonly<Record<string, PathParameter<string>>>;
type ParameterValues<P> = {
  readonly [K in keyof P]: P[K] extends PathParameter<infer Value> ? Value : never;
};

/** What a handler is given; everything in it has passed the contract. */
export interface Input<P, Q extends TSchema, B extends TSchema> {
  readonly params: ParameterValues<P>;
  readonly query: Static<Q>;
  readonly body: Static<B>;
  /** Only lists use it. */
  readonly page: PageRequest;
  readonly caller: Caller;
  /** Where the world finds this server; no slash at the end. */
  readonly publicUrl: string;
  readonly ifMatch: ExpectedVersion;
  /** Only a workflow needs it: to find what an earlier run with the same key began. */
  readonly idempotent: IdempotentRequest | null;
}

/** What was asked for is there already: answered with 200 where the route would say 201. */
export class Existing<Body> {
  readonly body: Body;

  constructor(body: Body) {
    this.body = body;
  }
}

/** What every route says of itself. */
interface Terms<P, Q, B, R> {
  readonly method: Method;
  /** With parameters in braces, as OpenAPI has it: `/v2/orders/{id}`. */
  readonly path: string;
  /** Verb and noun, such as `createOrder`: unique, and the name of the method in generated clients. */
  readonly operationId: string;
  /** The word of the documentation's table of contents. */
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** The caller needs any one of these. */
  readonly scopes: readonly string[];
  /** With a live key there is nothing at this path. */
  readonly isTestOnly?: boolean;
  /** The answer shows a secret this once: it is sealed where it is kept for a retry. */
  readonly answersSecret?: boolean;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly response: R;
  /** 200 where nothing else is said; 201 comes with `location`; 204 has no body. */
  readonly status?: 200 | 201 | 204;
  /** The path of what was made, from what the handler answered. */
  readonly location?: (answered: Answered<R>) => string;
  /** What the work itself may refuse; the contract's own refusals are added. */
  readonly refusals?: readonly RefusalDefinition[];
}

/** A resource, of which the handler answers the row; or the schema of what it answers as it is. */
type ResponseBody = Field<never> | TSchema;
type Answered<R> = R extends Field<infer Row> ? Row : R extends TSchema ? Static<R> : undefined;

interface ReadTerms<P, Q extends TSchema, R> extends Terms<P, Q, never, R> {
  readonly method: "GET";
  readonly handler: (db: Reader, input: Input<P, Q, TSchema>) => Promise<Answered<R>>;
}

interface ListTerms<P, Q extends TSchema, R> extends Terms<P, Q, never, R> {
  readonly method: "GET";
  /** What the cursor remembers of a row; its `id` where nothing else is said. */
  readonly cursorOf?: (row: Answered<R>) => string;
  readonly handler: (db: Reader, input: Input<P, Q, TSchema>) => Promise<Page<Answered<R>>>;
}

interface WriteTerms<P, Q extends TSchema, B extends TSchema, R> extends Terms<P, Q, B, R> {
  readonly handler: (tx: Tx, input: Input<P, Q, B>) => Promise<Answered<R>>;
}

interface WorkflowTerms<P, Q extends TSchema, B extends TSchema, R, S extends Shop> extends Terms<
  P,
  Q,
  B,
  R
> {
  /** When the handler answers `Existing`, in a sentence; never where nothing is said. */
  readonly existing?: string;
  readonly handler: (
    shop: S,
    input: Input<P, Q, B>,
  ) => Promise<Answered<R> | Existing<Answered<R>>>;
}

/**
 * A route as the contract layer sees it. `S` is the shop that its handler needs: the server mounts a
 * route only on shops of that type.
 */
export interface Route<S extends Shop = Shop> {
  readonly kind: "read" | "list" | "write" | "workflow";
  readonly method: Method;
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly scopes: readonly string[];
  readonly isTestOnly: boolean;
  readonly answersSecret: boolean;
  readonly params: Parameters;
  readonly query: TSchema | null;
  readonly body: TSchema | null;
  readonly response: TSchema | null;
  /** Whether the body shows the version of what was answered. */
  readonly hasVersion: boolean;
  /** What the handler answered, as the text of the body. */
  readonly write: (answered: unknown) => string;
  readonly status: 200 | 201 | 204;
  readonly location: ((answered: unknown) => string) | null;
  readonly existing: string | null;
  readonly cursorOf: (row: unknown) => string;
  readonly refusals: readonly RefusalDefinition[];
  readonly handler: (power: unknown, input: unknown) => Promise<unknown>;
  /** Carries `S` for the type checker; never set. */
  readonly needs?: (shop: S) => void;
}

/** A route, whichever shop its handler needs. */
export type AnyRoute = Route<never>;

/** Reads committed rows; an answer with a `version` carries an ETag. */
export function readRoute<P extends Parameters, Q extends TSchema, R extends ResponseBody>(
  terms: ReadTerms<P, Q, R>,
): Route {
  return toRoute("read", terms);
}

/** Answers a page of rows, newest first, with a cursor to the next one. */
export function listRoute<P extends Parameters, Q extends TSchema, R extends ResponseBody>(
  terms: ListTerms<P, Q, R>,
): Route {
  return toRoute("list", terms);
}

/** Runs in one transaction, together with its idempotency record and stored answer. */
export function writeRoute<
  P extends Parameters,
  Q extends TSchema,
  B extends TSchema,
  R extends ResponseBody | null,
>(terms: WriteTerms<P, Q, B, R>): Route {
  return toRoute("write", terms);
}

/** Opens its own transactions and may call the outside world between them. */
export function workflowRoute<
  P extends Parameters,
  Q extends TSchema,
  B extends TSchema,
  R extends ResponseBody | null,
  S extends Shop = Shop,
>(terms: WorkflowTerms<P, Q, B, R, S>): Route<S> {
  return toRoute("workflow", terms);
}

/**
 * The cast from a route's own types to the one shape that is stored in a table: the contract layer
 * gives each handler exactly what its schemas describe, which the tests check for every route.
 */
function toRoute<S extends Shop>(
  kind: AnyRoute["kind"],
  { response, ...terms }: { readonly response: ResponseBody | null },
): Route<S> {
  const isField = response !== null && "present" in response;
  const schema = isField ? response.schema : response;
  return assume<Route<S>>({
    isTestOnly: false,
    answersSecret: false,
    params: {},
    query: null,
    body: null,
    status: 200,
    location: null,
    existing: null,
    refusals: [],
    cursorOf: idOf,
    ...terms,
    kind,
    response: schema,
    hasVersion: schema !== null && showsVersion(schema),
    write: isField ? response.write : JSON.stringify,
  });
}

function showsVersion(schema: TSchema): boolean {
  const properties = "properties" in schema ? schema.properties : null;
  return typeof properties === "object" && properties !== null && "version" in properties;
}

function idOf(row: unknown): string {
  if (typeof row === "object" && row !== null && "id" in row) return String(row.id);
  throw new Error("A row of a list has no id to continue after.");
}
