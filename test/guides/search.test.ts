// The search of the guides: what it finds, in which order, and what it refuses.

import { expect, test } from "bun:test";

import { guides } from "#guides/guide.ts";
import { QUESTION_LENGTH_MAX, searchOf } from "#guides/search.ts";
import { defineRefusal } from "#kernel/refusal.ts";

import { openTestShop } from "../support/shop.ts";

const guide = (name: string, text: string) => ({
  name,
  way: "Try it",
  title: name,
  summary: "",
  text,
});
const tea = guide(
  "tea",
  "# Tea\n\nLeaves & water.\n\n## The pot\n\nWarm the pot first, then pour `boiling_water` on the leaves.\n\n## Milk\n\nFirst the pot, some say.\n",
);
const cup = guide("cup", "# Cups\n\nA cup holds tea.\n\n## Pot first\n\nA saucer.\n");
const cold = defineRefusal("tea_cold", "conflict", {
  title: "The tea is cold.",
  cause: "Nobody drank it.",
  remedy: "Read `warmth` and make another.",
});
const find = searchOf([tea, cup], [cold]);
const pathsOf = (question: string) => find(question).map(({ path }) => path);

test("each section is found by words and beginnings of words that it has, in any order", () => {
  expect(pathsOf("leav pou")).toEqual(["/guides/tea#the-pot"]);
  expect(pathsOf("water leaves")).toEqual(["/guides/tea", "/guides/tea#the-pot"]);
  expect(pathsOf("aves")).toEqual([]);
  expect(pathsOf("leaves saucer")).toEqual([]);
});

test("a refusal is found by its code, its cause and its remedy", () => {
  expect(pathsOf("tea_cold")).toEqual(["/docs/errors#tea_cold"]);
  expect(pathsOf("nobody warmth")).toEqual(["/docs/errors#tea_cold"]);
});

test("the very phrase stands first, in a heading before a text", () => {
  expect(pathsOf("pot first")).toEqual([
    "/guides/cup#pot-first",
    "/guides/tea#the-pot",
    "/guides/tea#milk",
  ]);
});

test("an excerpt is text with what was found marked in it", () => {
  const [found] = find("boiling_water");

  expect(found?.excerpt.text).toBe(
    "Warm the pot first, then pour <mark>boiling_water</mark> on the leaves.",
  );
  expect(find("leaves water")[0]?.excerpt.text).toBe(
    "<mark>Leaves</mark> &amp; <mark>water</mark>.",
  );
});

test.each(["(((", "\\", "*", "[z-", "$&", "?!"])("%s means nothing else", (question) => {
  expect(pathsOf(question)).toEqual([]);
});

test("twenty are shown at most", () => {
  const many = guides.flatMap(({ text }, index) => guide(`guide-${index}`, text));

  expect(searchOf(many, [])("the")).toHaveLength(20);
});

test("the search of a server answers a page without scripts, under the policy of the guides", async () => {
  await using shop = await openTestShop();

  const answer = await fetch(`${shop.url}/guides/search?q=${encodeURIComponent("<b>cors</b>")}`);
  const found = await fetch(`${shop.url}/guides/search?q=DUKA_CORS_ORIGINS`);

  expect(answer.status).toBe(200);
  expect(answer.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  expect(await answer.text()).not.toMatch(/<b>cors|<script/);
  expect(await found.text()).toMatch(/<main[^]*href="\/guides\/storefront#1-a-shop-to-sell-from"/);
});

test.each(["", "?q=", "?q=%20%20", `?q=${"a".repeat(QUESTION_LENGTH_MAX + 1)}`])(
  "a search with %s is refused",
  async (query) => {
    await using shop = await openTestShop();

    const answer = await fetch(`${shop.url}/guides/search${query}`);

    expect(answer.status).toBe(400);
    expect(await answer.text()).toBe("A search has 1 to 200 characters.\n");
  },
);
