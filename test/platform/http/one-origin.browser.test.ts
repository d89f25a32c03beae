// Scripts that were planted into a page outside /dashboard, in a real browser that is signed in there.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { BrowserContext, Page } from "playwright-core";

import { mugOrder, pay } from "../../sandbox/paying.ts";
import { type OpenBrowser, openBrowser } from "../../support/browser.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";

const SECRET = "a live key";
const KEYS = "/dashboard/keys";

interface Asked {
  readonly method: string;
  readonly isSignedIn: boolean;
}

/** The shop behind one origin with a dashboard that answers the signed-in browser with a secret. */
interface Site extends AsyncDisposable {
  readonly origin: string;
  readonly asked: Asked[];
}

function openSite(shop: TestShop): Site {
  const asked: Asked[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      if (pathname === "/careless") return careless();
      if (pathname.startsWith("/dashboard")) return dashboard(request, asked);
      const headers = new Headers(request.headers);
      headers.set("Accept-Encoding", "identity");
      return fetch(`${shop.url}${pathname}${search}`, { headers, redirect: "manual" });
    },
  });
  return {
    origin: server.url.origin,
    asked,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** A page with the policy that the pages must not have. */
function careless(): Response {
  return new Response("<!doctype html><body>", {
    headers: {
      "Content-Type": "text/html",
      "Content-Security-Policy": "default-src 'none'; connect-src 'self'; form-action 'self'",
    },
  });
}

/** With the headers of every page of the dashboard. */
function dashboard(request: Request, asked: Asked[]): Response {
  const isSignedIn = request.headers.get("Cookie")?.includes("duka=ama") ?? false;
  asked.push({ method: request.method, isSignedIn });
  return new Response(isSignedIn ? SECRET : "Sign in", {
    headers: {
      "Content-Type": "text/html",
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Resource-Policy": "same-origin",
    },
  });
}

/** Every way of a script to read `KEYS` without leaving the page; evaluates to what it has read. */
const READ = `(async () => {
  const url = new URL("${KEYS}", location.href).href;
  const request = () => new Promise((done) => {
    const sent = new XMLHttpRequest();
    sent.onloadend = () => done(sent.responseText);
    sent.open("GET", url);
    sent.send();
  });
  const frame = () => new Promise((done) => {
    const shown = document.createElement("iframe");
    shown.onload = () => {
      try { done(shown.contentDocument.body.innerText); } catch (error) { done(String(error)); }
    };
    shown.src = url;
    document.documentElement.append(shown);
  });
  const ways = [
    async () => (await fetch(url)).text(),
    async () => (await fetch(url, { method: "POST", body: "name=mine" })).text(),
    async () => (await fetch(url, { mode: "no-cors", credentials: "include" })).text(),
    async () => String(navigator.sendBeacon(url, "name=mine") && ""),
    request,
    frame,
  ];
  const read = [];
  for (const way of ways) {
    try { read.push(await way()); } catch (error) { read.push(String(error)); }
  }
  return read.join(" | ");
})()`;

/** Posts a form; ends when the policy refuses it. A form that is sent replaces the page. */
const POST = `new Promise((done) => {
  addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
    if (effectiveDirective === "form-action") done();
  });
  const form = document.createElementNS("http://www.w3.org/1999/xhtml", "form");
  form.method = "post";
  form.action = new URL("${KEYS}/new", location.href).href;
  document.documentElement.append(form);
  form.submit();
})`;

/** Opens `KEYS` in a window; true if the browser did. */
const OPEN = `(window.opened = window.open(new URL("${KEYS}", location.href).href)) !== null`;
const LOOK = `(() => {
  try { return window.opened.document.body.innerText; } catch (error) { return String(error); }
})()`;

let opened: OpenBrowser;
let shop: TestShop;
let site: Site;
let links: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  opened = await openBrowser();
  shop = await openTestShop();
  site = openSite(shop);
  const orderId = await mugOrder(shop);
  const payment = await pay(shop, orderId);
  const order = await shop.get(`/v2/orders/${orderId}`);
  links = {
    "the page of an order": new URL(order.string("/status_url")).pathname,
    "the test checkout": new URL(payment.string("/authorization_url")).pathname,
  };
});

afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
  await opened[Symbol.asyncDispose]();
});

/** Opens the path in a browser that is signed in to the dashboard. */
async function openSignedIn(path: string): Promise<{ context: BrowserContext; page: Page }> {
  const context = await opened.browser.newContext();
  await context.addCookies([
    { name: "duka", value: "ama", url: site.origin, httpOnly: true, sameSite: "Lax" },
  ]);
  const page = await context.newPage();
  await page.goto(`${site.origin}${path}`);
  return { context, page };
}

/** What a planted script reads of the dashboard, and how often it posts to it in the person's name. */
async function plant(path: string): Promise<{ read: string; posted: number }> {
  const { context, page } = await openSignedIn(path);
  const before = site.asked.length;
  const read = [await page.evaluate<string>(READ)];
  const popup = context.waitForEvent("page", { timeout: 5_000 }).catch(() => null);
  if (await page.evaluate<boolean>(OPEN)) {
    await (await popup)?.waitForLoadState();
    read.push(await page.evaluate<string>(LOOK));
  }
  // The page of a form that is sent is gone, and with it the script.
  await page.evaluate(POST).catch(() => null);
  await context.close();
  const posted = site.asked
    .slice(before)
    .filter(({ method, isSignedIn }) => method === "POST" && isSignedIn).length;
  return { read: read.join(" | "), posted };
}

const paths = [
  "/docs",
  "/docs/carts",
  "/docs/try",
  "/docs/errors",
  "/docs/json",
  "/openapi.json",
  "/guides",
  "/guides/security",
  "/guides/search?q=cors",
  "/guides/security.md",
  "/llms.txt",
  "/v2/products",
  "/recover/x",
  "/checkout/x",
  "/o/x",
  "/u/x",
  "/test/pay/x",
  "/test/store",
  "/test/shop",
  "/test/shop/search?q=x",
  "/test/shop/cart",
  "/test/shop/nowhere",
];
const names = ["the page of an order", "the test checkout"];

describe("a script that was planted into", () => {
  test.each([...paths, ...names])("%s reads and posts nothing of the dashboard", async (name) => {
    const { read, posted } = await plant(links[name] ?? name);

    expect(read).not.toContain(SECRET);
    expect(posted).toBe(0);
  });

  test("a page with a careless policy reads and posts", async () => {
    const { read, posted } = await plant("/careless");

    expect(read).toContain(SECRET);
    expect(posted).toBeGreaterThan(0);
  });
});

test.each([...paths, ...names, "/nothing"])("%s cannot be framed", async (name) => {
  const { headers } = await fetch(`${site.origin}${links[name] ?? name}`);

  expect(headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
});
