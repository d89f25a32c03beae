// What a gateway is sent under a key: the same body each time, whatever changed meanwhile.

import { describe, expect, test } from "bun:test";

import type { GatewayAttempt, GatewayCallTerms, Initiation } from "#payments/port/gateway.ts";

import { tamper } from "../support/behind-the-shop.ts";
import { notSent, ScriptedGateway } from "../support/scripted-gateway.ts";
import { openTestShop } from "../support/shop.ts";
import { initialize, pass } from "./scripted-shop.ts";

const link = { amount: 5, currency: "USD" };
const MINUTE_MS = 60_000;

/** Sends a body under the attempt's reference as key. */
class KeyedGateway extends ScriptedGateway {
  /** The vendor's version, which is a part of each body. */
  version = 1;
  readonly sent: string[] = [];
  readonly keys: string[] = [];
  readonly endsAt: number[] = [];

  override async initiate(attempt: GatewayAttempt, terms?: GatewayCallTerms): Promise<Initiation> {
    const { gatewayReference: key, gatewayEndsAt } = attempt;
    const body = JSON.stringify({ version: this.version, gatewayEndsAt });
    this.keys.push(key);
    this.endsAt.push(gatewayEndsAt);
    await terms?.keyed(key, body);
    this.sent.push(body);
    return super.initiate(attempt);
  }
}

describe("a call that is made again", () => {
  test("sends the same body, with the same end at the gateway, an hour later", async () => {
    const gateway = new KeyedGateway();
    await using shop = await openTestShop({ gateways: [gateway] });
    gateway.nextAnswer = async () => notSent;
    const refused = await initialize(shop, link, "one");
    shop.clock.advance(50 * MINUTE_MS);

    const again = await initialize(shop, link, "one");

    expect([refused.status, again.at("/next_action/type")]).toEqual([503, "redirect"]);
    expect(gateway.sent).toHaveLength(2);
    expect(new Set(gateway.sent).size).toBe(1);
  });

  test("opens a page under another reference once the first would end too soon at the gateway", async () => {
    const gateway = new KeyedGateway();
    await using shop = await openTestShop({ gateways: [gateway] });
    gateway.nextAnswer = async () => notSent;
    const refused = await initialize(shop, link, "one");
    const soon = Date.now() + 30 * MINUTE_MS;
    await tamper(shop.folder.path, `UPDATE payments SET gateway_ends_at = ${soon}`);

    const again = await initialize(shop, link, "one");

    expect([refused.status, again.at("/next_action/type")]).toEqual([503, "redirect"]);
    expect(gateway.keys.map((key) => key.slice(-2))).toEqual(["-1", "-2"]);
    expect(gateway.endsAt[1]).toBeGreaterThan(soon);
  });

  test("never sends another body: a poll finds what became of the attempt", async () => {
    const gateway = new KeyedGateway();
    await using shop = await openTestShop({ gateways: [gateway] });
    gateway.nextAnswer = async () => notSent;
    await initialize(shop, link, "one");
    gateway.version = 2;

    const again = await initialize(shop, link, "one");
    gateway.pay(again.id);
    await pass(shop, 15);

    expect(again.at("/status")).toBe("pending");
    expect(gateway.sent).toHaveLength(1);
    expect((await shop.get(`/v2/payments/${again.id}`)).at("/status")).toBe("succeeded");
  });

  test("has a later end for a fresh page, since the lost one may be about to close", async () => {
    const gateway = new KeyedGateway();
    await using shop = await openTestShop({ gateways: [gateway] });
    gateway.nextAnswer = async () => ({ kind: "unknown" });
    await initialize(shop, { ...link, reference: "one" });

    const again = await initialize(shop, { ...link, reference: "one" });

    expect(again.at("/next_action/type")).toBe("redirect");
    const [lost = 0, fresh = 0] = gateway.endsAt;
    expect(fresh).toBeGreaterThanOrEqual(lost);
    expect(gateway.sent).toHaveLength(2);
  });
});

describe("the end at the gateway", () => {
  const phone = { ...link, method: "mobile_money", phone: "+233551234000" };

  test.each([
    ["of a page is that of the attempt", link, 60],
    ["of a prompt is no sooner than gateways allow", phone, 35],
  ])("%s, by the real clock", async (_, asked, minutes) => {
    const gateway = new KeyedGateway();
    await using shop = await openTestShop({ gateways: [gateway] });
    const before = Date.now();

    await initialize(shop, asked);

    const [endsAt = 0] = gateway.endsAt;
    expect(endsAt).toBeGreaterThanOrEqual(before + minutes * MINUTE_MS);
    expect(endsAt).toBeLessThanOrEqual(Date.now() + minutes * MINUTE_MS);
  });
});
