// A person's browser at a page of the dashboard.

import type { Page } from "playwright-core";

import type { OpenBrowser } from "../support/browser.ts";
import type { Visitor } from "./dashboard-shop.ts";

export interface LookedAt extends AsyncDisposable {
  readonly page: Page;
  /** What the browser complained of. */
  readonly faults: readonly string[];
}

interface LookTerms {
  readonly visitor: Visitor;
  readonly path: string;
  /** Pixels; a phone by default. */
  readonly width?: number;
  /** Whether the page follows the news, so that it is ready once it listens. */
  readonly isFollowing?: boolean;
  /** The name of this machine in the address; by default its number. */
  readonly host?: string;
  /** Runs in the page before its own script. */
  readonly before?: string;
}

/** Opens a page of the visitor's shop. */
export async function look(
  { browser }: OpenBrowser,
  { visitor, path, width = 390, isFollowing = true, host = "127.0.0.1", before = "" }: LookTerms,
): Promise<LookedAt> {
  const context = await browser.newContext({ viewport: { width, height: 844 } });
  const url = visitor.shop.url.replace("127.0.0.1", host);
  await context.addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url })));
  const page = await context.newPage();
  await page.addInitScript(before);
  const faults: string[] = [];
  page.on("pageerror", ({ message }) => faults.push(message));
  page.on("console", (line) => {
    if (line.type() === "error") faults.push(line.text());
  });
  const listening = isFollowing
    ? page.waitForResponse((response) => response.url().includes("/live?"))
    : null;
  await page.goto(`${url}${path}`);
  await listening;
  return { page, faults, [Symbol.asyncDispose]: () => context.close() };
}
