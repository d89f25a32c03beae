// A small server of a test's own routes: the real contract layer over a real store. Two callers
// are known by name instead of by keys, so that nothing of a noun is needed.

import { join } from "node:path";

import type { Mode, Shop } from "#platform/database/shop.ts";
import { eventsAfter } from "#platform/event-log/event-log.ts";
import type { Answer } from "#platform/http/contract/answer.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import type { Route } from "#platform/http/contract/route.ts";
import { object } from "#platform/http/contract/words.ts";
import { openApiDocument } from "#platform/http/openapi/openapi.ts";
import type { Router } from "#platform/http/router.ts";
import type { Inside, InsideRequest } from "#platform/http/server/inside.ts";
import { type HttpOptions, listen } from "#platform/http/server/listen.ts";
import { alsoLoopback } from "#platform/net/target-url.ts";

import { NOON, noonClock, openModeDatabase, stillOpen } from "../../support/database.ts";
import { openScratchFolder } from "../../support/scratch.ts";

export interface ServedRoutes extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** What the server said to its log. */
  readonly faults: { readonly error: unknown; readonly requestId: string }[];
  /** The origins that were reported as refused. */
  readonly refusedOrigins: string[];
  /** Asks the interface as a page of the server does; each time for a request of its own, unless one is given. */
  ask(
    name: string,
    question: Omit<InsideRequest, "request"> & Partial<Pick<InsideRequest, "request">>,
  ): Promise<Answer>;
  /** The names of all events of the test shop, oldest first. */
  announced(): Promise<string[]>;
  /** Sends as `owner`, JSON where there is a body; what is given in `init` wins. */
  send(method: string, path: string, init?: BunFetchRequestInit): Promise<Response>;
  stop(withinMs: number): Promise<void>;
}

/** `owner` may do everything in test mode, as `visitor` with a publishable key, `live` in live mode, `guest` nothing. */
function callerNamed(name: string): Caller | null {
  const scopes = new Set(name === "guest" ? [] : ["crates:read", "crates:write"]);
  if (!["owner", "visitor", "live", "guest"].includes(name)) return null;
  return {
    actor: { type: "api_key", id: name },
    name,
    lineage: name,
    hasPresetFull: false,
    mode: name === "live" ? "live" : "test",
    scopes,
    isPublic: name === "visitor",
    ratePerMinute: null,
    expiresAt: null,
  };
}

/** Listens on a free port of the loopback interface. */
export async function serveRoutes(
  routes: readonly Route[],
  {
    loading,
    addPage,
    visitorLimits,
    ...options
  }: Partial<Pick<HttpOptions<Shop>, "cors" | "requestsPerMinute" | "endsTls" | "hosts">> & {
    /** The routes are loaded when this resolves; before this function returns without it. */
    readonly loading?: Promise<void>;
    /** Limits of publishable keys, which then hold for every address; without them none is counted. */
    readonly visitorLimits?: Partial<HttpOptions<Shop>["visitorTerms"]>;
    /** Adds `/page` at the first request for it. */
    readonly addPage?: (app: Router) => Promise<void>;
  } = {},
): Promise<ServedRoutes> {
  const folder = openScratchFolder();
  const open = async (mode: Mode): Promise<Shop> => ({
    mode,
    clock: noonClock,
    closing: stillOpen,
    database: await openModeDatabase(folder.path, mode),
  });
  const shops = { test: await open("test"), live: await open("live") };
  const faults: ServedRoutes["faults"] = [];
  const refusedOrigins: string[] = [];
  const state: { url: string; inside?: Inside } = { url: "" };
  const docs = {
    document: openApiDocument({
      info: { title: "Crates", description: "-", version: "1.0.0" },
      url: "/",
      tags: {},
      routes,
      isPublic: () => false,
      events: { envelope: object({}), schemas: {}, messages: {} },
      examples: { requests: {}, responses: {}, events: {} },
      vocabulary: {},
    }),
    refusals: [],
    url: "",
  };
  const server = listen({
    load: async () => {
      await loading;
      return {
        routes,
        shopOf: (mode) => shops[mode],
        docs,
        addOpen: (_, { inside, addLater }) => {
          state.inside = inside;
          if (addPage !== undefined) addLater(["/page"], addPage);
        },
      };
    },
    homePath: "/docs",
    notFoundPage: async () => new Response("Not found", { status: 404 }),
    host: "127.0.0.1",
    port: 0,
    hosts: "any",
    tls: null,
    uploadFolder: join(folder.path, "uploads"),
    testReach: alsoLoopback,
    endsTls: false,
    cors: { origins: [], allowsNoOrigin: async () => false },
    requestsPerMinute: 0,
    countryOf: async () => null,
    timezoneOf: async () => "UTC",
    cacheSecondsOf: async () => 0,
    publicUrl: () => state.url,
    retentionClock: { now: () => NOON },
    authenticate: async (key) => callerNamed(key),
    audit: { record: async () => {}, networkOf: () => null },
    addressOf: (_, peer) => peer,
    countsLoopback: false,
    visitorTerms: {
      readsPerMinute: 0,
      writesPerMinute: 0,
      storefrontPerMinute: 0,
      visitorOf: (_, peer) => ({ address: peer, isCounted: visitorLimits !== undefined }),
      areEnforcedFor: async () => visitorLimits !== undefined,
      signedInId: async () => null,
      ...visitorLimits,
    },
    onOriginRefused: (origin) => refusedOrigins.push(origin),
    onFault: (error, requestId) => faults.push({ error, requestId }),
    readiness: async () => ({ ready: true, details: {}, inside: async () => ({}) }),
    isOperator: () => true,
    hasRoom: () => true,
    ...options,
  });
  if (loading === undefined) await server.load();
  state.url = `http://127.0.0.1:${server.port}`;
  return {
    url: state.url,
    port: server.port,
    faults,
    refusedOrigins,
    ask: async (name, question) => {
      const caller = callerNamed(name);
      if (caller === null || state.inside === undefined) throw new Error("No such caller.");
      const request = new Request(`${state.url}/dashboard`);
      return state.inside.ask(caller, { request, ...question });
    },
    announced: async () => {
      const events = await eventsAfter(shops.test.database.read, { after: 0, limit: 1_000 });
      return events.map((event) => event.name);
    },
    send: (method, path, init = {}) => {
      const headers = new Headers({ Authorization: "Bearer owner" });
      if (init.body !== undefined) headers.set("Content-Type", "application/json");
      for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
      return fetch(`${state.url}${path}`, { method, redirect: "manual", ...init, headers });
    },
    stop: (withinMs) => server.stop(withinMs),
    [Symbol.asyncDispose]: async () => {
      await server.stop(1_000);
      await Promise.all([shops.test.database.close(), shops.live.database.close()]);
      folder[Symbol.dispose]();
    },
  };
}
