// The settings of emails to customers.

import { describe, expect, test } from "bun:test";

import { parseConfig } from "#platform/config/config.ts";
import { ConfigFaults } from "#platform/process/environment.ts";

/** Each fault as its setting and its detail. */
function faultsOf(environment: Record<string, string>): string {
  try {
    parseConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigFaults)) throw error;
    return error.faults.map(({ setting, detail }) => `${setting} ${detail}`).join();
  }
  return "";
}

describe("emails to customers", () => {
  const DUKA_SMTP_URL = "smtps://ada:hunter2@mail.example";

  test("leave by the mail server that is named, from the sender beside it", () => {
    const { mail } = parseConfig({ DUKA_SMTP_URL, DUKA_MAIL_FROM: "Shop <orders@shop.example>" });

    expect(mail).toMatchObject({
      server: { host: "mail.example", port: 465 },
      from: { name: "Shop", address: "orders@shop.example" },
    });
  });

  test("need a sender, and a fault does not repeat the password", () => {
    const alone = faultsOf({ DUKA_SMTP_URL });
    const unreadable = faultsOf({ DUKA_SMTP_URL: `${DUKA_SMTP_URL}/inbox` });

    expect(alone).toStartWith("DUKA_MAIL_FROM");
    expect(unreadable).toStartWith("DUKA_SMTP_URL");
    expect(`${alone} ${unreadable}`).not.toContain("hunter2");
  });
});
