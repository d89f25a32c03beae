// Settings › Ways to pay: the accounts to which customers send money.

import { expect, test } from "bun:test";

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
