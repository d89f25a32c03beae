// Undo of an order that was marked as sent: in the same breath, and later from its menu.

import { describe, expect, test } from "bun:test";

import { sendDue } from "../emails/mail-shop.ts";
import { mug } from "../support/cast.ts";
import type { Answered } from "../support/shop.ts";
import { sharedDashboard } from "./dashboard-shop.ts";

const dashboard = sharedDashboard();

async function placePaid(given: object = {}): Promise<Answered> {
  const { variantId } = await mug(dashboard.shop);
  return dashboard.shop.post("/v2/orders", {
    line_items: [{ variant_id: variantId, quantity: 1 }],
    paid: { method: "cash" },
    ...given,
  });
}

const orderNow = (id: string) => dashboard.shop.get(`/v2/orders/${id}`);
const at = (id: string, path = "") => `/dashboard/test/orders/${id}${path}`;

describe("an order that was marked as sent by mistake", () => {
  test("is undone from the note that follows", async () => {
    const { id } = await placePaid();
    const { owner } = dashboard;
    const page = await owner.get(at(id));
    const noted = await owner.sendAndFollow(at(id, "/fulfill"), { version: page.field("version") });
    const parcel = noted.field("@fulfillment_id");
    const version = /unsend">\s*<input[^>]*value="(\d+)"/.exec(noted.html)?.[1] ?? "";

    const undone = await owner.sendAndFollow(at(id, "/unsend"), {
      version,
      "@fulfillment_id": parcel,
    });

    expect(noted.text).toContain("Marked as sent. Undo");
    expect(undone.text).toContain("Undone. It is as it was.");
    expect(undone.text).toContain("Not sent after all");
    expect(undone.text).toContain("It was not sent after all by Ama");
    expect((await orderNow(id)).at("/fulfillment_status")).toBe("unfulfilled");
  });

  test("is undone later from its menu, with a note for the team", async () => {
    const { id } = await placePaid();
    const order = await dashboard.shop.put(`/v2/orders/${id}/fulfill`);
    const path = at(id, `/sent/${order.string("/fulfillments/0/id")}/undo`);
    const { owner } = dashboard;
    const seen = await owner.get(at(id));
    const page = await owner.get(path);

    const undone = await owner.sendAndFollow(`${path}/all`, {
      version: page.field("version"),
      "/note": "The other box",
    });

    expect(seen.html).toContain(`href="${path}"`);
    expect(page.text).toContain("The items are to pack again");
    expect(page.text).not.toContain("was told");
    expect(undone.text).toContain("The other box");
    expect((await orderNow(id)).at("/fulfillments/0/cancel_note")).toBe("The other box");
    expect((await owner.get(path)).text).toContain("This was undone already.");
  });

  test("says when its customer was told, and how to tell them otherwise", async () => {
    const { id } = await placePaid({
      customer: { name: "Kojo", email: "kojo@example.com", phone: "+233201234567" },
    });
    dashboard.shop.clock.advance(1);
    const order = await dashboard.shop.put(`/v2/orders/${id}/fulfill`);
    await sendDue(dashboard.shop, "test");
    dashboard.shop.clock.advance(10_000);
    await sendDue(dashboard.shop, "test");

    const page = await dashboard.owner.get(
      at(id, `/sent/${order.string("/fulfillments/0/id")}/undo`),
    );

    expect(page.text).toContain("Kojo was told that it is on its way:");
    expect(page.html).toContain("https://wa.me/233201234567?text=Hello%20Kojo");
    expect(page.html).toContain("mailto:kojo@example.com?subject=");
  });
});
