// Each member that a change may have reaches its column: it is sent alone, and read back. A resource that is declared
// with the kit has its values here.

import { describe, expect, test } from "bun:test";
import { dirname, join } from "node:path";

import { routes } from "#interface.ts";
import { isObject } from "#kernel/assume.ts";

import { sharedShop } from "../support/shop.ts";

type Members = Readonly<Record<string, unknown>>;

interface Declared {
  readonly path: string;
  /** The body of a new one. */
  readonly made: () => Promise<Members>;
  /** What each member is changed to. */
  readonly members: () => Promise<Members>;
}

const shop = sharedShop();
const usd = (amount: number) => [{ currency: "USD", amount }];

async function zone(country: string): Promise<string> {
  return (await shop.post("/v2/shipping-zones", { name: country, places: [{ country }] })).id;
}

/** By the file that declares it. */
const declared: Readonly<Record<string, Declared>> = {
  "customers/schema.ts": {
    path: "/v2/customers",
    made: async () => ({ email: "kofi.boateng@example.com" }),
    members: async () => ({
      email: "ama.boateng@example.com",
      phone: "+233551234987",
      name: "Ama B.",
      first_name: "Ama",
      last_name: "Boateng",
      addresses: [{ city: "Kumasi", country: "GH" }],
      marketing_consent: true,
      tags: ["regular"],
      metadata: { table: "4" },
      tax_id: "C0001234567",
      tax_exemption: "exempt",
    }),
  },
  "shop/taxes/schema.ts": {
    path: "/v2/tax-rates",
    made: async () => {
      await shop.put("/v2/store", { country: "GH" });
      return { country: "GH", name: "VAT", rate: 15 };
    },
    members: async () => ({ valid_until: "2031-01-01T00:00:00.000Z" }),
  },
  "pricing/shipping/pickup-location-schema.ts": {
    path: "/v2/pickup-locations",
    made: async () => ({ name: "Till", address: { country: "GH" } }),
    members: async () => ({
      name: "Gate",
      address: { line1: "12 Oxford Street", country: "KE" },
      instructions: "Ring twice.",
      amounts: usd(3),
      active: false,
    }),
  },
  "pricing/shipping/zone-schema.ts": {
    path: "/v2/shipping-zones",
    made: async () => ({ name: "Ghana", places: [{ country: "GH" }] }),
    members: async () => ({ name: "Accra", places: [{ country: "GH", region: "Greater Accra" }] }),
  },
  "pricing/shipping/rate-schema.ts": {
    path: "/v2/shipping-rates",
    made: async () => ({
      zone_id: await zone("DE"),
      name: "Van",
      kind: "by_price",
      tiers: [{ from: 0, amounts: usd(9) }],
    }),
    members: async () => ({
      zone_id: await zone("FR"),
      name: "Bicycle",
      kind: "flat",
      tiers: [{ from: 0, amounts: usd(4) }],
      free_over: usd(90),
      min_days: 1,
      max_days: 9,
      active: false,
    }),
  },
};

describe.each(Object.entries(declared))("a resource of %s", (_, { path, made, members }) => {
  const body = routes.find((one) => one.method === "PUT" && one.path === `${path}/{id}`)?.body;
  const properties = isObject(body) && isObject(body["properties"]) ? body["properties"] : {};

  test("keeps each member of a change", async () => {
    const { id } = await shop.post(path, await made());
    const before = await shop.get(`${path}/${id}`);
    const given = await members();
    const kept: Record<string, unknown> = {};

    for (const [name, value] of Object.entries(given)) {
      await shop.put(`${path}/${id}`, { [name]: value });
      kept[name] = (await shop.get(`${path}/${id}`)).at(`/${name}`);
    }

    expect(Object.keys(given).toSorted()).toEqual(Object.keys(properties).toSorted());
    expect(kept).toMatchObject(given);
    expect(
      Object.keys(given).filter((name) => Bun.deepEquals(kept[name], before.at(`/${name}`))),
    ).toEqual([]);
  });
});

test("every resource of the kit has its values here", async () => {
  const root = join(dirname(import.meta.dir), "../src");
  const files = await Array.fromAsync(new Bun.Glob("**/*schema.ts").scan(root));
  const texts = await Promise.all(files.map((file) => Bun.file(join(root, file)).text()));
  const found = files.filter((_, at) =>
    /\b(?:settingsResource\(|resource<\w+>\()/.test(texts[at] ?? ""),
  );

  expect(found.toSorted()).toEqual(Object.keys(declared).toSorted());
});
