// What waits for a sender ends in its time, however slow the sender is: a body without end, and a connection that
// says nothing. All of them wait at once, for the longest of these times.

import { expect, test } from "bun:test";

import { openTestShop } from "../support/shop.ts";
import { head, speak } from "./raw-socket.ts";

const host = "Host: localhost";
const chunked = "Transfer-Encoding: chunked";
const json = "Content-Type: application/json";
/** Longer than any of these times. */
const PATIENCE = { withinMs: 90_000 };

test("a sender that stops is answered or cut off in its time", async () => {
  await using shop = await openTestShop();
  const key = await shop.createKey({ scopes: ["storefront"] });
  const endless = (path: string) => `POST ${path} HTTP/1.1\r\n${host}\r\n${chunked}\r\n\r\n`;
  const ofStranger = head({ key }, "POST /v2/carts", host, json, chunked);

  const answers = await Promise.all([
    speak(shop.url, [endless("/hooks/test/simulated")], PATIENCE),
    speak(shop.url, [endless("/hooks/test/inbox/shop")], PATIENCE),
    speak(shop.url, [endless("/v2/carts")], PATIENCE),
    speak(shop.url, [ofStranger], PATIENCE),
    speak(shop.url, [`GET /livez HTTP/1.1\r\n${host}\r\n`], PATIENCE),
    speak(shop.url, [head(shop, "GET /livez", host)], { ...PATIENCE, answers: 2 }),
  ]);

  expect(answers.map(({ statuses }) => statuses)).toEqual([[408], [408], [401], [400], [], [200]]);
  expect(answers.slice(-2).map(({ isClosed }) => isClosed)).toEqual([true, true]);
}, 120_000);
