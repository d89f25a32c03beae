// What a customer does in the example storefront, from the list to the payment.

import type { Page } from "playwright-core";

/** Every view says so once it has been made. */
export const ready = (page: Page) => page.locator("body[data-ready]").waitFor();

/** Puts a product of the list into the cart. */
export async function putInCart(page: Page, name: string): Promise<void> {
  await page.getByRole("link", { name: new RegExp(`^${name}`) }).click();
  await page.getByRole("button", { name: "Add to cart" }).click();
  await page.getByRole("heading", { name: "Cart" }).waitFor();
  await ready(page);
}

/** Goes from the cart to the choice of delivery and payment. */
export async function checkOut(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Check out" }).click();
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Name").fill("Ada Mensah");
  await page.getByLabel("Street").fill("12 Ring Road");
  await page.getByLabel("City").fill("Accra");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Delivery and payment" }).waitFor();
}

/** Goes on to the hosted page of test mode, and pays there. */
export async function payOnPage(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.waitForURL(/\/test\/pay\//);
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.getByText("Thank you. Your order is paid.").waitFor();
}

/** Signs in with the magic code, from the view that asks for the email. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send me a code" }).click();
  await page.getByLabel("Code").fill("000000");
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Types an address in Accra. */
export async function typeAddress(page: Page, street: string): Promise<void> {
  await page.getByLabel("Name").fill("Efua Owusu");
  await page.getByLabel("Street").fill(street);
  await page.getByLabel("City").fill("Accra");
  await page.getByLabel("Country").fill("gh");
}
