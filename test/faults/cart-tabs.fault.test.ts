// Tabs add to one cart while its shop is killed (SIGKILL) and started again: the cart has their sum, each unit once.
// RUNS=40 adds ten thousand times in each tab.

import { expect, setDefaultTimeout, test } from "bun:test";

import { atOnce } from "../support/at-once.ts";
import { openRunningDuka, type RunningDuka } from "../support/running-duka.ts";
import { runs } from "../support/runs.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { fillShelves } from "./shop-under-test.ts";

setDefaultTimeout(runs(240_000));

const TABS = 8;
const KILLS = 5;

interface Cart {
  readonly id: string;
  readonly line_items: readonly { readonly quantity: number }[];
}

test("eight tabs add to one cart of a shop that is killed five times, and it has their sum", async () => {
  using scratch = openScratchFolder();
  const terms = { folder: scratch.path };
  const first = await openRunningDuka(terms);
  const { key } = first;
  const { soldId: variant_id } = await fillShelves(first, key);
  const made = await first.request("POST", "/v2/carts", { key, body: {} });
  const cart: Cart = JSON.parse(await made.text());
  const times = runs(250);
  const killedAfter = new Set(
    Array.from({ length: KILLS }, (_, at) => Math.ceil((TABS * times * (at + 1)) / (KILLS + 1))),
  );
  let serving: Promise<RunningDuka> = Promise.resolve(first);
  let added = 0;
  const startAgain = async (running: Promise<RunningDuka>) => {
    await (await running).end("SIGKILL");
    return openRunningDuka(terms);
  };
  /** Sends the request again to the next program where the connection broke with the one before. */
  const add = async (tab: number, time: number): Promise<number> => {
    const duka = await serving;
    try {
      const answer = await duka.request("POST", `/v2/carts/${cart.id}/lines`, {
        key,
        body: { variant_id, metadata: { public_side: tab % 2 === 0 ? "even" : "odd" } },
        headers: { "Idempotency-Key": `tab-${tab}-${time}` },
      });
      await answer.text();
      return answer.status;
    } catch (error) {
      if ((await serving) === duka) throw error;
      return add(tab, time);
    }
  };

  await atOnce(TABS, async (tab) => {
    for (let time = 0; time < times; time += 1) {
      expect(await add(tab, time)).toBeOneOf([200, 201]);
      added += 1;
      if (killedAfter.has(added)) serving = startAgain(serving);
    }
  });

  await using last = await serving;
  const found = await last.request("GET", `/v2/carts/${cart.id}`, { key });
  const { line_items: lines }: Cart = JSON.parse(await found.text());
  expect(lines.map(({ quantity }) => quantity)).toEqual([(TABS / 2) * times, (TABS / 2) * times]);
});
