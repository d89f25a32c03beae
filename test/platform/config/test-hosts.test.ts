// The hosts to which webhooks of test mode may go.

import { expect, test } from "bun:test";

import { parseConfig } from "#platform/config/config.ts";

test("the hosts of webhooks of test mode are names and ranges of addresses", () => {
  const { testReach } = parseConfig({ DUKA_TEST_WEBHOOK_HOSTS: "Receiver,10.9.0.0/16,10.8.0.1" });

  expect(testReach.hosts).toEqual(["receiver"]);
  const ranges = testReach.ranges.map(([network, bits]) => `${network.toString()}/${bits}`);
  expect(ranges).toEqual(["10.9.0.0/16", "10.8.0.1/32"]);
});

test.each(["0.0.0.0/0", "10.9.0.0/33", "http://receiver", "receiver:8080"])(
  "%s is no host of webhooks of test mode",
  (text) => {
    expect(() => parseConfig({ DUKA_TEST_WEBHOOK_HOSTS: text })).toThrow("DUKA_TEST_WEBHOOK_HOSTS");
  },
);
