// A customer's addresses at the dashboard: added, changed, put first, removed, and each of these undone.

import { afterAll, beforeAll, expect, test } from "bun:test";

import { type DashboardShop, openDashboard, type SeenPage } from "./dashboard-shop.ts";

const HOME = "/dashboard/test/customers";

let dashboard: DashboardShop;
let count = 0;

beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

/** The id of a customer with addresses in these streets. */
async function customerAt(...streets: readonly string[]): Promise<string> {
  count += 1;
  const made = await dashboard.shop.post("/v2/customers", {
    name: "Esi Owusu",
    email: `esi-${count}@example.com`,
    addresses: streets.map((line1) => ({ line1, city: "Accra", postal_code: "GA-123" })),
  });
  return made.string("/id");
}

async function streetsOf(id: string): Promise<unknown[]> {
  const addresses = (await dashboard.shop.get(`/v2/customers/${id}`)).at("/addresses");
  return Array.isArray(addresses) ? addresses.map(({ line1 }) => line1) : [];
}

/** Sends a form of the customer's pages with the version that the page shows, and opens what follows. */
async function send(
  path: string,
  { form, ...fields }: Readonly<Record<string, string>> & { readonly form: string },
): Promise<SeenPage> {
  const version = (await dashboard.owner.get(`${HOME}/${path}`)).field("version");
  return dashboard.owner.sendAndFollow(`${HOME}/${path}/${form}`, { version, ...fields });
}

/** Presses the Undo of the page. */
function undo(page: SeenPage): Promise<SeenPage> {
  const to = /<form method="post" action="([^"]+)"[^>]*>(?:(?!<\/form>).)*name="undo"/s.exec(
    page.html,
  )?.[1];
  return dashboard.owner.sendAndFollow(to ?? "", { undo: page.field("undo") });
}

test("an address is added behind the others", async () => {
  const id = await customerAt("Ring Road");

  const page = await send(`${id}/addresses/new`, {
    form: "add",
    "/addresses/0/line1": "Blue gate behind the station",
    "/addresses/0/city": "",
    "/addresses/0/country": "GH",
  });

  expect(page.text).toContain("Added.");
  expect(page.text).toContain("Blue gate behind the station Ghana");
  expect(await streetsOf(id)).toEqual(["Ring Road", "Blue gate behind the station"]);
});

test("an address is changed and leaves the others alone, and Undo gives it back", async () => {
  const id = await customerAt("Ring Road", "Oxford Street");
  const before = (await dashboard.shop.get(`/v2/customers/${id}`)).at("/addresses");

  const saved = await send(`${id}/addresses/1`, {
    form: "save",
    "/addresses/0/line1": "Castle Road",
    "/addresses/0/city": "Accra",
  });
  const changed = await streetsOf(id);
  const undone = await undo(saved);

  expect(changed).toEqual(["Ring Road", "Castle Road"]);
  expect(undone.text).toContain("Undone.");
  expect((await dashboard.shop.get(`/v2/customers/${id}`)).at("/addresses")).toEqual(before);
});

test("the default is the address that was put first", async () => {
  const id = await customerAt("Ring Road", "Oxford Street", "Castle Road");

  const page = await send(`${id}/addresses/2`, { form: "first" });

  expect(await streetsOf(id)).toEqual(["Castle Road", "Ring Road", "Oxford Street"]);
  expect(page.text).toMatch(/Castle Road GA-123 Accra Default/);
});

test("an address is removed, and comes back where it was by Undo", async () => {
  const id = await customerAt("Ring Road", "Oxford Street", "Castle Road");

  const removed = await send(`${id}/addresses/1`, { form: "remove" });
  const left = await streetsOf(id);
  await undo(removed);

  expect(left).toEqual(["Ring Road", "Castle Road"]);
  expect(await streetsOf(id)).toEqual(["Ring Road", "Oxford Street", "Castle Road"]);
});

test("what is wrong with an address is said at its field, wherever it stands in the list", async () => {
  const id = await customerAt("Ring Road", "Oxford Street");

  const page = await send(`${id}/addresses/1`, {
    form: "save",
    "/addresses/0/line1": "Castle Road",
    "/addresses/0/country": "Ghana",
    "/addresses/0/phone": "12",
  });

  expect(page.status).toBe(422);
  expect(page.field("/addresses/0/line1")).toBe("Castle Road");
  expect(page.html).toContain('id="f-addresses-0-country-fault"');
  expect(page.html).toContain('id="f-addresses-0-phone-fault"');
  expect(await streetsOf(id)).toEqual(["Ring Road", "Oxford Street"]);
});

test("an address of which nothing was typed is refused", async () => {
  const id = await customerAt();

  const page = await send(`${id}/addresses/new`, { form: "add", "/addresses/0/line1": " " });

  expect(page.status).toBe(422);
  expect(page.html).toContain('id="f-addresses-0-line1-fault"');
});

test("an address of nothing but the country, which its form suggests, is refused", async () => {
  const id = await customerAt("Ring Road");

  const page = await send(`${id}/addresses/new`, {
    form: "add",
    "/addresses/0/line1": "",
    "/addresses/0/country": "GH",
  });

  expect(page.status).toBe(422);
  expect(page.html).toContain('id="f-addresses-0-line1-fault"');
  expect(page.field("/addresses/0/country")).toBe("GH");
  expect(await streetsOf(id)).toEqual(["Ring Road"]);
});

test("a customer that changed meanwhile keeps the change, and the page says so", async () => {
  const { owner, shop } = dashboard;
  const id = await customerAt("Ring Road");
  const version = (await owner.get(`${HOME}/${id}/addresses/0`)).field("version");
  await shop.put(`/v2/customers/${id}`, { addresses: [{ line1: "Castle Road" }] });

  const page = await owner.send(`${HOME}/${id}/addresses/0/save`, {
    version,
    "/addresses/0/line1": "Oxford Street",
  });

  expect(page.status).toBe(412);
  expect(page.text).toContain("Now: Castle Road");
  expect(await streetsOf(id)).toEqual(["Castle Road"]);
});

test("an address that was removed meanwhile is said to be gone", async () => {
  const id = await customerAt("Ring Road");

  const page = await dashboard.owner.get(`${HOME}/${id}/addresses/1`);

  expect(page.text).toContain("This address is not there any more.");
});

test("a viewer reads the addresses and changes none", async () => {
  const viewer = await dashboard.join("viewer", "Kojo");
  const id = await customerAt("Ring Road");

  const page = await viewer.get(`${HOME}/${id}`);
  const refused = await viewer.send(`${HOME}/${id}/addresses/0/remove`);

  expect(page.text).toContain("Ring Road");
  expect(page.html).not.toContain(`${HOME}/${id}/addresses`);
  expect(refused.status).toBe(403);
});
