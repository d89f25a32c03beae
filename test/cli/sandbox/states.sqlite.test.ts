// Snapshots of a sandbox: a state comes back with everything in it, also its clock.

import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";

import { snapshotsOf } from "#cli/sandbox/sandbox-folder.ts";

import { openScratchFolder } from "../../support/scratch.ts";
import { openSandboxShop, refusalOf } from "./sandbox-shop.ts";

setDefaultTimeout(60_000);

test("a restored shop has what it had, at the time that it had", async () => {
  await using shop = await openSandboxShop({ clockAt: Date.UTC(2030, 0, 1, 9) });
  await shop.ask("sandbox.snapshot", "clean");
  const before = await shop.get("/v2/events");

  await shop.post("/v2/products", { name: "Mug", price: 8 });
  await shop.post("/v2/test/clock/advance", { seconds: 86_400 });
  await shop.ask("sandbox.restore", "clean");

  const clock = await shop.get("/v2/test/clock");
  expect((await shop.get("/v2/products")).list("/data")).toHaveLength(4);
  expect((await shop.get("/v2/events")).text).toBe(before.text);
  expect(clock.string("/now")).toStartWith("2030-01-01T09:00:");
});

test("a state is restored as often as it is wanted, and events are numbered on from it", async () => {
  await using shop = await openSandboxShop({ seed: "none" });
  await shop.ask("sandbox.snapshot", "empty");

  const sequences: number[] = [];
  for (const name of ["Mug", "Bowl", "Plate"]) {
    await shop.ask("sandbox.restore", "empty");
    await shop.post("/v2/products", { name, price: 8 });
    sequences.push((await shop.get("/v2/events")).number("/last_sequence"));
  }

  expect(sequences).toEqual([1, 1, 1]);
});

test("webhooks are delivered after a restore, though events have the numbers of former ones", async () => {
  await using shop = await openSandboxShop({ seed: "none" });
  await shop.post("/v2/webhooks", { url: `${shop.url}/hooks/test/inbox/all` });
  await shop.ask("sandbox.snapshot", "default");
  await shop.post("/v2/products", { name: "Mug", price: 8 });
  await shop.post("/v2/test/clock/advance", { seconds: 1 });

  await shop.ask("sandbox.restore", "default");
  const emptied = await shop.get("/v2/test/inbox");
  await shop.post("/v2/products", { name: "Bowl", price: 8 });
  await shop.post("/v2/test/clock/advance", { seconds: 1 });
  const inbox = await shop.get("/v2/test/inbox");

  expect(emptied.list("/data")).toEqual([]);
  expect(inbox.list("/data")).toHaveLength(1);
  expect(inbox.text).toContain("Bowl");
});

test("a summary after a restore has the figures of that state", async () => {
  await using shop = await openSandboxShop({ seed: "full", clockAt: Date.UTC(2030, 0, 1, 9) });
  const summary = "/v2/analytics/summary";
  await shop.ask("sandbox.snapshot", "default");
  const before = await shop.get(summary);
  const products = await shop.get("/v2/products");
  await shop.post("/v2/orders", {
    line_items: [{ variant_id: products.string("/data/0/variants/0/id"), quantity: 1 }],
    customer: { email: "ada@example.com" },
  });
  const between = await shop.get(summary);

  await shop.ask("sandbox.restore", "default");
  const after = await shop.get(summary);

  const figures = (text: string) => text.replaceAll(/"\d{4}-[^"]+Z"/g, "");
  expect(between.status).toBe(200);
  expect(figures(between.text)).not.toBe(figures(before.text));
  expect(figures(after.text)).toBe(figures(before.text));
});

test("requests that come during a restore are answered from one state or the other", async () => {
  await using shop = await openSandboxShop();
  await shop.ask("sandbox.snapshot", "default");

  const requests = Array.from({ length: 20 }, (_, index) =>
    shop.post("/v2/products", { name: `Mug ${index}`, price: 8 }),
  );
  const restores = [shop.ask("sandbox.restore", "default"), shop.ask("sandbox.snapshot", "later")];
  const answers = await Promise.all(requests);
  await Promise.all(restores);
  await shop.ask("sandbox.restore", "default");

  expect(answers.map(({ status }) => status)).toEqual(requests.map(() => 201));
  expect((await shop.get("/v2/products?limit=100")).list("/data")).toHaveLength(4);
});

test("a kept sandbox keeps its snapshots, and restores them at another port", async () => {
  using folder = openScratchFolder();
  const keep = folder.file("kept");
  const first = await openSandboxShop({ keep });
  await first.ask("sandbox.snapshot", "clean");
  await first.post("/v2/products", { name: "Mug", price: 8 });
  await first.sandbox.close();

  await using second = await openSandboxShop({ keep });
  await second.ask("sandbox.restore", "clean");
  const products = await second.get("/v2/products");

  expect(products.list("/data")).toHaveLength(4);
  expect(products.string("/data/0/images/0/url")).toStartWith(`${second.url}/`);
});

test("a snapshot that does not exist is refused with those that do", async () => {
  await using shop = await openSandboxShop();
  await shop.ask("sandbox.snapshot", "clean");
  await shop.ask("sandbox.snapshot", "paid");

  const restoring = shop.ask("sandbox.restore", "claen");

  expect(await refusalOf(restoring)).toContain(
    'There is no snapshot "claen"; there are clean, paid.',
  );
});

test("the name of a snapshot leads to no other folder", async () => {
  await using shop = await openSandboxShop();

  const taking = shop.ask("sandbox.snapshot", "../clean");

  expect(await refusalOf(taking)).toContain('"../clean" is no name of a snapshot');
});

test("a snapshot of another version is refused, and the shop stays as it is", async () => {
  await using shop = await openSandboxShop();
  await shop.ask("sandbox.snapshot", "clean");
  const file = `${snapshotsOf(shop.sandbox.directory)}/clean.json`;
  const facts: object = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...facts, version: "0.0.9" }));
  await shop.post("/v2/products", { name: "Mug", price: 8 });

  const restoring = shop.ask("sandbox.restore", "clean");

  expect(await refusalOf(restoring)).toContain("was taken by another Duka (0.0.9)");
  expect((await shop.get("/v2/products")).list("/data")).toHaveLength(5);
});
