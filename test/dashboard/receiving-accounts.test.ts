// Settings › Ways to pay: the accounts to which customers send money.

import { expect, test } from "bun:test";

import { orderCounter } from "../payments/scripted-shop.ts";
import type { Answered } from "../support/shop.ts";
import { openDashboard } from "./dashboard-shop.ts";

const PAYMENTS = "/dashboard/test/settings/payments";

test("an account is added, changed and deleted", async () => {
  await using dashboard = await openDashboard();
  const { owner, shop } = dashboard;
  const form = (await owner.get(`${PAYMENTS}/accounts/new`)).field("form");

  const added = await owner.sendAndFollow(`${PAYMENTS}/accounts/new/make`, {
    form,
    "/method": "bank_transfer",
    "/label": "Ecobank",
    "/instructions": "GH12 3456 7890",
    "/currencies/0": "ghs usd",
    "/position": "1",
  });
  const [account] = (await shop.get("/v2/receiving-accounts")).list("/data");
  const { id } = Object(account);
  const here = `${PAYMENTS}/accounts/${id}`;
  const saved = await owner.sendAndFollow(`${here}/save`, {
    version: (await owner.get(here)).field("version"),
    "/label": "Ecobank Ghana",
    "/instructions": "GH12 3456 7890",
    "/currencies/0": "",
    "/position": "1",
    "/active": "false",
  });
  const gone = await owner.sendAndFollow(`${here}/remove/sure`);

  expect(account).toMatchObject({ method: "bank_transfer", currencies: ["GHS", "USD"] });
  expect(added.text).toContain("Ecobank GH12 3456 7890 Bank transfer · GHS · USD");
  expect(saved.text).toContain("Ecobank Ghana");
  expect(gone.text).toContain("No accounts yet");
});

test("who records a transfer chooses the account that took it, and is asked once about one that was recorded", async () => {
  await using dashboard = await openDashboard();
  const { owner, shop } = dashboard;
  const order = await orderCounter(shop);
  const [first, other] = [await order(), await order()];
  const told = { method: "bank_transfer", label: "Ecobank", instructions: "GH12 3456 7890" };
  const { id: account } = await shop.post("/v2/receiving-accounts", told);
  const payPage = ({ id }: Answered) => `/dashboard/test/orders/${id}/pay`;
  const shown = await owner.get(payPage(first));
  const typed = {
    "/method": "bank_transfer",
    "/amount": "12.50",
    "/transaction_reference": "FT 0815",
    "/account_id": account,
  };

  await owner.send(`${payPage(first)}/record`, { ...typed, form: shown.field("form") });
  const { text } = await owner.get(`/dashboard/test/orders/${first.id}`);
  const form = (await owner.get(payPage(other))).field("form");
  const asked = await owner.send(`${payPage(other)}/record`, { ...typed, form });
  const seen = { ...typed, "/seen": "true", form: asked.field("form") };
  await owner.sendAndFollow(`${payPage(other)}/record`, seen);

  expect(shown.text).toContain("Ecobank · Bank transfer");
  expect(text).toContain("FT 0815");
  expect(asked.status).toBe(409);
  expect(asked.text).toContain(`Order ${first.number("/number")} has money with this reference.`);
  expect(asked.html).toContain(`value="${account}" selected`);
  expect(shown.html).not.toContain("/seen");
  expect((await shop.get(`/v2/orders/${other.id}`)).at("/payment_status")).toBe("paid");
});

test("a currency that there is not is refused beside its field", async () => {
  await using dashboard = await openDashboard();
  const { owner } = dashboard;

  const refused = await owner.send(`${PAYMENTS}/accounts/new/make`, {
    form: (await owner.get(`${PAYMENTS}/accounts/new`)).field("form"),
    "/method": "bank_transfer",
    "/label": "Ecobank",
    "/instructions": "GH12 3456 7890",
    "/currencies/0": "CEDI",
    "/position": "0",
  });

  expect(refused.status).toBe(422);
  expect(refused.field("/currencies/0")).toBe("CEDI");
});
