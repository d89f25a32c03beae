// People are taken out of the log and of stored answers; what the machinery counts on stays.

import { expect, test } from "bun:test";

import type { Store } from "#platform/database/store.ts";
import { eventsAfter } from "#platform/event-log/event-log.ts";
import { redactAnswers, redactEvents, type RedactField } from "#platform/event-log/redaction.ts";
import { findAnswer, keepAnswer } from "#platform/http/idempotency/stored-answers.ts";

import { NOON, openTestStore } from "../../support/store.ts";

const ADA = "cus_01h455vb4pex5vsknk084sn02q";
const GRACE = "cus_01h455vb4pex5vsknk084sn02r";
const ORDER = "ord_01h455vb4pex5vsknk084sn02q";

const nameless: RedactField = (field, value) => (field === "name" ? null : value);

test("only the subject's payloads are rewritten, at their place in the log", async () => {
  await using opened = await openTestStore();
  await announce(opened.store, ADA, { name: "Ada" });
  await announce(opened.store, GRACE, { name: "Grace" });
  await announce(opened.store, ADA, { name: "Ada Mensah" });

  await opened.store.write((tx) => redactEvents(tx, ADA, nameless));

  const events = await eventsAfter(opened.store.read, { after: 0, limit: 10 });
  expect(events.map((event) => [event.sequence, event.data])).toEqual([
    [1, '{"name":null}'],
    [2, '{"name":"Grace"}'],
    [3, '{"name":null}'],
  ]);
});

test("every event of a long timeline is rewritten", async () => {
  await using opened = await openTestStore();
  await opened.store.write(async (tx) => {
    for (let turn = 0; turn < 1001; turn += 1) {
      await tx.emit({ name: "person.seen", subject: ADA, data: { name: "Ada", turn } });
    }
  });

  await opened.store.write((tx) => redactEvents(tx, ADA, nameless));

  const events = await eventsAfter(opened.store.read, { after: 0, limit: 2000 });
  expect(events.filter((event) => event.data.includes("Ada"))).toEqual([]);
  expect(events).toHaveLength(1001);
});

test("a number that stays keeps its digits", async () => {
  await using opened = await openTestStore();
  const data = { total: JSON.rawJSON("249.50"), big: JSON.rawJSON("1e2"), name: "Ada" };
  await announce(opened.store, ADA, data);

  await opened.store.write((tx) => redactEvents(tx, ADA, nameless));

  const [event] = await eventsAfter(opened.store.read, { after: 0, limit: 1 });
  expect(event?.data).toBe('{"total":249.50,"big":1e2,"name":null}');
});

test("an answer that names the person is rewritten, and its key stays used", async () => {
  await using opened = await openTestStore();
  const body = { id: ORDER, total: JSON.rawJSON("249.50"), customer: { id: ADA, name: "Ada" } };
  await answer(opened.store, "order", { status: 201, body });

  await opened.store.write((tx) => redactAnswers(tx, ADA, nameless));

  const kept = await findAnswer(opened.store.read, "order");
  expect(kept?.body).toBe(
    `{"id":"${ORDER}","total":249.50,"customer":{"id":"${ADA}","name":null}}`,
  );
  expect([kept?.status, kept?.fingerprint]).toEqual([201, "print"]);
});

test("what becomes of a field may depend on where it stands", async () => {
  await using opened = await openTestStore();
  await announce(opened.store, ADA, { by: { id: ADA, name: "Ada" }, of: { name: "Mug" } });

  await opened.store.write((tx) =>
    redactEvents(tx, ADA, (field, value, holder) =>
      field === "name" && Object(holder).id === ADA ? null : value,
    ),
  );

  const [event] = await eventsAfter(opened.store.read, { after: 0, limit: 1 });
  expect(event?.data).toBe(`{"by":{"id":"${ADA}","name":null},"of":{"name":"Mug"}}`);
});

test("answers about others and refusals stay as they are", async () => {
  await using opened = await openTestStore();
  const others = { status: 201, body: { id: GRACE, name: "Grace" } };
  const refusal = { status: 409, body: { code: "customer_exists", existing_id: ADA } };
  await answer(opened.store, "others", others);
  await answer(opened.store, "refusal", refusal);

  await opened.store.write((tx) => redactAnswers(tx, ADA, nameless));

  const [first, second] = await Promise.all([
    findAnswer(opened.store.read, "others"),
    findAnswer(opened.store.read, "refusal"),
  ]);
  expect(first?.body).toBe(JSON.stringify(others.body));
  expect(second?.body).toBe(JSON.stringify(refusal.body));
});

function announce(store: Store, subject: string, payload: unknown): Promise<void> {
  return store.write((tx) => tx.emit({ name: "person.seen", subject, data: payload }));
}

function answer(
  store: Store,
  key: string,
  given: { readonly status: number; readonly body: unknown },
): Promise<void> {
  return store.write((tx) =>
    keepAnswer(tx, {
      key,
      fingerprint: "print",
      status: given.status,
      headers: {},
      body: JSON.stringify(given.body),
      createdAt: NOON,
    }),
  );
}
