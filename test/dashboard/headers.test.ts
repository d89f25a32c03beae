// The cookie with which a person is signed in.

import { describe, expect, test } from "bun:test";

import { readCookie, writeCookie } from "#dashboard/kit/session-cookie.ts";

const URL_HERE = "https://shop.example";

function request(headers: Record<string, string>): Request {
  return new Request("https://shop.example/dashboard", { headers });
}

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
