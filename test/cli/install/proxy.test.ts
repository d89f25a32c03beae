// What a proxy is to be told follows from the settings.

import { describe, expect, test } from "bun:test";

import { proxyBlock } from "#cli/install/proxy.ts";
import { UsageFault } from "#cli/operator/settings.ts";
import { parseConfig } from "#platform/config/config.ts";

const shop = { DUKA_PUBLIC_URL: "https://shop.example" };

function linesOf(proxy: "nginx" | "caddy", settings: Readonly<Record<string, string>>): string[] {
  return proxyBlock(proxy, parseConfig(settings))
    .split("\n")
    .map((line) => line.trim());
}

describe("nginx", () => {
  test("is told the host, the visitor and the size of pictures", () => {
    const lines = linesOf("nginx", shop);

    expect(lines).toContain("server_name shop.example;");
    expect(lines).toContain("proxy_set_header Host $http_host;");
    expect(lines).toContain("proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;");
    expect(lines).toContain("client_max_body_size 68m;");
    expect(lines).toContain("proxy_pass http://127.0.0.1:4000;");
  });

  test("takes the path of the public URL off, and serves the dashboard's own host", () => {
    const lines = linesOf("nginx", {
      DUKA_PUBLIC_URL: "https://example.com/shop",
      DUKA_DASHBOARD_URL: "https://admin.example.com",
    });

    expect(lines.filter((line) => /^(?:server_name|location|proxy_pass)/.test(line))).toEqual([
      "server_name example.com;",
      "location /shop/ {",
      "proxy_pass http://127.0.0.1:4000/;",
      "server_name admin.example.com;",
      "location / {",
      "proxy_pass http://127.0.0.1:4000;",
    ]);
  });

  test("listens where the public URL says, or where a certificate is asked for", () => {
    const plain = linesOf("nginx", { DUKA_PUBLIC_URL: "http://shop.example:8080" });
    const encrypted = linesOf("nginx", { DUKA_PUBLIC_URL: "https://shop.example:8443" });

    expect([plain.includes("listen 8080;"), encrypted.includes("listen 80;")]).toEqual([
      true,
      true,
    ]);
  });
});

test("Caddy has the scheme and the port of the public URL, and so the certificate", () => {
  expect(linesOf("caddy", shop)[0]).toBe("https://shop.example {");
  expect(linesOf("caddy", { DUKA_PUBLIC_URL: "https://shop.example:8443" })[0]).toBe(
    "https://shop.example:8443 {",
  );
});

test.each([
  ["0.0.0.0", "127.0.0.1:4000"],
  ["::", "127.0.0.1:4000"],
  ["10.0.0.5", "10.0.0.5:4000"],
  ["fd00::5", "[fd00::5]:4000"],
])("a server that listens on %s is reached at %s", (host, upstream) => {
  const lines = linesOf("caddy", { ...shop, DUKA_HOST: host, DUKA_TRUSTED_PROXIES: "10.0.0.2" });

  expect(lines).toContain(`reverse_proxy ${upstream} {`);
});

test.each([
  [{}, "Set DUKA_PUBLIC_URL first"],
  [{ ...shop, DUKA_PORT: "0" }, "DUKA_PORT"],
  [
    { DUKA_ACME_DOMAINS: "shop.example.org", DUKA_ACME_EMAIL: "keeper@example.org" },
    "(DUKA_ACME_DOMAINS)",
  ],
])("with the settings %j no block is printed", (settings, told) => {
  const print = () => proxyBlock("nginx", parseConfig(settings));

  expect(print).toThrow(UsageFault);
  expect(print).toThrow(told);
});
