// Without a key every path below /v2 answers the same; with one, unknown paths and methods are reported.

import { afterAll, describe, expect, test } from "bun:test";

import { openTestShop } from "../support/shop.ts";

const MIB = 1_048_576;

/** One shop for all tests, which change nothing in it. */
const shop = await openTestShop();
afterAll(async () => {
  await shop[Symbol.asyncDispose]();
});

test("without a key every request below /v2 gets the same answer", async () => {
  const requests: [method: string, path: string, text?: string][] = [
    ["GET", "/v2/customers"],
    ["GET", "/v2/nothing"],
    ["GET", "/v2"],
    ["GET", "/v2/"],
    ["GET", "/v2/customers/"],
    ["GET", "/v2/customers/cus_1"],
    ["GET", "/v2/customers?unknown=1"],
    ["GET", "/v2/customers/%E0%A4%A"],
    ["GET", "/v2/customers/%00"],
    ["DELETE", "/v2/customers"],
    ["PATCH", "/v2/customers"],
    ["OPTIONS", "/v2/customers"],
    ["POST", "/v2/customers", "{"],
    ["POST", "/v2/nothing", "{}"],
    ["POST", "/v2/customers", "x".repeat(MIB)],
  ];

  const answers = await Promise.all(
    requests.map(([method, path, text]) =>
      shop.send(method, path, {
        key: null,
        headers: { "X-Request-Id": "same" },
        ...(text === undefined ? {} : { text }),
      }),
    ),
  );

  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(new Set(answers.map(({ headers }) => [...headers.keys()].join())).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 401, code: "api_key_invalid" });
});

test("HEAD without a key is refused without a body", async () => {
  const answer = await shop.send("HEAD", "/v2/customers", { key: null });

  expect([answer.status, answer.text]).toEqual([401, ""]);
});

test("outside of /v2 nothing is found, with or without a key", async () => {
  const headers = { "X-Request-Id": "same" };
  const paths = ["/index.html", "/v1/customers", "/v20", "/V2/customers", "/v2%2Fcustomers"];

  const answers = await Promise.all(
    paths.flatMap((path) => [shop.get(path, { headers }), shop.get(path, { headers, key: null })]),
  );

  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 404, code: "not_found" });
});

test("the root leads to the dashboard", async () => {
  const answer = await fetch(shop.url, { redirect: "manual" });

  expect(answer.status).toBe(302);
  expect(answer.headers.get("location")).toBe("/dashboard");
});

describe("with a key", () => {
  test("an unknown path is not found", async () => {
    expect(await shop.get("/v2/nothing")).toMatchObject({ status: 404, code: "not_found" });
  });

  test("a trailing slash makes another path", async () => {
    expect(await shop.get("/v2/customers/")).toMatchObject({ status: 404, code: "not_found" });
  });

  test("an unsupported method is refused with the supported ones", async () => {
    const refused = await shop.delete("/v2/customers");

    expect(refused).toMatchObject({ status: 405, code: "method_not_allowed" });
    expect(refused.headers.get("allow")).toBe("GET, HEAD, POST, OPTIONS");
  });

  test.each(["PATCH", "PURGE", "TRACE", "PROPFIND"])("%s is an unknown method", async (method) => {
    const init = { method, headers: { Authorization: `Bearer ${shop.key}` } };

    const answer = await fetch(`${shop.url}/v2/store`, init).catch(() => null);

    expect([405, undefined]).toContain(answer?.status);
  });

  test("OPTIONS returns the methods of a path", async () => {
    const answer = await shop.send("OPTIONS", "/v2/store", {});

    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(answer.headers.get("allow")).toBe("GET, HEAD, PUT, OPTIONS");
  });

  test("OPTIONS of an unknown path is not found", async () => {
    expect((await shop.send("OPTIONS", "/v2/nothing", {})).status).toBe(404);
  });

  test("HEAD has the headers of GET and no body", async () => {
    const headers = { "X-Request-Id": "same" };
    const get = await shop.get("/v2/store", { headers });

    const head = await shop.send("HEAD", "/v2/store", { headers });

    const { date: _, ...ofGet } = Object.fromEntries(get.headers);
    const { date: __, ...ofHead } = Object.fromEntries(head.headers);
    expect(head.text).toBe("");
    expect(ofHead).toEqual(ofGet);
  });

  test("HEAD of a path without GET is refused", async () => {
    expect((await shop.send("HEAD", "/v2/inventory/batch", {})).status).toBeOneOf([404, 405]);
  });

  test.each([
    "/v2/customers/%E0%A4%A",
    "/v2/customers/%",
    "/v2/customers/%00",
    "/v2/customers/..%2Fkeys",
    "/v2/customers/😀",
    `/v2/customers/${"x".repeat(8_000)}`,
    "/v2/customers/cus_01h455vb4pex5vsknk084sn02q%20",
    "/v2/customers/CUS_01H455VB4PEX5VSKNK084SN02Q",
    "/v2/customers/cus_01h455vb4pex5vsknk084sn02q",
  ])("an unknown or invalid id is not found: %s", async (path) => {
    expect(await shop.get(path)).toMatchObject({ status: 404, code: "customer_not_found" });
  });

  test("dots in a path are not resolved", async () => {
    expect((await shop.get("/v2/nothing/..%2fstore")).status).toBe(404);
  });
});
