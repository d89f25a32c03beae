// Passkeys in a real browser with an authenticator that the browser plays itself.

import { expect, test } from "bun:test";

import type { CDPSession, Page } from "playwright-core";

import { PASSWORD, type Visitor } from "./dashboard-shop.ts";
import { look, type LookedAt } from "./look.ts";
import { sharedBrowser } from "./shared-browser.ts";

const shared = sharedBrowser();

/** A browser at the dashboard, with an authenticator. */
interface Equipped extends AsyncDisposable {
  readonly page: Page;
  readonly faults: readonly string[];
  readonly session: CDPSession;
  readonly authenticatorId: string;
}

/** Opens a page at `localhost`, where there are passkeys. */
async function open(visitor: Visitor, path: string): Promise<Equipped> {
  const looked = await lookAt(visitor, path);
  const session = await looked.page.context().newCDPSession(looked.page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { ...looked, session, authenticatorId };
}

function lookAt(visitor: Visitor, path: string): Promise<LookedAt> {
  return look(shared().opened, { visitor, path, isFollowing: false, host: "localhost" });
}

/** Makes the authenticator of one browser that of another, as passkeys go with their person. */
async function carry(from: Equipped, to: Equipped): Promise<void> {
  const { credentials } = await from.session.send("WebAuthn.getCredentials", from);
  for (const credential of credentials) {
    await to.session.send("WebAuthn.addCredential", { ...to, credential });
  }
}

async function addPasskey({ page }: Equipped, name: string): Promise<void> {
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Make passkey" }).click();
  await page.waitForURL("**/me/passkeys?done=added");
}

test("a passkey is added, and is the way in at a new device beside a flood of sign-ins", async () => {
  const { dashboard } = shared();
  const kofi = await dashboard.join("staff", "Kofi");
  await using phone = await open(kofi, "/dashboard/me/passkeys/add");
  await addPasskey(phone, "My phone");
  const shown = await phone.page.locator("main").textContent();
  await using laptop = await open(dashboard.stranger(), "/dashboard/enter");
  await carry(phone, laptop);
  const { page } = laptop;

  const flood = Array.from({ length: 200 }, async (_, at) => {
    const fields = { "/name": `Name ${at}`, "/password": "a guess of a stranger" };
    return (await dashboard.stranger().send("/dashboard/enter", fields)).status;
  });
  const before = performance.now();
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.waitForURL("**/dashboard");
  const tookMs = performance.now() - before;
  const statuses = await Promise.all(flood);

  process.stdout.write(`Signed in beside 200 sign-ins in ${Math.round(tookMs)} ms.\n`);
  expect(shown).toContain("My phone");
  expect(await page.getByRole("heading", { level: 1 }).textContent()).not.toBe("");
  expect(statuses).toContain(503);
  expect([...phone.faults, ...laptop.faults]).toEqual([]);
});

test("a person confirms with a passkey in place of the password", async () => {
  const { dashboard } = shared();
  const esi = await dashboard.join("staff", "Esi");
  await using browser = await open(esi, "/dashboard/me/passkeys/add");
  await addPasskey(browser, "My phone");
  dashboard.shop.clock.advance(16 * 60_000);
  const { page } = browser;

  await page.goto(page.url().replace(/\/me\/.*/, "/me/password"));
  const asked = page.url();
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.waitForURL("**/me/password");

  expect(asked).toContain("/dashboard/confirm");
  expect(browser.faults).toEqual([]);
});

test("a lost passkey leaves the person outside, with a word about it", async () => {
  const { dashboard } = shared();
  const yaa = await dashboard.join("staff", "Yaa");
  await using phone = await open(yaa, "/dashboard/me/passkeys/add");
  await addPasskey(phone, "My phone");
  await using laptop = await open(dashboard.stranger(), "/dashboard/enter");
  const { page } = laptop;

  // The authenticator of this device has none, and says so.
  await page.getByRole("button", { name: "Use a passkey" }).click();
  const word = await page.getByText("That did not work.").textContent();
  await page.getByLabel("Your name").fill("Yaa");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  const alert = await page.getByRole("alert").first().textContent();

  expect(word).toContain("use your password");
  expect(alert).toContain("The name or the password is wrong.");
});

test("without a script the page says what it needs, and the password way is as it was", async () => {
  const { dashboard, opened } = shared();
  const efua = await dashboard.join("staff", "Efua");
  const context = await opened.browser.newContext({ javaScriptEnabled: false });
  const url = dashboard.shop.url.replace("127.0.0.1", "localhost");
  await context.addCookies([...efua.cookies].map(([name, value]) => ({ name, value, url })));
  const page = await context.newPage();

  await page.goto(`${url}/dashboard/me/passkeys/add`);
  const cannot = await page.getByText("This browser cannot make a passkey here.").isVisible();
  const isMade = await page.getByRole("button", { name: "Make passkey" }).isVisible();
  await context.clearCookies();
  await page.goto(`${url}/dashboard/enter`);
  const isUsed = await page.getByRole("button", { name: "Use a passkey" }).isVisible();
  await page.getByLabel("Your name").fill(efua.name);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/dashboard");
  await context.close();

  expect([cannot, isMade, isUsed]).toEqual([true, false, false]);
});
