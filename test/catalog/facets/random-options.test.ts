// Lists that are filtered by the options of variants, and the facets beside them, are what the products themselves say.

import { afterAll, beforeAll, expect, test } from "bun:test";

import fc from "fast-check";

import { runs, seedOfRun } from "../../support/runs.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";

interface Listed {
  readonly id: string;
  readonly category: string | null;
  readonly variants: readonly {
    readonly options: Readonly<Record<string, string>>;
    readonly in_stock: boolean;
  }[];
}

const sizes = ["S", "M", "L"];
/** Spelled in two ways, which are one value. */
const colors = ["Red", "red", "Blue", "Grün"];
const choice = (values: readonly string[]) =>
  fc.option(fc.constantFrom(...values), { nil: undefined });
const variant = fc.record({
  options: fc.record({ size: choice(sizes), color: choice(colors) }).map(({ size, color }) => ({
    ...(size !== undefined && { Size: size }),
    ...(color !== undefined && { Color: color }),
  })),
  stock: fc.constantFrom(0, 2),
});
const goods = fc.record({
  category: fc.constantFrom("tops", "shoes", null),
  variants: fc.uniqueArray(variant, {
    selector: ({ options }) => JSON.stringify(options),
    minLength: 1,
    maxLength: 4,
  }),
});
const options = [
  { name: "Size", values: sizes },
  { name: "Color", values: colors },
];
const [drawn = []] = fc.sample(fc.array(goods, { minLength: runs(200), maxLength: runs(200) }), {
  seed: seedOfRun(),
  numRuns: 1,
});

let shop: TestShop;
let all: readonly Listed[] = [];

beforeAll(async () => {
  shop = await openTestShop();
  const made = await Promise.all(
    drawn.map((one, index) =>
      shop.post("/v2/products", { name: `Thing ${index}`, options, ...one }),
    ),
  );
  all = made.map(({ body }) => body as Listed);
});

afterAll(() => shop[Symbol.asyncDispose]());

const asked = fc.record(
  {
    "option[Size]": fc.constantFrom("M", "S,L", "m", "none"),
    "option[color]": fc.constantFrom("Red", "blue,GRUN", "none,RED"),
    category: fc.constantFrom("tops", "tops,shoes"),
    available: fc.constantFrom("true", "false"),
  },
  { requiredKeys: [] },
);
type Asked = ReturnType<typeof asked.generate>["value"];

const fold = (text: string) => text.toLowerCase().replace("ü", "u");
const optionsAsked = (query: Asked) =>
  Object.entries(query).flatMap(([name, values]) => {
    const option = /^option\[(.*)\]$/.exec(name)?.[1];
    return option === undefined ? [] : [[fold(option), fold(values).split(",")] as const];
  });

/** The variants of a product that meet the filters, beside its category. */
function meeting(query: Asked, { variants }: Listed) {
  const { available } = query;
  if (available === "false" && variants.some((one) => one.in_stock)) return [];
  return variants.filter(
    ({ options: own, in_stock: inStock }) =>
      (available !== "true" || inStock) &&
      optionsAsked(query).every(([name, values]) =>
        Object.entries(own).some(
          ([option, value]) => fold(option) === name && values.includes(fold(value)),
        ),
      ),
  );
}

function found(query: Asked): readonly Listed[] {
  const categories = query.category?.split(",");
  return all.filter(
    (one) =>
      (categories === undefined || categories.includes(one.category ?? "")) &&
      meeting(query, one).length > 0,
  );
}

/** How many products of a list have a variant with each value of an option, by its folded form. */
function counted(query: Asked, option: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of found(query)) {
    const values = meeting(query, one).flatMap(({ options: own }) => own[option] ?? []);
    for (const value of new Set(values.map(fold))) counts[value] = (counts[value] ?? 0) + 1;
  }
  return counts;
}

function without(query: Asked, name: keyof Asked): Asked {
  const { [name]: _, ...others } = query;
  return others;
}

const search = (query: Asked) => new URLSearchParams(Object.entries(query)).toString();

async function idsOf(query: Asked): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ""; ;) {
    const page = await shop.get(`/v2/products?limit=100&${search(query)}${cursor}`);
    expect(page.status).toBe(200);
    ids.push(...page.list("/data").map((one) => String(Object(one).id)));
    if (page.at("/has_more") !== true) return ids;
    cursor = `&cursor=${page.string("/next_cursor")}`;
  }
}

interface Group {
  readonly name: string;
  readonly values: readonly { readonly value: string; readonly count: number }[];
}

test("lists and facets by options are what the products say", async () => {
  await fc.assert(
    fc.asyncProperty(asked, async (query) => {
      const facets = await shop.get(`/v2/products/facets?${search(query)}`);

      const expected = found(query).map(({ id }) => id);
      expect((await idsOf(query)).toSorted()).toEqual(expected.toSorted());
      expect(facets.at("/total")).toBe(expected.length);
      expect(facets.at("/available")).toBe(found({ ...query, available: "true" }).length);
      const categories = found(without(query, "category")).filter(({ category }) => category);
      expect(
        (facets.list("/categories/values") as Group["values"]).reduce(
          (sum, one) => sum + one.count,
          0,
        ),
      ).toBe(categories.length);
      const groups = facets.list("/options") as readonly Group[];
      for (const [option, parameter] of [
        ["Size", "option[Size]"],
        ["Color", "option[color]"],
      ] as const) {
        const own = groups.find(({ name }) => name === option)?.values ?? [];
        const counts = Object.fromEntries(own.map(({ value, count }) => [fold(value), count]));
        expect(own.every(({ value }) => [...sizes, ...colors].includes(value))).toBe(true);
        expect(counts).toEqual(counted(without(query, parameter), option));
      }
    }),
    { seed: seedOfRun(), numRuns: runs(25) },
  );
});
