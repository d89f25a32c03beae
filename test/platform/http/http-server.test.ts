// Starting and stopping: what came early is answered, what was begun is finished, within a bound, and nothing new is begun.

import { expect, test } from "bun:test";

import Type from "typebox";

import { workflowRoute } from "#platform/http/contract/route.ts";
import { object } from "#platform/http/contract/words.ts";
import { unlisted } from "#platform/http/router.ts";

import { serveRoutes } from "./serve-routes.ts";

/** A route whose work takes until it is let go. */
function slowRoute() {
  const started = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const route = workflowRoute({
    method: "POST",
    path: "/v2/crates",
    operationId: "tryCrates",
    tag: "Crates",
    summary: "Take time",
    scopes: ["crates:write"],
    response: object({ done: Type.Boolean() }),
    handler: async (shop) => {
      started.resolve();
      await released.promise;
      await shop.database.write((tx) =>
        tx.emit({ name: "crate.made", subject: "crate", data: {} }),
      );
      return { done: true };
    },
  });
  return { route, started: started.promise, release: released.resolve };
}

test("a request in flight is answered, and no new one is taken", async () => {
  const slow = slowRoute();
  await using server = await serveRoutes([slow.route]);
  const inFlight = server.send("POST", "/v2/crates");
  await slow.started;

  const stopped = server.stop(5_000);
  const late = await fetch(`${server.url}/livez`, { keepalive: false }).catch(() => null);
  slow.release();
  const answer = await inFlight;
  await stopped;

  expect(late).toBeNull();
  expect([answer.status, await answer.json()]).toEqual([200, { done: true }]);
  expect(await server.announced()).toEqual(["crate.made"]);
});

test("a request that does not end is cut off when the time is over", async () => {
  const slow = slowRoute();
  await using server = await serveRoutes([slow.route]);
  const inFlight = server.send("POST", "/v2/crates").catch(() => null);
  await slow.started;

  await server.stop(50);

  expect(await inFlight).toBeNull();
  slow.release();
});

// A refusal that came before the body was read once left a request that never ended.
test.each([
  ["without a key", { Authorization: "Bearer nobody" }, 401],
  ["without the scope", { Authorization: "Bearer guest" }, 403],
  ["of a wrong media type", { "Content-Type": "text/plain" }, 415],
])("a large body refused %s does not delay the stop", async (_, headers, status) => {
  const slow = slowRoute();
  await using server = await serveRoutes([slow.route]);
  const bodies = Array.from({ length: 3 }, () => "x".repeat(1_048_577));
  const refused = await Promise.all(
    bodies.map((body) => server.send("POST", "/v2/crates", { body, headers })),
  );

  // That nothing happens for a while is what is tested.
  const first = await Promise.race([
    server.stop(30_000).then(() => "stopped"),
    Bun.sleep(3_000).then(() => "waiting"),
  ]);

  expect(refused.map((answer) => answer.status)).toEqual([status, status, status]);
  expect(first).toBe("stopped");
});

test("a workflow's retry is asked to wait while the first request runs", async () => {
  const slow = slowRoute();
  await using server = await serveRoutes([slow.route]);
  const headers = { "Idempotency-Key": "once" };
  const first = server.send("POST", "/v2/crates", { headers });
  await slow.started;

  const early = await server.send("POST", "/v2/crates", { headers });
  slow.release();
  const answer = await first;
  const retried = await server.send("POST", "/v2/crates", { headers });

  expect(early.status).toBe(409);
  expect(early.headers.get("retry-after")).toBe("1");
  expect(await early.json()).toMatchObject({ code: "idempotency_in_progress", retryable: true });
  expect(retried.headers.get("idempotent-replayed")).toBe("true");
  expect(await retried.text()).toBe(await answer.text());
  expect(await server.announced()).toEqual(["crate.made"]);
});

test("a server is alive before its routes are loaded, and answers what came meanwhile afterwards", async () => {
  const { route, release } = slowRoute();
  release();
  const loading = Promise.withResolvers<void>();
  await using server = await serveRoutes([route], { loading: loading.promise });
  const early = server.send("POST", "/v2/crates");
  const ready = fetch(`${server.url}/readyz`);

  const alive = await fetch(`${server.url}/livez`);
  loading.resolve();

  expect(alive.status).toBe(200);
  expect((await early).status).toBe(200);
  expect((await ready).status).toBe(200);
});

test("a page that cannot be loaded is told to the log, and loaded by the next request", async () => {
  let tries = 0;
  await using server = await serveRoutes([], {
    addPage: async (app) => {
      tries += 1;
      if (tries === 1) throw new Error("too many open files");
      app.all("/page", () => new Response("The page"), unlisted);
    },
  });

  const first = await server.send("GET", "/page");
  const second = await server.send("GET", "/page");

  expect([first.status, second.status, await second.text()]).toEqual([503, 200, "The page"]);
  expect(server.faults.map(({ error }) => String(error))).toEqual(["Error: too many open files"]);
});
