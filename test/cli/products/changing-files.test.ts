// A file that changes while it is read is refused, and nothing of it is taken.

import { describe, expect, test } from "bun:test";
import { appendFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";

import { importCustomers } from "#cli/imports/import-file.ts";
import { importProducts } from "#cli/imports/import-products.ts";

import { openScratchFolder } from "../../support/scratch.ts";
import { sharedShop } from "../../support/shop.ts";
import { wayTo } from "../way-to-shop.ts";

const shop = sharedShop();
const terms = { mode: "test", existing: "update", apply: true } as const;

const changes: readonly (readonly [string, (path: string) => void])[] = [
  ["grows", (path) => appendFileSync(path, "jug,Jug,5\n")],
  ["is cut", (path) => truncateSync(path, 12)],
  [
    "is replaced by another",
    (path) => {
      writeFileSync(`${path}.new`, "slug,name,price\ncup,Cup,5\n");
      renameSync(`${path}.new`, path);
    },
  ],
  ["is removed", (path) => rmSync(path)],
];

describe.each(changes)("a file that %s", (_, change) => {
  test.each([
    ["products", importProducts, "slug,name,price\nmug,Mug,5\n"],
    ["customers", importCustomers, "email,name\nama@example.com,Ama\n"],
  ] as const)("while its %s are read is refused", async (noun, run, text) => {
    using folder = openScratchFolder();
    const path = folder.file("shop.csv");
    writeFileSync(path, text);
    const way = wayTo(shop);
    // The server is asked for its terms between the opening and the reading.
    const changing = {
      run: async (name: string, input: unknown) => {
        const answer = await way.run(name, input);
        if (name === `${noun}.terms`) change(path);
        return answer;
      },
    };

    const failure: unknown = await run(changing, path, terms).catch((error: unknown) => error);

    expect(String(failure)).toContain(
      `${path} changed while it was read, and nothing of it was taken.`,
    );
    const { body } = await shop.get(`/v2/${noun}`);
    expect(body).toMatchObject({ data: [] });
  });
});
