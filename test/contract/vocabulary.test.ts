// One document, one vocabulary: what is the same at two places has one name, and routes follow a few rules. An exception
// has a reason; their lists may only shrink, and one that is not needed any more fails.

import { describe, expect, test } from "bun:test";

import { document, routes } from "#interface.ts";
import { isObject } from "#kernel/assume.ts";
import type { AnyRoute } from "#platform/http/contract/route.ts";
import { querySchema } from "#platform/http/contract/words.ts";
import vocabulary from "#vocabulary.json" with { type: "json" };

import { nameOf } from "./operations.ts";

type Json = Readonly<Record<string, unknown>>;

/** The document as a client receives it. */
const published: unknown = JSON.parse(JSON.stringify(document()));

/** Examples are values, not schemas; a refusal is the same under both of its media types. */
const passed: ReadonlySet<string> = new Set(["examples", "application/problem+json"]);

/** The objects without a name of their own within a value, each with its place. */
function nameless(value: unknown, at: string): [place: string, schema: Json][] {
  if (typeof value !== "object" || value === null) return [];
  const own: [string, Json][] = "properties" in value && !isNamed(at) ? [[at, { ...value }]] : [];
  const inner = Object.entries(value).filter(([word]) => !passed.has(word));
  return [...own, ...inner.flatMap(([word, one]) => nameless(one, `${at}/${word}`))];
}

function isNamed(place: string): boolean {
  return /^\/components\/schemas\/\w+$/.test(place);
}

test("an object shape that stands at two places has a name", () => {
  const places = Map.groupBy(nameless(published, ""), ([, schema]) =>
    // Words about it make no other shape.
    JSON.stringify(schema, (word, value: unknown) => (word === "description" ? undefined : value)),
  );
  const twice = [...places.values()].filter(({ length }) => length > 1);

  expect(twice.map((all) => all.map(([place]) => place))).toEqual([]);
});

/** Places in components at which a choice without a name of its own may stand. */
const CHOICE_PLACES_MAX = 3;

/** The choices without a name of their own within a value, as texts. */
function namelessChoices(value: unknown, at: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  const { enum: choices }: { readonly enum?: unknown } = value;
  const own = Array.isArray(choices) && !isNamed(at) ? [choices.filter((one) => one !== null)] : [];
  const inner = Object.entries(value).filter(([word]) => !passed.has(word));
  return [
    ...own.map((one) => one.join(" ")),
    ...inner.flatMap(([word, one]) => namelessChoices(one, `${at}/${word}`)),
  ];
}

test("a choice that stands at four places has a name, and a sentence about each value", () => {
  const { schemas } = Object(published).components;
  const places = Map.groupBy(namelessChoices(schemas, "/components/schemas"), (choice) => choice);

  const often = [...places].filter(([, all]) => all.length > CHOICE_PLACES_MAX);

  expect(often.map(([choice]) => choice)).toEqual([]);
});

interface Rule {
  readonly says: string;
  readonly breaks: (route: AnyRoute) => boolean;
  /** Operations that break it, each with the reason. */
  readonly exceptions: Readonly<Record<string, string>>;
}

const paths = new Set(routes.map(({ path }) => path));
const lists = new Set(routes.filter(({ method }) => method === "GET").map(({ path }) => path));

const rules: readonly Rule[] = [
  {
    says: "an action on one thing is a POST to its verb",
    breaks: ({ method, path }) => method === "PUT" && /\}\/[a-z-]+$/.test(path),
    exceptions: {
      "PUT /v2/collections/{id}/products": "it replaces a list as a whole, and is no action",
    },
  },
  {
    says: "a POST to a list makes something: 201, or 200 where it was there",
    breaks: ({ method, path, status }) => method === "POST" && lists.has(path) && status !== 201,
    exceptions: {
      "POST /v2/discounts/{id}/codes": "many codes at once have no one address",
      "POST /v2/tax-rates/presets": "many rates at once have no one address",
    },
  },
  {
    says: "what a POST makes is made at its list",
    breaks: ({ method, path, status, kind }) =>
      method === "POST" &&
      status === 201 &&
      !lists.has(path) &&
      !/\}\/[a-z-]+$/.test(path) &&
      kind !== "read",
    exceptions: {
      "POST /v2/payments/initialize": "gateways call the first step of a payment so",
      "POST /v2/customer-sessions": "sessions are not listed: a token is shown once",
    },
  },
  {
    says: "a PUT changes the fields that are given, and needs none",
    breaks: ({ method, body }) =>
      method === "PUT" && isObject(body) && [body["required"] ?? []].flat().length > 0,
    exceptions: {
      "PUT /v2/collections/{id}/products": "it replaces a list as a whole",
      "PUT /v2/media/{id}": "the words are all that can change",
      "PUT /v2/orders/{id}/fulfillments/{fulfillment_id}": "the tracking is all that can change",
      "PUT /v2/message-hook": "it sets the hook as a whole",
      "PUT /v2/keys/{id}": "its name is all that can change",
      "PUT /v2/test/clock": "the time is all that can change",
    },
  },
  {
    says: "a DELETE answers 204, or 200 with what is left",
    breaks: ({ method, status, path, response }) =>
      method === "DELETE" &&
      status !== 204 &&
      response !== responseOf(path.replace(/\/[^/]+\/[^/]+$/, "")),
    exceptions: {
      "DELETE /v2/products/{id}": "it says whether the product was deleted or archived",
      "DELETE /v2/products/{id}/variants/{variant_id}":
        "it says whether it was deleted or archived",
      "DELETE /v2/media/{id}": "it says that the medium was deleted",
      "DELETE /v2/test/clock": "it answers the clock, which follows the machine again",
    },
  },
  {
    says: "what has pages is a list: `limit` and `cursor`, answered by `data`, `has_more` and `next_cursor`",
    breaks: (route) =>
      route.kind !== "list" && (hasMember(querySchema(route), "limit") || hasList(route.response)),
    exceptions: {
      "GET /v2/events": "the feed is read on from a sequence, and has no end",
      "GET /v2/orders/{id}/events": "the log of one order is read as the feed is",
      "GET /v2/requests": "the newest are kept in memory, and are read back in time",
      "GET /v2/test/magic": "the table is short and whole",
    },
  },
  {
    says: "no word stands where another path has an id",
    breaks: ({ path }) => standsBesideId(path),
    exceptions: {
      "GET /v2/products/facets": "it counts what the list of products finds",
      "GET /v2/orders/by-link": "the token that names the order must not stand in an address",
      "POST /v2/orders/preview": "it takes what a new order takes",
      "POST /v2/carts/recover": "the token that names the cart must not stand in an address",
      "POST /v2/payments/initialize": "gateways call the first step of a payment so",
      "POST /v2/inventory/batch": "it counts many variants at once",
      "POST /v2/emails/test": "it sends an email that is about nothing",
      "GET /v2/tax-rates/presets": "they are rates that the shop does not have yet",
      "POST /v2/tax-rates/presets": "they are rates that the shop does not have yet",
    },
  },
];

function responseOf(path: string): unknown {
  return routes.find((route) => route.method === "GET" && route.path === path)?.response;
}

function hasMember(schema: unknown, name: string): boolean {
  return isObject(schema) && isObject(schema["properties"]) && name in schema["properties"];
}

/** Returns true if it answers rows as a page does. */
function hasList(schema: unknown): boolean {
  const properties = isObject(schema) ? schema["properties"] : null;
  const data = isObject(properties) ? properties["data"] : null;
  return isObject(data) && data["type"] === "array";
}

function standsBesideId(path: string): boolean {
  const steps = path.split("/");
  return steps.some((step, index) => {
    const before = `${steps.slice(0, index).join("/")}/{`;
    return !step.startsWith("{") && [...paths].some((other) => other.startsWith(before));
  });
}

describe.each(rules.map((rule) => [rule.says, rule] as const))(
  "%s",
  (_, { breaks, exceptions }) => {
    test("by every route that is no exception", () => {
      const broken = routes.filter(breaks).map(nameOf);

      expect(broken.filter((name) => exceptions[name] === undefined)).toEqual([]);
    });

    test("and no exception is one too many", () => {
      const broken = new Set(routes.filter(breaks).map(nameOf));

      expect(Object.keys(exceptions).filter((name) => !broken.has(name))).toEqual([]);
    });
  },
);

/** Fields of times that had a name before there was a rule. */
const namedBefore: ReadonlySet<string> = new Set([
  "at",
  "day",
  "failing_since",
  "now",
  "rate",
  "since",
  "start",
  "valid_from",
  "valid_until",
]);

/** The last word that a field of this schema has: `_at` for an instant, `_on` for a day. */
function endingOf({ description, anyOf, ...schema }: Json): RegExp | null {
  const { schemas } = Object(published).components;
  const formats = [schema, ...(Array.isArray(anyOf) ? anyOf : [])].map(
    (one) => Object(schemas[String(Object(one).$ref).split("/").at(-1) ?? ""] ?? one).format,
  );
  if (formats.includes("date-time")) return /(?:_at|^from|^to)$/;
  if (formats.includes("date")) return /(?:_on|^from|^to)$/;
  return String(description).startsWith("A percentage") ? /(?:^|_)percent$/ : null;
}

function fieldsIn(value: unknown): [name: string, schema: Json][] {
  if (!isObject(value)) return Array.isArray(value) ? value.flatMap(fieldsIn) : [];
  const { properties } = value;
  const own = isObject(properties)
    ? Object.entries(properties).map(([name, one]): [string, Json] => [name, Object(one)])
    : [];
  return [...own, ...Object.values(value).flatMap(fieldsIn)];
}

describe("a field says its unit by its last word", () => {
  const { schemas } = Object(published).components;
  const odd = fieldsIn(schemas)
    .filter(([name, schema]) => endingOf(schema)?.test(name) === false)
    .map(([name]) => name);

  test("where it is new", () => {
    expect(odd.filter((name) => !namedBefore.has(name))).toEqual([]);
  });

  test("and no exception is one too many", () => {
    expect([...namedBefore].filter((name) => !odd.includes(name))).toEqual([]);
  });
});

/** Components of which every field has a sentence. */
const told = "Cart CartLine Order LineItem Payment Product Variant Customer Store".split(" ");

/** Returns true if the field, or a component that it is of, has a sentence. */
function isTold({ description, items, anyOf, ...schema }: Json): boolean {
  const { schemas } = Object(published).components;
  const referred = [schema, items, ...(Array.isArray(anyOf) ? anyOf : [])].map(
    (one) => schemas[String(Object(one).$ref).split("/").at(-1) ?? ""]?.description,
  );
  return [description, ...referred].some((sentence) => sentence !== undefined);
}

describe("a sentence is said", () => {
  const { schemas } = Object(published).components;

  test.each(told)("of every field of %s", (name) => {
    const fields = fieldsIn(schemas[name]);

    expect(fields.length).toBeGreaterThan(5);
    expect(fields.filter(([, one]) => !isTold(one)).map(([field]) => field)).toEqual([]);
  });

  test("of 95 fields in 100", () => {
    const fields = fieldsIn(schemas);

    const share = fields.filter(([, one]) => isTold(one)).length / fields.length;

    expect(share).toBeGreaterThan(0.95);
  });

  test("of every parameter", () => {
    const methods = Object.values<Json>(Object(published).paths);
    const parameters = methods
      .flatMap((one) => Object.values(one))
      .flatMap((one): Json[] => Object(one).parameters);

    const untold = parameters.filter((one) => one["description"] === undefined);

    expect(untold.map((one) => one["name"])).toEqual([]);
  });

  test("by no word of the vocabulary that no field has", () => {
    const sentences = new Set(fieldsIn(schemas).map(([, one]) => String(one["description"])));
    const said = JSON.stringify([...sentences, Object(published).paths]);

    const unsaid = Object.entries(vocabulary).filter(
      ([, sentence]) => !said.includes(JSON.stringify(sentence).slice(1, -1)),
    );

    expect(unsaid.map(([word]) => word)).toEqual([]);
  });
});
