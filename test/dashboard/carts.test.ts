// The carts that were left at the checkout: what is in them, and how their customers are asked to come back.

import { afterAll, beforeAll, expect, test } from "bun:test";

import { sendDue } from "../emails/mail-shop.ts";
import { abandonedCart } from "../sales/carts/basket.ts";
import { of } from "../sales/orders/counter.ts";
import { mug } from "../support/cast.ts";
import { type DashboardShop, openDashboard } from "./dashboard-shop.ts";

let dashboard: DashboardShop;

beforeAll(async () => {
  dashboard = await openDashboard();
  await dashboard.shop.post("/v2/test/seed", {});
});
afterAll(() => dashboard[Symbol.asyncDispose]());

test("a cart that was left names its customer, its items and what they come to", async () => {
  const carts = await dashboard.shop.get("/v2/carts?status=abandoned");
  const { text } = await dashboard.owner.get("/dashboard/test/carts");

  const [email, name] = ["/customer/email", "/line_items/0/name"].map((at) =>
    carts.string(`/data/0${at}`),
  );
  expect(text).toContain(`${email} 1 × ${name}`);
  expect(text).toContain(carts.number("/data/0/subtotal").toFixed(2));
});

test("a cart tells what was chosen of an item", async () => {
  const { owner, shop } = dashboard;
  const line = {
    ...of(await mug(shop, { name: "Bowl", sku: "BOWL" })),
    metadata: { public_note: "For Ada" },
  };
  await abandonedCart(shop, [line], { email: "kofi@example.com" });

  expect((await owner.get("/dashboard/test/carts")).text).toContain("1 × Bowl (note: For Ada)");
});

test("its customer is sent the link to it by mail", async () => {
  const carts = await dashboard.shop.get("/v2/carts?status=abandoned");
  const { html } = await dashboard.owner.get("/dashboard/test/carts");

  const email = carts.string("/data/0/customer/email");
  const link = carts.string("/data/0/recovery_url");
  const [, href = ""] = new RegExp(`href="(mailto:${email}[^"]*)"`).exec(html) ?? [];
  const written = new URL(href.replace("&amp;", "&")).searchParams;
  expect(written.get("subject")).toBe("Your cart at My shop");
  expect(written.get("body")).toContain(link);
  expect(html).toContain(`<a class="button" href="${link}">Open link</a>`);
});

test("a cart says what became of its email, which is not sent again within a day", async () => {
  const { owner, shop } = dashboard;
  const email = "ada@example.com";
  const notifications = { cart_abandoned: true };
  await shop.put("/v2/store", { postal_address: "12 Ring Road, Accra", notifications });
  await shop.post("/v2/customers", { email, marketing_consent: true });
  await abandonedCart(shop, [of(await mug(shop))], { email });
  await sendDue(shop, "test");
  const id = (await shop.get("/v2/emails?template=cart_abandoned")).string("/data/0/id");
  const list = await owner.get("/dashboard/test/carts");

  const again = await owner.send("/dashboard/test/carts/resend", { "@id": id, form: "once" });

  expect(list.text).toContain("Cart left at checkout Sent");
  expect(again.text).toContain("The email cannot be sent any more.");
});

test("carts in another currency than the shop's are no worth of nothing on Home", async () => {
  await using other = await openDashboard();
  await other.shop.post("/v2/test/seed", { currency: "KES" });

  const { text } = await other.owner.get("/dashboard/test");

  expect(text).toContain("Left at checkout send them a link to come back");
});
