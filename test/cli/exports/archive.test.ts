// What an archive has: every row as the interface answers it, the files of media, and without personal data if asked.

import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { type ArchiveManifest, MANIFEST } from "#cli/exports/archive/manifest.ts";
import { EVENTS, resources } from "#cli/exports/archive/resources.ts";
import { verifyArchive } from "#cli/exports/archive/verify-archive.ts";
import { writeArchive } from "#cli/exports/archive/write-archive.ts";
import { routes } from "#interface.ts";
import { lockDirectory } from "#platform/data-directory/data-directory.ts";
import { openSnapshot } from "#platform/database/open-database.ts";
import { openVault } from "#platform/vault/vault.ts";

import { picture } from "../../support/pictures.ts";
import { databasePlace } from "../../support/postgres-databases.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";

/** Lists that are no part of an archive: what runs this installation, and what other lists have. */
const leftOut = [
  "listAuditEntries",
  // They follow from the events.
  "listBooksEntries",
  "listDeliveries",
  "listEmails",
  "listInbox",
  "listKeys",
  "listMeOrders",
  "listRelatedProducts",
  "listTaxPresets",
  "listTimers",
];

const goesOn = new AbortController().signal;

/** Seeded and archived once: these tests read. */
let shop: TestShop;
let whole = "";
let manifest: ArchiveManifest;
beforeAll(async () => {
  shop = await openTestShop();
  await shop.post("/v2/test/seed");
  const text = new Uint8Array(await picture("png"));
  const headers = { "Content-Type": "image/png" };
  const medium = await shop.send("POST", "/v2/media", { text, headers });
  const { id: product } = await shop.post("/v2/products", {
    name: "Kettle",
    price: 20,
    images: [{ media_id: medium.id }],
    metadata: { bought_from: "Efua Arthur" },
  });
  const { id: collection } = await shop.post("/v2/collections", { title: "Kitchen" });
  await shop.put(`/v2/collections/${collection}/products`, { product_ids: [product] });
  const { id: discount } = await shop.post("/v2/discounts", {
    title: "For Efua Arthur",
    target: "order",
    percent: 10,
  });
  await shop.post(`/v2/discounts/${discount}/codes`, { codes: ["EFUA-ARTHUR"] });
  await shop.post("/v2/webhooks", { url: "https://example.com/hook", events: ["*"] });
  await shop.post("/v2/receiving-accounts", {
    method: "mobile_money",
    label: "Efua Arthur",
    instructions: "024 123 4567",
  });
  whole = shop.folder.file("whole");
  manifest = await archive(whole);
});
afterAll(() => shop[Symbol.asyncDispose]());

/** Takes an archive of the shop beside its server. */
async function archive(path: string, terms: Partial<Parameters<typeof writeArchive>[1]> = {}) {
  const directory = shop.folder.path;
  const vault = openVault(directory, null);
  await using snapshot = await openSnapshot("test", await databasePlace(directory), vault);
  return await writeArchive(path, {
    db: snapshot.reader,
    mode: "test",
    now: shop.test.clock.now(),
    media: shop.test.media.files,
    isMasked: false,
    signal: goesOn,
    onStep: () => {},
    ...terms,
  });
}

function linesIn(folder: string, name: string): string[] {
  return readFileSync(join(folder, `${name}.jsonl`), "utf8")
    .split("\n")
    .slice(0, -1);
}

/** The rows of a list as their bytes, of all its pages. */
async function answered(path: string, parameters = ""): Promise<string[]> {
  const rows: string[] = [];
  for (let cursor = "", isMore = true; isMore;) {
    const page = await fetch(`${shop.url}${path}?limit=100${parameters}${cursor}`, {
      headers: { Authorization: `Bearer ${shop.key}` },
    });
    const text = await page.text();
    rows.push(...rowsIn(text));
    const { next_cursor: next = null, next_after: after, has_more: more } = JSON.parse(text);
    cursor = next === null ? `&after=${after}` : `&cursor=${next}`;
    isMore = more;
  }
  return rows;
}

/** The texts of the members of `data`, cut at the braces that are no part of a string. */
function rowsIn(page: string): string[] {
  const rows: string[] = [];
  let [depth, from] = [0, 0];
  for (const { 0: token, index } of page.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === "{") depth += 1;
    if (token === "{" && depth === 2) from = index;
    if (token === "}" && depth === 2) rows.push(page.slice(from, index + 1));
    if (token === "}") depth -= 1;
  }
  return rows;
}

function namesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" });
}

/** Every file below the folder as one text. */
function bytesOf(folder: string): string {
  return namesIn(folder)
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");
}

test("an archive has the rows of every list, byte for byte as the interface answers them", async () => {
  const pathOf = new Map(routes.map((route) => [route.operationId, route.path]));
  const direct = resources.filter(({ of, name }) => of === undefined && name !== "store");
  const differing: string[] = [];
  for (const { name, operationId } of direct) {
    const rows = await answered(pathOf.get(operationId) ?? "");
    if (rows.length === 0 && !["disputes", "payouts"].includes(name))
      differing.push(`${name} is empty`);
    if (!Bun.deepEquals(rows, linesIn(whole, name))) differing.push(name);
  }
  expect(differing).toEqual([]);
  expect(linesIn(whole, EVENTS)).toEqual(await answered("/v2/events"));
  expect(linesIn(whole, "store")).toEqual([
    await (
      await fetch(`${shop.url}/v2/store`, { headers: { Authorization: `Bearer ${shop.key}` } })
    ).text(),
  ]);
  expect(manifest.files.map(({ count }) => count)).toEqual(
    manifest.files.map(({ resource }) => linesIn(whole, resource).length),
  );
});

test("it has what is below a row, too: movements, codes, returns and the picked products of collections", async () => {
  const expected: Record<string, string[]> = {};
  for (const [name, above, rest] of [
    ["inventory_movements", "inventory_levels", "movements"],
    ["discount_codes", "discounts", "codes"],
    ["returns", "orders", "returns"],
  ] as const) {
    expected[name] = [];
    for (const line of linesIn(whole, above)) {
      const { id, variant_id: variantId } = JSON.parse(line);
      const path =
        above === "inventory_levels" ? `/v2/inventory/${variantId}` : `/v2/${above}/${id}`;
      expected[name].push(...(await answered(`${path}/${rest}`)));
    }
    expect(linesIn(whole, name)).toEqual(expected[name] ?? []);
    expect(linesIn(whole, name)).not.toEqual([]);
  }
  const [collection] = (await shop.get("/v2/collections?slug=kitchen")).list("/data");
  const [product] = (await shop.get("/v2/products?slug=kettle")).list("/data");
  expect(
    linesIn(whole, "collection_products").map((line): unknown => JSON.parse(line)),
  ).toContainEqual({ collection_id: Object(collection).id, product_id: Object(product).id });
});

test("no list of the interface is forgotten", () => {
  const lists = routes.filter(({ kind }) => kind === "list").map((route) => route.operationId);
  const archived = resources.map(({ operationId }) => operationId);

  expect(lists.filter((one) => !archived.includes(one)).toSorted()).toEqual(leftOut);
});

test("a compressed archive has the same files, and tar reads it", async () => {
  const file = shop.folder.file("packed/archive.tar.gz");

  await archive(file);

  const unpacked = shop.folder.file("unpacked");
  mkdirSync(unpacked);
  const { exitCode } = Bun.spawnSync(["tar", "-xzf", file, "-C", unpacked]);
  expect(exitCode).toBe(0);
  expect(linesIn(unpacked, "orders")).toEqual(linesIn(whole, "orders"));
  expect(new Set(namesIn(unpacked))).toEqual(new Set(namesIn(whole)));
  expect(readdirSync(shop.folder.file("packed"))).toEqual(["archive.tar.gz"]);
  expect(await verifyArchive(file)).toMatchObject({ faults: [] });
});

test("a changed file, a missing one and a missing manifest are found", async () => {
  const folder = shop.folder.file("changed");
  cpSync(whole, folder, { recursive: true });
  const [medium = ""] = linesIn(folder, "media_files").map((line) => String(JSON.parse(line).path));

  rmSync(join(folder, medium));
  writeFileSync(join(folder, "carts.jsonl"), "{}\n");
  const { faults } = await verifyArchive(folder);
  writeFileSync(join(folder, "media_files.jsonl"), "{\n");
  const { faults: more } = await verifyArchive(folder);
  writeFileSync(join(folder, "manifest.json"), "{");
  const damaged = await verifyArchive(folder).catch(String);
  rmSync(join(folder, "manifest.json"));

  expect(faults).toEqual(["carts.jsonl has other bytes.", `${medium} is missing.`]);
  expect(more).toEqual([
    "carts.jsonl has other bytes.",
    "media_files.jsonl has other bytes.",
    "A line of manifest.json or media_files.jsonl is damaged.",
  ]);
  expect(damaged).toContain("manifest.json in");
  expect(verifyArchive(folder)).rejects.toThrow("its export was stopped");
});

test("what no list of the archive names is found, and a name that leads out of it is refused", async () => {
  const folder = shop.folder.file("added");
  cpSync(whole, folder, { recursive: true });
  writeFileSync(join(folder, "media", "added.txt"), "");
  symlinkSync(join(folder, "orders.jsonl"), join(folder, "link.jsonl"));

  const { files, faults } = await verifyArchive(folder);
  const listed = [...manifest.files, { path: "../carts.jsonl" }, { path: "/etc/passwd" }];
  writeFileSync(join(folder, MANIFEST), JSON.stringify({ ...manifest, files: listed }));
  const { faults: more } = await verifyArchive(folder);

  const added = [
    "link.jsonl is in no list of the archive.",
    "media/added.txt is in no list of the archive.",
  ];
  expect(files).toBeGreaterThan(manifest.files.length);
  expect(faults.toSorted()).toEqual(added);
  expect(more.toSorted()).toEqual([
    "../carts.jsonl leads out of the archive.",
    "/etc/passwd leads out of the archive.",
    ...added,
  ]);
});

test("a tar that another program wrote is read with its folders, and a file that is in it twice is found", async () => {
  const packed = shop.folder.file("again.tgz");
  const into = ["-czf", packed, "-C", whole, "--no-recursion", "--hard-dereference"];

  const { exitCode } = Bun.spawnSync(["tar", ...into, ...namesIn(whole), "orders.jsonl"]);

  expect(exitCode).toBe(0);
  expect(await verifyArchive(packed)).toMatchObject({
    faults: ["orders.jsonl is in the archive twice."],
  });
});

test("of two archives at once into one folder one is refused, and the other is whole", async () => {
  const [folder, held] = [shop.folder.file("contended"), shop.folder.file("held")];
  mkdirSync(held);

  const both = await Promise.allSettled([archive(folder), archive(folder)]);
  using lock = lockDirectory(held);
  const refused = await archive(held).catch(String);

  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(await verifyArchive(folder)).toMatchObject({ faults: [] });
  expect(lock).not.toBeNull();
  expect(refused).toBe(`BackupFault: Another archive is being written to ${held}.`);
});

test("a masked archive has no name, address or text of a customer, and keeps the sums", async () => {
  const folder = shop.folder.file("masked");

  const { left_out: without } = await archive(folder, { isMasked: true });

  const bytes = bytesOf(folder);
  const customers = await shop.get("/v2/customers?limit=100");
  const personal = new Set(
    ["Efua Arthur", "EFUA-ARTHUR", 'status_url":"http', 'recovery_url":"http'].concat(
      customers.list("/data").flatMap((row) => textsOf(row)),
    ),
  );
  expect(personal.size).toBeGreaterThan(20);
  expect([...personal].filter((text) => bytes.includes(text))).toEqual([]);
  expect(without).toEqual(["discount_codes", "webhooks"]);
  const [line = ""] = linesIn(folder, "orders");
  const [order] = (await shop.get("/v2/orders?limit=1")).list("/data");
  const { id, number, total, line_items: lines, customer_id: customerId } = Object(order);
  expect(JSON.parse(line)).toMatchObject({
    id,
    number,
    total,
    line_items: lines,
    customer_id: customerId,
  });
  expect(linesIn(folder, EVENTS)).toHaveLength((await shop.events()).length);
});

/** The emails, phones, names and lines of addresses of a customer. */
function textsOf(customer: unknown): string[] {
  const { email, phone, name, first_name: first, last_name: last, addresses } = Object(customer);
  const places: unknown[] = addresses.flatMap(
    (address: { line1: unknown; postal_code: unknown }) => [address.line1, address.postal_code],
  );
  return [email, phone, name, first, last, ...places].filter(
    (text): text is string => typeof text === "string" && text.length > 4,
  );
}

test("a directory that is not empty is refused, and what is stopped leaves nothing", async () => {
  const [full, stopped] = [shop.folder.file("full"), shop.folder.file("stopped")];
  mkdirSync(full);
  writeFileSync(join(full, "mine.txt"), "");
  const stop = new AbortController();
  const onStep = (resource: string) => {
    if (resource === "orders") stop.abort(new Error("Stopped."));
  };

  expect(archive(full)).rejects.toThrow("full is not empty");
  expect(archive(stopped, { signal: stop.signal, onStep })).rejects.toThrow("Stopped.");
  expect(archive(`${stopped}/a.tgz`, { signal: stop.signal })).rejects.toThrow("Stopped.");
  // A turn of the event loop, in which the refusals are looked at.
  await Bun.sleep(0);

  expect(readdirSync(full)).toEqual(["mine.txt"]);
  expect(readdirSync(stopped)).toEqual([]);
});
