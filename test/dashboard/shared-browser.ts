// One dashboard and one browser for the tests of a file, which tolerate each other's changes.

import { afterAll, beforeAll } from "bun:test";

import { type OpenBrowser, openBrowser } from "../support/browser.ts";
import { type DashboardShop, openDashboard } from "./dashboard-shop.ts";

interface Shared {
  readonly dashboard: DashboardShop;
  readonly opened: OpenBrowser;
}

/** Opens both before the file's tests, and closes them afterwards. */
export function sharedBrowser(): () => Shared {
  let shared: Shared | undefined;
  beforeAll(async () => {
    shared = { dashboard: await openDashboard(), opened: await openBrowser() };
  });
  afterAll(async () => {
    await shared?.opened[Symbol.asyncDispose]();
    await shared?.dashboard[Symbol.asyncDispose]();
  });
  return () => {
    if (shared === undefined) throw new Error("The dashboard is opened before the tests.");
    return shared;
  };
}
