// Stock at the dashboard: counting, adding and taking through its forms, without a script.

import { describe, expect, test } from "bun:test";

import { goods, kanga, mug } from "../support/cast.ts";
import { openDashboard, type SeenPage, sharedDashboard } from "./dashboard-shop.ts";

const dashboard = sharedDashboard();

const HOME = "/dashboard/test/stock";

describe("the list of stock", () => {
  test("shows what is running low first, with its names", async () => {
    await using dashboard = await openDashboard();
    const { shop, owner } = dashboard;
    const low = await kanga(shop);
    await shop.put(`/v2/inventory/${low.variantId}`, { low_stock_threshold: 6 });
    await mug(shop);

    const { text } = await owner.get(HOME);

    expect(text).toContain(
      "Running low Kanga KANGA Low 5 on hand · 0 reserved 5 left Enough Mug MUG",
    );
  });

  test("can be limited to what is running low", async () => {
    await using dashboard = await openDashboard();
    const { shop, owner } = dashboard;
    await mug(shop);
    expect((await owner.get(`${HOME}?show=low`)).text).toContain("Nothing is running low");
    const low = await kanga(shop);
    await shop.put(`/v2/inventory/${low.variantId}`, { on_hand: 0 });

    const { text } = await owner.get(`${HOME}?show=low`);

    expect(text).toContain("Kanga KANGA Sold out");
    expect(text).not.toContain("Mug");
  });

  test.each(["mug", "MUG"])("finds a product by %s", async (q) => {
    await using dashboard = await openDashboard();
    await mug(dashboard.shop);
    await kanga(dashboard.shop);

    const { text } = await dashboard.owner.get(`${HOME}?q=${q}`);

    expect(text).toContain("10 on hand");
    expect(text).not.toContain("Kanga");
  });

  test("names the variants of many products", async () => {
    await using dashboard = await openDashboard();
    const names = ["Soap", "Basket", "Honey", "Tea", "Throw", "Lamp"];
    for (const name of names) await goods(dashboard.shop, { name, price: 1, stock: 100 });

    const { text } = await dashboard.owner.get(HOME);

    expect(names.filter((name) => text.includes(name))).toEqual(names);
  });
});

describe("the stock of a variant", () => {
  test("is counted, with who did it and why", async () => {
    const { shop, owner } = dashboard;
    const path = `${HOME}/${(await mug(shop)).variantId}`;
    const page = await owner.get(path);

    const after = await owner.sendAndFollow(`${path}/count`, {
      form: page.field("form"),
      "/expected": page.field("/expected"),
      "/on_hand": "7",
      "/note": "Three fell down",
    });

    expect(after.text).toContain("Stock updated.");
    expect(after.text).toContain("Counted −3 08:00 · You · Three fell down 7 on hand");
  });

  test.each([
    ["take", { "/adjust": "4", "/reason": "damage", "/note": "" }],
    ["add", { "/adjust": "4", "/reason": "received", "/note": "" }],
    ["count", { "/on_hand": "3", "/expected": "10", "/note": "" }],
  ])("is as it was once a change is undone, twice tapped: %s", async (way, fields) => {
    const { shop, owner } = dashboard;
    const path = `${HOME}/${(await mug(shop)).variantId}`;
    const after = await owner.sendAndFollow(`${path}/${way}`, { form: "one", ...fields });
    const undo = { form: "two", undo: after.field("undo") };

    const undone = await owner.sendAndFollow(`${path}/${way}`, undo);
    await owner.send(`${path}/${way}`, undo);

    expect(undone.text).toContain("Undone. It is as it was. ");
    expect(undone.html).not.toContain('name="undo"');
    expect((await owner.get(path)).text).toContain("On hand 10");
  });

  test("that changed again is not undone, and the page says how it is now", async () => {
    const { shop, owner } = dashboard;
    const { variantId } = await mug(shop);
    const path = `${HOME}/${variantId}`;
    const taken = { form: "one", "/adjust": "4", "/reason": "damage", "/note": "" };
    const after = await owner.sendAndFollow(`${path}/take`, taken);
    await shop.put(`/v2/inventory/${variantId}`, { adjust: -1, reason: "sale" });

    const refused = await owner.send(`${path}/take`, { form: "two", undo: after.field("undo") });

    expect(refused.status).toBe(409);
    expect(refused.text).toContain("Not undone: it was changed again in the meantime. Here");
    expect(refused.text).toContain("On hand 5");
  });

  test("tells who took from it, also after that person was removed", async () => {
    const { shop, owner } = dashboard;
    const kofi = await dashboard.join("staff", "Kofi");
    const { variantId } = await mug(shop);
    const taken = { form: "1", "/adjust": "2", "/reason": "damage", "/note": "" };
    await kofi.send(`${HOME}/${variantId}/take`, taken);
    await dashboard.remove(kofi.name);

    const movements = await shop.get(`/v2/inventory/${variantId}/movements`);
    const page = await owner.get(`${HOME}/${variantId}`);

    expect(movements.at("/data/0/actor")).toMatchObject({ type: "person", name: kofi.name });
    expect(page.text).toContain(`· ${kofi.name} (removed)`);
  });

  test("that changed while it was counted is not overwritten, and the page says how it is now", async () => {
    const { shop, owner } = dashboard;
    const { variantId } = await mug(shop);
    const path = `${HOME}/${variantId}`;
    const page = await owner.get(path);
    await shop.put(`/v2/inventory/${variantId}`, { adjust: -1, reason: "sale" });

    const refused = await owner.send(`${path}/count`, {
      form: page.field("form"),
      "/expected": page.field("/expected"),
      "/on_hand": "8",
      "/note": "Monday",
    });

    expect(refused.status).toBe(409);
    expect(refused.text).toContain("it is 9 now");
    expect([refused.field("/on_hand"), refused.field("/note")]).toEqual(["8", "Monday"]);
    expect(refused.field("/expected")).toBe("9");
    expect((await shop.get(`/v2/inventory/${variantId}`)).at("/on_hand")).toBe(9);
  });

  test("that changed before a wrong count was put right is not overwritten", async () => {
    const { shop, owner } = dashboard;
    const { variantId } = await mug(shop);
    const path = `${HOME}/${variantId}`;
    const shown = await owner.get(path);
    await shop.put(`/v2/inventory/${variantId}`, { adjust: -1, reason: "sale" });
    const count = (page: SeenPage, onHand: string) =>
      owner.send(`${path}/count`, {
        form: page.field("form"),
        "/expected": page.field("/expected"),
        "/on_hand": onHand,
      });

    const wrong = await count(shown, "1O");
    const right = await count(wrong, "10");

    expect([wrong.status, right.status]).toEqual([422, 409]);
    expect((await shop.get(`/v2/inventory/${variantId}`)).at("/on_hand")).toBe(9);
  });

  test("grows once for two taps, and again for a form that was opened anew", async () => {
    const { shop, owner } = dashboard;
    const { variantId } = await mug(shop);
    const path = `${HOME}/${variantId}`;
    const add = (form: string) =>
      owner.send(`${path}/add`, { form, "/adjust": 5, "/reason": "received", "/note": "" });
    const first = (await owner.get(`${path}?do=add`)).field("form");

    await Promise.all([add(first), add(first)]);
    expect((await shop.get(`/v2/inventory/${variantId}`)).at("/on_hand")).toBe(15);

    await add((await owner.get(`${path}?do=add`)).field("form"));
    expect((await shop.get(`/v2/inventory/${variantId}`)).at("/on_hand")).toBe(20);
  });

  test("shrinks by what is taken", async () => {
    const { shop, owner } = dashboard;
    const path = `${HOME}/${(await mug(shop)).variantId}`;

    const after = await owner.sendAndFollow(`${path}/take`, {
      form: "one",
      "/adjust": "4",
      "/reason": "damage",
      "/note": "",
    });

    expect(after.text).toContain("Damaged or lost −4");
    expect(after.text).toContain("On hand 6");
  });

  test.each([
    ["take", "11", 409],
    ["add", "some", 422],
    ["take", "", 422],
  ])("stays as it is where %s %p is refused, and the form keeps it", async (way, units, status) => {
    const { shop, owner } = dashboard;
    const { variantId } = await mug(shop);

    const page = await owner.send(`${HOME}/${variantId}/${way}`, {
      form: "one",
      "/adjust": units,
      "/reason": "correction",
      "/note": "Why not",
    });

    expect(page.status).toBe(status);
    expect([page.field("/adjust"), page.field("/note")]).toEqual([units, "Why not"]);
    expect((await shop.get(`/v2/inventory/${variantId}`)).at("/on_hand")).toBe(10);
  });
});

describe("counting many at once", () => {
  test("says where there is nothing to count", async () => {
    await using dashboard = await openDashboard();

    const page = await dashboard.owner.get(`${HOME}/count`);

    expect(page.text).toContain("No stock yet");
    expect(page.text).not.toContain("Save counts");
  });

  test("leaves rows without a number as they are", async () => {
    await using dashboard = await openDashboard();
    const { shop, owner } = dashboard;
    const [one, other] = [await mug(shop), await kanga(shop)];
    const page = await owner.get(`${HOME}/count`);
    expect(page.field("/rows/1/variant_id")).toBe(one.variantId);

    const after = await owner.send(`${HOME}/count/save`, {
      form: page.field("form"),
      "/rows/0/variant_id": other.variantId,
      "/rows/0/expected": page.field("/rows/0/expected"),
      "/rows/0/on_hand": "",
      "/rows/1/variant_id": one.variantId,
      "/rows/1/expected": page.field("/rows/1/expected"),
      "/rows/1/on_hand": "8",
    });

    expect(after.status).toBe(200);
    expect(after.text).toContain("1 count is saved.");
    expect((await shop.get(`/v2/inventory/${one.variantId}`)).at("/on_hand")).toBe(8);
    const untouched = await shop.get(`/v2/inventory/${other.variantId}/movements`);
    expect(untouched.list("/data")).toHaveLength(1);
  });

  test("goes on with the next items once these are saved", async () => {
    await using dashboard = await openDashboard();
    const { shop, owner } = dashboard;
    const values = Array.from({ length: 51 }, (_, index) => `No ${index}`);
    const variants = values.map((value) => ({ options: { Size: value }, stock: 1 }));
    await shop.post("/v2/products", {
      name: "Ring",
      options: [{ name: "Size", values }],
      variants,
    });
    const first = await owner.get(`${HOME}/count`);
    const [, action = ""] = /action="([^"]*count\/save[^"]*)"/.exec(first.html) ?? [];
    const row = ["form", "/rows/0/variant_id", "/rows/0/expected"] as const;

    const saved = await owner.send(action.replaceAll("&amp;", "&"), {
      ...Object.fromEntries(row.map((name) => [name, first.field(name)])),
      "/rows/0/on_hand": "2",
    });
    const [, on = ""] = /href="([^"]*)">\s*Count the next items/.exec(saved.html) ?? [];
    const second = await owner.get(on);

    expect(saved.text).toContain("1 count is saved.");
    expect(second.html.match(/name="\/rows\/\d+\/on_hand"/g)).toHaveLength(1);
    expect(second.text).not.toContain("Skip to the next items");
  });

  test("says which stock changed meanwhile, and saves the others", async () => {
    const { shop, owner } = dashboard;
    const [one, other] = [await mug(shop), await kanga(shop)];

    const after = await owner.send(`${HOME}/count/save`, {
      form: "one",
      "/rows/0/variant_id": other.variantId,
      "/rows/0/expected": "4",
      "/rows/0/on_hand": "3",
      "/rows/1/variant_id": one.variantId,
      "/rows/1/expected": "10",
      "/rows/1/on_hand": "12",
    });

    expect(after.text).toContain("1 count is saved.");
    expect(after.text).toContain(`${other.name} Not saved 5 on hand ${one.name} 12 on hand`);
  });

  test("of nothing says that nothing was filled in", async () => {
    await using dashboard = await openDashboard();
    const { variantId } = await mug(dashboard.shop);

    const page = await dashboard.owner.send(`${HOME}/count/save`, {
      form: "one",
      "/rows/0/variant_id": variantId,
      "/rows/0/expected": "10",
      "/rows/0/on_hand": "",
    });

    expect(page.status).toBe(422);
    expect(page.text).toContain("Not saved. Nothing is filled in or chosen here yet.");
  });

  test("shows a wrong number at its row, also below rows that were left empty", async () => {
    const { shop, owner } = dashboard;
    const [one, other] = [await mug(shop), await kanga(shop)];

    const page = await owner.send(`${HOME}/count/save`, {
      form: "one",
      "/rows/0/variant_id": other.variantId,
      "/rows/0/expected": "5",
      "/rows/0/on_hand": "",
      "/rows/1/variant_id": one.variantId,
      "/rows/1/expected": "10",
      "/rows/1/on_hand": "-2",
    });

    expect(page.status).toBe(422);
    expect(page.html.match(/<input[^>]*name="\/rows\/1\/on_hand"[^>]*>/)?.[0]).toContain(
      'aria-invalid="true"',
    );
    expect(page.field("/rows/1/on_hand")).toBe("-2");
  });

  test("keeps each number at its item, and the stock it was counted by, where another item came meanwhile", async () => {
    await using dashboard = await openDashboard();
    const { shop, owner } = dashboard;
    const [one, other] = [await mug(shop), await kanga(shop)];
    const rows = {
      form: "one",
      "/rows/0/variant_id": other.variantId,
      "/rows/0/expected": "5",
      "/rows/0/on_hand": "three",
      "/rows/1/variant_id": one.variantId,
      "/rows/1/expected": "10",
      "/rows/1/on_hand": "12",
    };
    await goods(shop, { name: "Basket", price: 8, stock: 2 });
    await shop.put(`/v2/inventory/${one.variantId}`, { adjust: -1, reason: "sale" });

    const page = await owner.send(`${HOME}/count/save`, rows);

    const seen = (row: number) =>
      ["variant_id", "expected", "on_hand"].map((name) => page.field(`/rows/${row}/${name}`));
    expect(page.status).toBe(422);
    expect([seen(0), seen(1)]).toEqual([
      [other.variantId, "5", "three"],
      [one.variantId, "10", "12"],
    ]);
    expect(page.text).not.toContain("Basket");
  });
});

test("a viewer sees stock and no form of it", async () => {
  const { variantId } = await mug(dashboard.shop);
  const viewer = await dashboard.join("viewer", "Esi");
  const paths = ["", "/count", `/${variantId}`];

  const pages = await Promise.all(paths.map((path) => viewer.get(`${HOME}${path}`)));

  expect(pages.map(({ html }) => html.includes(`action="${HOME}/`))).toEqual(
    paths.map(() => false),
  );
  expect((await viewer.send(`${HOME}/${variantId}/add`, { form: "1", "/adjust": 1 })).status).toBe(
    403,
  );
});
