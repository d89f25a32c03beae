// A real browser for tests of pages. Nothing is downloaded: it is the one the machine has, and a
// machine without one fails the test with the name of what to install.

import { type Browser, chromium } from "playwright-core";

/** Debian's name first, then what other systems call it. */
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

export interface OpenBrowser extends AsyncDisposable {
  readonly browser: Browser;
}

/** Starts the installed Chromium without a window; leaving the scope closes it. */
export async function openBrowser(): Promise<OpenBrowser> {
  const browser = await chromium.launch({
    executablePath: installedChromium(),
    // Chromium refuses to sandbox itself as root, which is who runs tests in a container.
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  return { browser, [Symbol.asyncDispose]: () => browser.close() };
}

function installedChromium(): string {
  for (const name of NAMES) {
    const path = Bun.which(name);
    if (path !== null) return path;
  }
  throw new Error(
    `This test needs a browser and found none of ${NAMES.join(", ")}. ` +
      "Install the Debian package chromium: apt-get install chromium",
  );
}
