// `duka trigger` emits sample events in the test shop.

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";

import { openRunningDuka, runDuka } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";
import { openListening } from "./listening.ts";

setDefaultTimeout(60_000);

let scratch: ScratchFolder;
let folder = "";

beforeEach(() => {
  scratch = openScratchFolder();
  folder = scratch.path;
});

afterEach(() => scratch[Symbol.dispose]());

test("a triggered event is printed and reaches a listener", async () => {
  await using _ = await openRunningDuka({ folder });
  await using listening = await openListening([], { folder });

  const { code, stdout } = await runDuka(["trigger", "order.paid"], { folder });

  expect(code).toBe(0);
  expect(stdout).toMatch(/^\S+Z {2}order\.paid +evt_\w{26} {2}ord_\w{26}\n$/);
  expect(`${await listening.line("order.paid")}\n`).toBe(stdout);
});

test("--data replaces members, and --print-json prints the event of the feed", async () => {
  await using duka = await openRunningDuka({ folder });
  const args = ["trigger", "order.paid", "--data", '{"channel": "pos"}', "--print-json"];

  const { stdout } = await runDuka(args, { folder });

  const event = JSON.parse(stdout);
  expect(event).toMatchObject({ event: "order.paid", data: { channel: "pos", triggered: true } });
  const answer = await duka.request("GET", `/v2/events/${event.id}`);
  expect(stdout).toBe(`${await answer.text()}\n`);
});

test("no other event tells of the key of the command", async () => {
  await using duka = await openRunningDuka({ folder });

  await runDuka(["trigger", "order.paid"], { folder });

  const feed = await duka.request("GET", "/v2/events");
  expect(await feed.json()).toMatchObject({ data: [{ event: "order.paid" }], last_sequence: 1 });
});

test("--url and --api-key trigger an event in another Duka", async () => {
  await using duka = await openRunningDuka({ folder });
  using elsewhere = openScratchFolder();
  const args = ["trigger", "cart.abandoned", "--url", duka.url, "--api-key", duka.key];

  const { code } = await runDuka(args, { folder: elsewhere.path });

  const feed = await duka.request("GET", "/v2/events");
  expect(code).toBe(0);
  expect(await feed.json()).toMatchObject({ data: [{ event: "cart.abandoned" }] });
});

test("the key of the command has one scope and is revoked at once", async () => {
  await using _ = await openRunningDuka({ folder });

  await runDuka(["trigger", "order.paid"], { folder });

  const { stdout } = await runDuka(["keys", "list", "--all", "--json"], { folder });
  expect(JSON.parse(stdout)).toMatchObject([
    { name: "duka trigger", scopes: ["sandbox:use"], revoked_at: expect.any(String) },
    {},
  ]);
});

test.each([
  ["an unknown name", ["order.piad"], "is it order.paid?"],
  ["an unknown member", ["order.paid", "--data", '{"chanel": 1}'], "is it channel?"],
])("%s is refused with the nearest one", async (_name, args, words) => {
  await using _ = await openRunningDuka({ folder });

  const ended = await runDuka(["trigger", ...args], { folder });

  expect([ended.code, ended.stdout]).toEqual([1, ""]);
  expect(ended.stderr).toContain(words);
});

test("without a server nothing is triggered", async () => {
  const ended = await runDuka(["trigger", "order.paid"], { folder });

  expect([ended.code, ended.stdout]).toEqual([1, ""]);
  expect(ended.stderr).toStartWith(`No server runs on ${scratch.file("data")}.`);
});

test.each(["[1]", "null", "{", '{"a": 1}, "event": "order.placed"'])(
  "--data that is no object, %s, is refused",
  async (data) => {
    const ended = await runDuka(["trigger", "order.paid", "--data", data], { folder });

    expect([ended.code, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toContain("--data must be a JSON object");
  },
);
