// Bodies that are sent as they come: how many may be open.

import { expect, test } from "bun:test";

import { openStreams } from "#platform/http/ranges.ts";
import type { Parts } from "#platform/net/call-for-parts.ts";

/** Parts without an end, until they are ended. */
function endless(name: string, ended: string[]): Parts {
  let isEnded = false;
  return {
    next: async () => {
      if (isEnded) throw new Error(name);
      return new Uint8Array(1);
    },
    end: () => {
      isEnded = true;
      ended.push(name);
    },
  };
}

test("one more than there may be ends the one that was taken from longest ago, which is no fault", async () => {
  const [ended, faults]: [string[], unknown[]] = [[], []];
  const open = openStreams(2);
  const readerOf = (name: string) =>
    open(endless(name, ended), (error) => faults.push(error)).getReader();
  const [first, second] = [readerOf("first"), readerOf("second")];
  await second.read();
  await first.read();

  const third = readerOf("third");

  const broken = await second.read().catch((error: unknown) => error);
  expect([ended, broken]).toEqual([["second"], expect.any(Error)]);
  expect((await first.read()).done).toBe(false);
  expect((await third.read()).done).toBe(false);
  await third.cancel();
  readerOf("fourth");
  expect([ended, faults]).toEqual([["second", "third"], []]);
});
