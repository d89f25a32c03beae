// The rules of documents themselves: for each, one sample that it lets pass and one that it stops.

import { describe, expect, test } from "bun:test";

import * as documents from "./support/document-rules.ts";

describe("documents point at files", () => {
  const exists = (path: string) => path === "src/README.md" || path === "src/sales/rows/order.ts";

  test("from the root or from the document's own folder", () => {
    const text =
      "[map](src/README.md) [site](https://duka.shop) [below](#below) `sales/rows/order.ts`";

    expect(documents.documentPointsAtFiles("README.md", text.slice(0, 60), exists)).toEqual([]);
    expect(
      documents.documentPointsAtFiles("src/README.md", "see `sales/rows/order.ts`", exists),
    ).toEqual([]);
  });

  test("from src, as decisions name the files that they are about", () => {
    const decision = "src/decisions/one.md";

    expect(documents.documentPointsAtFiles(decision, "see `sales/rows/order.ts`", exists)).toEqual(
      [],
    );
  });

  test("a file that is gone is named", () => {
    expect(
      documents.documentPointsAtFiles("README.md", "[x](GONE.md) `src/gone.ts`", exists),
    ).toEqual(["README.md: GONE.md does not exist", "README.md: src/gone.ts does not exist"]);
  });
});

describe("the import table knows every folder", () => {
  const table =
    "| from | may import |\n|---|---|\n| `kernel/` | nothing |\n| `events/ webhooks/` | kernel/ |\n";

  test("rows may share folders", () => {
    expect(documents.foldersAreInTheTable(["kernel", "events", "webhooks"], table)).toEqual([]);
  });

  test("a folder that only stands in the second column has no row", () => {
    expect(
      documents.foldersAreInTheTable(["orders"], `${table}| \`cli/\` | orders/ |\n`),
    ).toHaveLength(1);
  });
});

describe("the list of decisions", () => {
  const list = "- [One](one.md): a reason.\n- [Two](two.md): [as the first](#one).\n";

  test("has a line for each of them", () => {
    expect(documents.decisionsAreListed(["one.md", "two.md"], list)).toEqual([]);
  });

  test("lacks one that is new, and does not have one twice", () => {
    expect(documents.decisionsAreListed(["one.md", "three.md", "two.md"], list)).toEqual([
      "src/decisions/README.md: give three.md one line",
    ]);
    expect(documents.decisionsAreListed(["one.md", "two.md"], list + list)).toHaveLength(2);
  });

  test("names none that is gone", () => {
    expect(documents.decisionsAreListed(["one.md"], list)).toEqual([
      "src/decisions/README.md: two.md does not exist",
    ]);
  });
});

describe("the changelog is in its form", () => {
  test("with what is not released above the versions, and parts in their order", () => {
    const text =
      "# Changelog\n## Unreleased\n### Added\n- One.\n## 0.2.0 (2026-12-01)\n### Breaking\n### Security\n";

    expect(documents.changelogIsInForm(text)).toEqual([]);
  });

  test.each([
    ["a version without its day", "## 0.2.0\n"],
    ["an unknown part", "## Unreleased\n### Changed\n"],
    ["parts in another order", "## Unreleased\n### Fixed\n### Added\n"],
    ["a part twice", "## Unreleased\n### Added\n### Added\n"],
    ["what is not released below a version", "## 0.2.0 (2026-12-01)\n## Unreleased\n"],
  ])("and without %s", (_, text) => {
    expect(documents.changelogIsInForm(text)).toHaveLength(1);
  });
});
