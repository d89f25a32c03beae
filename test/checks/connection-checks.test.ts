// What the checks of connections find, each in each of its states.

import { describe, expect, test } from "bun:test";

import type { AskedGateway } from "#checks/check.ts";
import { deprecated, gateway, mail, webhooks } from "#checks/connection-checks.ts";
import { DAY_MS } from "#kernel/time.ts";
import type { Mode } from "#platform/database/shop.ts";

import { openEndpoint, sicken } from "../messaging/webhooks/endpoints.ts";
import { REVOKED, scriptedVendor } from "../support/scripted-vendor.ts";
import { MORNING_MS, openTestShop, sharedShop } from "../support/shop.ts";
import { openSmtpReceiver } from "../support/smtp-receiver.ts";
import { find, seenAt } from "./seen.ts";

const shop = sharedShop();
const DUKA_MAIL_FROM = "orders@shop.example";

describe("the gateway", () => {
  const answering: AskedGateway = {
    gateway: "stripe",
    refused: [],
    noticedAt: null,
    paidAt: null,
  };
  const findGateway = (asked: Partial<AskedGateway> | null, mode: Mode = "live") => {
    const askGateways = async () => (asked === null ? [] : [{ ...answering, ...asked }]);
    return find(gateway, seenAt(shop, { mode, askGateways }));
  };

  test("answers, and sends notices of what it takes", async () => {
    const noticedAt = MORNING_MS - 7 * DAY_MS + 1;

    expect(await findGateway({})).toMatchObject({ state: "ok", found: "stripe answers." });
    expect((await findGateway({ paidAt: MORNING_MS, noticedAt })).state).toBe("ok");
    expect((await findGateway({ paidAt: MORNING_MS - 8 * DAY_MS })).state).toBe("ok");
  });

  test("took a payment and sent no notice for a week", async () => {
    const silent = { paidAt: MORNING_MS - DAY_MS, noticedAt: MORNING_MS - 7 * DAY_MS };

    expect((await findGateway(silent)).state).toBe("todo");
    expect((await findGateway(silent, "test")).state).toBe("ok");
  });

  test("fails where it refuses the secret", async () => {
    expect(await findGateway({ refused: ["Stripe does not know the secret."] })).toMatchObject({
      state: "fail",
      found: "Stripe does not know the secret.",
    });
  });

  test("is asked for its account by the server", async () => {
    const rowWith = async (DUKA_STRIPE_TEST_SECRET: string) => {
      await using own = await openTestShop({
        vendors: [scriptedVendor],
        settings: { DUKA_STRIPE_TEST_SECRET },
      });
      const rows = await own.test.listChecks("connections");
      return rows.find((row) => row.check === "gateway");
    };

    expect(await rowWith("sk_test_4eC39HqLyjWDarjtT1zdp7dc")).toMatchObject({ state: "ok" });
    expect(await rowWith(REVOKED)).toMatchObject({ state: "fail", found: "the key is accepted" });
  });

  test("need not be there: live money is taken by hand then", async () => {
    expect((await findGateway(null)).state).toBe("unknown");
    expect((await findGateway(null, "test")).state).toBe("ok");
  });
});

describe("mail", () => {
  const findMail = (DUKA_SMTP_URL: string) =>
    find(mail, seenAt(shop, { settings: { DUKA_SMTP_URL, DUKA_MAIL_FROM } }));

  test("is taken by the server that was set", async () => {
    await using receiver = await openSmtpReceiver();

    expect(await findMail(receiver.url)).toEqual({
      state: "ok",
      found: "127.0.0.1 takes emails from orders@shop.example.",
      do: null,
    });
    expect(receiver.heard).toEqual([]);
  });

  test("fails where the server refuses, or there is none", async () => {
    await using receiver = await openSmtpReceiver({ greeting: () => "554 No service here" });

    expect((await findMail(receiver.url)).state).toBe("fail");
    expect(await findMail("smtp://127.0.0.1:9")).toMatchObject({
      state: "fail",
      found: "The mail server 127.0.0.1 cannot be reached.",
    });
  });

  test("is to be set in live mode, and stays in the inbox in test mode", async () => {
    expect((await find(mail, seenAt(shop))).state).toBe("todo");
    expect((await find(mail, seenAt(shop, { mode: "test" }))).state).toBe("ok");
  });
});

describe("webhooks", () => {
  test("are as they should be until one fails", async () => {
    await using own = await openTestShop();
    const endpoint = await openEndpoint(own);
    const findWebhooks = () => find(webhooks, seenAt(own, { mode: "test" }));
    const before = await findWebhooks();

    await sicken(own, endpoint);

    expect(before.state).toBe("ok");
    expect(await findWebhooks()).toMatchObject({
      state: "todo",
      found: "A webhook is failing. Its program is not told what happens here.",
    });
  });
});

test("no operation is deprecated in this version", async () => {
  expect((await find(deprecated, seenAt(shop))).state).toBe("ok");
});
