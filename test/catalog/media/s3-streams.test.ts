// Large pictures of a private bucket on their way to slow, leaving and hostile clients, and buckets that break off.

import { expect, test } from "bun:test";
import { once } from "node:events";
import { connect, type Socket } from "node:net";

import { zeroId } from "#kernel/id.ts";

import { openRawReceiver, pour } from "../../support/receivers.ts";
import { S3_SETTINGS } from "../../support/s3-server.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";

/** More than the buffers of four sockets hold. */
const FILE_BYTES = 24 * 1_048_576;
const CHUNK = new Uint8Array(65_536);
const PATH = `/media/test/00/${zeroId("medium")}-40.webp`;
const FAULT = "A picture could not be read.";

function headOf(bytes: number, more = ""): string {
  return `HTTP/1.1 200 OK\r\nContent-Length: ${bytes}\r\n${more}\r\n`;
}

/** A shop and its bucket, which answers each request as it is told to. */
async function openShopWith(answer: (socket: Socket, request: string) => unknown) {
  const accept = (socket: Socket) =>
    socket.on("data", (chunk) => answer(socket, chunk.toString("latin1")));
  const bucket = await openRawReceiver({ accept });
  const settings = { ...S3_SETTINGS, DUKA_MEDIA_S3_ENDPOINT: `http://127.0.0.1:${bucket.port}` };
  const log: string[] = [];
  const shop = await openTestShop({ settings, writeLog: (line) => log.push(line) });
  return {
    shop,
    bucket,
    faults: () => log.filter((line) => line.includes(FAULT)),
    [Symbol.asyncDispose]: async () => {
      await shop[Symbol.asyncDispose]();
      await bucket[Symbol.asyncDispose]();
    },
  };
}

function ask(shop: TestShop): Socket {
  const socket = connect(Number(new URL(shop.url).port), "127.0.0.1");
  socket.on("error", () => {});
  socket.write(`GET ${PATH} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return socket;
}

test("a client that takes nothing is sent nothing more, while others are, and ends the bucket's call as it leaves", async () => {
  const sent: Promise<number>[] = [];
  await using served = await openShopWith((socket) => {
    socket.write(headOf(FILE_BYTES));
    sent.push(pour(socket, CHUNK, FILE_BYTES));
  });
  const slow = ask(served.shop);
  await once(slow, "data");
  slow.pause();

  const whole = await (await fetch(served.shop.url + PATH)).bytes();
  slow.destroy();

  expect(whole.length).toBe(FILE_BYTES);
  expect(await sent[1]).toBe(FILE_BYTES);
  expect(await sent[0]).toBeLessThan(FILE_BYTES);
  expect(served.faults()).toEqual([]);
});

test("a client that leaves before the bucket answers ends its call, and is no fault", async () => {
  const asked = Promise.withResolvers<string>();
  await using served = await openShopWith((_, request) => asked.resolve(request));
  const client = ask(served.shop);
  expect(await asked.promise).toStartWith("GET ");

  client.destroy();
  await served.bucket.gone();

  expect((await fetch(`${served.shop.url}/livez`)).status).toBe(200);
  expect([served.bucket.connections, served.faults()]).toEqual([1, []]);
});

test("a bucket that stops in the middle of a file breaks its response off, and is logged once", async () => {
  await using served = await openShopWith((socket) => {
    socket.write(headOf(FILE_BYTES));
    socket.end(CHUNK);
  });

  const read = async () => (await fetch(served.shop.url + PATH)).bytes();

  expect(await read().catch((error: unknown) => error)).toBeInstanceOf(Error);
  expect(served.faults()).toHaveLength(1);
  expect(served.faults()[0]).toContain("closed the connection");
});

test.each([
  ["stops in the middle of a small file", `${headOf(9)}pic`, "closed the connection"],
  ["tells no length", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\npic", "tells no length"],
  ["compresses", `${headOf(3, "Content-Encoding: gzip\r\n")}pic`, "encoding gzip"],
  ["refuses the key", "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", "status 403"],
])("a bucket that %s is answered 503, and logged once", async (_, answer, why) => {
  await using served = await openShopWith((socket) => {
    socket.end(answer);
  });

  const answered = await fetch(served.shop.url + PATH);

  expect([answered.status, answered.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(answered.headers.get("cache-control")).not.toContain("immutable");
  expect(served.faults()).toHaveLength(1);
  expect(served.faults()[0]).toContain(why);
});
