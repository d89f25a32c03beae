// A shop says where its vulnerabilities are reported, if its operator said so.

import { expect, test } from "bun:test";

import { parseConfig } from "#platform/config/config.ts";
import { ConfigFaults } from "#platform/process/environment.ts";

import { openTestShop } from "../../support/shop.ts";

const DAY_MS = 86_400_000;

function securityTextOf(url: string) {
  return fetch(`${url}/.well-known/security.txt`);
}

test("security.txt names the contact, and holds for less than a year", async () => {
  await using shop = await openTestShop({
    settings: { DUKA_SECURITY_CONTACT: "mailto:security@shop.example" },
  });

  const answer = await securityTextOf(shop.url);

  const text = await answer.text();
  const expires = Date.parse(/^Expires: (\S+)$/m.exec(text)?.[1] ?? "");
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(text).toMatch(/^Contact: mailto:security@shop\.example\nExpires: .+Z\n$/);
  expect(expires - Date.now()).toBeGreaterThan(80 * DAY_MS);
  expect(expires - Date.now()).toBeLessThan(365 * DAY_MS);
});

test("without a contact there is no security.txt", async () => {
  await using shop = await openTestShop();

  expect((await securityTextOf(shop.url)).status).not.toBe(200);
});

test.each([
  "security@shop.example",
  "http://shop.example",
  "mailto:",
  "mailto:a@b c",
  "javascript:1",
])("%s is no contact", (contact) => {
  expect(() => parseConfig({ DUKA_SECURITY_CONTACT: contact })).toThrow(ConfigFaults);
});
