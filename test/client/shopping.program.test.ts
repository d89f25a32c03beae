// Programs that use the client as a user would: type-checked, then run against a real server.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";

import { guides } from "#guides/guide.ts";
import { lastSequence } from "#platform/event-log/event-log.ts";

import { picture } from "../support/pictures.ts";
import { openTestShop } from "../support/shop.ts";
import { type ClientPrograms, openClientPrograms, PURCHASE } from "./client-programs.ts";

setDefaultTimeout(60_000);

let programs: ClientPrograms;

beforeAll(async () => {
  programs = await openClientPrograms();
});

afterAll(() => programs[Symbol.dispose]());

/** The environment has no type without Node's or Bun's. */
const SHOP = `
declare const process: { env: { URL: string; KEY: string } };
const shop = { baseUrl: process.env.URL, key: process.env.KEY };
`;

describe("a program", () => {
  test("buys: products on several pages, a cart, an order, a payment", async () => {
    await using shop = await openTestShop();
    await shop.post("/v2/test/seed");
    const seeded = await lastSequence(shop.test.database.read);
    const program = `${SHOP}
      import { Duka } from "./client.ts";
      const duka = new Duka(shop);
      ${PURCHASE}

      const events: string[] = [];
      for await (const { event } of duka.events.list({ event: ["order.*"], after: ${seeded}, limit: 1 })) events.push(event);
      const isPaidInFull: boolean = order.payment_status === "paid" && order.due_minor === 0;
      console.log(JSON.stringify({
        products: products.length,
        payment: payment.status,
        isPaidInFull,
        quantity: order.line_items[0]?.quantity,
        events,
      }));
    `;

    expect(await programs.check(program)).toBe("");
    const key = await shop.createKey();
    const printed = await programs.run(program, { URL: shop.url, KEY: key });

    expect(printed).toEqual({
      products: 12,
      payment: "succeeded",
      isPaidInFull: true,
      quantity: 2,
      events: ["order.placed", "order.paid"],
    });
  });

  test("places one order although the first answer was lost", async () => {
    await using shop = await openTestShop();
    const product = await shop.post("/v2/products", { name: "Mug", price: 12.5, stock: 3 });
    const program = `${SHOP}
      import { Duka } from "./client.ts";
      let lost = 0;
      const shaky = new Duka({
        ...shop,
        fetch: async (url, init) => {
          const response = await fetch(url, init);
          if (lost === 1) return response;
          lost += 1;
          throw new TypeError("The connection broke.");
        },
      });
      const order = await shaky.orders.create({
        line_items: [{ variant_id: "${product.string("/variants/0/id")}", quantity: 1 }],
      });
      console.log(JSON.stringify({ lost, number: order.number }));
    `;

    expect(await programs.check(program)).toBe("");
    const printed = await programs.run(program, { URL: shop.url, KEY: shop.key });

    expect(printed).toEqual({ lost: 1, number: 1001 });
    expect((await shop.get("/v2/orders")).list("/data")).toHaveLength(1);
  });

  test("branches on the code of a refusal", async () => {
    await using shop = await openTestShop();
    const product = await shop.post("/v2/products", { name: "Mug", price: 12.5, stock: 3 });
    const program = `${SHOP}
      import { Duka, DukaError } from "./client.ts";
      const duka = new Duka(shop);
      try {
        await duka.orders.create({
          line_items: [{ variant_id: "${product.string("/variants/0/id")}", quantity: 4 }],
        });
      } catch (error) {
        if (!(error instanceof DukaError) || error.code !== "insufficient_stock") throw error;
        const { code, status, requestId, problem } = error;
        console.log(JSON.stringify({ code, status, requestId, items: problem?.["items"] }));
      }
    `;

    expect(await programs.check(program)).toBe("");
    const printed = await programs.run(program, { URL: shop.url, KEY: shop.key });

    expect(printed).toMatchObject({
      code: "insufficient_stock",
      status: 409,
      requestId: expect.stringMatching(/^req_/),
      items: [{ requested: 4, available: 3 }],
    });
  });
});

test("a program uploads a picture, and gives it to a product", async () => {
  await using shop = await openTestShop();
  const base64 = (await picture("png", 200, 100)).toString("base64");
  const program = `${SHOP}
    import { Duka } from "./client.ts";
    const duka = new Duka(shop);
    const bytes = Uint8Array.from(atob("${base64}"), (character) => character.charCodeAt(0));
    const medium = await duka.media.upload(new Blob([bytes], { type: "image/png" }));
    const again = await duka.media.upload(bytes);
    const { images } = await duka.products.create({ name: "Mug", images: [{ media_id: again.id }] });
    const widths = images.flatMap(({ sizes }) => sizes.map(({ width }) => width));
    console.log(JSON.stringify({ isSame: again.id === medium.id, widths }));
  `;

  expect(await programs.check(program)).toBe("");
  const printed = await programs.run(program, { URL: shop.url, KEY: shop.key });

  expect(printed).toEqual({ isSame: true, widths: [160, 200] });
});

test("Node runs the JavaScript as it is", async () => {
  await using shop = await openTestShop();
  const script = `
    import { Duka } from "./client.js";
    const duka = new Duka({ baseUrl: process.env.URL, key: process.env.KEY });
    const customer = await duka.customers.create({ email: "ada@example.com" });
    await duka.customers.delete(customer.id);
    const { code } = await duka.customers.retrieve(customer.id).catch((error) => error);
    console.log(JSON.stringify({ email: customer.email, code }));
  `;

  const printed = await programs.runInNode(script, { URL: shop.url, KEY: shop.key });

  expect(printed).toEqual({ email: "ada@example.com", code: "customer_not_found" });
});

describe("the compiler", () => {
  test("takes the example of the guide", async () => {
    const guide = guides.find(({ name }) => name === "api");
    const example = /```ts\n([\s\S]*?)```/.exec(guide?.text ?? "")?.[1] ?? "";
    const program = `declare const variant_id: string;\n${example.replace("duka.ts", "client.ts")}`;

    expect(example).toContain("duka.orders.create");
    expect(await programs.check(program)).toBe("");
  });

  test("takes amounts as numbers, and undefined for what is left out", async () => {
    const program = `${SHOP}
      import { Duka } from "./client.ts";
      const duka = new Duka(shop);
      const form: { email?: string } = {};
      await duka.products.list({ "price[gte]": 5, "price[lte]": "7.50", brand: undefined, currency: "USD" });
      await duka.customers.create({ email: form.email, phone: "+233241234567", name: undefined });
      // @ts-expect-error an amount is a number or a text, not a boolean
      duka.products.list({ "price[gte]": true });
    `;

    expect(await programs.check(program)).toBe("");
  });

  test("knows states, codes, events and what is missing", async () => {
    const program = `${SHOP}
      import { Duka, type DukaError, verifyWebhook } from "./client.ts";
      const duka = new Duka(shop);
      const order = await duka.orders.retrieve("ord_1");
      // @ts-expect-error "paid" is a state of payment, not of an order
      if (order.status === "paid") console.log(order);
      // @ts-expect-error an order needs line items
      await duka.orders.create({ email: "ada@example.com" });
      // @ts-expect-error products have no filter by colour
      duka.products.list({ colour: "red" });
      // @ts-expect-error a product has no number
      for await (const { number } of duka.products.list()) console.log(number);
      // @ts-expect-error the code is misspelled
      const isShort = (error: DukaError) => error.code === "insufficent_stock";
      const short = (error: DukaError) => error.problem?.items?.map(({ variant_id }) => variant_id);
      short satisfies (error: DukaError) => string[] | undefined;
      // @ts-expect-error the units that are short are a number
      const units = (error: DukaError) => error.problem?.items?.[0]?.requested satisfies string | undefined;
      const event = await verifyWebhook("", {}, "whsec_");
      // @ts-expect-error no event has this name
      if (event.event === "order.payed") console.log(isShort, units);
      if (event.event === "order.paid") event.data.order_id satisfies string;
      if (event.event === "webhook.ping") event.data.webhook_id satisfies string;
      // @ts-expect-error a product has no total
      if (event.event === "product.created") console.log(event.data.total);
      // @ts-expect-error a read has no key
      await duka.orders.retrieve("ord_1", { idempotencyKey: "1" });
      await duka.orders.create({ line_items: [], metadata: { campaign: "spring" } });
    `;

    expect(await programs.check(program)).toBe("");
  });
});
