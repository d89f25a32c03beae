// A customer who opens links on a phone, in a real browser with scripts disabled.

import type { Page } from "playwright-core";

import { openBrowser } from "../support/browser.ts";

export interface Visitor extends AsyncDisposable {
  readonly page: Page;
  /** The messages of the console, such as a style or a form that the content policy blocks. */
  readonly complaints: string[];
  /** The visible text of the page. */
  read(): Promise<string>;
  /** How many elements of the page reach beyond its right edge. */
  countOverflowing(): Promise<number>;
  continueToPayment(): Promise<void>;
  pay(): Promise<void>;
}

export interface OpenVisits extends AsyncDisposable {
  /** Opens the link with the viewport of a phone, or of another width. */
  visit(url: string, width?: number): Promise<Visitor>;
}

/** Starts a browser; disposing it closes it. */
export async function openVisits(): Promise<OpenVisits> {
  const opened = await openBrowser();
  return {
    visit: async (url, width = 390) => {
      const context = await opened.browser.newContext({
        viewport: { width, height: 844 },
        javaScriptEnabled: false,
      });
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on("console", (message) => complaints.push(message.text()));
      await page.goto(url);
      return {
        page,
        complaints,
        read: () => page.locator("body").innerText(),
        countOverflowing: () =>
          page
            .locator("main, main *, header *")
            .evaluateAll(
              (all, edge) => all.filter((one) => one.getBoundingClientRect().right > edge).length,
              width,
            ),
        continueToPayment: () => page.getByRole("button", { name: "Continue to payment" }).click(),
        pay: () => page.getByRole("button", { name: /^Pay / }).click(),
        [Symbol.asyncDispose]: () => context.close(),
      };
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}
