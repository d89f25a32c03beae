// The way in, in a real browser.

import { expect, test } from "bun:test";

import { look } from "./look.ts";
import { sharedBrowser } from "./shared-browser.ts";

const shared = sharedBrowser();

test("a password can be read while it is typed", async () => {
  const visitor = shared().dashboard.stranger();
  await using looked = await look(shared().opened, {
    visitor,
    path: "/dashboard/enter",
    isFollowing: false,
  });
  const { page } = looked;
  const password = page.getByLabel("Password", { exact: true });
  await password.fill("seven mugs");

  await page.getByRole("button", { name: "Show password" }).click();
  const shown = await password.getAttribute("type");
  await page.getByRole("button", { name: "Hide password" }).click();

  expect([shown, await password.getAttribute("type")]).toEqual(["text", "password"]);
});
