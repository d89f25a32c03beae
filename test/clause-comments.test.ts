// The rule about the beginnings of comments: what it lets pass and what it stops.

import { describe, expect, test } from "bun:test";

import { clauseComments, tooManyClauses } from "./support/clause-comments.ts";

describe("comments begin with a verb or the thing", () => {
  test("a clause is found at the beginning of a comment of either kind", () => {
    const text =
      "/** Whether it is paid. */\n/**\n * What is due.\n */\n// Of goods.\nconst a = 1; // Where.\n";

    expect(clauseComments(text)).toEqual([1, 2, 5, 6]);
  });

  test("a line that continues a comment begins none, and neither does a text", () => {
    const text = '// The sum of what is due.\n// What is left.\nconst url = "http:// What";\n';

    expect(clauseComments(text)).toEqual([]);
  });

  test("a folder that is not listed has none", () => {
    const files = [{ path: "src/pricing/sum.ts", text: "// What it costs.\n" }];

    expect(tooManyClauses(files)).toHaveLength(1);
  });
});
