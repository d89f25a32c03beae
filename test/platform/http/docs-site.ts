// A site with documentation and one route, for tests of its pages.

import { Elysia } from "elysia";

import { mountDocs } from "#platform/http/openapi/docs.ts";

export const document = {
  openapi: "3.1.0",
  info: {
    title: "Ada's <shop>",
    // Long enough to be compressed.
    description: `Sells "mugs" & more.\n\n${"Nothing else. ".repeat(80)}`,
    version: "2.0.0",
  },
  servers: [{ url: "/" }],
  tags: [{ name: "Products" }, { name: "Orders" }],
  paths: {
    "/v2/products": {
      get: {
        tags: ["Products"],
        summary: "List products",
        responses: { "200": { description: "A page of products." } },
      },
      post: {
        tags: ["Products"],
        summary: "Create a product",
        requestBody: {
          content: { "application/json": { schema: { $ref: "#/components/schemas/Product" } } },
        },
        responses: { "201": { description: "The product." } },
      },
    },
    "/v2/orders": {
      post: {
        tags: ["Orders"],
        summary: "Place an order",
        responses: { "201": { description: "The order." } },
      },
    },
  },
  components: {
    schemas: {
      Product: {
        type: "object",
        properties: { name: { type: "string" }, barcode: { type: ["string", "null"] } },
      },
    },
  },
};

const refusals = [
  { code: "stale_stock", status: 409, title: "The stock has changed.", detail: "Read & retry." },
  { code: "amount_precision", status: 422, title: "More digits than the <currency> has." },
];

export interface OpenDocs extends AsyncDisposable {
  readonly origin: string;
  ask(path: string, init?: BunFetchRequestInit): Promise<Response>;
}

export function openDocs(): OpenDocs {
  const app = new Elysia();
  app.get("/v2/products", () => ({ data: ["mug"] }));
  mountDocs(app, { document, refusals });
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: app.fetch });
  const origin = server.url.origin;
  return {
    origin,
    ask: (path, init) => fetch(`${origin}${path}`, { redirect: "manual", ...init }),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
