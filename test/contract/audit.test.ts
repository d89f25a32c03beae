// The audit log of the whole interface: which operations have entries, and that each of them has one.

import { expect, spyOn, test } from "bun:test";

import { routes } from "#interface.ts";
import type { AnyRoute } from "#platform/http/contract/route.ts";
import { auditEntries } from "#shop/audit/tables.ts";

import { type Answered, openTestShop, type TestShop } from "../support/shop.ts";
import { rowsOf } from "../support/tables.ts";
import { runExamples } from "./example-run.ts";
import { call, operations } from "./operations.ts";

/** What shops do all day and visitors can repeat: the events of orders and payments name the actor. */
const withoutEntries = [
  "createCart",
  "recoverCart",
  "updateCart",
  "deleteCart",
  "startCheckout",
  "addCartLine",
  "updateCartLine",
  "removeCartLine",
  "createOrder",
  "completeCart",
  "initializePayment",
  "submitPaymentOtp",
  "sendCustomerSessionCode",
  "createCustomerSession",
  "endCustomerSession",
  "updateMe",
];

/** They take a body and change nothing. */
const previews = ["previewOrder", "previewCancellation", "previewReturn", "previewRefund"];

/** They are about the whole shop, or about many records. */
const withoutSubject = [
  "createTaxRatesOfPreset",
  "updateInventoryBatch",
  "updateClock",
  "resetClock",
  "advanceClock",
  "resetTestShop",
  "seedTestShop",
  "triggerEvent",
  "emptyInbox",
  "sendTestEmail",
  "setMessageHook",
  "rotateMessageHookSecret",
  "deleteMessageHook",
];

interface Sent {
  readonly route: AnyRoute;
  readonly first: Answered;
  readonly again: Answered;
}

/** Sends every request to a route twice under one idempotency key, as a retry does. */
function sendTwice(shop: TestShop): readonly Sent[] {
  const sent: Sent[] = [];
  const send = shop.send.bind(shop);
  spyOn(shop, "send").mockImplementation(async (method, path, options) => {
    const headers = { ...options.headers, "Idempotency-Key": `request-${sent.length}` };
    const first = await send(method, path, { ...options, headers });
    const again = method === "GET" ? first : await send(method, path, { ...options, headers });
    sent.push({ route: routeOf(method, path), first, again });
    return first;
  });
  return sent;
}

function routeOf(method: string, url: string): AnyRoute {
  const path = url.split("?")[0] ?? "";
  const matches = (route: AnyRoute) =>
    new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);
  const found = routes.filter((route) => route.method === method && matches(route));
  const route = found.find((one) => !one.path.includes("{")) ?? found[0];
  if (route === undefined) throw new Error(`There is no route ${method} ${path}.`);
  return route;
}

function requestIdOf(answer: Answered): string | null {
  return answer.headers.get("x-request-id");
}

/** The entries of the test shop by request. */
async function entriesByRequest(shop: TestShop) {
  const rows = await rowsOf(shop.test.database.read, auditEntries);
  return Map.groupBy(rows, ({ requestId }) => requestId);
}

test("every operation that changes something has entries, unless it is one of these", () => {
  const changing = routes.filter(({ method }) => method !== "GET");
  const reading = routes.filter(({ method }) => method === "GET");
  const ids = (found: readonly AnyRoute[]) => found.map(({ operationId }) => operationId);

  expect(ids(changing.filter(({ audit }) => audit === null)).toSorted()).toEqual(
    [...withoutEntries, ...previews].toSorted(),
  );
  expect(ids(reading.filter(({ audit }) => audit !== null))).toEqual(["exportCustomer"]);
});

test("an operation whose answer has a secret keeps no values of it", () => {
  const keeping = routes.filter(({ audit }) => audit?.keeps !== undefined);

  expect(keeping.filter(({ answersSecret }) => answersSecret)).toEqual([]);
  expect(keeping.length).toBeGreaterThan(0);
});

test("each request leaves one entry with its operation, actor, subject and request, and a retry none", async () => {
  await using shop = await openTestShop();
  const actor = (await shop.get("/v2/keys")).string("/data/0/id");
  const sent = sendTwice(shop);

  await runExamples(shop);

  const entries = await entriesByRequest(shop);
  const audited = sent.filter(({ route }) => route.audit !== null);
  const operationIds = new Set(sent.map(({ route }) => route.operationId));
  expect(routes.filter(({ operationId }) => !operationIds.has(operationId))).toEqual([]);
  expect(
    audited.map(({ route, first }) => ({
      operation: route.operationId,
      entries: entries.get(requestIdOf(first))?.map((entry) => ({
        action: entry.action,
        actor: entry.actor,
        hasSubject: entry.subject !== null,
      })),
    })),
  ).toEqual(
    audited.map(({ route: { operationId } }) => ({
      operation: operationId,
      entries: [{ action: operationId, actor, hasSubject: !withoutSubject.includes(operationId) }],
    })),
  );
  const quiet = [
    ...sent.filter(({ route }) => route.audit === null).map(({ first }) => first),
    ...sent.filter(({ route }) => route.method !== "GET").map(({ again }) => again),
  ];
  expect(quiet.filter((answer) => entries.has(requestIdOf(answer)))).toEqual([]);
});

test("a refused request leaves no entry, whatever the operation", async () => {
  await using shop = await openTestShop();
  const answers: Answered[] = [];

  for (const [, route] of operations) answers.push(await call(shop, route));

  const entries = await entriesByRequest(shop);
  const refused = answers.filter(({ status }) => status >= 400);
  expect(refused.length).toBeGreaterThan(operations.length / 3);
  expect(refused.filter((answer) => entries.has(requestIdOf(answer)))).toEqual([]);
});
