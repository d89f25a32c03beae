// The OpenAPI document and the router agree, and the interface is reviewed: every change of it changes a
// snapshot beside this file.

import { describe, expect, test } from "bun:test";

import { Validator } from "@seriousme/openapi-schema-validator";
import addFormats from "ajv-formats";
import Ajv2020 from "ajv/dist/2020.js";

import { document, peopleRoutes, refusals, routes } from "#interface.ts";
import { headerFaults, jsonFaults, parameterFaults, requestFaults } from "#kernel/fault.ts";
import { eventNames } from "#messaging/events/event.ts";
import { statusOfKind } from "#platform/http/contract/answer.ts";
import { refusalsOf } from "#platform/http/openapi/refused.ts";
import { eventPayloads } from "#sandbox/trigger/event-payloads.ts";
import { scopes } from "#shop/keys/scopes.ts";

import { openTestShop } from "../support/shop.ts";
import { call, documentedNames, nameOf, operations } from "./operations.ts";

type Json = Record<string, unknown>;

/** The document as a client receives it. */
const published: unknown = JSON.parse(JSON.stringify(document()));

/** Each operation of the document with its name. */
function described(): [name: string, operation: Json][] {
  const { paths } = Object(published);
  return Object.entries<Json>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Json] => [
      `${method.toUpperCase()} ${path}`,
      Object(operation),
    ]),
  );
}

/** Every object in it. */
function schemasIn(value: unknown): Json[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(schemasIn);
  return Array.isArray(value) ? inner : [Object(value), ...inner];
}

/** Returns true if the schema is that of an amount in major units. */
function isAmount(schema: unknown): boolean {
  return Object(schema).$ref === "#/components/schemas/Amount";
}

/** The component of an event: `order.paid` is `OrderPaidEvent`. */
function pascal(name: string): string {
  return `${name.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`;
}

/** What a generator makes of a name: an identifier without its marks and case. */
function identifierOf(way: readonly string[]): string {
  return way
    .join("")
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .toLowerCase();
}

/** The ways to the schemas to which generators give names: components, and choices and objects within them. */
function namedWays(schema: unknown, way: readonly string[]): (readonly string[])[] {
  const { $ref, type, properties, items, anyOf, oneOf, allOf } = Object(schema);
  if ($ref !== undefined) return [];
  const parts = [anyOf, oneOf, allOf].flatMap((some) => some ?? []);
  const isPlain = parts.length === 0 && typeof type === "string" && type !== "object";
  return [
    ...(isPlain && way.length > 1 ? [] : [way]),
    ...Object.entries(Object(properties)).flatMap(([name, one]) => namedWays(one, [...way, name])),
    ...(items === undefined ? [] : namedWays(items, [...way, "item"])),
    ...parts.flatMap((one) => namedWays(one, way)),
  ];
}

/** What summaries begin with: the words of Stripe's, Shopify's and Paystack's references. */
const searchedVerbs = (
  "Create Retrieve Update Delete List Export Erase Empty Reset Cancel Complete Fulfill Recover Refund Start " +
  "Accept Approve Confirm Decline Initialize Submit Replay Resend Revoke Rotate Send Trigger Advance Seed Write Retry Close Correct Record Preview Add Remove Upload"
).split(" ");

describe("the document", () => {
  test("is valid OpenAPI 3.1", async () => {
    const { valid, errors } = await new Validator().validate(Object(published));

    expect(errors).toBeUndefined();
    expect(valid).toBeTrue();
  });

  test("describes exactly the routes that are served, by their documented ways", () => {
    expect(
      described()
        .map(([name]) => name)
        .toSorted(),
    ).toEqual([...documentedNames]);
  });

  // Regression: what one generator made of it did not compile.
  test("has no two schemas of which a generator makes one name", () => {
    const { components } = Object(published);
    const ways = Object.entries(components.schemas).flatMap(([name, one]) =>
      namedWays(one, [name]),
    );
    const places = new Set(ways.map((way) => way.join("/")));

    // Generators tell a schema within a component from a component, and not two of one kind.
    const byName = Map.groupBy(places, (place) => {
      const way = place.split("/");
      return `${identifierOf(way)} ${way.length === 1 ? "component" : "within one"}`;
    });

    expect([...byName.values()].filter((same) => same.length > 1)).toEqual([]);
  });

  test("is served in three places with the same content", async () => {
    await using shop = await openTestShop();

    const [docs, openapi] = await Promise.all([
      fetch(`${shop.url}/docs/json`).then((answer) => answer.json()),
      fetch(`${shop.url}/openapi.json`).then((answer) => answer.json()),
    ]);

    expect(docs).toMatchObject(JSON.parse(JSON.stringify(document(shop.url))));
    expect(openapi).toEqual(docs);
  });

  test("describes every tag, and no other", () => {
    const used = described().flatMap(([, operation]) => operation["tags"]);
    const { tags } = Object(published);

    expect(new Set(tags.map(({ name }: Json) => name))).toEqual(new Set(used));
  });

  test("tells the headers of every answer once, in its introduction", () => {
    const { info, components } = Object(published);
    const headers = ["X-Request-Id", "X-Duka-Version", "RateLimit-Policy", "RateLimit"];

    expect(headers.filter((name) => !info.description.includes(`\`${name}\``))).toEqual([]);
    expect(headers.filter((name) => name in components.headers)).toEqual([]);
  });

  // An object without either becomes one that can have no member, in generated types.
  test("says of every object which members it has, or that it may have any", () => {
    const vague = schemasIn(published).filter(
      (one) =>
        [one["type"]].flat().includes("object") &&
        !("properties" in one || "additionalProperties" in one),
    );

    expect(vague).toEqual([]);
  });

  test("writes a plain schema that may be null as one with two types", () => {
    const unions = schemasIn(published).filter(
      ({ anyOf }) =>
        Array.isArray(anyOf) && anyOf.length === 2 && anyOf.some(({ type }) => type === "null"),
    );

    expect(
      unions.flatMap((one) => one["anyOf"]).filter((one) => Object(one).type === "string"),
    ).toEqual([]);
  });

  test("has a schema of every event, told apart by its name", () => {
    const { components, webhooks } = Object(published);
    const { oneOf, discriminator } = components.schemas.Event;

    expect(Object.keys(webhooks).toSorted()).toEqual([...eventNames, "webhook.ping"].toSorted());
    expect(discriminator.propertyName).toBe("event");
    expect(Object.keys(discriminator.mapping).toSorted()).toEqual([...eventNames].toSorted());
    expect(oneOf.map(({ $ref }: Json) => $ref)).toEqual(Object.values(discriminator.mapping));
  });

  test.each([...eventNames])("%s carries the id of its subject", (name) => {
    const { schemas } = Object(published).components;
    const event = schemas[pascal(name)];
    const payloads = [event.properties.data.anyOf ?? event.properties.data]
      .flat()
      .map((one) => schemas[String(one.$ref).split("/").at(-1) ?? ""] ?? one);

    expect(event.properties.event).toMatchObject({ type: "string", const: name });
    expect(payloads.every(({ properties }: Json) => "id" in Object(properties))).toBeTrue();
  });

  test("has the minor units beside every amount", () => {
    const alone = schemasIn(published).flatMap(({ properties }) =>
      Object.entries(Object(properties))
        .filter(([, one]) => [one, ...[Object(one).anyOf].flat()].some(isAmount))
        .map(([name]) => `${name}_minor`)
        .filter((name) => !(name in Object(properties))),
    );

    expect(JSON.stringify(published)).toContain('"#/components/schemas/Amount"');
    expect(alone).toEqual([]);
  });

  test("has an example of every refusal, with no member that the schema lacks", () => {
    const { components } = Object(published);
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const Problem = { ...components.schemas.Problem, additionalProperties: false };
    const schemas = { ...components.schemas, Problem };
    const isProblem = ajv.compile({
      $ref: "#/components/schemas/Problem",
      components: { schemas },
    });

    const odd = Object.entries(Object(components.examples)).filter(
      ([, one]) => !isProblem(Object(one).value),
    );

    // Those are made before an operation is found, these by routes that no key may call.
    const documented = new Set(routes.flatMap(refusalsOf));
    const ofPeople = peopleRoutes.flatMap(refusalsOf).filter((one) => !documented.has(one));
    const ofNone = ["method_not_allowed", "wrong_host", ...ofPeople.map(({ code }) => code)];
    expect(Object.keys(components.examples)).toEqual(
      refusals()
        .map(({ code }) => code)
        .filter((code) => !ofNone.includes(code)),
    );
    expect(odd.map(([code]) => code)).toEqual([]);
  });

  // Generated types are named by these.
  test("names what an id is of as people do", () => {
    const texts = schemasIn(published).map(({ description }) => String(description));
    const ofIds = texts.filter((text) => text.startsWith("The id of "));

    expect(ofIds).not.toBeEmpty();
    expect(ofIds.filter((text) => /[a-z][A-Z]/.test(text))).toEqual([]);
  });

  test("names the schema of every request", () => {
    const bodies = described().flatMap(
      ([, { requestBody }]) => Object(requestBody).content?.["application/json"]?.schema ?? [],
    );

    expect(bodies.filter((schema) => !("$ref" in schema))).toEqual([]);
  });

  test("has one name for every operation", () => {
    const ids = described().map(([, operation]) => operation["operationId"]);

    expect(new Set(ids).size).toBe(ids.length);
  });

  // Generated clients name their methods by these.
  test("names an operation by verb and noun, and never anew", () => {
    const named = described().map(
      ([name, operation]) => `${String(operation["operationId"])}  ${name}`,
    );

    expect(named.toSorted().join("\n")).toMatchSnapshot();
  });

  test.each(described())("%s begins with a word that people search for", (_, operation) => {
    const [first] = String(operation["summary"]).split(" ");

    expect(searchedVerbs).toContain(first ?? "");
  });

  test.each(described())(
    "%s says what it does, for whom, and how it may be refused",
    (_, operation) => {
      const needed: unknown = operation["x-scopes"];

      expect(operation).toMatchObject({
        summary: expect.stringMatching(/^[A-Z].{3,80}[^.]$/),
        tags: [expect.any(String)],
        responses: { 401: expect.any(Object), 403: expect.any(Object), 429: expect.any(Object) },
      });
      expect(needed).not.toEqual([]);
      expect(
        Array.from(Object(needed)).filter((scope) => !scopes.some((one) => one === scope)),
      ).toEqual([]);
    },
  );

  test.each(operations)("%s names the parameters of its path", (_, route) => {
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? "");

    expect(Object.keys(route.params).toSorted()).toEqual(inPath.toSorted());
  });

  test.each(operations)(
    "%s takes If-Match where it checks the version, and only there",
    (name, route) => {
      const operation = Object.fromEntries(described())[name];

      const promised = JSON.stringify(operation?.["parameters"]).includes('"If-Match"');

      expect([promised, "412" in Object(operation?.["responses"])]).toEqual(
        Array(2).fill(route.handler.toString().includes("ifMatch")),
      );
    },
  );

  test("describes operations that exist and answer as described", async () => {
    await using shop = await openTestShop();

    const answers = await Promise.all(operations.map(([, route]) => call(shop, route)));

    const answered = answers.map(
      ({ status, ...answer }, index) => `${operations[index]?.[0]} ${status} ${codeOf(answer)}`,
    );
    const expected =
      / (200|201|204|404|409|422) | 401 customer_session_invalid$| 400 order_token_required$/;
    expect(answered.filter((one) => !expected.test(one))).toEqual([]);
    expect(answered.filter((one) => / (not_found|method_not_allowed)$/.test(one))).toEqual([]);
  });
});

/** The code of a refusal; empty for any other answer. */
function codeOf({ body }: { readonly body: unknown }): string {
  return String(Object(body).code ?? "");
}

describe("reviewed", () => {
  test("operations and the scopes they ask for", () => {
    const lines = routes.map((route) => `${nameOf(route)}  ${route.scopes.join(" | ")}`);

    expect(lines.toSorted().join("\n")).toMatchSnapshot();
  });

  test("refusals, their statuses and titles", () => {
    const lines = refusals().map(
      ({ code, kind, title }) => `${statusOfKind[kind]} ${code}  ${title}`,
    );

    expect(lines.toSorted().join("\n")).toMatchSnapshot();
  });

  test("events", () => {
    expect([...eventNames].toSorted().join("\n")).toMatchSnapshot();
  });

  test("scopes", () => {
    expect([...scopes].toSorted().join("\n")).toMatchSnapshot();
  });
});

test("an event has every amount in minor units too", () => {
  const odd = Object.entries(eventPayloads).flatMap(([name, payload]) =>
    schemasIn(payload)
      .map(({ properties }) => Object.entries<Json>(Object(properties)))
      .flatMap((members) => {
        const names = new Set(members.map(([member]) => member));
        return members.filter(([member]) => isNamedAmount(member) && !names.has(`${member}_minor`));
      })
      .map(([member]) => `${name}: ${member}`),
  );

  expect(odd).toEqual([]);
});

/** Whether a member of an event is an amount in major units, by its name. */
function isNamedAmount(member: string): boolean {
  return /(?:^|_)(?:total|amount|subtotal|price|due|compare_at)$/.test(member);
}

test("a code has one meaning", () => {
  const codes = refusals().map((refusal) => refusal.code);

  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
});

describe("the error reference", () => {
  const SENTENCES = /^[A-Z`].*\.$/;

  test("gives every code a cause and a remedy", () => {
    const without = refusals().filter(({ title, explanation }) => {
      const { cause = "", remedy = "" } = explanation ?? {};
      return cause === title || !SENTENCES.test(cause) || !SENTENCES.test(remedy);
    });

    expect(without.map(({ code }) => code)).toEqual([]);
  });

  test("explains each code of a fault below the refusals that carry it", () => {
    const meanings = { ...jsonFaults, ...headerFaults, ...parameterFaults, ...requestFaults() };
    const explained = refusals().flatMap(({ explanation }) =>
      Object.keys(explanation?.faults ?? {}),
    );

    expect([...new Set(explained)].toSorted()).toEqual(Object.keys(meanings).toSorted());
    expect(Object.values(meanings).filter((text) => !SENTENCES.test(text))).toEqual([]);
  });

  test("shows no fault in an example that the refusal cannot carry", () => {
    const odd = refusals().flatMap(({ code, explanation }) =>
      (explanation?.example?.faults ?? [])
        .filter((fault) => explanation?.faults?.[fault.code] === undefined)
        .map((fault) => `${code}: ${fault.code}`),
    );

    expect(odd).toEqual([]);
  });
});

test("codes and titles follow one form", () => {
  const odd = refusals().filter(
    ({ code, title }) => !/^[a-z]+(_[a-z]+)*$/.test(code) || !/^[A-Z].*\.$/.test(title),
  );

  expect(odd.map(({ code }) => code)).toEqual([]);
});
