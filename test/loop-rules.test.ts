// The rule about loops that wait: what it lets pass and what it stops.

import { describe, expect, test } from "bun:test";

import { loopsThatStopOthers } from "./support/loop-rules.ts";

function complaints(text: string): string[] {
  return loopsThatStopOthers("src/a.ts", text);
}

describe("a loop that waits and ends by a condition", () => {
  test.each([
    ["with a body", "while (isMore) {\n  isMore = await step();\n}\n"],
    ["in one line", "while (await step());\n"],
    ["without an end", "for (;;) {\n  if (await step()) return;\n}\n"],
    ["that counts nothing", "for (let after = 0; hasMore;) {\n  await step();\n}\n"],
    ["that tests last", "do {\n  await step();\n} while (isMore);\n"],
  ])("%s is stopped", (_, text) => {
    expect(complaints(text)).toEqual([
      "src/a.ts:1: begin each lap with await nextTurn(), or say in loop-rules why not",
    ]);
  });

  test.each([
    ["leaves a turn", "while (isMore) {\n  await nextTurn();\n  isMore = await step();\n}\n"],
    ["sleeps", "for (;;) {\n  await Bun.sleep(1);\n  await step();\n}\n"],
    ["goes through a list", "for (const one of all) {\n  await step(one);\n}\n"],
    ["counts up to a limit", "for (let at = 0; at < 5; at += 1) {\n  await step(at);\n}\n"],
    ["waits for nothing", "while (isMore) {\n  isMore = step();\n}\n"],
    ["stands in a comment", "// while (isMore) await step();\n"],
  ])("passes if it %s", (_, text) => {
    expect(complaints(text)).toEqual([]);
  });
});
