// Bodies that are read part by part: whose time is limited, and whose is not.

import { expect, test } from "bun:test";

import { callForParts } from "#platform/net/call-for-parts.ts";

import { openRawReceiver } from "../../support/receivers.ts";

const SILENCE_MS = 300;
const NOTHING = new Uint8Array();

test("a reader may take its time, and a server that falls silent may not", async () => {
  await using server = await openRawReceiver({
    accept: (socket) =>
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npic");
        setTimeout(() => socket.write("tur"), 10);
      }),
  });
  const url = `http://127.0.0.1:${server.port}/`;
  const { parts } = await callForParts({ method: "GET", url, headers: {}, silenceMs: SILENCE_MS });

  const first = await parts.next();
  // The silence is what is tested: it does not count while nobody reads.
  await Bun.sleep(SILENCE_MS + 50);
  const second = await parts.next();
  const third = await parts.next().catch((error: unknown) => error);

  expect(Buffer.concat([first ?? NOTHING, second ?? NOTHING]).toString()).toBe("pictur");
  expect(String(third)).toContain("did not answer in time");
  await server.gone();
});
