// Requests that no client library sends: each gets an answer of Duka or a closed connection, soon, and never
// a 5xx.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { openTestShop, sharedShop, type TestShop } from "../support/shop.ts";
import { head, speak } from "./raw-socket.ts";

const shop = sharedShop();

const host = "Host: localhost";
const json = "Content-Type: application/json";

describe("requests that change nothing", () => {
  let still: TestShop;
  beforeAll(async () => {
    // With a public URL it answers to any host.
    still = await openTestShop({ settings: { DUKA_PUBLIC_URL: "http://localhost:4000" } });
  });
  afterAll(async () => {
    await still[Symbol.asyncDispose]();
  });

  describe("the host does not change the path", () => {
    test.each(["x", "db", "pos", "shop", "pos.shop.example", "127.0.0.1:4000", "[::1]:4000"])(
      "%s",
      async (name) => {
        const answer = await speak(still.url, [head(still, "GET /v2/store", `Host: ${name}`)]);

        expect(answer.statuses).toEqual([200]);
      },
    );

    // With a short host the router once looked for the path after its first segment.
    test("nor does a segment before /v2", async () => {
      const answer = await speak(still.url, [head(still, "GET /aa/v2/store", "Host: x")]);

      expect(answer.statuses).toEqual([404]);
    });
  });

  describe("a request is refused or not found", () => {
    test.each([
      ["without a host", "GET /v2/store", [], [400]],
      [
        "with two lengths",
        "PUT /v2/store",
        [host, "Content-Length: 2", "Content-Length: 3"],
        [400],
      ],
      ["with an invalid length", "PUT /v2/store", [host, "Content-Length: two"], [400]],
      ["with a negative length", "PUT /v2/store", [host, "Content-Length: -1"], [400]],
      [
        "with a length and in pieces",
        "PUT /v2/store",
        [host, "Content-Length: 2", "Transfer-Encoding: chunked"],
        [400],
      ],
      [
        "that announces a body above the limit",
        "PUT /v2/store",
        [host, json, "Content-Length: 1048577"],
        [413],
      ],
      [
        "that announces far too much",
        "PUT /v2/store",
        [host, json, "Content-Length: 99999999999"],
        [413],
      ],
      [
        "with headers beyond all measure",
        "GET /v2/store",
        [host, `X-Long: ${"x".repeat(20_000)}`],
        [431],
      ],
      [
        "with an address beyond all measure",
        `GET /v2/store?q=${"x".repeat(20_000)}`,
        [host],
        [431],
      ],
      ["with two slashes", "GET //v2/store", [host], [404]],
      ["with an escaped slash", "GET /v2%2Fstore", [host], [404]],
      ["with U+0000", "GET /v2/store%00", [host], [404]],
      ["with a broken escape", "GET /v2/%E0%A4", [host], [404]],
      ["for the server itself", "OPTIONS *", [host], [400]],
      ["with TRACE", "TRACE /v2/store", [host], [405]],
      ["with CONNECT", "CONNECT /v2/store", [host], [405]],
      ["with an unknown method", "BREW /v2/store", [host], []],
      ["with two keys", "GET /v2/store", [host, "Authorization: Bearer x"], [401]],
    ] as const)("%s", async (...[, line, headers, statuses]) => {
      const answer = await speak(still.url, [head(still, line, ...headers)]);

      expect(answer.statuses).toEqual([...statuses]);
    });
  });

  describe("a host that is none is refused", () => {
    const hosts = [
      "",
      "a b",
      "a/b",
      "[::1",
      "a:99999",
      "a@b",
      "a%zz",
      "a?b",
      "a\\b",
      "a:1:2",
      "a'b",
      "a,b",
    ];
    const paths = ["/", "/docs", "/guides", "/livez", "/v2/store", "/hooks/test/inbox/a"];

    test.each(hosts.flatMap((name) => paths.map((path) => [name, path])))(
      "%j of %s",
      async (name, path) => {
        const answer = await speak(still.url, [head(still, `POST ${path}`, `Host: ${name}`)]);

        expect(answer.statuses).toEqual([400]);
        expect(answer.text).not.toContain("at ");
      },
    );
  });

  describe("a path of the operator has one spelling:", () => {
    test.each([
      ["/metrics", 200],
      ["/metrics?now", 200],
      ["/v2/../metrics", 404],
      ["/v2/%2e%2e/metrics", 404],
      ["/v2\\..\\metrics", 404],
      ["/./readyz", 404],
      ["/v2/../livez?x", 404],
    ])("%s is %i", async (path, status) => {
      const answer = await speak(still.url, [head(still, `GET ${path}`, host)]);

      expect(answer.statuses).toEqual([status]);
    });
  });

  test("bytes that are no HTTP are answered with 400", async () => {
    expect((await speak(still.url, ["\x16\x03\x01\x02\x00\r\n\r\n"])).statuses).toEqual([400]);
  });

  test.each([
    ["more than any route takes", 71_303_169, [413]],
    ["more than is read to its end", 1_048_577, [401]],
  ])("a body of a stranger of %s closes the connection", async (_, length, statuses) => {
    const request = `PUT /v2/store HTTP/1.1\r\n${host}\r\nContent-Length: ${length}\r\n\r\n`;

    const answer = await speak(still.url, [request]);

    expect(answer.statuses).toEqual(statuses);
    expect(answer.text).toContain("Connection: close");
  });

  test("the body of a refused request is not read as the next request", async () => {
    const smuggled = head(still, "DELETE /v2/store", host);
    const first = `PUT /v2/store HTTP/1.1\r\n${host}\r\nContent-Length: ${smuggled.length}\r\n\r\n`;

    const answer = await speak(still.url, [first + smuggled + head(still, "GET /livez", host)], {
      answers: 2,
    });

    expect(answer.statuses).toEqual([401, 200]);
  });
});

test("headers and body may come slowly", async () => {
  await using own = await openTestShop();
  const request = head(own, "PUT /v2/store", host, json, "Content-Length: 15") + '{"name":"Slow"}';
  const pieces = request.match(/[^]{1,40}/g) ?? [];

  expect((await speak(own.url, pieces)).statuses).toEqual([200]);
  expect((await own.get("/v2/store")).at("/name")).toBe("Slow");
});

test("a body that never ends changes nothing and delays no other request", async () => {
  await using own = await openTestShop();
  const unfinished = head(own, "PUT /v2/store", host, json, "Content-Length: 15") + '{"name":';

  const [answer, other] = await Promise.all([
    speak(own.url, [unfinished], { withinMs: 300 }),
    own.get("/v2/store"),
  ]);

  expect(answer.statuses).toEqual([]);
  expect(other.at("/name")).toBe("My shop");
  expect((await own.get("/v2/store")).at("/version")).toBe(1);
});

test("a chunked body is cut off at the limit", async () => {
  const piece = `40000\r\n${" ".repeat(0x40000)}\r\n`;
  const start = head(shop, "PUT /v2/store", host, json, "Transfer-Encoding: chunked");

  const answer = await speak(shop.url, [start, piece, piece, piece, piece, "1\r\n \r\n", piece]);

  expect(answer.statuses).toEqual([413]);
});

const endless = (path: string) =>
  `POST ${path} HTTP/1.1\r\n${host}\r\nTransfer-Encoding: chunked\r\n\r\n`;

test.each(["/hooks/live/paystack", "/hooks/live/simulated", "/hooks/test/nothing"])(
  "no byte of a notice to %s is awaited, since no such gateway is there",
  async (path) => {
    const answer = await speak(shop.url, [endless(path)]);

    expect(answer.statuses).toEqual([404]);
    expect(answer.text).toContain("Connection: close");
  },
);

test("a notice without end is cut off at 1 MiB", async () => {
  const piece = `40000\r\n${" ".repeat(0x40000)}\r\n`;

  const answer = await speak(shop.url, [
    endless("/hooks/test/simulated"),
    piece,
    piece,
    piece,
    piece,
    piece,
  ]);

  expect(answer.statuses).toEqual([413]);
});

test("a publishable key sends at most 64 KiB", async () => {
  const key = await shop.createKey({ scopes: ["storefront"] });
  const padded = (bytes: number) => ({ key, text: `{}${" ".repeat(bytes - 2)}` });

  const taken = await shop.send("POST", "/v2/carts", padded(65_536));
  const refused = await shop.send("POST", "/v2/carts", padded(65_537));

  expect(taken.status).toBe(201);
  expect([refused.status, refused.code]).toEqual([413, "body_too_large"]);
});

test("Expect: 100-continue is answered", async () => {
  const asking = head(
    shop,
    "PUT /v2/store",
    host,
    json,
    "Content-Length: 2",
    "Expect: 100-continue",
  );

  const answer = await speak(shop.url, [asking, "{}"]);

  expect(answer.text).toStartWith("HTTP/1.1 100 Continue");
  expect(answer.statuses).toEqual([200]);
});
