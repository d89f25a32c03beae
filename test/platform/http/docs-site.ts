// A site with documentation and one route, for tests of its pages.

import { Elysia } from "elysia";

import { defineRefusal } from "#kernel/refusal.ts";
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
  defineRefusal("stale_stock", "conflict", {
    title: "The stock has changed.",
    cause: "Another sale was <faster>.",
    remedy: "Read `on_hand` & retry.",
    example: { members: { on_hand: 7 } },
  }),
  defineRefusal("size_invalid", "invalid", {
    title: "There is no such <size>.",
    cause: "The size is unknown.",
    remedy: "Use a known one.",
    faults: { invalid_choice: "None of the allowed ones.", required: "It is missing." },
    example: {
      faults: [{ pointer: "/size", code: "invalid_choice", detail: "This must be one of: s, m." }],
    },
  }),
  defineRefusal("mug_not_found", "not_found", "There is no such mug."),
];

export interface OpenDocs extends AsyncDisposable {
  readonly origin: string;
  ask(path: string, init?: BunFetchRequestInit): Promise<Response>;
}

export function openDocs(): OpenDocs {
  const app = new Elysia();
  app.get("/v2/products", () => ({ data: ["mug"] }));
  mountDocs(app, { document, refusals, url: "https://shop.example" });
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: app.fetch });
  const origin = server.url.origin;
  return {
    origin,
    ask: (path, init) => fetch(`${origin}${path}`, { redirect: "manual", ...init }),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
