// A page is cut from a query that looked one row further than the page is long.

import { describe, expect, test } from "bun:test";

import { toPage } from "#kernel/page.ts";

describe("a page", () => {
  test("of fewer rows than asked for is the last", () => {
    expect(toPage(["c", "b"], 3)).toEqual({ rows: ["c", "b"], hasMore: false });
  });

  test("that is exactly full is the last", () => {
    expect(toPage(["c", "b", "a"], 3)).toEqual({ rows: ["c", "b", "a"], hasMore: false });
  });

  test("leaves out the row that only told there is more", () => {
    expect(toPage(["d", "c", "b", "a"], 3)).toEqual({ rows: ["d", "c", "b"], hasMore: true });
  });

  test("of nothing is empty and the last", () => {
    expect(toPage([], 20)).toEqual({ rows: [], hasMore: false });
  });

  test("leaves the rows it was cut from as they were", () => {
    const found = ["b", "a"];

    toPage(found, 1);

    expect(found).toEqual(["b", "a"]);
  });
});
