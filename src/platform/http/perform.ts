// Runs a route's handler with the power of its kind, and makes the answer. Invariant: a write's
// rows, its events, its idempotency record and its stored answer are one commit.

import { assume } from "#kernel/assume.ts";
import { idempotencyKeyReused, type IdempotentRequest } from "#kernel/idempotent.ts";
import type { Page, PageRequest } from "#kernel/page.ts";
import { Refusal } from "#kernel/refusal.ts";
import type { Clock } from "#kernel/time.ts";
import type { ExpectedVersion } from "#kernel/version.ts";
import type { Actor, Shop, Store, WriteOptions } from "#platform/store/store.ts";

import { type Answer, problem, type ProblemTerms, statusOfKind } from "./answer.ts";
import { render } from "./bound-route.ts";
import type { Caller } from "./caller.ts";
import { remember, replayed } from "./idempotency.ts";
import { renderPage } from "./listing.ts";
import { idempotencyInProgress } from "./refusals.ts";
import type { Route } from "./route.ts";

/** A request that passed the contract, ready for its handler. */
export interface Call {
  readonly route: Route;
  readonly shop: Shop;
  readonly path: string;
  readonly publicUrl: string;
  readonly retentionClock: Clock;
  readonly query: Readonly<Record<string, unknown>>;
  readonly problemTerms: ProblemTerms;
  readonly idempotent: IdempotentRequest | null;
  readonly input: CallInput;
}

/** What the handler is given; `Input` in `route.ts` with the types of its route. */
export interface CallInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly page: PageRequest;
  readonly caller: Caller;
  readonly publicUrl: string;
  readonly ifMatch: ExpectedVersion;
  readonly idempotent: IdempotentRequest | null;
}

/** Runs the call and answers. Refusals are thrown unless they belong to an idempotency key. */
export function perform(call: Call): Promise<Answer> {
  switch (call.route.kind) {
    case "read":
      return performRead(call);
    case "list":
      return performList(call);
    case "write":
      return performWrite(call);
    case "workflow":
      return performWorkflow(call);
  }
}

async function performRead(call: Call): Promise<Answer> {
  return render(call.route, await call.route.handler(call.shop.store.read, call.input));
}

async function performList(call: Call): Promise<Answer> {
  const page = asPage(await call.route.handler(call.shop.store.read, call.input));
  return renderPage(call.route, page, {
    query: call.query,
    path: call.path,
    mode: call.input.caller.mode,
    publicUrl: call.publicUrl,
  });
}

/**
 * One transaction: look the key up, run the story, keep its answer. When the story refuses, what it
 * wrote is undone and the refusal is kept in its place; an exception keeps nothing.
 */
async function performWrite(call: Call): Promise<Answer> {
  const { idempotent, retentionClock: clock } = call;
  const options = writeOptions<Answer>(call);
  if (idempotent === null) {
    return call.shop.store.write(
      async (tx) => render(call.route, await call.route.handler(tx, call.input)),
      options,
    );
  }
  // What runs is another request, or it would be a workflow too: its answer will have the key.
  if (runningKeys(call.shop.store).has(idempotent.key)) throw idempotencyKeyReused();
  return call.shop.store.write(
    async (tx) => {
      const before = await replayed(tx, idempotent);
      if (before !== null) return before;
      const answer = render(call.route, await call.route.handler(tx, call.input));
      await remember(tx, idempotent, { answer, clock, isSecret: call.route.answersSecret });
      return answer;
    },
    {
      ...options,
      otherwise: async (tx, error) => {
        const answer = keptRefusal(error, call.problemTerms);
        if (answer === null) throw error;
        await remember(tx, idempotent, { answer, clock, isSecret: call.route.answersSecret });
        return answer;
      },
    },
  );
}

/** Keys of workflows that run now, by store; a second request with one of them waits its turn. */
const running = new WeakMap<Store, Set<string>>();
const RETRY_SECONDS = "1";

/** A workflow commits its own steps; its answer is kept when it is through. */
async function performWorkflow(call: Call): Promise<Answer> {
  const { idempotent, retentionClock: clock } = call;
  const store = call.shop.store;
  if (idempotent === null) {
    return render(call.route, await call.route.handler(acting(call), call.input));
  }
  const keys = runningKeys(store);
  if (keys.has(idempotent.key)) {
    throw idempotencyInProgress({ headers: { "Retry-After": RETRY_SECONDS } });
  }
  keys.add(idempotent.key);
  try {
    const before = await store.write((tx) => replayed(tx, idempotent));
    if (before !== null) return before;
    const answer = await runWorkflow(call);
    const isSecret = call.route.answersSecret;
    await store.write(
      (tx) => remember(tx, idempotent, { answer, clock, isSecret }),
      writeOptions(call),
    );
    return answer;
  } finally {
    keys.delete(idempotent.key);
  }
}

function runningKeys(store: Store): Set<string> {
  const known = running.get(store) ?? new Set<string>();
  running.set(store, known);
  return known;
}

async function runWorkflow(call: Call): Promise<Answer> {
  try {
    return render(call.route, await call.route.handler(acting(call), call.input));
  } catch (error) {
    const answer = keptRefusal(error, call.problemTerms);
    if (answer === null) throw error;
    return answer;
  }
}

/** The shop with a store that says of every write who asked for it. */
function acting(call: Call): Shop {
  const { store } = call.shop;
  return {
    ...call.shop,
    store: {
      read: store.read,
      vault: store.vault,
      isShared: store.isShared,
      write: (story, options) => store.write(story, { ...writeOptions(call), ...options }),
      isWritable: () => store.isWritable(),
      sizes: () => store.sizes(),
      onAnnounced: (listener) => store.onAnnounced(listener),
      close: () => store.close(),
    },
  };
}

function writeOptions<T>(call: Call): WriteOptions<T> {
  const actor: Actor = { type: "api_key", id: call.input.caller.keyId };
  return { actor, requestId: call.problemTerms.requestId };
}

/** The answer of a refusal by the work itself; null for what may turn out otherwise next time. */
function keptRefusal(error: unknown, terms: ProblemTerms): Answer | null {
  if (!(error instanceof Refusal) || error.definition === idempotencyKeyReused) return null;
  const status = statusOfKind[error.definition.kind];
  if (status !== 404 && status !== 409 && status !== 422) return null;
  return problem(error, terms);
}

/** The cast that says what a list's handler answers; its types hold it to that. */
function asPage(found: unknown): Page<unknown> {
  return assume<Page<unknown>>(found);
}
