// Each member that a change may have reaches its column: it is sent alone, and read back.

import { describe, expect, test } from "bun:test";

import { routes } from "#interface.ts";
import { isObject } from "#kernel/assume.ts";

import { sharedShop } from "../support/shop.ts";
import { resourcesOf } from "./changeable-resources.ts";

const shop = sharedShop();
const resources = resourcesOf(shop);

const parentOf = (path: string) => path.replace(/\/\{\w+\}$/, "");
/** Media have one member, and are made of a file; a line of a cart is read with its cart, and has tests of its own. */
const apart = ["/v2/media/{id}", "/v2/carts/{id}/lines/{line_id}"];
/** The bodies of changes, by the path at which a new one is made. */
const changes = new Map(
  routes
    .filter(({ method, path }) => method === "PUT" && !apart.includes(path))
    .map(({ path, body }) => [parentOf(path), body] as const)
    .filter(([path]) => routes.some((one) => one.method === "POST" && one.path === path)),
);

describe.each(Object.entries(resources))(
  "a resource of %s",
  (path, { at, made, members, ...terms }) => {
    const body = changes.get(path);
    const properties = isObject(body) && isObject(body["properties"]) ? body["properties"] : {};

    test("keeps each member of a change", async () => {
      const given = await members();
      const parent = at === undefined ? path : await at();
      const own = `${parent}/${(await shop.post(parent, await made())).id}`;
      const kept: Record<string, unknown> = {};
      const changed: Record<string, unknown> = {};

      for (const [name, value] of Object.entries(given)) {
        const [pointer, expected] = terms.elsewhere?.[name] ?? [`/${name}`, value];
        const before = (await shop.get(own)).at(pointer);
        const answer = await shop.put(own, { [name]: value, ...terms.beside?.[name] });
        if (answer.status !== 200) throw new Error(`${name}: ${answer.text}`);
        const after = (await shop.get(own)).at(pointer);
        kept[name] = [after, !Bun.deepEquals(after, before)];
        changed[name] = [expected, true];
      }

      expect(Object.keys(given).toSorted()).toEqual(Object.keys(properties).toSorted());
      expect(kept).toMatchObject(changed);
    });
  },
);

test("every resource that can be changed has its values here", () => {
  expect([...changes.keys()].toSorted()).toEqual(Object.keys(resources).toSorted());
});
