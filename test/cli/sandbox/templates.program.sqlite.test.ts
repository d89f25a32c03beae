// Templates of sandboxes: made once, and made anew where they are damaged.

import { expect, setDefaultTimeout, test } from "bun:test";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { DAY_MS } from "#kernel/time.ts";

import { openScratchFolder, type ScratchFolder } from "../../support/scratch.ts";
import { openSandboxShop } from "./sandbox-shop.ts";

setDefaultTimeout(60_000);

function templatesIn(cache: ScratchFolder): string[] {
  const home = cache.file("duka/sandbox");
  return readdirSync(home)
    .toSorted()
    .map((name) => join(home, name));
}

async function openAndClose(cache: ScratchFolder, seed: "small" | "full"): Promise<number> {
  await using shop = await openSandboxShop({ seed }, cache.path);
  return (await shop.get("/v2/products")).list("/data").length;
}

test("a template is made once, and copied from then on", async () => {
  using cache = openScratchFolder();
  await openAndClose(cache, "full");
  const [made = ""] = templatesIn(cache);
  const before = statSync(join(made, "template.json")).mtimeMs;

  const products = await openAndClose(cache, "full");

  expect(templatesIn(cache)).toEqual([made]);
  expect(statSync(join(made, "template.json")).mtimeMs).toBe(before);
  expect(products).toBe(12);
});

test.each([
  [
    "whose database was changed",
    (template: string) => writeFileSync(join(template, "test.sqlite"), "no database"),
  ],
  ["that has lost a file", (template: string) => rmSync(join(template, "live.sqlite"))],
  ["without its facts", (template: string) => rmSync(join(template, "template.json"))],
])("a template %s is made anew", async (_, damage) => {
  using cache = openScratchFolder();
  await openAndClose(cache, "small");
  damage(templatesIn(cache)[0] ?? "");

  const products = await openAndClose(cache, "small");

  expect(products).toBe(4);
});

test("a seed that ended more than a day ago is made anew", async () => {
  using cache = openScratchFolder();
  await openAndClose(cache, "full");
  const file = join(templatesIn(cache)[0] ?? "", "template.json");
  const facts: { at: number } = JSON.parse(readFileSync(file, "utf8"));
  const at = facts.at - 2 * DAY_MS;
  writeFileSync(file, JSON.stringify({ ...facts, at }));

  await using shop = await openSandboxShop({ seed: "full" }, cache.path);
  const clock = await shop.get("/v2/test/clock");

  expect(Date.parse(clock.string("/now"))).toBeGreaterThanOrEqual(facts.at);
});

test("the cache keeps eight templates", async () => {
  using cache = openScratchFolder();
  for (let day = 1; day <= 10; day += 1) {
    mkdirSync(cache.file(`duka/sandbox/0.0.${day}-full`), { recursive: true });
  }

  await openAndClose(cache, "small");

  expect(templatesIn(cache)).toHaveLength(8);
});

test("what a killed program was making is removed, and nothing that one is making", async () => {
  using cache = openScratchFolder();
  const killed = Bun.spawnSync(["true"]).pid;
  const begun = (name: string, secondsAgo: number) => {
    const path = cache.file(`duka/sandbox/${name}`);
    mkdirSync(path, { recursive: true });
    const at = Date.now() / 1_000 - secondsAgo;
    utimesSync(path, at, at);
    return path;
  };
  begun(`making-${killed}-a`, 120);
  begun("making-b", 120);
  const kept = [begun(`making-${process.pid}-c`, 120), begun(`making-${killed}-d`, 1)];

  await openAndClose(cache, "small");

  const unfinished = templatesIn(cache).filter((path) => path.includes("making-"));
  expect(unfinished.toSorted()).toEqual(kept.toSorted());
});

test("sandboxes that start at once share one template", async () => {
  using cache = openScratchFolder();

  const products = await Promise.all([1, 2, 3].map(() => openAndClose(cache, "small")));

  expect(products).toEqual([4, 4, 4]);
  expect(templatesIn(cache)).toHaveLength(1);
});

test("a cache that cannot be written keeps no sandbox from starting", async () => {
  using cache = openScratchFolder();
  writeFileSync(cache.file("duka"), "a file in the place of the folder");

  const products = await openAndClose(cache, "small");

  expect(products).toBe(4);
});
