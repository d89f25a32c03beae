// What a form means as the body of a request.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";
import Type from "typebox";

import { bodyOfForm } from "#dashboard/kit/forms/form-body.ts";
import type { Writing } from "#dashboard/kit/typed-amount.ts";
import { amountGiven, nullable, object, optional, whole } from "#platform/http/contract/words.ts";

const schema = object({
  name: Type.String({ minLength: 1 }),
  notes: optional(nullable(Type.String())),
  description: optional(Type.String()),
  price: optional(amountGiven),
  stock: optional(whole(0)),
  isOpen: optional(Type.Boolean()),
  status: optional(Type.Union([Type.Literal("draft"), Type.Literal("active")])),
  tags: optional(Type.Array(Type.String())),
  line_items: optional(
    Type.Array(object({ variant_id: Type.String({ minLength: 1 }), quantity: optional(whole(1)) })),
  ),
  metadata: optional(Type.Record(Type.String(), Type.String())),
});

const plain: Writing = { currency: "GHS", locale: null };

function bodyOf(...fields: readonly (readonly [string, string])[]) {
  return bodyOfForm(
    new URLSearchParams(fields.map(([name, text]): [string, string] => [name, text])),
    schema,
    plain,
  ).body;
}

describe("a field of a form", () => {
  test.each([
    ["/name", " Mug ", { name: "Mug" }],
    ["/stock", "12", { stock: 12 }],
    ["/stock", "a dozen", { stock: "a dozen" }],
    ["/price", "12.50", { price: "12.50" }],
    ["/price", "12,50", { price: "12.50" }],
    ["/price", ".99", { price: "0.99" }],
    ["/price", "12.", { price: "12" }],
    ["/price", "١٢٫٥٠", { price: "12.50" }],
    ["/price", "GHS 1 250,00", { price: "1250.00" }],
    ["/price", "1,250", { price: "1.250 or 1250" }],
    ["/price", "a lot", { price: "a lot" }],
    ["/stock", "١٢", { stock: 12 }],
    ["/stock", "१२", { stock: 12 }],
    ["/name", "٣,٥", { name: "٣,٥" }],
    ["/isOpen", "true", { isOpen: true }],
    ["/isOpen", "false", { isOpen: false }],
    ["/status", "draft", { status: "draft" }],
    ["/tags/", "[]", { tags: [] }],
    ["/metadata/a~1b", "x", { metadata: { "a/b": "x" } }],
    ["q", "mug", {}],
  ])("%s with %j sets %j", (name, text, body) => {
    expect(bodyOf([name, text])).toEqual(body);
  });

  test.each([
    ["/name", {}],
    ["/notes", { notes: null }],
    ["/description", { description: "" }],
    ["/stock", {}],
    ["/price", {}],
    ["/status", {}],
  ])("%s that is empty sets %j", (name, body) => {
    expect(bodyOf([name, "  "])).toEqual(body);
  });

  test("means the last of those with its name", () => {
    expect(bodyOf(["/isOpen", "false"], ["/isOpen", "true"])).toEqual({ isOpen: true });
  });

  test("named like a part of every object sets only itself", () => {
    const body = bodyOf(["/__proto__/polluted", "yes"], ["/constructor", "x"]);

    expect(Object.keys(body)).toEqual(["__proto__", "constructor"]);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });
});

describe("rows of a form", () => {
  test("keep their order, and one in which nothing was typed is none", () => {
    const body = bodyOf(
      ["/line_items/7/variant_id", "b"],
      ["/line_items/7/quantity", "2"],
      ["/line_items/3/variant_id", ""],
      ["/line_items/3/quantity", ""],
      ["/line_items/1/variant_id", "a"],
    );

    expect(body).toEqual({ line_items: [{ variant_id: "a" }, { variant_id: "b", quantity: 2 }] });
  });

  test("of which one has no number are no list, and the interface refuses them", () => {
    const { body, fieldOf } = bodyOfForm(
      new URLSearchParams([
        ["/line_items/1/quantity", "2"],
        ["/line_items/first/quantity", "3"],
      ]),
      schema,
      plain,
    );

    expect(Array.isArray(body["line_items"])).toBe(false);
    expect(body["line_items"]).toMatchObject({ first: { quantity: expect.anything() } });
    expect(fieldOf("/line_items")).toBe("/line_items");
  });

  test("are found again by a fault of the body", () => {
    const { fieldOf } = bodyOfForm(
      new URLSearchParams([
        ["/line_items/3/quantity", ""],
        ["/line_items/7/quantity", "0"],
      ]),
      schema,
      plain,
    );

    expect(fieldOf("/line_items/0/quantity")).toBe("/line_items/7/quantity");
  });

  test("that were typed as one text are found again by a fault of any of them", () => {
    const { fieldOf } = bodyOfForm(new URLSearchParams([["/tags", "a, b"]]), schema, plain);

    expect(fieldOf("/tags/1")).toBe("/tags");
  });

  test("that were all taken away are an empty list", () => {
    expect(bodyOf(["/tags/0", ""])).toEqual({ tags: [] });
  });
});

test("a name of thousands of steps is refused as one that there is not", () => {
  const name = "/a".repeat(20_000);

  const { body, fieldOf } = bodyOfForm(new URLSearchParams([[name, "x"]]), schema, plain);

  expect(JSON.stringify(body).length).toBeLessThan(200);
  expect(fieldOf("/a")).toBe("/a");
});

test("whatever is typed, a text of the body was typed, and each fault has a field", () => {
  const step = fc.constantFrom("name", "tags", "line_items", "0", "1", "quantity", "", "__proto__");
  const name = fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => `/${steps.join("/")}`);
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.string()), { maxLength: 12 }), (fields) => {
      const { body } = bodyOfForm(new URLSearchParams(fields), schema, plain);

      const typed = new Set(fields.map(([, text]) => text.trim()));
      for (const text of textsIn(body)) expect(typed).toContain(text);
    }),
  );
});

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
