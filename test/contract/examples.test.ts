// The examples of the documentation are what a run of the seeded shop sent, answered and emitted. Regenerate
// with `ACCEPT_EXAMPLES=1 bun test test/contract/examples.test.ts`.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { document, routes } from "#interface.ts";
import { eventNames } from "#messaging/events/event.ts";
import stored from "#platform/http/openapi/examples.json" with { type: "json" };

import { openTestShop, type TestShop } from "../support/shop.ts";
import { runExamples } from "./example-run.ts";
import { asExample, shapeDifferences } from "./example-values.ts";

const FILE = new URL("../../src/platform/http/openapi/examples.json", import.meta.url);
const requests = new Map<string, unknown>(Object.entries(stored.requests));

test("examples are of the shape that the seeded shop answers", async () => {
  await using shop = await openTestShop();

  const examples = asExample(await runExamples(shop), shop.url);

  if (process.env["ACCEPT_EXAMPLES"] !== undefined) {
    await Bun.write(FILE, `${JSON.stringify(examples, null, 2)}\n`);
    return;
  }
  expect(shapeDifferences(stored, examples)).toEqual([]);
});

describe("the document has an example", () => {
  test.each(routes.map(({ operationId, ...route }) => [operationId, route] as const))(
    "of %s",
    (operationId, { body, file, response, status }) => {
      expect([requests.has(operationId), operationId in stored.responses]).toEqual([
        body !== null && file === null,
        response !== null && status !== 204,
      ]);
    },
  );

  test("of everything that webhooks receive", () => {
    const names = [...eventNames, "webhook.ping"];

    expect(Object.keys(stored.events).toSorted()).toEqual(names.toSorted());
  });

  test("in its place", () => {
    const published = JSON.stringify(document());

    expect(published.split('"seed":{"value"').length).toBeGreaterThan(100);
  });
});

/** Works as it stands in any seeded shop: it names nothing that only one shop has. */
function isPasteable(path: string, body: unknown): boolean {
  return !path.includes("{") && !/_[0-7][0-9a-hjkmnp-tv-z]{25}|"token"/.test(JSON.stringify(body));
}

const pasteable = routes.filter(
  ({ operationId, path, asCustomer, asBearer }) =>
    requests.has(operationId) &&
    !asCustomer &&
    !asBearer &&
    isPasteable(path, requests.get(operationId)),
);

describe("pasted into a seeded shop", () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await openTestShop();
    await shop.post("/v2/test/seed", {});
  });
  afterAll(() => shop[Symbol.asyncDispose]());

  test.each(pasteable.map((route) => [route.operationId, route] as const))(
    "the sample request of %s works",
    async (operationId, { method, path }) => {
      if (operationId === "seedTestShop") await shop.post("/v2/test/reset");

      const answer = await shop.send(method, path, {
        text: JSON.stringify(requests.get(operationId)),
      });

      expect(answer.status).toBeLessThan(300);
    },
  );
});

test("the sample requests that need an id of the reader's own shop", () => {
  const others = [...requests.keys()].filter(
    (id) => !pasteable.some((one) => one.operationId === id),
  );

  expect(others.toSorted()).toMatchSnapshot();
});
