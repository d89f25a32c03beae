// People are taken out of the log and of stored answers; what the machinery counts on stays.

import { expect, test } from "bun:test";

import type { Database } from "#platform/database/database.ts";
import { eventsAfter } from "#platform/event-log/event-log.ts";
import { redactAnswers, redactEvents, type RedactField } from "#platform/event-log/redaction.ts";
import { findAnswers, saveAnswer } from "#platform/http/calls/stored-answers.ts";

import { NOON, openTestDatabase } from "../../support/database.ts";

const ADA = "cus_01h455vb4pex5vsknk084sn02q";
const GRACE = "cus_01h455vb4pex5vsknk084sn02r";
const ORDER = "ord_01h455vb4pex5vsknk084sn02q";

const nameless: RedactField = (field, value) => (field === "name" ? null : value);

test("only the subject's payloads are rewritten, at their place in the log", async () => {
  await using opened = await openTestDatabase();
  await announce(opened.database, ADA, { name: "Ada" });
  await announce(opened.database, GRACE, { name: "Grace" });
  await announce(opened.database, ADA, { name: "Ada Mensah" });

  await opened.database.write((tx) => redactEvents(tx, ADA, nameless));

  const events = await eventsAfter(opened.database.read, { after: 0, limit: 10 });
  expect(events.map((event) => [event.sequence, event.data])).toEqual([
    [1, '{"name":null}'],
    [2, '{"name":"Grace"}'],
    [3, '{"name":null}'],
  ]);
});

test("every event of a long timeline is rewritten", async () => {
  await using opened = await openTestDatabase();
  await opened.database.write(async (tx) => {
    for (let turn = 0; turn < 1001; turn += 1) {
      await tx.emit({ name: "person.seen", subject: ADA, data: { name: "Ada", turn } });
    }
  });

  await opened.database.write((tx) => redactEvents(tx, ADA, nameless));

  const events = await eventsAfter(opened.database.read, { after: 0, limit: 2000 });
  expect(events.filter((event) => event.data.includes("Ada"))).toEqual([]);
  expect(events).toHaveLength(1001);
});

test("a number that stays keeps its digits", async () => {
  await using opened = await openTestDatabase();
  const data = { total: JSON.rawJSON("249.50"), big: JSON.rawJSON("1e2"), name: "Ada" };
  await announce(opened.database, ADA, data);

  await opened.database.write((tx) => redactEvents(tx, ADA, nameless));

  const [event] = await eventsAfter(opened.database.read, { after: 0, limit: 1 });
  expect(event?.data).toBe('{"total":249.50,"big":1e2,"name":null}');
});

test("an answer that names the person is rewritten, and its key stays used", async () => {
  await using opened = await openTestDatabase();
  const body = { id: ORDER, total: JSON.rawJSON("249.50"), customer: { id: ADA, name: "Ada" } };
  await answer(opened.database, "order", { status: 201, body });

  await opened.database.write((tx) => redactAnswers(tx, ADA, nameless));

  const kept = await answerTo(opened.database, "order");
  expect(kept?.body).toBe(
    `{"id":"${ORDER}","total":249.50,"customer":{"id":"${ADA}","name":null}}`,
  );
  expect([kept?.status, kept?.fingerprint]).toEqual([201, "print"]);
});

test("what becomes of a field may depend on where it stands", async () => {
  await using opened = await openTestDatabase();
  await announce(opened.database, ADA, { by: { id: ADA, name: "Ada" }, of: { name: "Mug" } });

  await opened.database.write((tx) =>
    redactEvents(tx, ADA, (field, value, holder) =>
      field === "name" && Object(holder).id === ADA ? null : value,
    ),
  );

  const [event] = await eventsAfter(opened.database.read, { after: 0, limit: 1 });
  expect(event?.data).toBe(`{"by":{"id":"${ADA}","name":null},"of":{"name":"Mug"}}`);
});

test("answers about others and refusals stay as they are", async () => {
  await using opened = await openTestDatabase();
  const others = { status: 201, body: { id: GRACE, name: "Grace" } };
  const refusal = { status: 409, body: { code: "customer_exists", existing_id: ADA } };
  await answer(opened.database, "others", others);
  await answer(opened.database, "refusal", refusal);

  await opened.database.write((tx) => redactAnswers(tx, ADA, nameless));

  const [first, second] = await Promise.all([
    answerTo(opened.database, "others"),
    answerTo(opened.database, "refusal"),
  ]);
  expect(first?.body).toBe(JSON.stringify(others.body));
  expect(second?.body).toBe(JSON.stringify(refusal.body));
});

const lineage = "key_1";

async function answerTo(database: Database, key: string) {
  return (await findAnswers(database.read, { key, lineage, elsewhere: lineage }))[0];
}

function announce(database: Database, subject: string, payload: unknown): Promise<void> {
  return database.write((tx) => tx.emit({ name: "person.seen", subject, data: payload }));
}

function answer(
  database: Database,
  key: string,
  given: { readonly status: number; readonly body: unknown },
): Promise<void> {
  return database.write((tx) =>
    saveAnswer(tx, {
      key,
      lineage,
      fingerprint: "print",
      status: given.status,
      headers: {},
      body: JSON.stringify(given.body),
      about: null,
      isPublic: false,
      createdAt: NOON,
    }),
  );
}
