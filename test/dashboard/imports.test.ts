// Files of products and customers that a merchant brings to the dashboard, without a script.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";

import { saveFile } from "#imports/kept/begin-run.ts";
import { KEPT_MS } from "#imports/kept/kept-file.ts";
import { dropFilesBefore, noteProgress } from "#imports/kept/queries.ts";
import { workOnFile } from "#imports/kept/work-on-file.ts";
import { MINUTE_MS, realClock } from "#kernel/time.ts";
import { operator } from "#platform/database/database.ts";
import { getPersonByName } from "#shop/people/lookups.ts";

import {
  type DashboardShop,
  openDashboard,
  type SeenPage,
  type Visitor,
} from "./dashboard-shop.ts";

const HOME = "/dashboard/test";

let dashboard: DashboardShop;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

/** Sends the lines as a file, and opens its page once it is checked. */
async function bring(visitor: Visitor, noun: string, lines: readonly string[]) {
  const bytes = new TextEncoder().encode(lines.join("\n"));
  const sent = await visitor.sendFiles(`${HOME}/${noun}/import/file`, [bytes]);
  const path = sent.location;
  return { path, sent, page: path === "" ? sent : await worked(visitor, path) };
}

/** The page once no work goes on any more: on a busy machine that takes more than a form waits for. */
async function worked(visitor: Visitor, path: string): Promise<SeenPage> {
  const page = await visitor.get(path);
  return page.html.includes("<progress") ? worked(visitor, path) : page;
}

/** Submits a form of the page of a file, and opens the page once that is done. */
async function submit(visitor: Visitor, path: string, fields: Readonly<Record<string, string>>) {
  const { location } = await visitor.send(path, fields);
  return worked(visitor, location);
}

const fan = ["slug,name,option_1_name,option_1_value,sku,price,stock"].concat(
  ["raffia-fan,Raffia fan,Size,Small,FAN-S,35.00,9", "raffia-fan,,,Large,FAN-L,55.00,4"],
  ["shea-butter,Raw shea butter,,,SHEA-250,45.00,40"],
);
const slugs = async () => {
  const { data } = Object((await dashboard.shop.get("/v2/products?status=active")).body);
  return data.map(({ slug }: Record<string, unknown>) => slug).toSorted();
};

test("products are checked, which changes nothing, then imported by the person; again they are unchanged", async () => {
  const { owner, shop } = dashboard;
  const list = await owner.get(`${HOME}/products`);
  const { path, page } = await bring(owner, "products", fan);
  const before = await slugs();
  const done = await submit(owner, `${path}/apply`, { run: page.field("run") });
  const log = await shop.get("/v2/audit?limit=100");
  const again = await bring(owner, "products", fan);

  expect(list.html).toContain(`${HOME}/products/import"`);
  expect(page.text).toContain("2 products of Duka 3 rows. To create 2 To change 0 Unchanged 0");
  expect(page.text).toContain("Import these products");
  expect(before).toEqual([]);
  expect(done.text).toContain("The shop has these products now.");
  expect(done.text).toContain("Created 2 Changed 0");
  expect(await slugs()).toEqual(["raffia-fan", "shea-butter"]);
  const entries = log.list("/data").map(Object);
  expect(entries.filter(({ action }) => String(action).includes("product"))).toEqual([
    expect.objectContaining({
      action: "import products",
      actor: expect.objectContaining({ type: "person", name: "Ama" }),
    }),
  ]);
  expect(again.page.text).toContain("Unchanged 2");
  expect(again.page.text).toContain("There is nothing to do");
});

test("a fault is shown at its cell, none of the file is imported, and the rows with faults are saved as a file", async () => {
  const { owner } = dashboard;
  const lines = [
    "slug,name,sku,price",
    ...Array.from({ length: 60 }, (_, n) => `s${n},S ${n},,1;5`),
  ];
  const { path, page } = await bring(owner, "products", [...lines, 'broom,Broom,,"2,50"']);
  const file = await owner.send(`${path}/report`);
  const forced = await owner.send(`${path}/apply`, { run: page.field("run") });

  expect(page.text).toContain("61 faults");
  expect(page.text).toContain("Row 2 · price · 1;5 ");
  expect(page.text).toContain("… and 11 more");
  expect(page.text).not.toContain("Import these products");
  expect(file.html.trim().split("\r\n")).toHaveLength(62);
  expect(file.html).toContain('broom,Broom,,"2,50",62,price,amount_invalid,');
  expect((await owner.get(forced.location)).text).toContain("61 faults");
  expect(await slugs()).not.toContain("broom");
});

test("those that are right are imported, and the rows of the others are saved, mended and brought alone", async () => {
  const { owner, shop } = dashboard;
  const { path, page } = await bring(owner, "products", [
    "slug,name,price",
    "rug,Rug,80.00",
    "mat,Mat,ten",
  ]);
  const done = await submit(owner, `${path}/apply`, { run: page.field("run"), partial: "yes" });
  const rows = await owner.send(`${path}/report`);
  const mended = await bring(owner, "products", [rows.html.replace("ten", "10.00")]);
  const rest = await submit(owner, `${mended.path}/apply`, { run: mended.page.field("run") });

  expect(page.text).toContain("Import the one that is right");
  expect(done.text).toContain("The shop has the others now. 1 product with faults is left out");
  expect(rest.text).toContain("The shop has these products now.");
  expect((await shop.get("/v2/products?slug=rug")).list("/data")).toHaveLength(1);
  expect((await shop.get("/v2/products?slug=mat")).list("/data")).toHaveLength(1);
});

test("a file is read in another way, and what exists is left as it is, where the person says so", async () => {
  const { owner, shop } = dashboard;
  await shop.post("/v2/products", { name: "Mug", slug: "mug", price: 12.5 });
  const { path, page } = await bring(owner, "products", [
    "slug,name,price",
    'mug,Mugs,"13,50"',
    'jar,Jar,"9,50"',
  ]);
  const asked = {
    run: page.field("run"),
    "/existing": "skip",
    "/from": "duka",
    "/currency": "zzz",
    "/comma": "decimal",
  };
  const refused = await owner.send(`${path}/check`, asked);
  const checked = await submit(owner, `${path}/check`, { ...asked, "/currency": "KES" });
  const stale = await owner.send(`${path}/apply`, { run: page.field("run") });
  const done = await submit(owner, `${path}/apply`, { run: checked.field("run") });

  expect([refused.status, refused.text]).toEqual([
    422,
    expect.stringContaining("no currency code"),
  ]);
  expect(checked.text).toContain("To create 1 To change 0 Unchanged 0 Left as they are 1");
  expect([stale.status, stale.text]).toEqual([422, expect.stringContaining("in the meantime")]);
  expect(done.text).toContain("Created 1");
  const jar = await shop.get("/v2/products?slug=jar");
  expect(jar.at("/data/0/variants/0/prices/0")).toMatchObject({ currency: "KES", amount: 9.5 });
  expect((await shop.get("/v2/products?slug=mug")).at("/data/0/name")).toBe("Mug");
});

test("the encoding of a file is chosen by its lines, as each one would read them", async () => {
  const { owner, shop } = dashboard;
  const milk = [0xcc, 0xee, 0xeb, 0xee, 0xea, 0xee];
  const bytes = new Uint8Array([...Buffer.from("slug,name,price\nmilk,"), ...milk, 0x2c, 0x35]);
  const { location } = await owner.sendFiles(`${HOME}/products/import/file`, [bytes]);
  const page = await worked(owner, location);
  const asked = { run: page.field("run"), "/encoding": "windows-1251" };
  const checked = await submit(owner, `${location}/check`, asked);
  await submit(owner, `${location}/apply`, { run: checked.field("run") });

  expect(page.text).toContain("Its line 2 is “milk,Молоко,5” in windows-1251");
  expect(page.html).toContain('<code dir="auto">milk,Ìîëîêî,5</code>');
  expect(checked.text).toContain("To create 1");
  expect((await shop.get("/v2/products?slug=milk")).at("/data/0/name")).toBe("Молоко");
});

test("customers of Shopify are imported by staff, and an erased customer takes the files along", async () => {
  const { shop } = dashboard;
  const staff = await dashboard.join("staff", "Kofi");
  const lines = ["First Name,Last Name,Email,Phone,Accepts Email Marketing"].concat([
    "Efua,Arthur,efua@example.com,,yes",
    "Nameless,,,,no",
  ]);
  const { path, page } = await bring(staff, "customers", lines);
  const done = await submit(staff, `${path}/apply`, { run: page.field("run") });
  const found = await shop.get("/v2/customers?email=efua@example.com");
  await shop.post(`/v2/customers/${found.string("/data/0/id")}/erase`, {});
  const gone = await staff.get(path);

  expect(page.text).toContain("1 customer of Shopify 2 rows.");
  expect(page.text).toContain("A customer without an email and a phone is left out. (row 3)");
  expect(done.text).toContain("The shop has these customers now.");
  expect(gone.location).toBe(`${HOME}/customers/import?gone=yes`);
});

test("prices are imported in the currency in which they were checked, also if the shop has another one by then", async () => {
  const { owner, shop } = dashboard;
  const { currency } = await shop.get("/v2/store").then(({ body }) => Object(body));
  const { path, page } = await bring(owner, "products", ["slug,name,price", "stool,Stool,50.00"]);
  await shop.put("/v2/store", { currency: "EUR" });
  await submit(owner, `${path}/apply`, { run: page.field("run") });
  const stool = await shop.get("/v2/products?slug=stool");
  await shop.put("/v2/store", { currency });

  expect(stool.at("/data/0/variants/0/prices/0")).toMatchObject({ currency, amount: 50 });
});

test("an erased customer takes along a file that is being worked on, or whose work was broken off", async () => {
  const { owner, shop } = dashboard;
  const { database } = shop.test;
  const content = gzipSync("email\nyaa@example.com\n").toString("base64");
  const file = { id: "e".repeat(32), run: "1", noun: "customers", content } as const;
  const { id: personId } = await getPersonByName(shop.live.database.read, "Ama");
  const { id } = await shop.post("/v2/customers", { email: "yaa@example.com" });
  await database.write((tx) => saveFile(tx, { ...file, personId }));
  const path = `${HOME}/customers/import/${file.id}`;

  const before = await owner.get(path);
  await shop.post(`/v2/customers/${id}/erase`, {});
  const gone = await owner.get(path);
  await workOnFile(shop.test, { id: file.id, actor: operator });

  expect(before.text).toContain("Reading the file");
  expect(gone.location).toBe(`${HOME}/customers/import?gone=yes`);
  expect((await shop.get("/v2/customers?email=yaa@example.com")).list("/data")).toEqual([]);
});

test("what is no table says why, and a file is seen by the person who brought it alone", async () => {
  const { owner } = dashboard;
  const other = await dashboard.join("staff", "Adwoa");
  const viewer = await dashboard.join("viewer", "Esi");
  const form = `${HOME}/products/import/file`;
  const empty = await owner.sendFiles(form, []);
  const large = await owner.sendFiles(form, [new Uint8Array(10 * 1_048_576 + 1)]);
  const long = await bring(owner, "products", ["slug,name", ..."a".repeat(10_001)]);
  const { path, page } = await bring(owner, "products", ["a,b", "1,2"]);

  expect([empty.status, empty.text]).toEqual([422, expect.stringContaining("Choose a file with")]);
  expect([large.status, large.text]).toEqual([422, expect.stringContaining("more than 10 MB")]);
  expect(long.page.text).toContain("The file has more than 10000 rows");
  expect(page.text).toContain("The columns are those of no shop that is known");
  expect((await owner.get(long.path)).location).toBe(`${HOME}/products/import?gone=yes`);
  expect((await other.get(path)).location).toBe(`${HOME}/products/import?gone=yes`);
  expect((await viewer.get(path)).status).toBe(403);
  expect((await viewer.get(`${HOME}/products`)).html).not.toContain("/products/import");
});

test("a run is shown while it is at work, and checked again once it was broken off; a file is kept for a day", async () => {
  const { owner, shop } = dashboard;
  const { database } = shop.test;
  const content = gzipSync("slug,name\nbrush,Brush\n").toString("base64");
  const file = { id: "f".repeat(32), run: "1", noun: "products", content } as const;
  const { id: personId } = await getPersonByName(shop.live.database.read, "Ama");
  await database.write((tx) => saveFile(tx, { ...file, personId }));
  const path = `${HOME}/products/import/${file.id}`;

  const working = await owner.get(path);
  const second = await bring(owner, "products", fan);
  const heard = {
    ...file,
    isImporting: false,
    done: 1,
    total: 2,
    now: realClock.now() - 2 * MINUTE_MS,
  };
  await database.write((tx) => noteProgress(tx, heard));
  const broken = await owner.get(path);
  const checked = await submit(owner, `${path}/check`, { run: broken.field("run") });
  await database.write((tx) => dropFilesBefore(tx, { before: realClock.now() - KEPT_MS }));
  const kept = await owner.get(path);
  await database.write((tx) => dropFilesBefore(tx, { before: realClock.now() + 1 }));
  const swept = await owner.get(path);

  expect(working.html).toContain('<noscript><meta http-equiv="refresh" content="2" /></noscript>');
  expect(working.text).toContain("Reading the file");
  expect([second.sent.status, second.page.text]).toEqual([
    422,
    expect.stringContaining("Another file of this shop"),
  ]);
  expect(broken.text).toContain("The work on the file was broken off");
  expect(checked.text).toContain("To create 1");
  expect([kept.status, swept.status]).toEqual([200, 303]);
});
