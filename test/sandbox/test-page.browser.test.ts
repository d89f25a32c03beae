// The test page in a real browser that runs no scripts.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { Page } from "playwright-core";

import { pass } from "../payments/scripted-shop.ts";
import { type OpenBrowser, openBrowser } from "../support/browser.ts";
import { type Answered, openTestShop, type TestShop } from "../support/shop.ts";
import { mugOrder, pay, standing } from "./paying.ts";

let opened: OpenBrowser;

beforeAll(async () => {
  opened = await openBrowser();
});

afterAll(async () => {
  await opened[Symbol.asyncDispose]();
});

interface Visit extends AsyncDisposable {
  readonly shop: TestShop;
  readonly payment: Answered;
  readonly page: Page;
  /** The browser's complaints, such as a style or a form that the policy blocks. */
  readonly complaints: string[];
  /** Opens the test page again. */
  again(): Promise<void>;
  /** The state of the payment. */
  standing(): Promise<string>;
}

/** A customer with a phone who opened the page of a new payment. */
async function visit(returnUrl?: string): Promise<Visit> {
  const shop = await openTestShop();
  const orderId = await mugOrder(shop);
  const payment = await pay(shop, orderId, returnUrl === undefined ? {} : { returnUrl });
  const context = await opened.browser.newContext({
    viewport: { width: 390, height: 844 },
    javaScriptEnabled: false,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  await page.goto(payment.string("/authorization_url"));
  return {
    shop,
    payment,
    page,
    complaints,
    again: async () => {
      await page.goto(payment.string("/authorization_url"));
    },
    standing: async () => standing(await shop.get(`/v2/payments/${payment.string("/reference")}`)),
    [Symbol.asyncDispose]: async () => {
      await context.close();
      await shop[Symbol.asyncDispose]();
    },
  };
}

/** A storefront that customers return to, and the paths they requested. */
function openStorefront() {
  const requested: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const { pathname, search } = new URL(request.url);
      requested.push(pathname + search);
      return new Response("<h1>Thank you</h1>", { headers: { "Content-Type": "text/html" } });
    },
  });
  return {
    requested,
    thanks: `http://127.0.0.1:${server.port}/thanks?basket=7`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

test("the page shows the amount, the order and the shop", async () => {
  await using payer = await visit();
  await payer.shop.put("/v2/store", { name: "Kanga & <Sons>" });

  await payer.page.reload();

  const shown = await payer.page.locator("body").innerText();
  expect(shown).toContain("Kanga & <Sons>");
  expect(shown).toContain("12.50");
  expect(shown).toContain("#1001");
  expect(shown).toContain(payer.payment.string("/reference"));
  expect(shown).toContain("Test mode");
  expect(payer.complaints).toEqual([]);
});

test("everything can be reached on a phone without scrolling sideways", async () => {
  await using payer = await visit();

  const boxes = await Promise.all(
    (await payer.page.locator("button, select").all()).map((one) => one.boundingBox()),
  );

  expect(boxes).toHaveLength(6);
  expect(boxes.filter((box) => box === null || box.x < 0 || box.x + box.width > 390)).toEqual([]);
  expect(boxes.filter((box) => box === null || box.height < 44)).toEqual([]);
});

describe("the customer", () => {
  test("pays", async () => {
    await using payer = await visit();

    await payer.page.getByRole("button", { name: /^Pay / }).click();

    expect(await payer.page.getByRole("heading").innerText()).toBe("Paid");
    expect(await payer.standing()).toBe("succeeded");
    expect(payer.complaints).toEqual([]);
  });

  test("declines for a reason", async () => {
    await using payer = await visit();

    await payer.page.getByLabel("Reason to decline").selectOption("Wrong PIN");
    await payer.page.getByRole("button", { name: "Decline" }).click();
    const returned = await payer.page.getByRole("heading").innerText();
    await payer.again();

    expect(returned).toBe("Not paid");
    expect(await payer.page.getByRole("status").innerText()).toContain("wrong_pin");
    expect(await payer.standing()).toBe("failed wrong_pin");
  });

  test("cancels", async () => {
    await using payer = await visit();

    await payer.page.getByRole("button", { name: "Cancel" }).click();
    const returned = await payer.page.getByRole("heading").innerText();
    await payer.again();

    expect(returned).toBe("Not paid");
    expect(await payer.page.getByRole("heading").innerText()).toBe("Cancelled");
    expect(await payer.standing()).toBe("failed not_approved");
  });

  test("leaves it pending and pays later", async () => {
    await using payer = await visit();

    await payer.page.getByRole("button", { name: "Leave pending" }).click();
    const left = await payer.standing();
    await payer.page.getByRole("link", { name: "Back to the payment" }).click();
    await payer.page.getByRole("button", { name: /^Pay / }).click();

    expect([left, await payer.standing()]).toEqual(["requires_action", "succeeded"]);
  });

  test("has the notice pushed again, which changes nothing", async () => {
    await using payer = await visit();
    await payer.page.getByRole("button", { name: /^Pay / }).click();
    await payer.shop.announced();

    await payer.again();
    await payer.page.getByRole("button", { name: "Send the notice again" }).click();
    await pass(payer.shop, 60);

    expect(await payer.page.locator(".notice").innerText()).toBe("The notice was sent again.");
    expect(await payer.shop.announcedNames()).toEqual([]);
  });

  test("pays once, also from two windows", async () => {
    await using payer = await visit();
    const other = await payer.page.context().newPage();
    await other.goto(payer.page.url());

    await payer.page.getByRole("button", { name: /^Pay / }).click();
    await other.getByRole("button", { name: "Cancel" }).click();

    expect(await other.getByRole("heading").innerText()).toBe("Paid");
    expect(await payer.standing()).toBe("succeeded");
  });

  test("finds an expired payment closed", async () => {
    await using payer = await visit();
    await pass(payer.shop, 3_600);

    await payer.page.reload();

    expect(await payer.page.getByRole("button", { name: /^Pay / }).count()).toBe(0);
    expect(await payer.standing()).toBe("expired");
  });
});

describe("with a page to return to", () => {
  // prettier-ignore
  const ways: [button: string, standing: string, told: string][] = [
    ["Pay ", "succeeded", "succeeded"],
    ["Decline", "failed insufficient_funds", "failed"],
    ["Cancel", "failed not_approved", "cancelled"],
    ["Leave pending", "requires_action", "requires_action"],
  ];

  test.each(ways)("%s leads back to the shop", async (button, expected, told) => {
    await using storefront = openStorefront();
    await using payer = await visit(storefront.thanks);

    await payer.page.getByRole("button", { name: button }).click();

    expect(await payer.page.getByRole("heading").innerText()).toBe("Thank you");
    const back = `/thanks?basket=7&payment=${payer.payment.id}&status=${told}&order_token=ord_`;
    expect(storefront.requested.filter((path) => path.startsWith(back))).toHaveLength(1);
    expect(await payer.standing()).toBe(expected);
    expect(payer.complaints).toEqual([]);
  });
});
