// What people paste into a field goes in, and comes back as it was answered: a body that was read can be sent again.

import { expect, test } from "bun:test";

import { isObject } from "#kernel/assume.ts";

import { sharedShop, type TestShop } from "../support/shop.ts";
import { operations } from "./operations.ts";

const shop = sharedShop();

/** One of each kind of character that programs bring along, within a text, at its beginning and at its end. */
const pasted: readonly string[] = [
  // Format characters, marks of direction and joiners.
  "\u00AD",
  "\u061C",
  "\u180E",
  "\u200B",
  "\u200C",
  "\u200D",
  "\u200E",
  "\u202A",
  "\u202E",
  "\u2060",
  "\u2066",
  "\u2069",
  "\uFEFF",
  "\uFFF9",
  "\u{1D173}",
  "\u{E0001}",
  "\u{E0067}",
  // Controls, blanks and line ends.
  "\u0001",
  "\u0007",
  "\u0008",
  "\t",
  "\n",
  "\v",
  "\f",
  "\r",
  "\r\n",
  "\u001F",
  "\u007F",
  "\u0085",
  "\u009F",
  "\u2028",
  "\u2029",
  "\u00A0",
  "\u1680",
  "\u2003",
  "\u202F",
  "\u3000",
  // Dashes, digits and letters in other shapes.
  "\u2010",
  "\u2011",
  "\u2013",
  "\u2014",
  "\u2212",
  "\uFE63",
  "\uFF0D",
  "\uFF11",
  "\u0661",
  "\u{1D7D9}",
  "e\u0301",
  "\u212B",
  "\uFB01",
  "\uFF21",
  "\u00DF",
  "\u0130",
  "\u0131",
  // Marks, selectors, fillers and what is joined of them.
  "\u0301",
  "\u034F",
  "\u115F",
  "\u3164",
  "\uFE0E",
  "\uFE0F",
  "\u{E0100}",
  "\u{1F469}\u200D\u{1F4BB}",
  "\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}",
  "\u0600",
  "\u06DD",
  "\uE000",
  "\uFFFD",
  "\uFFFE",
  "\u{10FFFF}",
  "\u{1F1EC}\u{1F1ED}",
  "'\"<&>\\",
  "%00",
  "${x}",
];

const around = (text: string) => `${text}a${text}b${text}`;

const address = (text: string) => ({
  name: around(text),
  line1: around(text),
  line2: around(text),
  city: around(text),
  region: around(text),
  postal_code: `${text}1`,
  country: "gh",
});

/** The path of a noun, and a body with the text in every field of it. */
const nouns: Readonly<Record<string, (text: string, n: number) => object>> = {
  products: (text, n) => ({
    name: around(text),
    description: `${around(text)}\n\n${around(text)}`,
    category: around(text),
    tags: [around(text)],
    seo: { title: around(text), description: around(text) },
    variants: [{ barcode: `${text}1`, title: around(text), sku: `SKU-${n}`, prices: [] }],
  }),
  collections: (text, n) => ({
    title: `${n} ${around(text)}`,
    description: around(text),
    seo: { title: around(text), description: around(text) },
  }),
  customers: (text, n) => ({
    email: `ada${n}@example.com`,
    name: around(text),
    first_name: around(text),
    last_name: around(text),
    tags: [around(text)],
    addresses: [address(text)],
  }),
  carts: (text) => ({
    notes: around(text),
    customer: { name: around(text) },
    shipping_address: address(text),
  }),
  discounts: (text) => ({
    title: around(text),
    target: "order",
    percent: 5,
    automatic: false,
    customer_tags: [around(text)],
  }),
};

const paths = Object.keys(nouns);

test.each(paths)("%s that were read are the same after they were sent again", async (noun) => {
  const bodyOf = nouns[noun] ?? Object;
  const stories = pasted.map((text, n) => sendTwice(shop, `/v2/${noun}`, bodyOf(text, n)));

  for (const { made, first, again, second } of await Promise.all(stories)) {
    expect(made).toMatchObject({ status: 201 });
    expect(again).toMatchObject({ status: 200 });
    expect(texts(second.body)).toEqual(texts(first.body));
  }
});

async function sendTwice(to: TestShop, path: string, body: object) {
  const made = await to.post(path, body);
  const place = `${path}/${made.id}`;
  const first = await to.get(place);
  const names = Object.keys(body).filter((name) => name !== "variants");
  const read = Object.fromEntries(names.map((name) => [name, first.at(`/${name}`)]));
  const again = await to.put(place, read);
  return { made, first, again, second: await to.get(place) };
}

/** The answer without what each change moves. */
function texts(body: unknown): object {
  return { ...Object(body), version: null, updated_at: null };
}

test("each pattern and format of a request says in a sentence what it takes", () => {
  const bare = operations.flatMap(([name, route]) =>
    [route.body, route.query].flatMap((schema) => withoutSentence(schema, name)),
  );

  expect(bare).toEqual([]);
});

/** The places of texts with a pattern or a format, but no sentence. */
function withoutSentence(schema: unknown, place: string): string[] {
  if (!isObject(schema)) return [];
  const { pattern, format, "x-sentence": sentence } = schema;
  const isBare = (pattern ?? format) !== undefined && !/^\p{Lu}.+\.$/u.test(String(sentence));
  const inner = ["properties", "anyOf"].flatMap((word) => Object.entries(Object(schema[word])));
  const parts = [...inner, ["*", schema["items"]], ["{}", schema["additionalProperties"]]];
  return [
    ...(isBare ? [place] : []),
    ...parts.flatMap(([name, one]) => withoutSentence(one, `${place} ${String(name)}`)),
  ];
}
