// URLs of endpoints: in live mode on the public internet, in test mode also on the same machine, and
// never on this server except the test inbox.

import { describe, expect, test } from "bun:test";

import { Refusal } from "#kernel/refusal.ts";
import { validateEndpoint } from "#messaging/webhooks/endpoints/validate-endpoint.ts";
import { openCallOut } from "#platform/net/call-out.ts";
import { alsoLoopback } from "#platform/net/target-url.ts";

import { openReceiver } from "../../support/receivers.ts";
import { openScratchFolder } from "../../support/scratch.ts";
import { openTestShop } from "../../support/shop.ts";
import { openEndpoint, sharedSender } from "./endpoints.ts";

const shared = sharedSender();

const PUBLIC_URL = "https://duka.example";

/** The URL as it would be saved, or its faults. */
function validated(mode: "test" | "live", url: string, publicUrl = PUBLIC_URL): string | string[] {
  const before = { url: "https://before.example/", events: ["*"], description: null };
  try {
    return validateEndpoint(before, { url }, { mode, publicUrl, testReach: alsoLoopback }).url;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.details.faults?.map(({ pointer, code }) => `${pointer} ${code}`) ?? [];
  }
}

/** A URL of this many characters. */
function longUrl(length: number): string {
  const start = "https://shop.example/";
  return start + "x".repeat(length - start.length);
}

describe("a live endpoint may be", () => {
  test.each([
    ["https://shop.example/hooks", "https://shop.example/hooks"],
    ["https://shop.example", "https://shop.example/"],
    ["HTTPS://Shop.Example:443/Hooks?a=b", "https://shop.example/Hooks?a=b"],
    ["https://shop.example:8443/hooks", "https://shop.example:8443/hooks"],
    ["https://shop.example./hooks", "https://shop.example./hooks"],
    ["https://bücher.example/é", "https://xn--bcher-kva.example/%C3%A9"],
    ["https://8.8.8.8/hooks", "https://8.8.8.8/hooks"],
    ["https://[2606:4700::1111]/hooks", "https://[2606:4700::1111]/hooks"],
  ])("%s", (url, kept) => {
    expect(validated("live", url)).toBe(kept);
  });
});

describe("a live endpoint is not", () => {
  test.each([
    ["http://shop.example/hooks", "url_scheme_not_allowed"],
    ["ftp://shop.example/hooks", "url_scheme_not_allowed"],
    ["file:///etc/passwd", "url_scheme_not_allowed"],
    ["javascript:alert(1)", "url_scheme_not_allowed"],
    ["hooks", "url_malformed"],
    ["//shop.example/hooks", "url_malformed"],
    ["https:/shop.example/hooks", "url_malformed"],
    ["https:\\\\shop.example\\hooks", "url_malformed"],
    [" https://shop.example/hooks", "url_malformed"],
    ["https://shop.example/ho\noks", "url_malformed"],
    ["https://ada@shop.example/hooks", "url_has_credentials"],
    ["https://@shop.example/hooks", "url_has_credentials"],
    ["https://ada:secret@shop.example/hooks", "url_has_credentials"],
    ["https://shop.example/hooks#a", "url_has_fragment"],
    ["https://shop.example/hooks#", "url_has_fragment"],
    ["https://shop.example:22/hooks", "url_port_not_allowed"],
    ["https://shop.example:0/hooks", "url_port_not_allowed"],
    ["https://shop.example:80/hooks", "url_port_not_allowed"],
    ["https://localhost/hooks", "url_host_not_allowed"],
    ["https://localhost./hooks", "url_host_not_allowed"],
    ["https://hooks.localhost/hooks", "url_host_not_allowed"],
    ["https://printer.local/hooks", "url_host_not_allowed"],
    ["https://metadata.google.internal/hooks", "url_host_not_allowed"],
    ["https://shop/hooks", "url_host_not_allowed"],
    ["https://127.0.0.2/hooks", "url_address_not_public"],
    ["https://127.1.1/hooks", "url_address_not_public"],
    ["https://2130706434/hooks", "url_address_not_public"],
    ["https://0x7f000002/hooks", "url_address_not_public"],
    ["https://0177.0.0.2/hooks", "url_address_not_public"],
    ["https://１２７.０.０.２/hooks", "url_address_not_public"],
    ["https://0.0.0.0/hooks", "url_address_not_public"],
    ["https://10.0.0.1/hooks", "url_address_not_public"],
    ["https://172.16.0.1/hooks", "url_address_not_public"],
    ["https://192.168.1.1/hooks", "url_address_not_public"],
    ["https://100.64.0.1/hooks", "url_address_not_public"],
    ["https://169.254.169.254/latest/meta-data", "url_address_not_public"],
    ["https://224.0.0.1/hooks", "url_address_not_public"],
    ["https://[::1]/hooks", "url_address_not_public"],
    ["https://[::]/hooks", "url_address_not_public"],
    ["https://[::ffff:10.0.0.1]/hooks", "url_address_not_public"],
    ["https://[::ffff:7f00:2]/hooks", "url_address_not_public"],
    ["https://[::127.0.0.1]/hooks", "url_address_not_public"],
    ["https://[64:ff9b::a00:1]/hooks", "url_address_not_public"],
    ["https://[2002:7f00:1::]/hooks", "url_address_not_public"],
    ["https://[fd00::1]/hooks", "url_address_not_public"],
    ["https://[fe80::1]/hooks", "url_address_not_public"],
  ])("%s", (url, code) => {
    expect(validated("live", url)).toContain(`/url ${code}`);
  });

  test.each([
    "https://duka.example/v2/orders",
    "https://DUKA.example./v2/orders",
    "https://duka.example:8443/",
    "https://duka.example/hooks/test/inbox/mine",
  ])("on this server: %s", (url) => {
    expect(validated("live", url)).toEqual(["/url url_host_not_allowed"]);
  });
});

test("all faults of a URL are returned together, without the URL", async () => {
  const key = await shared.createKey({ mode: "live" });
  const url = "http://ada:canary@10.0.0.1:25/hooks#a";

  const refused = await shared.post("/v2/webhooks", { url }, { key });

  expect([refused.status, refused.code]).toEqual([422, "validation_failed"]);
  expect(refused.faults).toEqual([
    "#/url url_has_credentials",
    "#/url url_has_fragment",
    "#/url url_scheme_not_allowed",
    "#/url url_port_not_allowed",
    "#/url url_address_not_public",
  ]);
  expect(refused.text).not.toContain("canary");
});

test("a live endpoint cannot be on this machine, a test endpoint can", async () => {
  const live = await shared.createKey({ mode: "live" });
  const body = { url: "http://localhost:3000/hooks", events: ["cart.recovered"] };

  const made = await shared.post("/v2/webhooks", body);
  const refused = await shared.post("/v2/webhooks", body, { key: live });

  expect([made.status, refused.status]).toEqual([201, 422]);
});

test("a live endpoint needs a live key and does not appear in the test shop", async () => {
  const key = await shared.createKey({ mode: "live" });
  const body = { url: "https://Shop.example/hooks", events: ["cart.recovered"] };

  const made = await shared.post("/v2/webhooks", body, { key });

  expect([made.status, made.at("/url")]).toEqual([201, "https://shop.example/hooks"]);
  expect((await shared.get("/v2/webhooks")).list("/data")).toEqual([]);
});

describe("a test endpoint may be", () => {
  test.each([
    "https://shop.example/hooks",
    "http://localhost:3000/hooks",
    "http://127.0.0.1:8080/hooks",
    "http://127.9.9.9/hooks",
    "http://[::1]:8080/hooks",
    "https://hooks.localhost:8443/",
  ])("%s", (url) => {
    expect(validated("test", url)).toBe(url);
  });

  test.each(["mine", "a", "x".repeat(64), "Till_1-b?status=503&after=2"])(
    "the test inbox %s, whatever the public URL",
    (name) => {
      const publicUrl = "http://10.0.0.7:4000/duka";
      const url = `${publicUrl}/hooks/test/inbox/${name}`;

      expect(validated("test", url, publicUrl)).toBe(url);
    },
  );
});

describe("a test endpoint is not", () => {
  test.each([
    ["http://shop.example/hooks", "url_scheme_not_allowed"],
    ["https://10.0.0.1/hooks", "url_address_not_public"],
    ["http://169.254.169.254/latest/meta-data", "url_address_not_public"],
    ["https://shop.example:3000/hooks", "url_port_not_allowed"],
    ["http://localhost:0/hooks", "url_port_not_allowed"],
    ["http://printer.local/hooks", "url_host_not_allowed"],
    ["https://duka.example/v2/orders", "url_host_not_allowed"],
    ["https://duka.example/hooks/test/inbox/", "url_host_not_allowed"],
    ["https://duka.example/hooks/test/inbox/a/b", "url_host_not_allowed"],
    ["https://duka.example/hooks/test/inbox/../../live", "url_host_not_allowed"],
    [`https://duka.example/hooks/test/inbox/${"x".repeat(65)}`, "url_host_not_allowed"],
    ["https://duka.example/hooks/test/inbox/mine#a", "url_has_fragment"],
    ["https://ada@duka.example/hooks/test/inbox/mine", "url_has_credentials"],
    ["https://duka.example.evil.local/hooks/test/inbox/mine", "url_host_not_allowed"],
  ])("%s", (url, code) => {
    expect(validated("test", url)).toContain(`/url ${code}`);
  });
});

describe("a URL has at most 2,048 characters", () => {
  test("and may have exactly that many", async () => {
    const made = await shared.post("/v2/webhooks", { url: longUrl(2_048), events: ["cart.*"] });

    expect([made.status, made.at("/url")]).toEqual([201, longUrl(2_048)]);
  });

  test.each([
    ["as given", longUrl(2_049), "too_long"],
    ["after encoding", `${longUrl(2_000)}éééééééééé`, "url_too_long"],
    ["before normalizing", `https://shop.example/${"a/../".repeat(500)}`, "too_long"],
  ])("%s", async (_, url, code) => {
    const refused = await shared.post("/v2/webhooks", { url });

    expect([refused.status, refused.faults]).toEqual([422, [`#/url ${code}`]]);
  });

  test("in a query of the test inbox", () => {
    const url = `${PUBLIC_URL}/hooks/test/inbox/mine?${"<".repeat(900)}`;

    expect(validated("test", url)).toContain("/url url_too_long");
  });
});

test("an update is validated like a new endpoint and refused as a whole", async () => {
  const { path } = await openEndpoint(shared);

  const refused = await shared.put(path, { url: "https://10.0.0.1/", status: "disabled" });

  expect(refused.faults).toEqual(["#/url url_address_not_public"]);
  expect((await shared.get(path)).body).toMatchObject({ status: "enabled", version: 1 });
  expect(await shared.announced()).toEqual([]);
});

describe("a test endpoint on the server's own machine", () => {
  const url = "http://127.0.0.1:9/hooks";
  const reached = { DUKA_HOST: "0.0.0.0", DUKA_ALLOW_PLAIN_HTTP: "1" };

  test("is refused where others reach the server", async () => {
    await using shop = await openTestShop({ settings: reached });

    const refused = await shop.post("/v2/webhooks", { url });

    expect(refused.status).toBe(422);
    expect(refused.faults).toContain("#/url url_address_not_public");
  });

  test("is allowed there if the operator says so", async () => {
    await using shop = await openTestShop({ settings: { ...reached, DUKA_TEST_LOOPBACK: "1" } });

    expect((await shop.post("/v2/webhooks", { url })).status).toBe(201);
  });

  test("is called no more once others reach the server", async () => {
    using folder = openScratchFolder();
    await using receiver = openReceiver();
    const before = await openTestShop({ folder });
    const { id } = await before.post("/v2/webhooks", { url: receiver.url });
    await before[Symbol.asyncDispose]();
    await using shop = await openTestShop({ folder, settings: reached });

    const ping = await shop.post(`/v2/webhooks/${id}/ping`);

    expect(ping.at("/attempts/0/outcome")).toBe("failed");
    expect(receiver.received).toEqual([]);
  });
});

describe("a receiver in a container", () => {
  const settings = {
    DUKA_HOST: "0.0.0.0",
    DUKA_ALLOW_PLAIN_HTTP: "1",
    DUKA_TEST_WEBHOOK_HOSTS: "Receiver, 10.9.0.0/16",
  };

  test.each(["http://receiver:8080/hooks", "http://10.9.1.2:8080/"])(
    "%s is a webhook of test mode where the operator named it, and never of live mode",
    async (url) => {
      await using shop = await openTestShop({ settings });
      const key = await shop.createKey({ mode: "live" });

      const ofTest = await shop.post("/v2/webhooks", { url });
      const ofLive = await shop.post("/v2/webhooks", { url }, { key });

      expect([ofTest.status, ofLive.status]).toEqual([201, 422]);
    },
  );

  test("is refused where the operator named none", async () => {
    const refused = await shared.post("/v2/webhooks", { url: "http://receiver:8080/hooks" });

    expect([refused.status, refused.code]).toEqual([422, "validation_failed"]);
  });

  test("is sent events of test mode", async () => {
    await using receiver = openReceiver();
    const callOut = openCallOut({ resolve: () => Promise.resolve(["127.0.0.1"]) });
    await using shop = await openTestShop({ settings, callOut });
    const url = `http://receiver:${receiver.port}/hooks`;
    const { id } = await shop.post("/v2/webhooks", { url });

    const ping = await shop.post(`/v2/webhooks/${id}/ping`);

    expect(ping.at("/attempts/0/outcome")).toBe("succeeded");
    expect(receiver.received).toHaveLength(1);
  });
});
