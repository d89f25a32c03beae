// Every response has the security headers, whatever answers it.

import { describe, expect, test } from "bun:test";

import { serveRoutes } from "./serve-routes.ts";

const paths = ["/", "/docs/try", "/docs/errors", "/openapi.json", "/assets/scalar.js", "/livez"];
const everywhere = [...paths, "/readyz", "/nothing", "/v2", "/v2/nothing"];

describe.each(everywhere)("%s is answered", (path) => {
  test("under a policy, without a guess of its type, and names no page to others", async () => {
    await using server = await serveRoutes([]);

    const { headers } = await fetch(`${server.url}${path}`, { redirect: "manual" });

    expect(headers.get("content-security-policy")).toContain("default-src");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cache-control")).not.toBeNull();
    expect(headers.get("strict-transport-security")).toBeNull();
  });

  test("with HSTS where the server ends TLS", async () => {
    await using server = await serveRoutes([], { endsTls: true });

    const { headers } = await fetch(`${server.url}${path}`, { redirect: "manual" });

    expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
  });
});
