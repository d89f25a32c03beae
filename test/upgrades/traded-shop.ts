// A shop that a program has just begun, traded in and stopped.

import { realClock } from "#kernel/time.ts";

import { type DukaTerms, openRunningDuka, runDuka } from "../support/running-duka.ts";
import type { Kept } from "./kept-shop.ts";
import { type Json, objectOf, OldShop } from "./old-shop.ts";
import { type Answers, readShop } from "./read-shop.ts";
import { trade } from "./trade.ts";

interface Traded {
  readonly document: Json;
  readonly kept: Kept;
}

/** Afterwards the program has stopped, with its data in the folder. */
export async function tradeAndRead(terms: DukaTerms): Promise<Traded> {
  await using duka = await openRunningDuka(terms);
  const served = await fetch(`${duka.url}/openapi.json`);
  const text = (await served.text()).replaceAll(duka.url, "http://127.0.0.1:4000");
  const document = objectOf(JSON.parse(text));
  const words = ["keys", "create", "--mode", "live", "--name", "Old", "--scopes", "full"];
  const keys = { test: duka.key, live: (await runDuka(words, terms)).stdout.trim() };
  const answersOf = async (key: string) => {
    const shop = new OldShop({ url: duka.url, key, document });
    await trade(shop);
    return readAtRest(shop);
  };
  const answers = { test: await answersOf(keys.test), live: await answersOf(keys.live) };
  const readAt = realClock.now();
  await duka.end("SIGTERM");
  return { document, kept: { readAt, keys, answers } };
}

/** Reads until a second has changed nothing: what was begun has ended. */
async function readAtRest(shop: OldShop): Promise<Answers> {
  let before = await readShop(shop);
  for (;;) {
    await Bun.sleep(1_000);
    const after = await readShop(shop);
    if (Bun.deepEquals(before, after)) return after;
    before = after;
  }
}
