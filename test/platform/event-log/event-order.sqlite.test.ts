// One writer runs one story after the other: the log has the order in which they were handed in.

import { expect, test } from "bun:test";

import fc from "fast-check";

import { events } from "#platform/database/tables.ts";
import { eventsAfter } from "#platform/event-log/event-log.ts";

import { openTestDatabase } from "../../support/database.ts";
import { rowsOf } from "../../support/tables.ts";

const packed = (subject: string) => ({ name: "crate.packed", subject, data: { id: subject } });
const everything = { after: 0, limit: 1000 };
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

test("random refusals leave no gap, and the order is that in which it was written", async () => {
  const plan = fc.array(
    fc.record({ emits: fc.nat({ max: 3 }), refuses: fc.boolean(), instead: fc.boolean() }),
    { maxLength: 80 },
  );

  await fc.assert(
    fc.asyncProperty(plan, async (stories) => {
      await using shop = await openTestDatabase();
      const kept: string[] = [];
      await Promise.allSettled(
        stories.map(async ({ emits, refuses, instead }, index) => {
          const announce = async (subject: string) => {
            await shop.database.write(
              async (tx) => {
                for (let count = 0; count < emits; count += 1) await tx.emit(packed(subject));
                if (refuses) throw new Error("refused");
              },
              instead ? { otherwise: (tx) => tx.emit(packed(subject)) } : {},
            );
            kept.push(...Array.from({ length: refuses ? 1 : emits }, () => subject));
          };
          await announce(String(index));
        }),
      );

      const log = await eventsAfter(shop.database.read, everything);
      expect(log.map((event) => event.sequence)).toEqual(upTo(kept.length));
      expect(log.map((event) => event.subject)).toEqual(kept);
    }),
    { numRuns: 30 },
  );
});

test("ids of events sort as their sequences do", async () => {
  await using shop = await openTestDatabase();
  await Promise.all(
    upTo(70).map((name) => shop.database.write((tx) => tx.emit(packed(`${name}`)))),
  );

  const byId = (await rowsOf(shop.database.read, events)).toSorted((one, other) =>
    one.id < other.id ? -1 : 1,
  );

  expect(byId.map((row) => row.sequence)).toEqual(upTo(70));
});
