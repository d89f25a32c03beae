// Several programs that start at the same moment on an empty database.

import { expect, test } from "bun:test";

import { linkTerms } from "#sales/links/tables.ts";
import { apiKeys } from "#shop/keys/tables.ts";
import { store } from "#shop/store/tables.ts";

import { openPrograms } from "../../support/programs.ts";
import { rowsOf } from "../../support/tables.ts";

test("programs that start at once create one shop, one first key and one secret", async () => {
  await using programs = await openPrograms(4);

  const { test: inTest, live } = programs.of(0);
  const keys = await rowsOf(inTest.database.read, apiKeys);
  const ids = [
    ...(await rowsOf(inTest.database.read, store)),
    ...(await rowsOf(live.database.read, store)),
  ].map(({ id }) => id);
  expect(keys.filter(({ name }) => name === "First key")).toHaveLength(1);
  expect(programs.shops.filter(({ duka }) => duka.firstKey !== null)).toHaveLength(1);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
  expect(await rowsOf(inTest.database.read, linkTerms)).toHaveLength(1);
});

test("each program sees what another created", async () => {
  await using programs = await openPrograms(2);
  const [one, other] = [programs.of(0), programs.of(1)];
  const key = await one.createKey();

  const made = await one.post("/v2/products", { name: "Mug", price: 12.5 });

  expect((await other.get(`/v2/products/${made.id}`)).at("/name")).toBe("Mug");
  expect((await other.get("/v2/products", { key })).status).toBe(200);
});
