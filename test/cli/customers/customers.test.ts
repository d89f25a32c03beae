// Customers from files of other shops and of Duka, and back into a file.

import { expect, test } from "bun:test";

import { exportSheet } from "#cli/exports/export-sheet.ts";
import { importCustomers, type ImportTerms } from "#cli/imports/import-file.ts";
import { withdrawConsent } from "#customers/update-customer.ts";

import { openScratchFolder } from "../../support/scratch.ts";
import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { wayTo } from "../way-to-shop.ts";

/** Customers that one test makes have contacts that no other one has. */
const shop = sharedShop();

const shopify = `${import.meta.dir}/files/shopify.csv`;
const head = "email,phone,name,marketing_consent,tags,address_line1,address_city";

type Given = Partial<Pick<ImportTerms, "existing">> & { readonly isTrial?: true };

function importFile(to: TestShop, path: string, { isTrial, ...given }: Given = {}) {
  const terms = { mode: "test", existing: "update", ...given } as const;
  return importCustomers(wayTo(to), path, isTrial ? terms : { ...terms, apply: true });
}

async function importText(to: TestShop, lines: readonly string[], given: Given = {}) {
  using folder = openScratchFolder();
  const path = folder.file("customers.csv");
  await Bun.write(path, lines.join("\n"));
  return await importFile(to, path, given);
}

async function customer(to: TestShop, filter: string): Promise<unknown> {
  return (await to.get(`/v2/customers?${filter}`)).at("/data/0");
}

async function exported(to: TestShop): Promise<string> {
  const parts = await Array.fromAsync(exportSheet(wayTo(to), "customers", { mode: "test" }));
  return parts.join("");
}

function faultsOf({ faults }: Awaited<ReturnType<typeof importFile>>): string[] {
  return faults.map(({ row, column, code }) => `${row} ${column} ${code}`);
}

test("a file of Shopify is tried first, and its customers are taken with --apply", async () => {
  await using own = await openTestShop();
  await own.put("/v2/store", { country: "GH" });

  const tried = await importFile(own, shopify, { isTrial: true });
  const before = await customer(own, "email=ada@example.com");
  const done = await importFile(own, shopify);

  expect(before).toBeUndefined();
  expect(tried).toMatchObject({ source: "shopify", rows: 4, customers: { create: 3 } });
  expect(done).toMatchObject({ applied: true, faults: [], customers: { create: 3 } });
  expect(done.warnings.map(({ row }) => row)).toEqual([null, 5]);
  expect(await customer(own, "email=ada@example.com")).toMatchObject({
    phone: "+233551234987",
    name: "Ada Mensah",
    marketing_consent: true,
    tags: ["vip", "wholesale"],
    tax_exemption: "exempt",
    metadata: { company: "Ada Ltd", note: "Rings the bell twice" },
    addresses: [
      {
        line1: "12 Ring Road, East",
        line2: "Flat 2",
        city: "Accra",
        region: "AA",
        country: "GH",
        postal_code: "00233",
        phone: "+233551234987",
      },
    ],
  });
  expect(await customer(own, "phone=233551234988")).toMatchObject({
    name: "Kofi Boateng",
    email: null,
    marketing_consent: false,
  });
  expect(await customer(own, "email=esi@example.com")).toMatchObject({
    marketing_consent: false,
    addresses: [],
  });
});

const shopifyHead =
  "First Name,Last Name,Email,Phone,Default Address Address1,Default Address Country Code,Default Address Phone,Note";

test("a phone of another shop that cannot be read is left blank, and the customer is taken", async () => {
  const report = await importText(shop, [
    shopifyHead,
    "Tilly,Addo,tilly@example.com,call the office,1 High Street,GB,1,",
    "Afia,Addo,afia@example.com,020 7946 0018 x12,1 High Street,GB,n/a,",
    "Abla,Addo,,12,1 High Street,GB,020 7946 0019,",
    "Aba,Addo,,twelve,,,,",
  ]);

  expect(report).toMatchObject({ applied: true, faults: [], mended: 3, customers: { create: 3 } });
  expect(report.warnings.map(({ row, detail }) => `${row}: ${detail.slice(0, 40)}`)).toEqual(
    [
      "2: Phone is left blank: This is not a phone ",
      "2: Default Address Phone is left blank: This",
      "3: The phone is taken without its extension",
      "3: The phone n/a is none, and is left blank",
      "4: Phone is left blank: This is not a phone ",
      "5: Phone is left blank: This is not a phone ",
      "5: A customer without an email and a phone ",
    ].map((line) => expect.stringContaining(line.slice(0, 30))),
  );
  expect(await customer(shop, "email=tilly@example.com")).toMatchObject({ phone: null });
  expect(await customer(shop, "phone=442079460019")).toMatchObject({ name: "Abla Addo" });
});

test("in Duka's own file such a phone is a fault", async () => {
  const report = await importText(shop, [head, "ekow@example.com,call me,,,,,"]);

  expect(faultsOf(report)).toEqual(["2 phone invalid_format"]);
});

test("a note of another shop that is too long is cut, and what is no country is left blank", async () => {
  const report = await importText(shop, [
    shopifyHead,
    `Molly,Addo,molly@example.com,,1 High Street,Atlantis,,${"Rings the bell. ".repeat(40)}`,
    "Willy,Addo,willy@example.com,,,Atlantis,,",
  ]);

  expect(report).toMatchObject({ applied: true, faults: [], mended: 2 });
  expect(await customer(shop, "email=molly@example.com")).toMatchObject({
    metadata: { note: "Rings the bell. ".repeat(31).trim() },
    addresses: [{ line1: "1 High Street", country: null }],
  });
  expect(await customer(shop, "email=willy@example.com")).toMatchObject({ addresses: [] });
});

test("a file of WooCommerce has no consent, and names countries as people do", async () => {
  const report = await importText(shop, [
    "Name,Username,Last active,Sign up,Email,Orders,Total spend,AOV,Country / Region,City,Region,Postal code",
    'Akua Mensah,akua,2026-01-02,2025-01-02,akua@example.com,3,"1,200.00",400,Ghana,Accra,AA,233',
  ]);

  expect(report).toMatchObject({ source: "woocommerce", customers: { create: 1 }, faults: [] });
  expect(await customer(shop, "email=akua@example.com")).toMatchObject({
    name: "Akua Mensah",
    marketing_consent: false,
    addresses: [{ line1: null, city: "Accra", country: "GH", postal_code: "233" }],
  });
});

test("run twice, nothing changes, and nothing is told twice", async () => {
  await using own = await openTestShop();
  await own.put("/v2/store", { country: "GH" });
  await importFile(own, shopify);
  await own.announced();

  const again = await importFile(own, shopify);

  expect(again.customers).toEqual({ create: 0, update: 0, unchanged: 3, skip: 0, refuse: 0 });
  expect(await own.announcedNames()).toEqual([]);
});

test("a customer whom the shop has keeps what the file leaves blank, and every address", async () => {
  const made = await shop.post("/v2/customers", {
    email: "efe@example.com",
    name: "Ada",
    tags: ["vip"],
    marketing_consent: true,
    addresses: [{ line1: "Old road 1", city: "Tema" }],
  });

  const report = await importText(shop, [
    head,
    "EFE@example.com,+233551234971,,,,New road 2,Accra",
    "efe@example.com,,,,,Old road 1,Tema",
  ]);

  expect(report).toMatchObject({ rows: 2, customers: { update: 1 } });
  expect(await customer(shop, "phone=233551234971")).toMatchObject({
    id: made.id,
    name: "Ada",
    tags: ["vip"],
    marketing_consent: true,
    addresses: [{ line1: "New road 2" }, { line1: "Old road 1" }],
  });
  const log = await shop.get("/v2/audit?limit=1");
  expect(log.at("/data/0")).toMatchObject({
    action: "import customers",
    actor: { name: "ada" },
    changed_fields: ["phone", "addresses"],
    before: null,
  });
});

test.each([
  ["in capitals", { line1: "OLD ROAD 1-B", city: "TEMA" }],
  ["with another dash and other digits", { line1: "Old road １–B", city: "Tema" }],
  [
    "with characters that no screen shows",
    { line1: "\u202AOld road 1-B\u202C", city: "Te\u200Bma" },
  ],
])("an address that is written %s is the one that the customer has", async (_, { line1, city }) => {
  const email = `alike${shop.nextNumber()}@example.com`;
  const addresses = [{ line1: "Old road 1-B", city: "Tema" }];
  await shop.post("/v2/customers", { email, addresses });

  const report = await importText(shop, [head, `${email},,,,,${line1},${city}`]);

  expect(report.customers).toMatchObject({ unchanged: 1, update: 0 });
  expect(await customer(shop, `email=${email}`)).toMatchObject({ addresses });
});

test("every fault is at its cell, and no customer is taken while there is one", async () => {
  await using own = await openTestShop();

  const report = await importText(own, [
    head,
    "ada@example.com,,Ada,perhaps,,,",
    "nobody,,Kofi,,,,",
    ",12,Esi,,,,",
    ",,Yaw,,,,",
    "yaa@example.com,+233551234987,Yaa,,,,",
    "abena@example.com,+233551234987,Abena,,,,",
    "abena@example.com,+233551234987,Akosua,,,,",
  ]);

  expect(report.applied).toBe(false);
  expect(faultsOf(report)).toEqual([
    "2 marketing_consent invalid_choice",
    "3 email invalid_format",
    "4 phone invalid_format",
    "5 email required",
    "5 phone required",
    "7 email duplicate",
    "8 name conflicting_fields",
  ]);
  expect(report.customers).toMatchObject({ create: 1, refuse: 5 });
  expect(await customer(own, "limit=1")).toBeUndefined();
});

test("two customers are never made one: an email and a phone of two are a fault", async () => {
  await shop.post("/v2/customers", { email: "ana@example.com" });
  await shop.post("/v2/customers", { email: "kojo@example.com", phone: "+233551234972" });

  const merged = await importText(shop, [head, "ana@example.com,+233551234972,,,,,"]);
  const taken = await importText(shop, [head, "esi@example.com,+233551234972,,,,,"]);

  expect(faultsOf(merged)).toEqual(["2 phone customer_exists"]);
  expect(faultsOf(taken)).toEqual(["2 phone customer_exists"]);
});

test("an older file does not undo a withdrawal, whoever wrote it and whether there is a customer", async () => {
  const rows = [head, "abla@example.com,,Ada,yes,,,", "kwesi@example.com,,Kofi,yes,,,"];
  const first = await importText(shop, rows);
  const ada = Object(await customer(shop, "email=abla@example.com"));
  await shop.put(`/v2/customers/${ada.id}`, { marketing_consent: false });
  await shop.test.database.write((tx) => withdrawConsent(tx, "kwesi@example.com"));
  const kofi = Object(await customer(shop, "email=kwesi@example.com"));
  await shop.post(`/v2/customers/${kofi.id}/erase`);

  const again = await importText(shop, rows);

  expect(first.customers).toMatchObject({ create: 2 });
  expect(again.customers).toMatchObject({ unchanged: 1, create: 1, update: 0 });
  for (const email of ["abla@example.com", "kwesi@example.com"]) {
    expect(await customer(shop, `email=${email}`)).toMatchObject({ marketing_consent: false });
  }
});

test("customers whom the shop has can be left as they are, or refused", async () => {
  await shop.post("/v2/customers", { email: "adjoa@example.com", name: "Ada" });
  const rows = [head, "adjoa@example.com,,Ada Mensah,,,,"];

  const skipped = await importText(shop, rows, { existing: "skip" });
  const refused = await importText(shop, rows, { existing: "refuse" });

  expect(skipped.customers).toMatchObject({ skip: 1, update: 0 });
  expect(faultsOf(refused)).toEqual(["2 email customer_exists"]);
});

test("what the shop exports, it imports: unchanged here, and the same in another shop", async () => {
  await using own = await openTestShop();
  await using other = await openTestShop();
  await own.put("/v2/store", { country: "GH" });
  await importFile(own, shopify);
  await own.post("/v2/customers", {
    email: "=cmd@example.com",
    name: "+1, the first",
    first_name: "Plus",
    tags: ["a | b"],
    tax_id: "00123",
    addresses: [{ line1: "=1+1", phone: "+233551234989" }, { city: 'Accra "old"' }],
  });
  const erased = await own.post("/v2/customers", { email: "gone@example.com" });
  await own.post(`/v2/customers/${erased.id}/erase`);

  const text = await exported(own);
  const same = await importText(own, [text]);
  const moved = await importText(other, [text]);

  expect(text).not.toMatch(/(?:^|,)"?[=+@]/m);
  expect(same).toMatchObject({ source: "duka", faults: [], warnings: [], rows: 5 });
  expect(same.customers).toMatchObject({ update: 0, create: 0, unchanged: 4 });
  expect(moved.customers).toMatchObject({ create: 4 });
  const sorted = (file: string) => file.split("\r\n").toSorted();
  expect(sorted(await exported(other))).toEqual(sorted(text));
  const log = await own.get("/v2/audit?action=export customers");
  expect(log.list("/data")).toHaveLength(1);
});

test("a customer whom a stranger named is verified by a file that says more, not by the same again", async () => {
  const key = await shop.createKey({ scopes: ["storefront"] });
  await shop.post("/v2/customers", { email: "aba@example.com", name: "Ada" }, { key });

  const same = await importText(shop, [head, "aba@example.com,,Ada,,,,"]);
  const before = await customer(shop, "email=aba@example.com");
  const more = await importText(shop, [head, "aba@example.com,,Ada Mensah,,,,"]);

  expect(same.customers).toMatchObject({ unchanged: 1 });
  expect(before).toMatchObject({ unverified: true });
  expect(more.customers).toMatchObject({ update: 1 });
  expect(await customer(shop, "email=aba@example.com")).toMatchObject({ unverified: false });
});

test("a phone of another country is read by the country of its row", async () => {
  await using own = await openTestShop();
  await own.put("/v2/store", { country: "GH" });

  const taken = await importText(own, [
    "First Name,Last Name,Email,Phone,Default Address City,Default Address Country Code",
    "Jane,Doe,jane@example.com,020 7946 0018,London,GB",
    "Kojo,Boateng,kojo@example.com,055 123 4979 x12,Accra,GH",
    "Esi,Owusu,esi@example.com,n/a,Kumasi,GH",
    "Yaw,Asante,yaw@example.com,024 411 1222 / 020 333 4444,Tema,GH",
  ]);

  expect(faultsOf(taken)).toEqual([]);
  const customers = (await own.get("/v2/customers?limit=4")).list("/data");
  expect(new Set(customers.map((row) => Object(row).phone))).toEqual(
    new Set([null, "+233551234979", "+442079460018", "+233244111222"]),
  );
  expect(taken.warnings.map(({ row, detail }) => `${row}: ${detail}`)).toEqual([
    "3: The phone is taken without its extension.",
    "4: The phone n/a is none, and is left blank.",
    "5: Of the phones 024 411 1222 / 020 333 4444, the first is taken.",
  ]);
});

test("customers with pasted texts are unchanged by their own file", async () => {
  await using own = await openTestShop();
  const pasted = [
    "\u200B",
    "\t",
    "\r\n",
    "\u202A",
    "\u00A0",
    "e\u0301",
    "\u{1F469}\u200D\u{1F4BB}",
  ];
  await Promise.all(
    pasted.map((text, nth) =>
      own.post("/v2/customers", {
        email: `pasted${nth}@example.com`,
        name: `${text}Ada${text}Mensah${text}`,
        tags: [`${text}vip${text}`],
        addresses: [{ line1: `${text}High${text}Street 1`, city: `${text}Accra`, country: "gh" }],
      }),
    ),
  );

  using folder = openScratchFolder();
  await Bun.write(folder.file("out.csv"), await exported(own));
  const again = await importFile(own, folder.file("out.csv"));

  expect(again.customers).toMatchObject({ create: 0, update: 0, unchanged: pasted.length });
});
