// Addresses that no call may reach, whatever name leads to them. The tests check that no connection
// arrived, not only the answer.

import { describe, expect, test } from "bun:test";

import { parseRanges } from "#platform/net/addresses.ts";
import { openCallOut, type OutboundCall } from "#platform/net/call-out.ts";
import { alsoLoopback, onlyPublic, type Resolve } from "#platform/net/target-url.ts";

import { openRawReceiver, openReceiver } from "../../support/receivers.ts";

/** A host of these addresses; asked once more, of the next list. */
function answering(...lists: readonly (readonly string[])[]): Resolve & { asked: string[] } {
  const asked: string[] = [];
  const resolve = (host: string) => {
    const list = lists[Math.min(asked.length, lists.length - 1)] ?? [];
    asked.push(host);
    return Promise.resolve(list);
  };
  return Object.assign(resolve, { asked });
}

function callTo(url: string, terms: Partial<OutboundCall> = {}): OutboundCall {
  return { url, headers: {}, body: "{}", reach: onlyPublic, timeoutMs: 2_000, ...terms };
}

describe("in live mode no host leads to", () => {
  test.each([
    ["this machine", ["127.0.0.1"]],
    ["this machine by another number", ["127.9.9.9"]],
    ["this machine over IPv6 alone", ["::1"]],
    ["this machine mapped into IPv6", ["::ffff:127.0.0.1"]],
    ["this machine mapped into IPv6, in words", ["::ffff:7f00:1"]],
    ["this machine at the end of IPv6", ["::127.0.0.1"]],
    ["this machine through NAT64", ["64:ff9b::127.0.0.1"]],
    ["this machine through 6to4", ["2002:7f00:1::1"]],
    ["this machine through Teredo", ["2001:0:7f00:1::1"]],
    ["whatever listens", ["0.0.0.0"]],
    ["whatever listens on IPv6", ["::"]],
    ["the private network", ["10.0.0.1"]],
    ["the metadata of the cloud", ["169.254.169.254"]],
    ["a public address and this machine", ["8.8.8.8", "127.0.0.1"]],
    ["this machine and a public address", ["127.0.0.1", "8.8.8.8"]],
    ["a text that is no address", ["localhost"]],
    ["a number that is read in several ways", ["127.1"]],
    ["a host in disguise", ["127.0.0.1:80"]],
  ])("%s", async (_, addresses) => {
    await using canary = await openRawReceiver();
    await using canary6 = await openRawReceiver({ host: "::1", port: canary.port });
    const resolve = answering(addresses);

    const result = await openCallOut({ resolve })(callTo(`https://hooks.example:${canary.port}/`));

    expect(result.failure).toBe("blocked_address");
    expect([result.status, result.address]).toEqual([null, null]);
    expect([canary.connections, canary6.connections]).toEqual([0, 0]);
  });

  test.each(["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "[::127.0.0.1]", "0", "2130706433"])(
    "%s as a literal, which no resolver is asked for",
    async (host) => {
      await using canary = await openRawReceiver();
      const resolve = answering(["8.8.8.8"]);

      const result = await openCallOut({ resolve })(callTo(`https://${host}:${canary.port}/`));

      expect(result.failure).toBe("blocked_address");
      expect([canary.connections, resolve.asked]).toEqual([0, []]);
    },
  );

  test("localhost, without asking a resolver", async () => {
    await using canary = await openRawReceiver();

    const result = await openCallOut()(callTo(`https://localhost:${canary.port}/`));

    expect([result.failure, canary.connections]).toEqual(["blocked_address", 0]);
  });
});

describe("in test mode no host leads to", () => {
  test.each([
    ["this machine at the end of IPv6", ["::127.0.0.1"]],
    ["this machine through NAT64", ["64:ff9b::127.0.0.1"]],
    ["whatever listens", ["0.0.0.0"]],
    ["the private network", ["192.168.0.1"]],
    ["the metadata of the cloud", ["169.254.169.254"]],
    ["the metadata of the cloud mapped into IPv6", ["::ffff:169.254.169.254"]],
    ["this machine and the private network", ["127.0.0.1", "10.0.0.1"]],
    ["a public address without TLS", ["8.8.8.8"]],
    ["this machine and a public address without TLS", ["127.0.0.1", "8.8.8.8"]],
  ])("%s", async (_, addresses) => {
    await using canary = await openRawReceiver();
    const resolve = answering(addresses);

    const result = await openCallOut({ resolve })(
      callTo(`http://hooks.example:${canary.port}/`, { reach: alsoLoopback }),
    );

    expect([result.failure, canary.connections]).toEqual(["blocked_address", 0]);
  });
});

describe("where the operator named hosts and ranges", () => {
  const named = {
    ...onlyPublic,
    hosts: ["receiver"],
    ranges: parseRanges(["127.0.0.1"]),
  };

  test("a named host is called over plain HTTP, whatever its address is", async () => {
    await using receiver = openReceiver();
    const resolve = answering(["127.0.0.1"]);
    const reach = { ...named, ranges: [] };

    const result = await openCallOut({ resolve })(
      callTo(`http://Receiver.:${receiver.port}/`, { reach }),
    );

    expect(result.status).toBe(204);
  });

  test("an address in a named range is called, and so is a host that leads to it", async () => {
    await using receiver = openReceiver();
    const callOut = openCallOut({ resolve: answering(["127.0.0.1"]) });

    const byAddress = await callOut(callTo(receiver.url, { reach: named }));
    const byName = await callOut(
      callTo(`http://hooks.example:${receiver.port}/`, { reach: named }),
    );

    expect([byAddress.status, byName.status]).toEqual([204, 204]);
  });

  test.each([
    ["another address", ["127.0.0.2"]],
    ["an address in it and another", ["127.0.0.1", "10.0.0.1"]],
  ])("a host that leads to %s is not called", async (_, addresses) => {
    await using canary = await openRawReceiver();

    const result = await openCallOut({ resolve: answering(addresses) })(
      callTo(`http://hooks.example:${canary.port}/`, { reach: named }),
    );

    expect([result.failure, canary.connections]).toEqual(["blocked_address", 0]);
  });
});

test("a host that was good and turned bad is not called again", async () => {
  await using receiver = openReceiver();
  const resolve = answering(["127.0.0.1"], ["10.0.0.1", "127.0.0.1"]);
  const callOut = openCallOut({ resolve });
  const call = callTo(`http://hooks.example:${receiver.port}/`, { reach: alsoLoopback });

  const first = await callOut(call);
  const second = await callOut(call);

  expect([first.status, second.failure]).toEqual([204, "blocked_address"]);
  expect(receiver.received.length).toBe(1);
});

test("a host is asked for once per call, without brackets and final dot", async () => {
  await using receiver = openReceiver();
  const resolve = answering(["127.0.0.1"]);
  const call = callTo(`http://Hooks.Example.:${receiver.port}/`, { reach: alsoLoopback });

  await openCallOut({ resolve })(call);

  expect(resolve.asked).toEqual(["hooks.example"]);
});

describe("a host without a usable answer fails as dns when", () => {
  test.each<[string, Resolve]>([
    ["it has no address", () => Promise.resolve([])],
    ["it does not exist", () => Promise.reject(new Error("ENOTFOUND"))],
    [
      "the resolver itself breaks",
      () => {
        throw new TypeError("broken");
      },
    ],
  ])("%s", async (_, resolve) => {
    const result = await openCallOut({ resolve })(callTo("https://hooks.example/"));

    expect([result.failure, result.address]).toEqual(["dns", null]);
  });
});

test("a resolver that never answers takes no longer than the call", async () => {
  const resolve: Resolve = () => new Promise(() => {});

  const result = await openCallOut({ resolve })(
    callTo("https://hooks.example/", { timeoutMs: 50 }),
  );

  expect(result.failure).toBe("timeout");
});

test.each(["ftp://127.0.0.1/", "file:///etc/passwd", "data:text/plain,a", "not a url", ""])(
  "%p is not called",
  async (url) => {
    const result = await openCallOut()(callTo(url, { reach: alsoLoopback }));

    expect([result.status, result.failure]).toEqual([null, "blocked_address"]);
  },
);
