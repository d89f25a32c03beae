// Emails to customers at the dashboard: which are sent, a try, and what became of those about an order.

import { describe, expect, test } from "bun:test";

import { orderWithEmail } from "../emails/mail-server.ts";
import { openDashboard, sharedDashboard } from "./dashboard-shop.ts";

const dashboard = sharedDashboard();

const PAGE = "/dashboard/test/settings/emails";

describe("the emails of the shop", () => {
  test("are turned off and on, and the way back is offered", async () => {
    await using dashboard = await openDashboard();
    const { owner, shop } = dashboard;
    const page = await owner.get(PAGE);

    const saved = await owner.sendAndFollow(`${PAGE}/save`, [
      ["version", page.field("version")],
      ["/notifications/order_placed", "false"],
      ["/notifications/order_paid", "true"],
    ]);

    expect(saved.text).toContain("Saved. Undo");
    expect((await shop.get("/v2/store")).at("/notifications")).toMatchObject({
      order_placed: false,
      order_paid: true,
      order_shipped: true,
    });
  });

  test("are tried by one that lands in the inbox of the test shop", async () => {
    const { owner } = dashboard;
    const { html } = await owner.get(PAGE);
    const form = /name="form" value="([^"]*)"/.exec(html)?.[1] ?? "";

    const tried = await owner.send(`${PAGE}/try`, { form, "/to": "me@example.com" });

    expect(tried.text).toContain("It is in the inbox of the test shop.");
    const inbox = await owner.get("/dashboard/test/sandbox/inbox");
    expect(inbox.text).toContain("Test email of My shop mail");
  });

  test("of the live shop need a mail server, and the page says what to set", async () => {
    await using dashboard = await openDashboard();

    const page = await dashboard.owner.get("/dashboard/settings/emails");

    expect(page.text).toContain("This server sends no emails yet.");
    expect(page.text).toContain("DUKA_SMTP_URL and DUKA_MAIL_FROM");
    expect(page.html).toContain('href="/guides/emails"');
    expect(page.text).not.toContain("Send a test email");
  });

  test("of the live shop come from the sender that the operator named", async () => {
    const settings = { DUKA_SMTP_URL: "smtp://127.0.0.1:9", DUKA_MAIL_FROM: "orders@shop.example" };
    await using dashboard = await openDashboard({ settings });

    const page = await dashboard.owner.get("/dashboard/settings/emails");

    expect(page.text).toContain("Emails come from My shop <orders@shop.example>.");
  });

  test("are seen by a viewer, who cannot change or try them", async () => {
    await using dashboard = await openDashboard();
    const viewer = await dashboard.join("viewer", "Esi");

    const page = await viewer.get(PAGE);

    expect(page.text).toContain("Payment received");
    expect(page.html).not.toContain(`action="${PAGE}/`);
  });
});

test("an email that failed waits for the merchant, and leads to its order", async () => {
  await using dashboard = await openDashboard();
  const { owner, shop } = dashboard;
  const order = await orderWithEmail(shop, { kind: "refused", fault: "rejected" });

  const home = await owner.get("/dashboard/test");
  const list = await owner.get("/dashboard/test/emails");

  expect(home.text).toContain("1 Email that failed a customer was not told about an order");
  expect(list.text).toContain("Order placed · The mail server refused the address or the message.");
  expect(list.html).toContain(`href="/dashboard/test/orders/${order.id}"`);
});

describe("the emails on the page of an order", () => {
  test("say why one failed, and it is sent again", async () => {
    await using dashboard = await openDashboard();
    const { owner, shop } = dashboard;
    const rejected = { kind: "refused", fault: "rejected", codes: "550 5.1.1" };
    const order = await orderWithEmail(shop, rejected);
    const path = `/dashboard/test/orders/${order.id}`;
    const failed = await owner.get(path);
    const email = (await shop.get("/v2/emails")).string("/data/0/id");
    await shop.put(`/v2/orders/${order.id}`, { customer: { email: "ada@shop.example" } });

    const again = await owner.sendAndFollow(`${path}/resend`, { "@id": email, form: "once" });

    expect(failed.text).toContain("Order placed Failed");
    expect(failed.text).toContain(
      "The mail server refused the address or the message. (550 5.1.1)",
    );
    expect(again.text).toContain("It is sent again within seconds.");
    expect(again.text).toMatch(/Order placed (?:Waiting|Failed)/);
  });

  test("tell a viewer what was sent, and let only those who may change orders send again", async () => {
    await using dashboard = await openDashboard();
    const order = await orderWithEmail(dashboard.shop, { kind: "accepted" });
    const viewer = await dashboard.join("viewer", "Esi");

    const page = await viewer.get(`/dashboard/test/orders/${order.id}`);

    expect(page.text).toContain("Emails Order placed Sent");
    expect(page.text).not.toContain("Send again");
  });
});
