// What the checks of connections find, each in each of its states.

import { describe, expect, test } from "bun:test";

import { mail, webhooks } from "#checks/connection-checks.ts";

import { openEndpoint, sicken } from "../messaging/webhooks/endpoints.ts";
import { openTestShop, sharedShop } from "../support/shop.ts";
import { openSmtpReceiver } from "../support/smtp-receiver.ts";
import { find, seenAt } from "./seen.ts";

const shop = sharedShop();
const DUKA_MAIL_FROM = "orders@shop.example";

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
