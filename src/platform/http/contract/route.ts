// Routes as data: parameters, schemas, refusals, and a handler whose first parameter determines
// what it may do. `dispatch.ts` does everything else from this data.

import type { Static, TSchema } from "typebox";

import { assume } from "#kernel/assume.ts";
import type { ExpectedVersion } from "#kernel/change.ts";
import type { Page, PageRequest } from "#kernel/page.ts";
import type { RefusalDefinition } from "#kernel/refusal.ts";
import type { Reader, Story, Tx } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import type { Reach } from "#platform/net/target-url.ts";

import type { AuditTerms } from "./audit-terms.ts";
import type { Budget } from "./budget-terms.ts";
import type { Caller } from "./caller.ts";
import type { Deprecation } from "./deprecation.ts";
import type { IdempotentRequest } from "./idempotent.ts";
import type { PathParameter } from "./path.ts";
import type { FormerWay, Method } from "./ways.ts";
import type { Field } from "./wire.ts";

type Parameters = Readonly<Record<string, PathParameter<string>>>;
type ParameterValues<P> = {
  readonly [K in keyof P]: P[K] extends PathParameter<infer Value> ? Value : never;
};

/** The validated input of a handler. */
interface Input<P, Q extends TSchema, B extends TSchema> {
  readonly params: ParameterValues<P>;
  readonly query: Static<Q>;
  readonly body: Static<B>;
  /** Only for lists. */
  readonly page: PageRequest;
  readonly caller: Caller;
  /** The server's public URL without a final slash. */
  readonly publicUrl: string;
  readonly ifMatch: ExpectedVersion;
  /** The addresses to which webhooks of test mode may go. */
  readonly testReach: Reach;
  /** The rate limit of keys without one of their own; 0 means none. */
  readonly requestsPerMinute: number;
  /** The shop's time when the request came, epoch milliseconds; a story has its own in `tx.now`. */
  readonly now: number;
  /** Only for workflows, which use it to find the work of an earlier run with the same key. */
  readonly idempotent: IdempotentRequest | null;
  /** The header `Customer-Token`, whatever it has; null without one. */
  readonly customerToken: string | null;
  /** The header `Order-Token`, whatever it has; null without one. */
  readonly orderToken: string | null;
  /** The network of the client as the audit log keeps it; null if it is not known. */
  readonly clientNetwork: () => string | null;
}

/**
 * Runs the last story of a workflow, and stores the answer that is made of its result in the same commit, so that the
 * caller waits for one commit less.
 */
export type Finish = <T>(story: Story<T>, toAnswer: (done: T) => unknown) => Promise<T>;

/** The resource already exists: responds 200 instead of 201. */
export class Existing<Body> {
  readonly body: Body;

  constructor(body: Body) {
    this.body = body;
  }
}

/** The properties of every route. */
interface Terms<P, Q, B, R> {
  readonly method: Method;
  /** Parameters in braces, as in OpenAPI: `/v2/orders/{id}`. */
  readonly path: string;
  /** Its former ways, the oldest first. */
  readonly also?: readonly FormerWay[];
  /** Verb and noun, such as `createOrder`: unique, and the name of the method in generated clients. */
  readonly operationId: string;
  /** The section of the documentation. */
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Present once it will end; a field has the same among the words of its schema. */
  readonly deprecated?: Deprecation;
  /** The caller needs any one of these. */
  readonly scopes: readonly string[];
  /** The caller needs each of these as well. */
  readonly alsoScopes?: readonly string[];
  /** The path does not exist for live keys. */
  readonly isTestOnly?: boolean;
  /** The response contains a secret that is shown once; stored answers are encrypted. */
  readonly answersSecret?: boolean;
  /** Members of the body that leave no trace, not even in the hash of a key's first request: they are guessed from it. */
  readonly fleeting?: readonly string[];
  /** Members of the body that no list of requests shows. */
  readonly masked?: readonly string[];
  /** True if it is about the customer of the header `Customer-Token`. */
  readonly asCustomer?: boolean;
  /** True if that header may say who the customer is. */
  readonly takesCustomer?: boolean;
  /** True if it is about the order of the header `Order-Token`. */
  readonly asBearer?: boolean;
  /** How often a publishable key may succeed with it. */
  readonly budgets?: readonly Budget[];
  /** Entries of the audit log: false for none, which is what GET has by default and no other method. */
  readonly audit?: false | AuditTerms<ParameterValues<P>>;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly file?: FileBody;
  readonly response: R;
  /** True if the handler answers the same object as long as a row is the same: its text is made once then. */
  readonly keepsRows?: boolean;
  /**
   * Caches may keep what a publishable key is answered. Given are all tables that decide on it, by `watched`: until one of
   * them changes, the answer is kept here, too, and who has it is told so without a read. `read` where more decides.
   */
  readonly edge?: readonly string[] | "read";
  /** 200 by default; 201 requires `location`; 204 has no body. */
  readonly status?: 200 | 201 | 202 | 204;
  /** The path of the created resource, from the handler's result. */
  readonly location?: (answered: Answered<R>) => string;
  /** Refusals of the handler; those of the HTTP layer are added. */
  readonly refusals?: readonly RefusalDefinition[];
}

/** A resource, of which the handler answers the row; or the schema of what it answers as it is. */
type ResponseBody = Field<never> | TSchema;
type Answered<R> = R extends Field<infer Row> ? Row : R extends TSchema ? Static<R> : undefined;

interface GetTerms<P, Q extends TSchema, R, S> extends Terms<P, Q, never, R> {
  readonly method: "GET";
  /** Runs before the rows are read, such as to bring up to date the sums that they are of. */
  readonly prepare?: (shop: S) => Promise<void>;
}

interface ReadTerms<P, Q extends TSchema, R, S> extends GetTerms<P, Q, R, S> {
  readonly handler: (db: Reader, input: Input<P, Q, TSchema>) => Promise<Answered<R>>;
}

interface ListTerms<P, Q extends TSchema, R, S> extends GetTerms<P, Q, R, S> {
  /** The value that the cursor keeps of a row; its `id` by default. */
  readonly cursorOf?: (row: Answered<R>) => string;
  /** The schemas of the values that a page tells beside its rows. */
  readonly members?: Readonly<Record<string, TSchema>>;
  readonly handler: (db: Reader, input: Input<P, Q, TSchema>) => Promise<Page<Answered<R>>>;
}

interface WriteTerms<P, Q extends TSchema, B extends TSchema, R, S> extends Terms<P, Q, B, R> {
  /** True if requests at the same time may share a transaction: `mayShare` of its story. */
  readonly mayShare?: boolean;
  /** When the handler returns `Existing`, as a sentence; absent if it never does. */
  readonly existing?: string;
  /** `port` is what the story asks of its shop beside the rows. */
  readonly handler: (
    tx: Tx,
    input: Input<P, Q, B>,
    port: S,
  ) => Promise<Answered<R> | Existing<Answered<R>>>;
}

interface WorkflowTerms<P, Q extends TSchema, B extends TSchema, R, S extends Shop> extends Terms<
  P,
  Q,
  B,
  R
> {
  /** When the handler returns `Existing`, as a sentence; absent if it never does. */
  readonly existing?: string;
  readonly handler: (
    shop: S,
    input: Input<P, Q, B> & { readonly finish: Finish },
  ) => Promise<Answered<R> | Existing<Answered<R>>>;
}

/**
 * A route in the HTTP layer. `S` is the shop that its handler needs: the server mounts a route only
 * on shops of that type.
 */
export interface Route<S extends Shop = Shop> {
  readonly kind: "read" | "list" | "write" | "workflow";
  readonly method: Method;
  readonly path: string;
  readonly also: readonly FormerWay[];
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated: Deprecation | null;
  readonly scopes: readonly string[];
  readonly alsoScopes: readonly string[];
  readonly isTestOnly: boolean;
  readonly answersSecret: boolean;
  readonly fleeting: readonly string[];
  readonly masked: readonly string[];
  readonly asCustomer: boolean;
  readonly takesCustomer: boolean;
  readonly asBearer: boolean;
  readonly budgets: readonly Budget[];
  /** Null if the audit log has no entry of it. */
  readonly audit: AuditTerms<Readonly<Record<string, string>>> | null;
  readonly params: Parameters;
  readonly query: TSchema | null;
  readonly body: TSchema | null;
  readonly file: FileBody | null;
  readonly response: TSchema | null;
  /** True if the body shows the version of what was answered. */
  readonly hasVersion: boolean;
  /** Turns the answer of the handler into the values of the body. */
  readonly present: (answered: unknown) => unknown;
  /** The same as its text. */
  readonly write: (answered: unknown) => string;
  readonly keepsRows: boolean;
  /** Null if no cache may keep an answer. */
  readonly edge: readonly string[] | "read" | null;
  readonly mayShare: boolean;
  readonly status: 200 | 201 | 202 | 204;
  readonly location: ((answered: unknown) => string) | null;
  readonly existing: string | null;
  readonly cursorOf: (row: unknown) => string;
  readonly members: Readonly<Record<string, TSchema>>;
  readonly refusals: readonly RefusalDefinition[];
  readonly prepare: ((shop: unknown) => Promise<void>) | null;
  /** `port` is the shop, for the story of a write. */
  readonly handler: (power: unknown, input: unknown, port?: unknown) => Promise<unknown>;
  /** Carries `S` for the type checker; never set. */
  readonly needs?: (shop: S) => void;
}

/** A route for any type of shop. */
export type AnyRoute = Route<never>;

/** Reads committed rows; a body with a `version` gets an ETag. */
export function readRoute<
  P extends Parameters,
  Q extends TSchema,
  R extends ResponseBody,
  S extends Shop = Shop,
>(terms: ReadTerms<P, Q, R, S>): Route<S> {
  return toRoute("read", terms);
}

/** Returns a page of rows, newest first, with a cursor to the next one. */
export function listRoute<
  P extends Parameters,
  Q extends TSchema,
  R extends ResponseBody,
  S extends Shop = Shop,
>(terms: ListTerms<P, Q, R, S>): Route<S> {
  return toRoute("list", terms);
}

/** Runs in one transaction, together with its idempotency record and stored answer. */
export function writeRoute<
  P extends Parameters,
  Q extends TSchema,
  B extends TSchema,
  R extends ResponseBody | null,
  S extends object = object,
>(terms: WriteTerms<P, Q, B, R, S>): Route<Shop & S> {
  return toRoute("write", terms);
}

/** Opens its own transactions and may call other services between them. */
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
 * The cast from a route's own types to the stored type: the HTTP layer passes each handler exactly
 * what its schemas describe, which tests check for every route.
 */
function toRoute<S extends Shop>(
  kind: AnyRoute["kind"],
  {
    response,
    audit,
    ...terms
  }: {
    readonly method: Method;
    readonly response: ResponseBody | null;
    readonly audit?: unknown;
  },
): Route<S> {
  const isField = response !== null && "present" in response;
  const schema = isField ? response.schema : response;
  return assume<Route<S>>({
    also: [],
    deprecated: null,
    alsoScopes: [],
    isTestOnly: false,
    answersSecret: false,
    fleeting: [],
    masked: [],
    asCustomer: false,
    takesCustomer: false,
    asBearer: false,
    budgets: [],
    params: {},
    query: null,
    body: null,
    file: null,
    keepsRows: false,
    edge: null,
    mayShare: false,
    status: 200,
    location: null,
    existing: null,
    refusals: [],
    prepare: null,
    cursorOf: idOf,
    members: {},
    ...terms,
    audit:
      audit === false || (audit === undefined && terms.method === "GET") ? null : (audit ?? {}),
    kind,
    response: schema,
    hasVersion: schema !== null && showsVersion(schema),
    present: isField ? response.present : asItIs,
    write: isField ? response.write : JSON.stringify,
  });
}

const asItIs = (answered: unknown): unknown => answered;

function showsVersion(schema: TSchema): boolean {
  const properties = "properties" in schema ? schema.properties : null;
  return typeof properties === "object" && properties !== null && "version" in properties;
}

function idOf(row: unknown): string {
  if (typeof row === "object" && row !== null && "id" in row) return String(row.id);
  throw new Error("A row of a list has no id to continue after.");
}

/** A body that is a file: its bytes as they are, and no JSON. The route's `body` is then `receivedFile`. */
export interface FileBody {
  readonly bytesMax: number;
  /** In lower case. */
  readonly mediaTypes: readonly string[];
  /** Refuses a body of another media type. */
  readonly otherType: RefusalDefinition;
}
