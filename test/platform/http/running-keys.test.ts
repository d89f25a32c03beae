// One idempotency key at several programs over one database: the work is done once, whichever program is asked.

import { describe, expect, test } from "bun:test";

import { Type } from "typebox";

import { MINUTE_MS } from "#kernel/time.ts";
import type { Database } from "#platform/database/database.ts";
import { storageUnavailable } from "#platform/database/errors.ts";
import { findLease } from "#platform/database/leases.ts";
import type { Shop } from "#platform/database/shop.ts";
import { eventsAfter } from "#platform/event-log/event-log.ts";
import { type Call, perform } from "#platform/http/calls/perform.ts";
import { type Route, workflowRoute, writeRoute } from "#platform/http/contract/route.ts";
import { object } from "#platform/http/contract/words.ts";
import { onlyPublic } from "#platform/net/target-url.ts";

import { codeOf, NOON, noonClock, openTestDatabase, stillOpen } from "../../support/database.ts";

const terms = {
  path: "/v2/crates",
  operationId: "tryCrates",
  tag: "Crates",
  summary: "Make a crate",
  scopes: ["crates:write"],
  response: object({ by: Type.String() }),
};

/** A workflow that says who did it when it is let go. */
function slowRoute(by: string) {
  const started = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const route = workflowRoute({
    ...terms,
    method: "POST",
    handler: async (shop: Shop) => {
      started.resolve();
      await released.promise;
      await shop.database.write((tx) => tx.emit({ name: "crate.made", subject: by, data: {} }));
      return { by };
    },
  });
  return { route, started: started.promise, release: released.resolve, fail: released.reject };
}

/** A workflow that nothing keeps waiting. */
function quickRoute(by: string): Route {
  const { route, release } = slowRoute(by);
  release();
  return route;
}

/** Another program over the same database. */
function program(database: Database): Database {
  return { ...database, isShared: true, inProgress: new Map() };
}

/** Another program, which is not told that its first commit succeeded: the connection broke. */
function interrupted(database: Database): Database {
  let isFirst = true;
  const write: Database["write"] = async (story, options) => {
    const written = await database.write(story, options);
    if (!isFirst) return written;
    isFirst = false;
    throw storageUnavailable();
  };
  return { ...program(database), write };
}

/** A request with the key `once`. */
function asked(
  database: Database,
  route: Route,
  { body = "a", atMs = NOON, lineage = "key_1" } = {},
) {
  const idempotent = { key: "once", lineage, elsewhere: lineage, fingerprint: body };
  const caller = {
    actor: { type: "api_key" as const, id: "key_1" },
    name: "Key 1",
    lineage: "key_1",
    hasPresetFull: false,
    mode: "test" as const,
    scopes: new Set<string>(),
    isPublic: false,
    ratePerMinute: null,
    expiresAt: null,
  };
  const call: Call = {
    route,
    shop: { mode: "test", database, clock: noonClock, closing: stillOpen },
    path: route.path,
    publicUrl: "",
    retentionClock: { now: () => atMs },
    recordAct: async () => {},
    query: {},
    sentBack: null,
    problemTerms: { requestId: "req_1", isPublic: false, errorsUrl: "" },
    view: null,
    idempotent,
    input: {
      params: {},
      query: {},
      body: {},
      page: { limit: 1, after: null },
      caller,
      publicUrl: "",
      ifMatch: null,
      requestsPerMinute: 0,
      testReach: onlyPublic,
      now: 0,
      idempotent,
      customerToken: null,
      orderToken: null,
      clientNetwork: () => null,
    },
  };
  return perform(call);
}

async function madeBy({ database }: { readonly database: Database }): Promise<string[]> {
  const events = await eventsAfter(database.read, { after: 0, limit: 100 });
  return events.map(({ subject }) => subject);
}

describe("while a workflow runs at one program", () => {
  test("its key is refused by another, and answered there when it is through", async () => {
    await using opened = await openTestDatabase();
    const [one, other] = [program(opened.database), program(opened.database)];
    const slow = slowRoute("one");
    const first = asked(one, slow.route);
    await slow.started;

    const meanwhile = await codeOf(asked(other, quickRoute("other")));
    slow.release();
    const answer = await first;
    const again = await asked(other, quickRoute("other"));

    expect(meanwhile).toBe("idempotency_in_progress");
    expect(answer.text).toBe('{"by":"one"}');
    expect(again).toMatchObject({ text: answer.text, headers: { "Idempotent-Replayed": "true" } });
    expect(await madeBy(opened)).toEqual(["one"]);
  });

  test("another request with its key is refused as what it is", async () => {
    await using opened = await openTestDatabase();
    const slow = slowRoute("one");
    const first = asked(program(opened.database), slow.route);
    await slow.started;
    const write = writeRoute({ ...terms, method: "POST", handler: async () => ({ by: "write" }) });

    const meanwhile = await codeOf(asked(program(opened.database), write, { body: "b" }));
    slow.release();
    await first;

    expect(meanwhile).toBe("idempotency_key_reused");
  });
});

describe("the key of a workflow", () => {
  test("that failed is free at once", async () => {
    await using opened = await openTestDatabase();
    const slow = slowRoute("one");
    const first = asked(program(opened.database), slow.route);
    await slow.started;
    slow.fail(new Error("gone"));
    const failed = await codeOf(first);

    const again = await asked(program(opened.database), quickRoute("other"));

    expect(failed).toBe("gone");
    expect(again.text).toBe('{"by":"other"}');
  });

  test("whose claim was not confirmed is free at once", async () => {
    await using opened = await openTestDatabase();

    const failed = await codeOf(asked(interrupted(opened.database), quickRoute("one")));
    const again = await asked(program(opened.database), quickRoute("other"));

    expect(failed).toBe("storage_unavailable");
    expect(again.text).toBe('{"by":"other"}');
  });

  test("whose program is gone is free after a minute", async () => {
    await using opened = await openTestDatabase();
    const gone = slowRoute("one");
    const first = asked(program(opened.database), gone.route);
    await gone.started;

    const early = await codeOf(
      asked(program(opened.database), quickRoute("other"), { atMs: NOON + MINUTE_MS - 1 }),
    );
    const late = await asked(program(opened.database), quickRoute("other"), {
      atMs: NOON + MINUTE_MS,
    });
    gone.release();
    const returned = await first;

    expect(early).toBe("idempotency_in_progress");
    expect(late.text).toBe('{"by":"other"}');
    expect(returned.text).toBe(late.text);
  });

  test("that is answered leaves no lease", async () => {
    await using opened = await openTestDatabase();
    await asked(program(opened.database), quickRoute("one"));

    expect(await findLease(opened.database.read, "key:key_1/once")).toBeUndefined();
  });

  test("takes no lease where the program is alone", async () => {
    await using opened = await openTestDatabase();
    const alone: Database = { ...opened.database, isShared: false, inProgress: new Map() };
    const slow = slowRoute("one");
    const first = asked(alone, slow.route);
    await slow.started;

    const lease = await findLease(opened.database.read, "key:key_1/once");
    slow.release();
    await first;

    expect(lease).toBeUndefined();
  });
});

test("a key of another lineage is another key, also while a workflow uses it", async () => {
  await using opened = await openTestDatabase();
  const slow = slowRoute("one");
  const first = asked(program(opened.database), slow.route);
  await slow.started;

  const other = { body: "b", lineage: "key_2" };
  const meanwhile = await asked(program(opened.database), quickRoute("other"), other);
  slow.release();

  expect([meanwhile.text, (await first).text]).toEqual(['{"by":"other"}', '{"by":"one"}']);
});

test("one of ten programs that are asked at once does the work", async () => {
  await using opened = await openTestDatabase();
  const calls = Array.from({ length: 10 }, async (_, index) => {
    const answered = asked(program(opened.database), quickRoute(`program ${index}`));
    return codeOf(answered);
  });

  const refused = (await Promise.all(calls)).filter((code) => code !== null);

  expect(new Set(refused).isSubsetOf(new Set(["idempotency_in_progress"]))).toBeTrue();
  expect(await madeBy(opened)).toHaveLength(1);
});
