// The settings of a certificate that the server has signed for itself.

import { describe, expect, test } from "bun:test";

import { parseConfig } from "#platform/config/config.ts";
import { ConfigFaults } from "#platform/process/environment.ts";

const acme = {
  DUKA_HOST: "::",
  DUKA_PORT: "443",
  DUKA_ACME_DOMAINS: "Shop.example.org, www.shop.example.org",
  DUKA_ACME_EMAIL: "keeper@example.org",
};

function faultsOf(settings: Readonly<Record<string, string>>): string[] {
  try {
    parseConfig(settings);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigFaults)) throw error;
    return error.faults.map(({ setting, detail }) => `${setting} ${detail}`);
  }
}

test("names and an email make a server with TLS, reached at its first name", () => {
  const { publicUrl, listen, acme: read } = parseConfig({ ...acme, DUKA_DATA_DIR: "/srv/duka" });

  expect(publicUrl).toBe("https://shop.example.org");
  expect(listen.tls).toEqual({
    certificatePath: "/srv/duka/tls/chain.pem",
    keyPath: "/srv/duka/tls/key.pem",
  });
  expect(read).toMatchObject({
    domains: ["shop.example.org", "www.shop.example.org"],
    httpPort: 80,
    authorityPath: null,
  });
});

test("another port than 443 is part of the public URL, which may also be given", () => {
  const given = { ...acme, DUKA_PUBLIC_URL: "https://www.shop.example.org" };

  expect(parseConfig({ ...acme, DUKA_PORT: "8443" }).publicUrl).toBe(
    "https://shop.example.org:8443",
  );
  expect(parseConfig(given).publicUrl).toBe("https://www.shop.example.org");
});

describe("refused is", () => {
  test.each([
    ["*.shop.example.org", "wildcard"],
    ["192.0.2.1", "no name"],
    ["localhost", "no name"],
    ["shop", "no name"],
    ["shop_1.example.org", "no name"],
    ["shop.example.org,SHOP.example.org", "twice"],
    [Array.from({ length: 101 }, (_, n) => `s${n}.example.org`).join(","), "more than 100"],
  ])("the name %s: %s", (names, words) => {
    const [fault = "", ...others] = faultsOf({ ...acme, DUKA_ACME_DOMAINS: names });

    expect(fault).toStartWith("DUKA_ACME_DOMAINS ");
    expect(fault).toContain(words);
    expect(others).toEqual([]);
  });

  test("names without an email, and an email without names", () => {
    const { DUKA_ACME_EMAIL: email, DUKA_ACME_DOMAINS: domains } = acme;

    expect(faultsOf({ DUKA_ACME_DOMAINS: domains })).toEqual([
      "DUKA_ACME_EMAIL must be set with DUKA_ACME_DOMAINS",
    ]);
    expect(faultsOf({ DUKA_ACME_EMAIL: email })).toEqual([
      "DUKA_ACME_EMAIL has no effect without DUKA_ACME_DOMAINS",
    ]);
  });

  test("a public URL at another host", () => {
    expect(faultsOf({ ...acme, DUKA_PUBLIC_URL: "https://elsewhere.example" })).toEqual([
      "DUKA_PUBLIC_URL has a host that DUKA_ACME_DOMAINS does not name",
    ]);
  });

  test("a certificate beside it", () => {
    const brought = { DUKA_TLS_CERT: import.meta.path, DUKA_TLS_KEY: import.meta.path };

    expect(faultsOf({ ...acme, ...brought })).toEqual([
      "DUKA_ACME_DOMAINS cannot stand beside DUKA_TLS_CERT",
    ]);
  });

  test("an authority over http, and one whose file is not there", () => {
    const given = { DUKA_ACME_DIRECTORY: "http://ca.example/dir", DUKA_ACME_CA: "/nowhere.pem" };

    const faults = faultsOf({ ...acme, ...given });

    expect(faults[0]).toStartWith("DUKA_ACME_CA cannot be read");
    expect(faults[1]).toBe("DUKA_ACME_DIRECTORY must be an https URL");
  });
});
