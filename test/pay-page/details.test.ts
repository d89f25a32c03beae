// What the page of an abandoned cart asks of the customer, by the store's `checkout`, before anything is paid.

import { expect, test } from "bun:test";

import { abandonedCart, readCart } from "../sales/carts/basket.ts";
import { accra, of, sold } from "../sales/pricing/priced-shop.ts";
import { openTestShop, sharedShop, type TestShop } from "../support/shop.ts";
import { delivering, look, type Page, send } from "./delivery-shop.ts";

const shared = sharedShop();
const pay = { method: "bank_transfer" };
const details = { say: "details" };

async function left(shop: TestShop, terms: Readonly<Record<string, unknown>> = {}) {
  const cart = await abandonedCart(shop, [of(await sold(shop, 20))], terms);
  return { cart, url: cart.string("/recovery_url") };
}

test("a cart without contact, name and address is asked for them, and offers no way to pay before", async () => {
  const { url } = await left(shared);

  const page = await look(url);

  expect(page.status).toBe(200);
  for (const asked of [
    "Your details",
    "Name",
    "Email",
    "Phone number",
    "Street",
    "Town",
    "Country",
  ]) {
    expect(page.text).toContain(asked);
  }
  expect(page.text).toContain("An email or a phone number is enough.");
  expect(page.text).not.toContain("How do you want to pay?");
});

test("what was said is kept, and the cart can be paid", async () => {
  const { cart, url } = await left(shared);
  const address = { line1: "12 Ring Road", city: "Accra", country: "GH" };

  const said = await send(url, {
    ...details,
    name: " Ama  Owusu ",
    email: "Ama@Shop.test",
    ...address,
  });
  const page = await look(url);

  expect([said.status, said.location]).toEqual([303, url]);
  expect((await readCart(shared, cart)).body).toMatchObject({
    customer: { name: "Ama Owusu", email: "ama@shop.test" },
    shipping_address: address,
    problems: [],
  });
  expect(page.text).toContain("How do you want to pay?");
  expect(page.text).not.toContain("Your details");
});

test("only what is missing is asked for, and nothing that is known is shown or lost", async () => {
  const { cart, url } = await left(shared, { email: "kofi@shop.test", shipping_address: accra });

  const page = await look(url);
  await send(url, { ...details, name: "Kofi", email: "thief@shop.test", line1: "Elsewhere" });

  expect(page.text).toContain("Name");
  expect(page.text).not.toContain("Email");
  expect(page.text).not.toContain("Street");
  expect(page.text).not.toContain("kofi@");
  expect((await readCart(shared, cart)).body).toMatchObject({
    customer: { name: "Kofi", email: "kofi@shop.test" },
    shipping_address: { line1: accra.line1 },
  });
});

test("what cannot be read is asked for again with a sentence, and what was typed stays", async () => {
  const { cart, url } = await left(shared, { shipping_address: accra });
  const say = (form: Readonly<Record<string, string>>) => send(url, { ...details, ...form });
  const told = ({ status, text }: Page, sentence: string) => [status, text.includes(sentence)];

  const unnamed = await say({ email: "ama@shop.test" });
  const unreachable = await say({ name: "Ama" });
  const noEmail = await say({ name: "Ama", email: "ama@shop" });
  const noPhone = await say({ name: "Ama", phone: "12" });
  const body = new URLSearchParams({ ...details, name: "Ama", email: "ama@shop" });
  const again = await (await fetch(url, { method: "POST", body })).text();

  expect(told(unnamed, "Please enter your name.")).toEqual([422, true]);
  expect(told(unreachable, "Please enter an email address or a phone number.")).toEqual([
    422,
    true,
  ]);
  expect(told(noEmail, "Please enter a complete email address.")).toEqual([422, true]);
  expect(told(noPhone, "Please enter the phone number with its country code")).toEqual([422, true]);
  expect(again).toContain('value="ama@shop"');
  expect((await readCart(shared, cart)).list("/problems")).toHaveLength(2);
});

test("a press on a page of before is told what is missing, and no order is placed", async () => {
  const { cart, url } = await left(shared);

  const refused = await send(url, pay);

  expect(refused.status).toBe(409);
  expect(refused.text).toContain("Please enter what is missing first.");
  expect((await readCart(shared, cart)).string("/status")).toBe("abandoned");
});

test("goods that are fetched need no address, and so may be chosen before it is said", async () => {
  await using shop = await openTestShop();
  const { cup, osu } = await delivering(shop);
  const contact = { customer: { email: "ama@shop.test", name: "Ama" } };
  const cart = await abandonedCart(shop, [of(cup)], contact);
  const url = cart.string("/recovery_url");
  const asked = await look(url);

  await send(url, { choose: "delivery", shipping: osu });
  const page = await look(url);

  expect(asked.text).toContain("Street");
  expect(asked.text).toContain("Osu shop");
  expect(page.text).not.toContain("Your details");
  expect(page.text).toContain("How do you want to pay?");
});
