// The hosts that a server answers to: a name of a stranger that leads to a developer's machine reads nothing there.

import { describe, expect, test } from "bun:test";
import { connect } from "node:net";

import { parseConfig } from "#platform/config/config.ts";

import { sharedShop } from "../../support/shop.ts";
import { serveRoutes } from "./serve-routes.ts";

const shop = sharedShop();
const port = () => new URL(shop.url).port;
const ask = (path: string, host: string) =>
  fetch(`${shop.url}${path}`, { headers: { Host: host }, redirect: "manual" });

/** The status of a request with exactly these header lines. */
function statusOf(lines: readonly string[]): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const socket = connect(Number(port()), "127.0.0.1", () =>
    socket.write(["GET /docs HTTP/1.1", ...lines, "Connection: close", "", ""].join("\r\n")),
  );
  socket.once("data", (bytes) => resolve(Number(bytes.toString().slice(9, 12))));
  socket.once("error", reject);
  return promise.finally(() => socket.destroy());
}

describe("a server on this machine without a public URL", () => {
  test.each([
    "localhost",
    "LOCALHOST:8080",
    "shop.localhost:4000",
    "127.0.0.1",
    "127.9.8.7:80",
    "[::1]:4000",
    "host.docker.internal:4000",
  ])("answers to %s", async (host) => {
    expect((await ask("/docs/try", host)).status).toBe(200);
  });

  test.each([
    "shop.example",
    "127.0.0.1.evil.example",
    "localhost.",
    "localhost.evil.example:4000",
    "evil-localhost",
    "192.168.1.9:4000",
    "[2001:db8::1]",
    "duka:4000",
  ])("does not answer to %s", async (host) => {
    expect((await ask("/docs/try", host)).status).toBe(421);
  });

  test.each([
    "/",
    "/docs/try",
    "/openapi.json",
    "/client.js",
    "/guides/api",
    "/metrics",
    "/dashboard",
    "/dashboard/enter",
    "/test/store",
    "/test/shop",
    "/test/inbox",
    "/o/anything",
    "/media/anything",
    "/assets/scalar.js",
    "/nowhere",
    "/v2/products",
    "/v2/nowhere",
    "/hooks/paystack",
  ])("refuses another host at %s, and says how a tunnel becomes its own", async (path) => {
    const answer = await ask(path, "shop.tunnel.example");

    expect(answer.status).toBe(421);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect(await answer.text()).toContain("DUKA_PUBLIC_URL=https://shop.tunnel.example");
  });

  test.each(["/v2", "/v2/products", "/hooks/stripe"])("tells a program so at %s", async (path) => {
    const answer = await ask(path, "shop.tunnel.example");

    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(await answer.json()).toMatchObject({
      code: "wrong_host",
      status: 421,
      retryable: false,
    });
  });

  test.each(["/livez", "/readyz"])("is watched at %s by any name", async (path) => {
    expect((await ask(path, "node-7.cluster.example")).status).toBe(200);
  });

  test("needs one host", async () => {
    expect(await statusOf(["Host: localhost"])).toBe(200);
    expect(await statusOf([])).toBe(400);
    expect(await statusOf(["Host: localhost", "Host: evil.example"])).toBe(400);
  });
});

test("a server in a private network answers to addresses and to names without a dot", async () => {
  await using server = await serveRoutes([], { hosts: "network" });
  const statusAt = async (host: string) =>
    (await fetch(`${server.url}/docs/try`, { headers: { Host: host } })).status;

  for (const host of ["duka:4000", "192.168.1.9", "[2001:db8::1]:4000", "localhost"]) {
    expect([host, await statusAt(host)]).toEqual([host, 200]);
  }
  for (const host of ["shop.example", "duka.evil.example:4000", "duka."]) {
    expect([host, await statusAt(host)]).toEqual([host, 421]);
  }
});

describe("the hosts of a server follow from its settings:", () => {
  const plain = { DUKA_HOST: "0.0.0.0", DUKA_ALLOW_PLAIN_HTTP: "1" };
  test.each([
    [{}, "local"],
    [{ DUKA_HOST: "::1" }, "local"],
    [{ DUKA_PUBLIC_URL: "https://shop.example" }, "any"],
    [plain, "network"],
    [{ ...plain, DUKA_TRUSTED_PROXIES: "172.16.0.0/12" }, "any"],
    [{ ...plain, DUKA_PUBLIC_URL: "http://duka.example" }, "any"],
    [{ DUKA_HOST: "0.0.0.0", DUKA_TRUSTED_PROXIES: "172.16.0.0/12" }, "any"],
  ] as const)("%j makes it answer to %s", (settings, hosts) => {
    expect(parseConfig(settings).listen.hosts).toBe(hosts);
  });
});
