// Types and clients that are generated from the document or emitted by Duka, compiled by the TypeScript that
// most projects have (5, where `bun check` is 7), and used to buy.

import { expect, setDefaultTimeout, test } from "bun:test";

import { PURCHASE } from "../client/client-programs.ts";
import { openWorkbench, TOOL_MS_MAX } from "./tools.ts";

setDefaultTimeout(TOOL_MS_MAX);

/** The environment of a program that is compiled without the types of Node. */
const ENVIRONMENT = `declare const process: { env: { SHOP_URL: string; SHOP_KEY: string } };
const { SHOP_URL, SHOP_KEY } = process.env;
`;

/** Chooses what to buy from `products`. */
const CHOICE = `const variant = products
  .flatMap(({ variants }) => variants)
  .find(({ available }) => available !== null && available > 1);
if (variant === undefined) throw new Error("Everything is sold out.");
`;

/** Chooses from the `shipping_options` of the cart. */
const PICKUP = `const pickup = shipping_options.find(({ kind }) => kind === "pickup");
if (pickup === undefined) throw new Error("There is no pickup location.");
`;

/** Prints what became of the `payment` and the `order`. */
const REPORT = `console.log(
  JSON.stringify({
    payment: payment.status,
    order: order.payment_status,
    due: order.due_minor,
    campaign: order.metadata["campaign"],
    quantity: order.line_items[0]?.quantity,
  }),
);
`;

const bought = { payment: "succeeded", order: "paid", due: 0, campaign: "spring", quantity: 2 };

/** Bytes of the types that openapi-typescript generates: an editor reads them whole. */
const TYPES_LENGTH_MAX = 1_032_000;

test("openapi-fetch buys with the types of openapi-typescript", async () => {
  await using bench = await openWorkbench();
  await bench.run("openapi-typescript", "openapi.json", "--output", "openapi.d.ts");
  expect(Bun.file(bench.folder.file("openapi.d.ts")).size).toBeLessThan(TYPES_LENGTH_MAX);
  const program = `
    import createClient from "openapi-fetch";
    import type { components, paths } from "./openapi.d.ts";
    ${ENVIRONMENT}
    const duka = createClient<paths>({
      baseUrl: SHOP_URL,
      headers: { Authorization: \`Bearer \${SHOP_KEY}\` },
    });
    function dataOf<Data>(answer: { data?: Data; error?: components["schemas"]["Problem"] }): Data {
      if (answer.data === undefined) throw new Error(answer.error?.detail);
      return answer.data;
    }

    const { data: products } = dataOf(
      await duka.GET("/v2/products", { params: { query: { limit: 5 } } }),
    );
    ${CHOICE}

    const cart = dataOf(
      await duka.POST("/v2/carts", {
        body: {
          line_items: [{ variant_id: variant.id, quantity: 1 }],
          metadata: { campaign: "spring" },
        },
      }),
    );
    const path = { id: cart.id };
    dataOf(
      await duka.PUT("/v2/carts/{id}", {
        params: { path, header: { "If-Match": \`"\${cart.version}"\` } },
        body: { line_items: [{ variant_id: variant.id, quantity: 2 }] },
      }),
    );
    const { shipping_options } = dataOf(await duka.GET("/v2/carts/{id}", { params: { path } }));
    ${PICKUP}
    dataOf(
      await duka.POST("/v2/carts/{id}/checkout", {
        params: { path },
        body: {
          customer: { email: "ada@example.com", name: "Ada" },
          shipping: { pickup_location_id: pickup.id },
        },
      }),
    );
    const placed = dataOf(await duka.POST("/v2/carts/{id}/complete", { params: { path } }));
    const payment = dataOf(
      await duka.POST("/v2/payments/initialize", {
        params: { header: { "Idempotency-Key": placed.id } },
        body: { order_id: placed.id, method: "card", card_token: "pm_card_visa" },
      }),
    );
    const order = dataOf(
      await duka.GET("/v2/orders/{id}", { params: { path: { id: placed.id } } }),
    );

    // @ts-expect-error an order has no such status
    if (order.status === "paid") throw new Error("unreachable");
    // @ts-expect-error an order needs lines
    void (() => duka.POST("/v2/orders", { body: { customer: { email: "ada@example.com" } } }));
    // @ts-expect-error there is no such filter
    void (() => duka.GET("/v2/products", { params: { query: { colour: "red" } } }));
    ${REPORT}
  `;

  expect(await bench.compile(program)).toBe("");
  expect(await bench.runCompiled()).toEqual(bought);
});

test("the functions that @hey-api/openapi-ts generates buy", async () => {
  await using bench = await openWorkbench();
  await bench.run("openapi-ts", "--input", "openapi.json", "--output", "sdk");
  const program = `
    import * as duka from "./sdk";
    import { createClient } from "./sdk/client";
    ${ENVIRONMENT}
    const terms = {
      client: createClient({ baseUrl: SHOP_URL, auth: SHOP_KEY }),
      throwOnError: true,
    } as const;
    const { data: page } = await duka.listProducts({ ...terms, query: { limit: 5 } });
    const products = page.data;
    ${CHOICE}

    const { data: cart } = await duka.createCart({
      ...terms,
      body: {
        line_items: [{ variant_id: variant.id, quantity: 1 }],
        metadata: { campaign: "spring" },
      },
    });
    const path = { id: cart.id };
    await duka.updateCart({
      ...terms,
      path,
      headers: { "If-Match": \`"\${cart.version}"\` },
      body: { line_items: [{ variant_id: variant.id, quantity: 2 }] },
    });
    const { shipping_options } = (await duka.retrieveCart({ ...terms, path })).data;
    ${PICKUP}
    const shipping = { pickup_location_id: pickup.id };
    await duka.startCheckout({ ...terms, path, body: { email: "ada@example.com", shipping } });
    const { data: placed } = await duka.completeCart({ ...terms, path });
    const { data: payment } = await duka.initializePayment({
      ...terms,
      headers: { "Idempotency-Key": placed.id },
      body: { order_id: placed.id, method: "card", card_token: "pm_card_visa" },
    });
    const { data: order } = await duka.retrieveOrder({ ...terms, path: { id: placed.id } });

    // @ts-expect-error an order has no such status
    if (order.status === "paid") throw new Error("unreachable");
    // @ts-expect-error an order needs lines
    void (() => duka.createOrder({ ...terms, body: { customer: { email: "ada@example.com" } } }));
    ${REPORT}
  `;

  // The runtime that it generates does not compile with exact optional properties, whatever the document.
  expect(await bench.compile(program, { exactOptionalPropertyTypes: false })).toBe("");
  expect(await bench.runCompiled()).toEqual(bought);
});

test("the client that Duka emits buys", async () => {
  await using bench = await openWorkbench();
  const client = await fetch(`${bench.shop.url}/client.ts`);
  await Bun.write(bench.folder.file("client.ts"), await client.text());
  const program = `
    import { Duka } from "./client";
    ${ENVIRONMENT}
    const duka = new Duka({ baseUrl: SHOP_URL, key: SHOP_KEY });
    ${PURCHASE}
    ${REPORT}
  `;

  expect(await bench.compile(program)).toBe("");
  expect(await bench.runCompiled()).toEqual(bought);
});
