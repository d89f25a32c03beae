// What a body may be and what it may not: vectors in the manner of JSONTestSuite, then the traps
// that other JSON readers let through.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { type JsonValue, LossyNumber, parseStrictJson } from "#platform/http/strict-json.ts";

import { jsonValues, parseText } from "./json-values.ts";

function nested(open: string, close: string, depth: number): string {
  return open.repeat(depth) + close.repeat(depth);
}

describe("a text that is read", () => {
  const accepted: [text: string, value: JsonValue][] = [
    ["null", null],
    ["true", true],
    ["false", false],
    ["0", 0],
    ["-0", 0],
    ["-0.0", 0],
    ["-0e1", 0],
    ["0e0", 0],
    ["0e99999999999999999999", 0],
    ["1", 1],
    ["-1", -1],
    ["1.0", 1],
    ["1.000000000000000000000000", 1],
    ["249.50", 249.5],
    ["0.1", 0.1],
    ["-12.345", -12.345],
    ["1e2", 100],
    ["1E2", 100],
    ["1e+2", 100],
    ["1.5e-2", 0.015],
    ["100e-2", 1],
    ["1e-7", 1e-7],
    ["5e-324", 5e-324],
    ["0.1234567890123456", 0.1234567890123456],
    ["0.30000000000000004", 0.30000000000000004],
    ["9007199254740991", 9007199254740991],
    ["-9007199254740991", -9007199254740991],
    ["999999999999999", 999999999999999],
    ["9007199254740991.0", 9007199254740991],
    ['""', ""],
    ['"mug"', "mug"],
    ['"\\"\\\\\\/\\n\\r\\t"', '"\\/\n\r\t'],
    ['"\\u0041"', "A"],
    ['"\\u00e9\\u00E9"', "éé"],
    ['"\\ud83d\\ude00"', "😀"],
    ['"😀"', "😀"],
    ['"\u2028\u2029"', "\u2028\u2029"],
    ['"\u007f"', "\u007f"],
    ['"\ufeff"', "\ufeff"],
    ['"\\uffff"', "\uffff"],
    ["[]", []],
    ["{}", {}],
    ["[1,2,3]", [1, 2, 3]],
    ['[null,true,"x",{}]', [null, true, "x", {}]],
    ['{"a":1}', { a: 1 }],
    ['{"":1}', { "": 1 }],
    ['{"\\u0061":1}', { a: 1 }],
    ['{"a":{"a":{"a":[]}}}', { a: { a: { a: [] } } }],
    ['{"toString":1,"hasOwnProperty":2}', { toString: 1, hasOwnProperty: 2 }],
    ['{"proto":1,"__proto":2}', { proto: 1, __proto: 2 }],
    ['[{"a":1},{"a":2}]', [{ a: 1 }, { a: 2 }]],
    ['{"a":{"b":1},"b":2}', { a: { b: 1 }, b: 2 }],
    [' \t\r\n[ 1 , { "a" : [ ] } ] \n', [1, { a: [] }]],
    [nested("[", "]", 2), [[]]],
  ];

  test.each(accepted)("%j", (text, value) => {
    expect(parseText(text)).toEqual({ ok: true, value });
  });

  test("nests 32 levels", () => {
    expect(parseText(nested("[", "]", 32)).ok).toBe(true);
  });

  test("reads minus zero as zero, so that it is printed without a sign", () => {
    const read = parseText("[-0,-0.0,-0e5]");

    expect(read).toEqual({ ok: true, value: [0, 0, 0] });
  });

  test("keeps an ordinary object ordinary", () => {
    const read = parseText('{"a":1}');

    expect(Object.getPrototypeOf(read.ok && read.value)).toBe(Object.prototype);
  });
});

describe("a number that a double cannot hold", () => {
  const lossy: [literal: string][] = [
    ["9007199254740992"],
    ["9007199254740993"],
    ["-9007199254740993"],
    ["1e20"],
    ["123456789012345678901234567890"],
    ["1e400"],
    ["-1e400"],
    ["1e-400"],
    ["4.9e-324"],
    ["0.1000000000000000055511151231257827"],
    ["12.345000000000000001"],
    ["9007199254740990.5"],
    ["1.00000000000000001"],
    ["1e99999999999999999999"],
    ["1e-99999999999999999999"],
  ];

  test.each(lossy)("%s keeps its literal", (literal) => {
    const read = parseText(`{"amount":${literal}}`);

    expect(read).toEqual({ ok: true, value: { amount: new LossyNumber(literal) } });
  });
});

describe("a text that is refused as syntax", () => {
  const refused: [text: string][] = [
    ["nul"],
    ["nulll"],
    ["True"],
    ["undefined"],
    ["NaN"],
    ["Infinity"],
    ["-Infinity"],
    ["-"],
    ["+1"],
    ["01"],
    ["-01"],
    ["00"],
    ["1."],
    [".5"],
    ["-.5"],
    ["1.e1"],
    ["1e"],
    ["1e+"],
    ["1e1.5"],
    ["1.2.3"],
    ["0x1F"],
    ["1_000"],
    ["1,5"],
    ["１"],
    ['"'],
    ['"abc'],
    ['"abc\\'],
    ['"abc\\"'],
    ["'a'"],
    ['"\\x41"'],
    ['"\\a"'],
    ['"\\u12"'],
    ['"\\u12G4"'],
    ['"\\u{41}"'],
    ['"\\U0041"'],
    ['"\n"'],
    ['"\t"'],
    ['"\u0000"'],
    ['"\u001f"'],
    ['"\\\n"'],
    ["["],
    ["]"],
    ["[1"],
    ["[1,"],
    ["[1,]"],
    ["[,1]"],
    ["[1,,2]"],
    ["[1 2]"],
    ["[1:2]"],
    ["[1}"],
    ["[1]]"],
    ["{"],
    ["}"],
    ["{]"],
    ['{"a"'],
    ['{"a":'],
    ['{"a":1'],
    ['{"a":1,'],
    ['{"a":1,}'],
    ['{"a":1,,"b":2}'],
    ['{"a"}'],
    ['{"a",1}'],
    ['{"a"::1}'],
    ['{"a" 1}'],
    ["{a:1}"],
    ["{'a':1}"],
    ["{1:1}"],
    ["{null:1}"],
    ['{"a":1]'],
    ['{"a":1 "b":2}'],
    ["1 2"],
    ["{}{}"],
    ["[] x"],
    ["null,"],
    ["// note\n1"],
    ["/* note */ 1"],
    ["# note\n1"],
    ["\u00a0 1"],
    ["\u000b1"],
    ["\u000c1"],
    ["\u2028 1"],
    ["1\u0000"],
    ["\u0000"],
    ["1\ufeff"],
    ["customer=ada&quantity=1"],
    ["<order/>"],
  ];

  test.each(refused)("%j", (text) => {
    expect(parseText(text)).toMatchObject({ ok: false, fault: { code: "json_syntax" } });
  });

  test("has a fault with its position, without the text that was sent", () => {
    expect(parseText('{"card":"4242" "pin":1}')).toEqual({
      ok: false,
      fault: {
        code: "json_syntax",
        detail: "Expected a comma or the end of the list or object at character 16.",
      },
    });
  });
});

describe("a text that two readers could understand differently", () => {
  const refused: [text: string, code: string, pointer: string][] = [
    ['{"a":1,"a":1}', "json_duplicate_key", "/a"],
    ['{"a":1,"b":2,"\\u0061":3}', "json_duplicate_key", "/a"],
    ['{"toString":1,"toString":2}', "json_duplicate_key", "/toString"],
    ['{"":1,"":2}', "json_duplicate_key", "/"],
    ['{"x":[0,{"a/b":{"~":1,"~":2}}]}', "json_duplicate_key", "/x/1/a~1b/~0"],
    ['{"__proto__":{"x":1}}', "json_forbidden_key", "/__proto__"],
    ['{"metadata":{"\\u005f_proto__":1}}', "json_forbidden_key", "/metadata/__proto__"],
    ['[{"constructor":1}]', "json_forbidden_key", "/0/constructor"],
    ['{"a":[],"prototype":1}', "json_forbidden_key", "/prototype"],
    ['{"name":"\\ud83d"}', "json_string", "/name"],
    ['{"name":"\\ude00"}', "json_string", "/name"],
    ['{"name":"\\ude00\\ud83d"}', "json_string", "/name"],
    ['{"name":"\\ud83dx\\ude00"}', "json_string", "/name"],
    ['{"a":1,"\\ud800":1}', "json_string", ""],
  ];

  test.each(refused)("%s is %s at %j", (text, code, pointer) => {
    expect(parseText(text)).toMatchObject({ ok: false, fault: { code, pointer } });
  });

  test("a pointer ends before a key too long to repeat", () => {
    const key = "k".repeat(5_000);

    const read = parseText(`{"a":{"${key}":{"b":1,"b":2}}}`);

    expect(read).toMatchObject({ fault: { code: "json_duplicate_key", pointer: "/a" } });
  });
});

describe("nesting", () => {
  const deep: [name: string, text: string][] = [
    ["33 lists", nested("[", "]", 33)],
    ["33 objects", nested('{"a":', "}", 33)],
    ["100,000 lists", nested("[", "]", 100_000)],
    ["100,000 lists never closed", "[".repeat(100_000)],
    ["100,000 objects never closed", '{"a":'.repeat(100_000)],
  ];

  test.each(deep)("%s are too deep", (_name, text) => {
    expect(parseText(text)).toMatchObject({ ok: false, fault: { code: "json_depth" } });
  });

  test("a long list of shallow lists is not deep", () => {
    expect(parseText(`[${"[],".repeat(50_000)}[]]`).ok).toBe(true);
  });
});

describe("bytes", () => {
  const encoder = new TextEncoder();

  test("are read as UTF-8", () => {
    const read = parseStrictJson(encoder.encode('{"name":"Nàná 😀"}'));

    expect(read).toEqual({ ok: true, value: { name: "Nàná 😀" } });
  });

  test.each([[""], [" "], ["\r\n\t "]])("of %j are an empty body", (text) => {
    expect(parseStrictJson(encoder.encode(text))).toEqual({
      ok: false,
      fault: { code: "json_empty", detail: "The body is empty." },
    });
  });

  const misencoded: [name: string, bytes: number[]][] = [
    ["a byte order mark", [0xef, 0xbb, 0xbf, 0x7b, 0x7d]],
    ["a byte that UTF-8 has not", [0x22, 0xff, 0x22]],
    ["a lone continuation byte", [0x22, 0x80, 0x22]],
    ["a character cut short", [0x22, 0xe2, 0x82, 0x22]],
    ["a body cut short inside a character", [0x22, 0xe2, 0x82]],
    ["U+0000 in two bytes", [0x22, 0xc0, 0x80, 0x22]],
    ["a slash in two bytes", [0x22, 0xc0, 0xaf, 0x22]],
    ["half of a surrogate pair", [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ["a pair of surrogates in six bytes", [0x22, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, 0x22]],
    ["a character above U+10FFFF", [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
    ["Latin-1", [0x22, 0xe9, 0x22]],
    ["UTF-16 with its mark", [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ];

  test.each(misencoded)("with %s are refused", (_name, bytes) => {
    expect(parseStrictJson(Uint8Array.from(bytes))).toMatchObject({
      ok: false,
      fault: { code: "json_encoding" },
    });
  });

  test("of UTF-16 without a mark are refused", () => {
    expect(parseStrictJson(Uint8Array.of(0x7b, 0x00, 0x7d, 0x00)).ok).toBe(false);
  });

  test("that were refused leave nothing behind for the next body", () => {
    parseStrictJson(Uint8Array.of(0x22, 0xe2, 0x82));

    expect(parseStrictJson(encoder.encode("[1]"))).toEqual({ ok: true, value: [1] });
  });
});

test("whatever a caller may send comes back as it was sent", () => {
  fc.assert(
    fc.property(jsonValues, fc.constantFrom(undefined, 2, "\t"), (value, indent) => {
      expect(parseText(JSON.stringify(value, null, indent))).toEqual({ ok: true, value });
    }),
    { numRuns: 1_000 },
  );
});

/** What `JSON.parse` answers to a text, with -0 as 0; `undefined` where it refuses. */
function parsedNatively(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown) => (value === 0 ? 0 : value));
  } catch {
    return undefined;
  }
}

/** The value with every lossy number as the double that `JSON.parse` makes of it. */
function withDoubles(value: JsonValue): unknown {
  if (value instanceof LossyNumber) return Number(value.literal) + 0;
  if (Array.isArray(value)) return value.map(withDoubles);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, withDoubles(member)]),
  );
}

/** What the parser made of a text, in the terms of `JSON.parse`; null where it is stricter. */
function parsedStrictly(text: string): { value: unknown } | null {
  const read = parseText(text);
  if (read.ok) return { value: withDoubles(read.value) };
  const isGrammar = read.fault.code === "json_syntax" || read.fault.code === "json_empty";
  return isGrammar ? { value: undefined } : null;
}

const damage = fc.array(
  fc.record({
    at: fc.nat(200),
    cut: fc.nat(3),
    insert: fc.oneof(
      fc.constantFrom(...'{}[]",:\\/0123456789-+.eEu \t\n\r'),
      fc.constantFrom("\\u00", "\\ud83d", "null", "true", "1e", "__proto__", "\u0000", "\ufeff"),
      fc.string({ unit: "binary", maxLength: 2 }),
    ),
  }),
  { maxLength: 3 },
);

function damaged(text: string, edits: readonly { at: number; cut: number; insert: string }[]) {
  return edits.reduce(
    (before, { at, cut, insert }) => before.slice(0, at) + insert + before.slice(at + cut),
    text,
  );
}

test("damaged texts are read exactly when the grammar allows them", () => {
  fc.assert(
    fc.property(jsonValues, damage, (value, edits) => {
      // A cut through a pair of surrogates leaves what no bytes can carry.
      const text = damaged(JSON.stringify(value), edits).toWellFormed();
      const strictly = parsedStrictly(text);
      fc.pre(strictly !== null);

      expect(strictly).toEqual({ value: parsedNatively(text) });
    }),
    { numRuns: 5_000 },
  );
});
