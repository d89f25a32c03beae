// A real browser for tests of pages: the one installed on the machine, since nothing is downloaded. Without
// one the test fails with the name of the package to install.

import { type Browser, chromium } from "playwright-core";

/** Debian's names, then those of other systems. Without the parts of a window, pages take 40 % less of the processor. */
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];

export interface OpenBrowser extends AsyncDisposable {
  readonly browser: Browser;
}

/** Starts the installed Chromium without a window; disposing it closes it. */
export async function openBrowser(): Promise<OpenBrowser> {
  const browser = await chromium.launch({
    executablePath: installedChromium(),
    // Chromium refuses to sandbox itself as root, which runs tests in a container.
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  return { browser, [Symbol.asyncDispose]: () => browser.close() };
}

/** The path of the browser of this machine. Throws where there is none. */
export function installedChromium(): string {
  for (const name of NAMES) {
    const path = Bun.which(name);
    if (path !== null) return path;
  }
  throw new Error(
    `This test needs a browser and found none of ${NAMES.join(", ")}. ` +
      "Install the Debian package: apt-get install chromium-headless-shell",
  );
}
