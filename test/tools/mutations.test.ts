// Which changes of a line are mutants.

import { expect, test } from "bun:test";

import { mutantsOf, patchOf } from "./mutations.ts";

/** What becomes of a line, beside what of it changed. */
function changes(line: string): string[] {
  return mutantsOf("a.ts", line).map(({ what, after }) => `${what}: ${after}`);
}

test.each([
  ["const few = count < limit;", ["< to <=: const few = count <= limit;"]],
  ["return a + b;", ["+ to -: return a - b;"]],
  ["return isPaid && isSent;", ["&& to ||: return isPaid || isSent;"]],
  ["return state === other;", ["=== to !==: return state !== other;"]],
  ["const most = 1_000;", ["1_000 to 1001: const most = 1001;", "1_000 to 999: const most = 999;"]],
  ["  if (open(a)) return;", ["a condition negated:   if (!(open(a))) return;"]],
  ["  await save(tx, order);", ["an awaited statement dropped: "]],
])("%s", (line, after) => {
  expect(changes(line)).toEqual(after);
});

test.each([
  'import { a } from "./a.ts";',
  "// one < two && 3",
  'const name = "a < b";',
  "type Of<T> = Map<string, T>;",
  "  if (",
  "const of = await save(tx);",
])("%s has no mutant", (line) => {
  expect(changes(line)).toEqual([]);
});

test("a patch shows the line between its neighbours", () => {
  const text = "one();\nreturn a + b;\ntwo();\n";
  const [mutant] = mutantsOf("src/a.ts", text);
  if (mutant === undefined) throw new Error("no mutant");

  expect(patchOf(mutant, text)).toBe(
    [
      "src/a.ts:2: + to -",
      "--- a/src/a.ts",
      "+++ b/src/a.ts",
      "@@ -1,3 +1,3 @@",
      " one();",
      "-return a + b;",
      "+return a - b;",
      " two();",
      "",
    ].join("\n"),
  );
});
