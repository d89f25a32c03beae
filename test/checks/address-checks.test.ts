// What the checks of the address find, by a probe through a proxy and by the certificate that visitors are shown.

import { describe, expect, test } from "bun:test";

import { certificate, forwarded, reached } from "#checks/address-checks.ts";
import type { Check, Served } from "#checks/check.ts";
import { askProbe, type Probed } from "#checks/probe.ts";
import { DAY_MS } from "#kernel/time.ts";
import { readCertificate, type ShownCertificate } from "#platform/net/shown-certificate.ts";
import { vaultWith } from "#platform/vault/vault.ts";

import { makeCertificates } from "../support/certificates.ts";
import { MORNING_MS, openTestShop, sharedShop, type TestShop } from "../support/shop.ts";
import { find, seenAt, type SeenTerms } from "./seen.ts";

/** A proxy to the shop that adds headers to what it passes on, or takes another host. */
async function throughProxy(
  shop: TestShop,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly publicUrl: string; readonly probed: Probed }> {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url, headers: given }) =>
      fetch(`${shop.url}${new URL(url).pathname}`, {
        headers: { host: given.get("host") ?? "", ...headers },
      }),
  });
  const publicUrl = `http://127.0.0.1:${server.port}`;
  const probed = await askProbe(publicUrl, shop.live.database.vault);
  await server.stop(true);
  return { publicUrl, probed };
}

const trusting = sharedShop({ settings: { DUKA_TRUSTED_PROXIES: "127.0.0.1" } });
const FORWARDED = { "X-Forwarded-For": "203.0.113.9" };

async function stateOf(
  check: Check<Served>,
  shop: TestShop,
  { settings = {}, ...parts }: SeenTerms & { readonly probed?: Probed },
): Promise<string> {
  const probe = async () => parts.probed ?? null;
  return (await find(check, seenAt(shop, { ...parts, settings, probe }))).state;
}

describe("reached", () => {
  test("is a public URL that leads here with its host", async () => {
    const { publicUrl, probed } = await throughProxy(trusting, FORWARDED);

    expect(probed).toMatchObject({ kind: "reached", forwarded: "trusted" });
    expect(
      await stateOf(reached, trusting, { settings: { DUKA_PUBLIC_URL: publicUrl }, probed }),
    ).toBe("ok");
  });

  test("fails where the proxy names another host", async () => {
    const { publicUrl, probed } = await throughProxy(trusting, { host: "127.0.0.1:4000" });
    const settings = { DUKA_PUBLIC_URL: publicUrl };

    const finding = await find(reached, seenAt(trusting, { settings, probe: async () => probed }));

    expect(finding).toMatchObject({
      state: "fail",
      found: `Requests for ${new URL(publicUrl).host} arrive with the host 127.0.0.1:4000.`,
    });
  });

  test("fails where another server answers, also one of another shop", async () => {
    const other = vaultWith([new Uint8Array(32).fill(9)], []);

    const probed = await askProbe(trusting.url, other);

    expect(probed).toEqual({ kind: "stranger", status: 404 });
    expect(
      await stateOf(reached, trusting, { settings: { DUKA_PUBLIC_URL: trusting.url }, probed }),
    ).toBe("fail");
  });

  test("is not known without a connection, or without a public URL", async () => {
    const away = "http://127.0.0.1:9";
    const probed = await askProbe(away, trusting.live.database.vault);

    expect(await stateOf(reached, trusting, { settings: { DUKA_PUBLIC_URL: away }, probed })).toBe(
      "unknown",
    );
    expect(await stateOf(reached, trusting, {})).toBe("unknown");
  });
});

describe("the address of a probe", () => {
  test("tells a stranger nothing", async () => {
    const sealed = trusting.live.database.vault.seal("0 nonce", "probe");
    const elsewhere = trusting.live.database.vault.seal("9999999999999 nonce");

    for (const token of ["x", sealed, elsewhere]) {
      const answer = await trusting.get(`/.well-known/duka-probe/${token}`);
      expect([answer.status, answer.text]).toEqual([404, ""]);
    }
  });
});

describe("forwarded", () => {
  const https = { DUKA_PUBLIC_URL: "https://shop.example" };

  test("fails where the header is missing behind a proxy", async () => {
    const { probed } = await throughProxy(trusting, {});

    expect(await stateOf(forwarded, trusting, { settings: https, probed })).toBe("fail");
    expect(
      await stateOf(forwarded, trusting, {
        settings: { DUKA_PUBLIC_URL: "http://shop.example" },
        probed,
      }),
    ).toBe("ok");
  });

  test("fails where the settings do not name the proxy", async () => {
    await using own = await openTestShop();
    const { probed } = await throughProxy(own, FORWARDED);

    expect(await stateOf(forwarded, own, { settings: https, probed })).toBe("fail");
  });

  test("is as it should be behind a trusted proxy, and not known where nothing was reached", async () => {
    const { probed } = await throughProxy(trusting, FORWARDED);

    expect(await stateOf(forwarded, trusting, { settings: https, probed })).toBe("ok");
    expect(await stateOf(forwarded, trusting, { settings: https })).toBe("unknown");
  });
});

describe("the certificate", () => {
  const settings = { DUKA_PUBLIC_URL: "https://shop.example" };
  const findShown = (days: number, shown: Partial<ShownCertificate> = {}) =>
    find(
      certificate,
      seenAt(trusting, {
        settings,
        readCertificate: async () => ({
          validFrom: MORNING_MS - 90 * DAY_MS + days * DAY_MS,
          validTo: MORNING_MS + days * DAY_MS,
          fault: null,
          ...shown,
        }),
      }),
    );

  test("has more than a quarter of its life left, less, or under five days", async () => {
    expect((await findShown(23)).state).toBe("ok");
    expect((await findShown(22)).state).toBe("todo");
    expect((await findShown(5)).state).toBe("todo");
    expect(await findShown(4)).toMatchObject({
      state: "fail",
      found: "The certificate is valid for 4 more days.",
    });
    expect((await findShown(-1)).found).toBe("The certificate has expired.");
  });

  test("fails where the authority did not sign, with its words, however long the old one lasts", async () => {
    const findUnsigned = async () => "dns: no such host";
    const seen = seenAt(trusting, { settings, findUnsigned });

    expect(await find(certificate, seen)).toMatchObject({
      state: "fail",
      found: "The authority did not sign: dns: no such host.",
    });
  });

  test("fails where no browser trusts it", async () => {
    expect(await findShown(80, { fault: "DEPTH_ZERO_SELF_SIGNED_CERT" })).toMatchObject({
      state: "fail",
      found: "Browsers do not trust the certificate (DEPTH_ZERO_SELF_SIGNED_CERT).",
    });
  });

  test("is read from the server, whoever made it", async () => {
    const { good } = makeCertificates();
    const server = Bun.serve({ port: 0, tls: good, fetch: () => new Response() });
    const signal = AbortSignal.timeout(5_000);

    const shown = await readCertificate(`https://127.0.0.1:${server.port}`, signal);

    await server.stop(true);
    expect(shown.fault).not.toBeNull();
    expect(shown.validTo - shown.validFrom).toBe(2 * DAY_MS);
  });

  test("is not known where nothing answers, or the address has none", async () => {
    const away = seenAt(trusting, { settings, readCertificate: () => Promise.reject(new Error()) });

    expect((await find(certificate, away)).state).toBe("unknown");
    expect((await find(certificate, seenAt(trusting))).state).toBe("unknown");
  });
});
