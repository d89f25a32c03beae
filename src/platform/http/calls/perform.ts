// Runs a route's handler and makes its response. Invariant: a write's rows, events, idempotency
// record and stored answer are one commit.

import { assume } from "#kernel/assume.ts";
import type { ExpectedVersion } from "#kernel/change.ts";
import type { Page, PageRequest } from "#kernel/page.ts";
import { isUnavailable, Refusal } from "#kernel/refusal.ts";
import type { Clock } from "#kernel/time.ts";
import type { Database, Reader, Story, Tx, WriteOptions } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import type { ChangedFields, RecordAct } from "#platform/event-log/event-log.ts";
import type { PublicView } from "#platform/http/audience/public-view.ts";
import {
  type Answer,
  problem,
  type ProblemTerms,
  statusOfKind,
} from "#platform/http/contract/answer.ts";
import { rowsOf } from "#platform/http/contract/audit-terms.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import {
  idempotencyKeyReused,
  type IdempotentRequest,
} from "#platform/http/contract/idempotent.ts";
import type { AnyRoute, Finish } from "#platform/http/contract/route.ts";
import type { Take } from "#platform/http/limits/visitor-limits.ts";
import type { Reach } from "#platform/net/target-url.ts";

import { render } from "./bound-route.ts";
import {
  isRunning,
  remember,
  rememberFirst,
  replayed,
  type RunningKey,
  runWithKey,
  type StoredAnswerText,
  writeWithKey,
} from "./idempotency.ts";
import { renderPage } from "./listing.ts";
import type { SentBack } from "./sent-back.ts";
import { awaitAnswers } from "./stored-answers.ts";
import { requestAct, WorkflowEntry } from "./workflow-entry.ts";

/** A validated request, ready for its handler. */
export interface Call {
  readonly route: AnyRoute;
  /** The view of an answer that the caller is told; null if that is all of it. */
  readonly view: PublicView | null;
  readonly shop: Shop;
  readonly path: string;
  readonly publicUrl: string;
  readonly retentionClock: Clock;
  readonly query: Readonly<Record<string, unknown>>;
  readonly problemTerms: ProblemTerms;
  readonly idempotent: IdempotentRequest | null;
  /** Reads the body of the input; null if it is read. */
  readonly sentBack: SentBack | null;
  readonly input: CallInput;
  readonly recordAct: RecordAct;
  /** Counts the call for its address, once; refuses where the address is at a limit of the route. */
  readonly take?: Take;
}

/** The handler's input; `Input` in `route.ts` with the types of its route. */
export interface CallInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly page: PageRequest;
  readonly caller: Caller;
  readonly publicUrl: string;
  readonly ifMatch: ExpectedVersion;
  readonly testReach: Reach;
  readonly requestsPerMinute: number;
  readonly now: number;
  readonly idempotent: IdempotentRequest | null;
  readonly customerToken: string | null;
  readonly orderToken: string | null;
  readonly clientNetwork: () => string | null;
}

/** Runs the handler. Refusals are thrown, unless they are stored for an idempotency key. */
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
  call.take?.();
  const { route, input } = call;
  await route.prepare?.(call.shop);
  return render(call, await call.shop.database.readTogether((db) => route.handler(db, input)));
}

async function performList(call: Call): Promise<Answer> {
  const { route, input } = call;
  await route.prepare?.(call.shop);
  const page = asPage(await call.shop.database.readTogether((db) => route.handler(db, input)));
  return renderPage(call, page, {
    query: call.query,
    path: call.path,
    mode: call.input.caller.mode,
    publicUrl: call.publicUrl,
  });
}

/**
 * One transaction: looks up the key, runs the story, stores the answer. If the story refuses, its
 * writes are undone and the refusal is stored instead; other exceptions store nothing.
 */
async function performWrite(call: Call): Promise<Answer> {
  const { idempotent, retentionClock: clock } = call;
  const options = writeOptions<Answer>(call);
  if (idempotent === null) {
    return call.shop.database.write(async (tx) => runStory(tx, call), options);
  }
  const { database } = call.shop;
  using _ = writeWithKey(database, idempotent);
  const keep = async (tx: Tx, answer: Answer): Promise<Answer> => {
    await remember(tx, idempotent, toKeep(call, answer));
    // Last: a workflow that claims the key from here on waits for the answer, and is refused.
    if (database.isShared && (await isRunning(tx, idempotent, clock))) throw idempotencyKeyReused();
    return answer;
  };
  return await database.write(
    async (tx) => {
      const before = await replayed(tx, idempotent);
      if (before !== null) return before;
      return keep(tx, await runStory(tx, call));
    },
    {
      ...options,
      otherwise: async (tx, error) => {
        // The second of two of these requests at once may be refused because of what the first one did.
        const first = database.isShared ? await replayed(tx, idempotent) : null;
        if (first !== null) return first;
        const answer = keptRefusal(error, call.problemTerms);
        if (answer === null) throw error;
        return keep(tx, answer);
      },
    },
  );
}

async function runStory(tx: Tx, call: Call): Promise<Answer> {
  call.take?.();
  const { route, shop } = call;
  const before = await route.audit?.before?.(tx, call.input.params);
  const input = await inputOf(tx, call);
  const answered = await route.handler(tx, input, shop);
  if (route.audit !== null) {
    await call.recordAct(tx, await requestAct(tx, { ...call, input }, { answered, before }));
  }
  return render(call, answered);
}

async function inputOf(db: Reader, { sentBack, input }: Call): Promise<CallInput> {
  return sentBack === null ? input : { ...input, body: await sentBack(db, input) };
}

function toKeep({ route, input, retentionClock: clock }: Call, answer: Answer): StoredAnswerText {
  return { answer, clock, isSecret: route.answersSecret, isPublic: input.caller.isPublic };
}

/** A workflow commits its own steps; its answer is stored at the end, or with the story that it ends with. */
async function performWorkflow(call: Call): Promise<Answer> {
  const { idempotent, retentionClock: clock } = call;
  const database = call.shop.database;
  const entry =
    call.route.audit === null
      ? null
      : new WorkflowEntry(async (tx, difference) =>
          call.recordAct(tx, { ...(await requestAct(tx, call)), difference }),
        );
  if (idempotent === null) {
    const shop = acting(call, entry);
    const finish: Finish = (story) => shop.database.write(story);
    call.take?.();
    const input = await inputOf(database.read, call);
    const answered = await call.route.handler(shop, { ...input, finish });
    const answer = render(call, answered);
    if (entry?.isWritten === false) {
      const difference = countOf(call.route, answered);
      await database.write((tx) => entry.finish(tx, difference), writeOptions(call));
    }
    return answer;
  }
  using key = runWithKey(database, idempotent, clock);
  // In a program that shares its database with no other, the key is claimed by now, and its last answer committed.
  const before = database.isShared
    ? await answeredOrClaimed(database, key, idempotent)
    : await replayed(database.read, idempotent);
  if (before !== null) return before;
  const keep = async (tx: Tx, answer: Answer): Promise<Answer> => {
    await key.release(tx);
    if (answer.status < 400) await entry?.finish(tx);
    return rememberFirst(tx, idempotent, toKeep(call, answer));
  };
  const ended: Ended = { answer: null };
  const finish: Finish = async <T>(story: Story<T>, toAnswer: (done: T) => unknown) => {
    const withAnswer: Story<readonly [T, Answer]> = async (tx) => {
      const done = await story(tx);
      return [done, await keep(tx, render(call, toAnswer(done)))];
    };
    const [done, answer] = await database.write(withAnswer, writeOptions(call));
    ended.answer = answer;
    return done;
  };
  try {
    const answer = await runWorkflow(call, entry, { finish, ended });
    return ended.answer ?? (await database.write((tx) => keep(tx, answer), writeOptions(call)));
  } catch (error) {
    await key.giveUp();
    throw error;
  }
}

/** The number of records that an export answers with, where its entry says so. */
function countOf({ audit }: Call["route"], answered: unknown): ChangedFields | null {
  if (audit?.countsRows !== true) return null;
  return { fields: [], before: null, after: { rows: rowsOf(answered) } };
}

/** The stored answer of the key; otherwise claims the key for this workflow. */
async function answeredOrClaimed(
  database: Database,
  key: RunningKey,
  request: IdempotentRequest,
): Promise<Answer | null> {
  try {
    return await database.write(async (tx) => {
      const before = await replayed(tx, request);
      if (before !== null) return before;
      await key.claim(tx);
      // Another program may store an answer between the two reads, and a write of it find no claim yet.
      await awaitAnswers(tx, request);
      const meanwhile = await replayed(tx, request);
      if (meanwhile !== null) await key.release(tx);
      return meanwhile;
    });
  } catch (error) {
    // The claim of a commit whose confirmation was lost would refuse the retries.
    if (isUnavailable(error)) await key.giveUp();
    throw error;
  }
}

/** The answer that was stored with the last story, once it is committed. */
interface Ended {
  answer: Answer | null;
}

async function runWorkflow(
  call: Call,
  entry: WorkflowEntry | null,
  { finish, ended }: { readonly finish: Finish; readonly ended: Readonly<Ended> },
): Promise<Answer> {
  try {
    call.take?.();
    const input = await inputOf(call.shop.database.read, call);
    const answered = await call.route.handler(acting(call, entry), { ...input, finish });
    return ended.answer ?? render(call, answered);
  } catch (error) {
    const answer = keptRefusal(error, call.problemTerms);
    if (answer === null) throw error;
    return answer;
  }
}

/** The shop with a database whose writes carry the caller and the request id, and the entry of the workflow. */
function acting(call: Call, entry: WorkflowEntry | null): Shop {
  const { database: own } = call.shop;
  const database: Database = {
    ...own,
    write: (story, options) => own.write(story, { ...writeOptions(call), ...options }),
  };
  return { ...call.shop, database: entry?.within(database) ?? database };
}

function writeOptions<T>(call: Call): WriteOptions<T> {
  const { actor } = call.input.caller;
  return { actor, requestId: call.problemTerms.requestId, mayShare: call.route.mayShare };
}

/** The response of a refusal that is stored; null for refusals that a retry may not get. */
function keptRefusal(error: unknown, terms: ProblemTerms): Answer | null {
  if (!(error instanceof Refusal) || error.definition === idempotencyKeyReused) return null;
  const status = statusOfKind[error.definition.kind];
  if (status !== 404 && status !== 409 && status !== 422) return null;
  return problem(error, terms);
}

/** The cast to the result of a list's handler, which its types guarantee. */
function asPage(found: unknown): Page<unknown> {
  return assume<Page<unknown>>(found);
}
