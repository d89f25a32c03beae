// Which requests are the dashboard's own.

import { describe, expect, test } from "bun:test";

import { isOwnForm, isOwnHost } from "#dashboard/kit/headers.ts";
import { readCookie, writeCookie } from "#dashboard/kit/session-cookie.ts";

const URL_HERE = "https://shop.example";

function request(headers: Record<string, string>): Request {
  return new Request("https://shop.example/dashboard", { headers });
}

describe("a form", () => {
  test.each([
    [{ "sec-fetch-site": "same-origin" }, true],
    [{ "sec-fetch-site": "same-site" }, false],
    [{ "sec-fetch-site": "cross-site", origin: "https://shop.example" }, false],
    [{ "sec-fetch-site": "none" }, false],
    [{ origin: "https://shop.example" }, true],
    [{ origin: "http://shop.example" }, false],
    [{ origin: "https://shop.example.evil" }, false],
    [{ origin: "null" }, false],
    [{}, false],
  ])("with %j is taken: %p", (headers, isTaken) => {
    expect(isOwnForm(request({ host: "shop.example", ...headers }), URL_HERE)).toBe(isTaken);
  });
});

describe("a host", () => {
  test.each([
    ["https://shop.example", "shop.example", true],
    ["https://shop.example", "Shop.Example", true],
    ["https://shop.example", "evil.example", false],
    ["https://shop.example", "localhost", false],
    ["http://127.0.0.1:4000", "localhost:4000", true],
    ["http://127.0.0.1:4000", "127.0.0.1:4000", true],
    // Such as that of an SSH tunnel.
    ["http://127.0.0.1:4000", "localhost:5000", true],
    ["http://127.0.0.1:4000", "localhost.evil.example:4000", false],
    ["http://127.0.0.1:4000", "evil.example:4000", false],
  ])("of %s may be named %s: %p", (url, host, isOwn) => {
    expect(isOwnHost(request({ host }), url)).toBe(isOwn);
  });
});

describe("the cookie of a session", () => {
  test("belongs to the host alone over https", () => {
    const cookie = writeCookie(URL_HERE, "session", { value: "t" });

    expect(cookie).toBe("__Host-duka=t; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=2592000");
  });

  test("has the port in its name without https, since cookies know no ports", () => {
    const url = "http://127.0.0.1:4000";
    const cookie = writeCookie(url, "session", { value: "t", isBrief: true });

    expect(cookie).toBe("duka-4000=t; Path=/; HttpOnly; SameSite=Lax");
    const sent = request({ cookie: "duka-5000=other; duka-4000=t" });
    expect(readCookie(sent, url, "session")).toBe("t");
  });

  test("is deleted by an empty one", () => {
    expect(writeCookie(URL_HERE, "session", { value: "" })).toEndWith("Max-Age=0");
  });
});
