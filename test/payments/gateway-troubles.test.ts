// What the operator learns of a gateway that is in trouble: a figure, and a line of the log.

import { describe, expect, test } from "bun:test";

import { isObject } from "#kernel/assume.ts";
import type { Initiation } from "#payments/port/gateway.ts";

import { ScriptedGateway } from "../support/scripted-gateway.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";
import { initialize, settle } from "./scripted-shop.ts";

const link = { amount: 5, currency: "USD" };

/** A shop whose log is read. */
async function openWatched() {
  const gateway = new ScriptedGateway();
  const lines: string[] = [];
  const writeLog = (line: string) => void lines.push(line);
  const settings = { DUKA_LOG_LEVEL: "warn" };
  const shop = await openTestShop({ gateways: [gateway], writeLog, settings });
  const warnings = () =>
    lines
      .map((line): unknown => JSON.parse(line))
      .filter(isObject)
      .filter(({ message }) => message === "A gateway is in trouble.")
      .map(({ level, mode, gateway: id, call, trouble, pointer }) =>
        [level, mode, id, call, trouble, pointer].join(" "),
      );
  return { gateway, shop, lines, warnings };
}

async function troubles(shop: TestShop): Promise<string[]> {
  const text = await (await fetch(`${shop.url}/metrics`)).text();
  return text.split("\n").filter((line) => line.startsWith("duka_gateway_troubles_total{"));
}

const answers: [trouble: string, answer: Initiation, line: string][] = [
  [
    "misconfigured",
    { kind: "not_sent", trouble: "misconfigured", retryAfterMs: null },
    "warn test scripted initiate misconfigured ",
  ],
  [
    "rate_limited",
    { kind: "not_sent", trouble: "rate_limited", retryAfterMs: 2000 },
    "warn test scripted initiate rate_limited ",
  ],
  [
    "surprise",
    { kind: "unknown", trouble: "surprise", pointer: "/data/status" },
    "warn test scripted initiate surprise /data/status",
  ],
];

describe("a call of a gateway in trouble", () => {
  test.each(answers)("is counted and logged once: %s", async (trouble, answer, line) => {
    const { shop: opened, gateway, warnings } = await openWatched();
    await using shop = opened;
    gateway.nextAnswer = async () => answer;

    await initialize(shop, link);

    expect(warnings()).toEqual([line]);
    expect(await troubles(shop)).toEqual([
      `duka_gateway_troubles_total{mode="test",gateway="scripted",trouble="${trouble}"} 1`,
    ]);
  });

  test("is a surprise if it throws, and its line has no secret", async () => {
    const { shop: opened, gateway, warnings, lines } = await openWatched();
    await using shop = opened;
    gateway.nextAnswer = () => Promise.reject(new Error("no status for sk_live_4eC39HqLyjWDarj"));

    await initialize(shop, link);

    expect(warnings()).toEqual(["warn test scripted initiate surprise "]);
    expect(lines.join("")).toContain("no status for sk_live_[masked]");
    expect(lines.join("")).not.toContain("4eC39HqLyjWDarj");
  });

  test("is none where an answer is merely lost", async () => {
    const { shop: opened, gateway, warnings } = await openWatched();
    await using shop = opened;
    gateway.nextAnswer = async () => ({ kind: "unknown" });
    gateway.nextOutcome = { state: "unknown" };

    await initialize(shop, link);
    shop.clock.advance(15_000);
    await settle(shop);

    expect([warnings(), await troubles(shop)]).toEqual([[], []]);
  });
});
