// Which URLs a merchant may have called, in every spelling that a parser makes the same.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { parseRanges } from "#platform/net/addresses.ts";
import { isPublicAddress } from "#platform/net/public-address.ts";
import {
  alsoLoopback,
  onlyPublic,
  targetFaults,
  type TargetRules,
} from "#platform/net/target-url.ts";

const live: TargetRules = { reach: onlyPublic, ports: [443], ownHost: "api.duka.example" };
const trial: TargetRules = { ...live, reach: alsoLoopback };

const codes = (text: string, rules: TargetRules): string[] =>
  targetFaults(text, rules).map(({ code }) => code);

describe("live mode may call", () => {
  test.each([
    "https://shop.example",
    "https://shop.example/hooks?a=1&b=%20",
    "HTTPS://Shop.Example/Hooks",
    "https://shop.example.",
    "https://shop.example:443/",
    "https://shop.example/a:b@c",
    "https://shop.example/?to=a@b",
    "https://a_b.shop.example",
    "https://bücher.example",
    "https://xn--bcher-kva.example",
    "https://localhost.example",
    "https://internal.example",
    "https://8.8.8.8/",
    "https://[2606:4700:4700::1111]/",
    "https://[::ffff:8.8.8.8]/",
    "https://134744072/",
  ])("%s", (text) => {
    expect(codes(text, live)).toEqual([]);
  });
});

describe("not callable:", () => {
  test.each([
    ["", "url_malformed"],
    ["shop.example", "url_malformed"],
    ["//shop.example", "url_malformed"],
    ["https:shop.example", "url_malformed"],
    ["https:/shop.example", "url_malformed"],
    ["https:///shop.example", "url_malformed"],
    ["https://", "url_malformed"],
    ["https://[::1", "url_malformed"],
    ["https://shop.example:99999", "url_malformed"],
    ["https://shop.example:x", "url_malformed"],
    [" https://shop.example", "url_malformed"],
    ["https://shop.example ", "url_malformed"],
    ["https://shop.example/a b", "url_malformed"],
    ["https://shop.example/\r\nX-Injected: 1", "url_malformed"],
    ["https://shop\n.example", "url_malformed"],
    ["https://shop.example/\t", "url_malformed"],
    ["https://shop.example/\0", "url_malformed"],
    ["https://shop.example/\u0085", "url_malformed"],
    ["https://shop.example/\u00A0", "url_malformed"],
    ["https://shop.example/\u2028", "url_malformed"],
    ["https://shop.example/\uD800", "url_malformed"],
    ["https:\\\\shop.example", "url_malformed"],
    ["https://shop.example\\@10.0.0.1/", "url_malformed"],
    ["https://256.256.256.256/", "url_malformed"],
    ["ftp://shop.example/", "url_scheme_not_allowed"],
    ["file:///etc/passwd", "url_scheme_not_allowed"],
    ["javascript:alert(1)", "url_scheme_not_allowed"],
    ["data:text/plain,a", "url_scheme_not_allowed"],
    ["mailto:ada@shop.example", "url_scheme_not_allowed"],
    ["gopher://127.0.0.1:6379/", "url_scheme_not_allowed"],
    ["ws://localhost/", "url_scheme_not_allowed"],
    ["s3://localhost/", "url_scheme_not_allowed"],
    ["unix:/run/docker.sock", "url_scheme_not_allowed"],
    ["http://shop.example/", "url_scheme_not_allowed"],
    ["http://8.8.8.8/", "url_scheme_not_allowed"],
    ["https://ada@shop.example", "url_has_credentials"],
    ["https://ada:secret@shop.example", "url_has_credentials"],
    ["https://:secret@shop.example", "url_has_credentials"],
    ["https://@shop.example", "url_has_credentials"],
    ["https://:@shop.example", "url_has_credentials"],
    ["https://shop.example#a", "url_has_fragment"],
    ["https://shop.example/#", "url_has_fragment"],
    ["https://shop.example:0/", "url_port_not_allowed"],
    ["https://shop.example:22/", "url_port_not_allowed"],
    ["https://shop.example:25/", "url_port_not_allowed"],
    ["https://shop.example:80/", "url_port_not_allowed"],
    ["https://shop.example:8443/", "url_port_not_allowed"],
    ["https://shop/", "url_host_not_allowed"],
    ["https://shop./", "url_host_not_allowed"],
    ["https://shop.example../", "url_host_not_allowed"],
    ["https://shop..example/", "url_host_not_allowed"],
    ["https://./", "url_host_not_allowed"],
    ["https://*.example/", "url_host_not_allowed"],
    ["https://printer.local/", "url_host_not_allowed"],
    ["https://PRINTER.LOCAL./", "url_host_not_allowed"],
    ["https://metadata.google.internal/", "url_host_not_allowed"],
    ["https://api.duka.example/", "url_host_not_allowed"],
    ["https://API.Duka.Example./", "url_host_not_allowed"],
    [`https://${"a".repeat(64)}.example/`, "url_host_not_allowed"],
    [`https://${"a.".repeat(130)}example/`, "url_host_not_allowed"],
    ["https://0/", "url_address_not_public"],
    ["https://0.0.0.0/", "url_address_not_public"],
    ["https://10.0.0.1/", "url_address_not_public"],
    ["https://10.1/", "url_address_not_public"],
    ["https://0xa.0.0.1/", "url_address_not_public"],
    ["https://012.0.0.1/", "url_address_not_public"],
    ["https://167772161/", "url_address_not_public"],
    ["https://%31%30.0.0.1/", "url_address_not_public"],
    ["https://１０.０.０.１/", "url_address_not_public"],
    ["https://①⓪.0.0.1/", "url_address_not_public"],
    ["https://10。0。0。1/", "url_address_not_public"],
    ["https://10.0.0.1./", "url_address_not_public"],
    ["https://169.254.169.254/latest/meta-data/", "url_address_not_public"],
    ["https://0xa9fea9fe/", "url_address_not_public"],
    ["https://192.168.0.1/", "url_address_not_public"],
    ["https://[::]/", "url_address_not_public"],
    ["https://[::127.0.0.1]/", "url_address_not_public"],
    ["https://[::ffff:10.0.0.1]/", "url_address_not_public"],
    ["https://[::ffff:a9fe:a9fe]/", "url_address_not_public"],
    ["https://[64:ff9b::169.254.169.254]/", "url_address_not_public"],
    ["https://[2002:a9fe:a9fe::]/", "url_address_not_public"],
    ["https://[2001:0:a9fe:a9fe::1]/", "url_address_not_public"],
    ["https://[fe80::1]/", "url_address_not_public"],
    ["https://[fd00:ec2::254]/", "url_address_not_public"],
    [`https://shop.example/${"a".repeat(2_028)}`, "url_too_long"],
  ])("%p: %s", (text, code) => {
    expect(codes(text, live)).toEqual([code]);
    expect(codes(text, trial)).toEqual([code]);
  });
});

describe("this machine, which test mode may call and live mode may not, is", () => {
  test.each([
    ["https://localhost/", "url_host_not_allowed"],
    ["https://localhost./", "url_host_not_allowed"],
    ["https://LOCALHOST/", "url_host_not_allowed"],
    ["https://shop.localhost/", "url_host_not_allowed"],
    ["https://127.0.0.1/", "url_address_not_public"],
    ["https://127.1/", "url_address_not_public"],
    ["https://0x7f000001/", "url_address_not_public"],
    ["https://0177.0.0.1/", "url_address_not_public"],
    ["https://2130706433/", "url_address_not_public"],
    ["https://127.255.255.254/", "url_address_not_public"],
    ["https://[::1]/", "url_address_not_public"],
    ["https://[0:0:0:0:0:0:0:1]/", "url_address_not_public"],
    ["https://[::ffff:127.0.0.1]/", "url_address_not_public"],
    ["https://[::ffff:7f00:1]/", "url_address_not_public"],
    ["https://１２７.０.０.１/", "url_address_not_public"],
  ])("%s", (text, code) => {
    expect(codes(text, live)).toEqual([code]);
    expect(codes(text, trial)).toEqual([]);
  });
});

describe("test mode", () => {
  test.each([
    "http://localhost",
    "http://localhost:3000/a",
    "http://127.0.0.1:1",
    "http://[::1]:65535",
  ])("may call %s without TLS", (text) => {
    expect(codes(text, trial)).toEqual([]);
    expect(codes(text, live)).toContain("url_scheme_not_allowed");
  });

  test("may call this machine also where it has our own name", () => {
    expect(codes("http://localhost:4000/", { ...trial, ownHost: "localhost" })).toEqual([]);
  });

  test("may not call port 0 of this machine", () => {
    expect(codes("http://localhost:0/", trial)).toEqual(["url_port_not_allowed"]);
  });

  test("refuses credentials and fragments for this machine too", () => {
    expect(codes("http://ada@localhost:3000/#a", trial)).toEqual([
      "url_has_credentials",
      "url_has_fragment",
    ]);
  });
});

test("a URL of 2,048 characters may be called", () => {
  expect(codes(`https://shop.example/${"a".repeat(2_027)}`, live)).toEqual([]);
});

test("the operator's list of ports replaces 443", () => {
  const rules = { ...live, ports: [8443, 9443] };

  expect(codes("https://shop.example:9443/", rules)).toEqual([]);
  expect(codes("https://shop.example/", rules)).toEqual(["url_port_not_allowed"]);
  expect(targetFaults("https://shop.example/", rules)[0]?.detail).toBe(
    "The port must be one of 8443, 9443.",
  );
});

test("our own address is refused as our name is", () => {
  const rules = { ...live, ownHost: "[2606:4700::1]" };

  expect(codes("https://[2606:4700:0::1]/", rules)).toEqual(["url_host_not_allowed"]);
});

test("without a known own name no host is refused for it", () => {
  expect(codes("https://api.duka.example/", { ...live, ownHost: null })).toEqual([]);
});

test("all faults are reported at once", () => {
  const text = `http://ada:secret@10.0.0.1:22/${"a".repeat(2_048)}#end`;

  expect(codes(text, live)).toEqual([
    "url_too_long",
    "url_has_credentials",
    "url_has_fragment",
    "url_scheme_not_allowed",
    "url_port_not_allowed",
    "url_address_not_public",
  ]);
});

describe("hosts and ranges that the operator named", () => {
  const named: TargetRules = {
    ...live,
    reach: {
      ...onlyPublic,
      hosts: ["receiver", "hooks.internal"],
      ranges: parseRanges(["10.9.0.0/16"]),
    },
  };

  test.each([
    "http://receiver/hooks",
    "https://Receiver.:8080/hooks",
    "http://hooks.internal:9000",
    "http://10.9.255.1:8080",
    "http://[::ffff:10.9.0.1]/",
    "https://shop.example/hooks",
  ])("%s may be called", (url) => {
    expect(codes(url, named)).toEqual([]);
  });

  test.each([
    ["http://other/hooks", ["url_scheme_not_allowed", "url_host_not_allowed"]],
    ["https://receiver.internal/", ["url_host_not_allowed"]],
    ["https://10.10.0.1/", ["url_address_not_public"]],
    ["http://127.0.0.1/", ["url_scheme_not_allowed", "url_address_not_public"]],
    ["http://user:word@receiver/#end", ["url_has_credentials", "url_has_fragment"]],
  ])("%s is %j", (url, expected) => {
    expect(codes(url, named)).toEqual(expected);
  });
});

test("no fault repeats what was typed", () => {
  const text = "http://user-x:secret-x@host-x:4711/path-x#end-x";

  const details = targetFaults(text, live).map(({ detail }) => detail);

  expect(details.filter((detail) => /-x|4711/.test(detail))).toEqual([]);
  expect(details.length).toBe(5);
});

test("every address is judged as a URL as it is by itself", () => {
  fc.assert(
    fc.property(fc.ipV4Extended(), (spelling) => {
      const url = URL.parse(`https://${spelling}/`);
      const isFine = url !== null && isPublicAddress(url.hostname);

      expect(codes(`https://${spelling}/`, live).length === 0).toBe(isFine);
    }),
  );
});

test("whatever is typed is judged without an exception", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.webUrl()), (text) => {
      expect(targetFaults(text, trial)).toBeArray();
    }),
  );
});
