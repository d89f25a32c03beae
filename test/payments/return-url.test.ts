// Where customers may be sent after a payment, as it is checked when the address is saved.

import { describe, expect, test } from "bun:test";

import { ScriptedGateway } from "../support/scripted-gateway.ts";
import { openTestShop, sharedShop, type TestShop } from "../support/shop.ts";
import { initialize } from "./scripted-shop.ts";

const link = { amount: 5, currency: "USD" };

class LiveGateway extends ScriptedGateway {
  override readonly mode = "live";
}

const live = sharedShop({ gateways: [new LiveGateway()] });

/** Asks a live shop to be paid, and names the address. */
async function pay(shop: TestShop, return_url: string) {
  const key = await shop.createKey({ mode: "live" });
  return shop.post("/v2/payments/initialize", { ...link, return_url }, { key });
}

describe("in live mode a customer is not sent", () => {
  test.each([
    ["over plain HTTP", "http://shop.example/", ["url_scheme_not_allowed"]],
    ["to this machine", "https://localhost/thanks", ["url_host_not_allowed"]],
    ["to an address of this machine", "https://127.0.0.2:8000/", ["url_host_not_allowed"]],
    ["to IPv6 of this machine", "https://[::1]/", ["url_host_not_allowed"]],
    ["with a password", "https://ada:secret@shop.example/", ["url_has_credentials"]],
    [
      "anywhere with all of these faults",
      "http://ada@127.0.0.2/",
      ["url_has_credentials", "url_scheme_not_allowed", "url_host_not_allowed"],
    ],
  ])("%s", async (_, url, codes) => {
    const refused = await pay(live, url);

    expect([refused.status, refused.faults]).toEqual([
      422,
      codes.map((code) => `#/return_url ${code}`),
    ]);
    expect(refused.text).not.toContain("ada:");
    expect(refused.text).not.toContain("ada@");
  });
});

describe("in live mode a customer is sent", () => {
  const named = sharedShop({
    gateways: [new LiveGateway()],
    settings: { DUKA_RETURN_HOSTS: "till.local" },
  });

  test.each([
    ["over HTTPS", "https://shop.example/thanks?basket=7"],
    ["to an app", "https://shop.example:8443/"],
    ["to a host that the operator named", "http://till.local/thanks"],
  ])("%s", async (_, url) => {
    expect((await pay(named, url)).status).toBe(201);
  });

  test("to a page of this server", async () => {
    expect((await pay(live, `${live.url}/docs`)).status).toBe(201);
  });
});

test("in test mode a customer is sent to the developer's machine, and never with a password", async () => {
  await using shop = await openTestShop();

  const local = await initialize(shop, { ...link, return_url: "http://localhost:3000/" });
  const named = await initialize(shop, { ...link, return_url: "http://ada:x@localhost:3000/" });

  expect([local.status, named.status, named.faults]).toEqual([
    201,
    422,
    ["#/return_url url_has_credentials"],
  ]);
});
