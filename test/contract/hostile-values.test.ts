// Any value in a field or parameter gets a documented answer, never a 5xx. The test shop itself validates
// answers against the document.

import { afterEach, beforeAll, describe, expect, test } from "bun:test";

import type { AnyRoute } from "#platform/http/contract/route.ts";

import { seedOfRun } from "../support/runs.ts";
import { openTestShop, sharedShop, type TestShop } from "../support/shop.ts";
import { operations, pathOf, stock } from "./operations.ts";
import { placesIn, wholeBody, withValueAt } from "./whole-bodies.ts";

const values: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  0.1,
  1e15,
  Number.MAX_SAFE_INTEGER,
  "",
  " ",
  "x",
  "0",
  "-0.00",
  "99999999999999999999.99",
  "'; DROP TABLE orders; --",
  '%_\\*"',
  "😀\u0301\u202e",
  "x".repeat(3_000),
  "cus_01h455vb4pex5vsknk084sn02q",
  "var_01h455vb4pex5vsknk084sn02q",
  "9999-12-31T23:59:59Z",
  "0000-01-01T00:00:00Z",
  [],
  [null],
  [{}],
  [[]],
  ["x", "x"],
  {},
  { "": "" },
  { x: { y: [1] } },
];

const texts = values.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));

/** The names of a schema's fields. */
function fieldsOf(schema: unknown): string[] {
  return Object.keys(Object(Object(schema).properties));
}

/** Every eighth value for a field, from one on that differs by field and seed; all of them with HOSTILE=all. */
function some<T>(all: readonly T[], nth: number): readonly T[] {
  const isWhole = process.env.HOSTILE === "all";
  return all.filter((_, index) => isWhole || (index + nth + seedOfRun()) % 8 === 0);
}

const writing = operations.filter(([, route]) => fieldsOf(route.body).length > 0);
const withQuery = operations.filter(([, route]) => fieldsOf(route.query).length > 0);

/** They change the clock or the settings of the whole shop. */
const shopWide = /\/store$|\/message-hook$|\/test\/(?:clock|seed)/;

/** A shop may have fifty of each, and one zone for a country. */
const few = ["webhooks", "shipping-zones", "pickup-locations"];

const shop = sharedShop();

describe("any value of a field is handled", () => {
  let bodiesSoFar = 0;

  /** Sends bodies that are valid but for one value, and expects that none of them is a bug. */
  async function sendAll(to: TestShop, name: string, route: AnyRoute): Promise<void> {
    const ids = await stock(to);
    const whole = wholeBody(name, { ids, n: 0 }) ?? {};
    const others = fieldsOf(route.body).filter((field) => !Object.hasOwn(Object(whole), field));
    const places = [...placesIn(whole), ...others.map((field) => [field])];
    const bodies = places.flatMap((place, nth) =>
      some(values, nth).map((value) => {
        bodiesSoFar += 1;
        return withValueAt(wholeBody(name, { ids, n: bodiesSoFar }), place, value);
      }),
    );

    const answers = await Promise.all(
      bodies.map((body) =>
        to.send(route.method, pathOf(route, ids), { text: JSON.stringify(body) }),
      ),
    );

    expect(answers.filter((answer) => answer.status >= 500).map((answer) => answer.text)).toEqual(
      [],
    );
  }

  afterEach(async () => {
    for (const path of few.map((one) => `/v2/${one}`)) {
      const rows = (await shop.get(`${path}?limit=100`)).list("/data");
      await Promise.all(rows.map((row) => shop.delete(`${path}/${Object(row).id}`)));
    }
  });

  test.each(writing)("%s", async (name, route) => {
    if (!shopWide.test(route.path)) return sendAll(shop, name, route);
    await using own = await openTestShop();
    await sendAll(own, name, route);
  });

  // Without it the test above could pass with bodies that are refused for another reason.
  test("in bodies that are valid without it", async () => {
    await using own = await openTestShop();
    const ids = await stock(own);
    const bodies = operations.flatMap(([name, route], n) => {
      const body = wholeBody(name, { ids, n });
      return body === undefined ? [] : [{ name, route, text: JSON.stringify(body) }];
    });

    // The order is changed, fulfilled and cancelled in turn: the last of these comes too late.
    const answers: string[] = [];
    for (const { name, route, text } of bodies) {
      const answer = await own.send(route.method, pathOf(route, ids), { text });
      answers.push(`${name} ${answer.status} ${answer.status < 300 ? "" : answer.text}`);
    }

    const refused = answers.filter((answer) => !/ 20[01] $/.test(answer));
    expect(refused).toEqual([expect.stringContaining("invalid_transition")]);
  });
});

describe("any value of a parameter is handled", () => {
  let ids: Record<string, string>;

  beforeAll(async () => {
    ids = await stock(shop);
  });

  test.each(withQuery)("%s", async (_, route) => {
    const path = pathOf(route, ids);

    const answers = await Promise.all(
      fieldsOf(route.query).flatMap((name, nth) =>
        some([...texts, "\0", "\u0001", "a,b,,c", '"', '"a', "a*", "NEAR(", "a AND", "-"], nth).map(
          (text) => shop.get(`${path}?${new URLSearchParams({ [name]: text }).toString()}`),
        ),
      ),
    );

    expect(answers.filter((answer) => answer.status >= 500).map((answer) => answer.text)).toEqual(
      [],
    );
  });
});
