// Settings › Ways to pay › Payment providers: an owner adds a gateway of the shop's own, checks, moves, retires, deletes it.

import { expect, test } from "bun:test";

import { auditEntries } from "#shop/audit/tables.ts";
import { expandScopes } from "#shop/keys/scopes.ts";

import { rowsOf } from "../support/tables.ts";
import { CallbackGateway } from "../vendors/callback-gateway.ts";
import { type ServedGateway, serveGateway } from "../vendors/http/serve-gateway.ts";
import {
  type DashboardShop,
  openDashboard,
  type SeenPage,
  type Visitor,
} from "./dashboard-shop.ts";

const GATEWAYS = "/dashboard/test/settings/payments/gateways";
const HERE = `${GATEWAYS}/own-adapter`;
const byPhone = {
  amount: 5,
  currency: "GHS",
  method: "mobile_money",
  phone: "+233551234000",
  gateway: "own-adapter",
};

async function add(
  owner: Visitor,
  fields: { readonly id?: string; readonly url: string },
  list = GATEWAYS,
): Promise<SeenPage> {
  const { id = "own-adapter", url } = fields;
  const form = (await owner.get(`${list}/new`)).field("form");
  return owner.send(`${list}/new/make`, { form, "@id": id, "/url": url });
}

function secretIn({ html }: SeenPage): string {
  const found = /whsec_[A-Za-z0-9+/=]+/.exec(html)?.[0];
  if (found === undefined) throw new Error(`No secret in ${html}`);
  return found;
}

/** An adapter that the owner added and checked. */
async function addServed({ owner }: DashboardShop): Promise<ServedGateway> {
  const served = await serveGateway(new CallbackGateway("k3yr1ng"));
  served.use(secretIn(await add(owner, { url: served.server.url })));
  await owner.sendAndFollow(`${HERE}/check`, {});
  return served;
}

async function standing({ shop }: DashboardShop): Promise<unknown> {
  const list = (await shop.get("/v2/gateways")).list("/gateways");
  return list.map(Object).find(({ id }) => id === "own-adapter")?.standing;
}

async function versionOf(owner: Visitor): Promise<string> {
  return (await owner.get(HERE)).field("version");
}

test("a gateway that an owner added is asked as soon as it was checked, without a restart", async () => {
  await using dashboard = await openDashboard();
  const { owner, shop } = dashboard;
  const served = await serveGateway(new CallbackGateway("k3yr1ng"));
  await using _ = served;

  const added = await add(owner, { url: `${served.server.url}/` });
  served.use(secretIn(added));
  const before = await shop.post("/v2/payments/initialize", byPhone);
  const checked = await owner.sendAndFollow(`${HERE}/check`, {});
  const after = await shop.post("/v2/payments/initialize", byPhone);

  expect(before.faults).toEqual(["#/gateway gateway_unknown"]);
  expect(checked.text).toContain("It answered as it should.");
  expect(checked.text).toContain("Mobile money GHS");
  expect([after.status, after.at("/gateway")]).toEqual([201, "own-adapter"]);
});

test("a secret is shown once, and another one holds beside the former", async () => {
  await using dashboard = await openDashboard();
  const { owner, shop } = dashboard;
  await using served = await addServed(dashboard);

  const rotated = await owner.send(`${HERE}/rotate`, {
    form: (await owner.get(HERE)).field("form"),
  });
  const before = await shop.post("/v2/payments/initialize", byPhone);
  served.use(secretIn(rotated));
  const after = await shop.post("/v2/payments/initialize", byPhone);

  expect((await owner.get(HERE)).html).not.toContain("whsec_");
  expect([before.status, after.status]).toEqual([201, 201]);
});

test("a gateway is retired and taken back without a check, and needs one at another address", async () => {
  await using dashboard = await openDashboard();
  const { owner } = dashboard;
  await using served = await addServed(dashboard);
  const { url } = served.server;
  const stand = async (to: string) =>
    owner.sendAndFollow(`${HERE}/stand`, {
      version: await versionOf(owner),
      "/url": url,
      "/standing": to,
    });

  await stand("retired");
  const retired = await standing(dashboard);
  await stand("open");
  const back = await standing(dashboard);
  await owner.sendAndFollow(`${HERE}/save`, {
    version: await versionOf(owner),
    "/url": `${url}/v2`,
  });
  const moved = await standing(dashboard);

  expect([retired, back, moved]).toEqual(["retired", "open", "new"]);
});

test("a retired gateway that moved is not taken back before a check", async () => {
  await using dashboard = await openDashboard();
  const { owner } = dashboard;
  await using served = await addServed(dashboard);
  const url = `${served.server.url}/v2`;
  const stand = async (to: string) =>
    owner.sendAndFollow(`${HERE}/stand`, {
      version: await versionOf(owner),
      "/url": url,
      "/standing": to,
    });

  await stand("retired");
  await stand("open");

  expect(await standing(dashboard)).toBe("new");
});

test("a change of what another changed meanwhile is refused", async () => {
  await using dashboard = await openDashboard();
  const { owner } = dashboard;
  await add(owner, { url: "http://127.0.0.1:9" });
  const version = await versionOf(owner);
  await owner.send(`${HERE}/save`, { version, "/url": "http://127.0.0.1:10" });

  const late = await owner.send(`${HERE}/save`, { version, "/url": "http://127.0.0.1:11" });

  expect(late.status).toBe(412);
});

test("a check that fails says why, and what was known stays", async () => {
  await using dashboard = await openDashboard();
  const { owner } = dashboard;
  const served = await addServed(dashboard);
  await served[Symbol.asyncDispose]();

  const checked = await owner.send(`${HERE}/check`, {
    form: (await owner.get(HERE)).field("form"),
  });

  expect(checked.status).toBe(409);
  expect(checked.text).toContain("It gave no answer that counts.");
  expect(checked.text).toContain("In use");
});

test("a gateway with payments is not deleted, and one without is", async () => {
  await using dashboard = await openDashboard();
  const { owner, shop } = dashboard;
  await using _ = await addServed(dashboard);
  await add(owner, { id: "other-one", url: "http://127.0.0.1:9" });
  await shop.post("/v2/payments/initialize", byPhone);

  const refused = await owner.send(`${HERE}/remove/sure`);
  await owner.send(`${GATEWAYS}/other-one/remove/sure`);

  expect(refused.status).toBe(409);
  expect(refused.text).toContain("retire it");
  const left = (await shop.get("/v2/gateways")).list("/gateways").map((one) => Object(one).id);
  expect(left).toEqual(["simulated", "own-adapter"]);
});

test.each([
  [{ id: "hubtel", url: "http://127.0.0.1:9" }, "has a hyphen"],
  [{ url: "http://127.0.0.1:9/?shop=1" }, "must not contain a query"],
  [{ url: "http://10.0.0.7" }, "must begin with https://"],
  [{ url: "https://10.0.0.7" }, "The address must be public"],
])("%j is refused", async (given, why) => {
  await using dashboard = await openDashboard();

  const refused = await add(dashboard.owner, given);

  expect(refused.status).toBe(422);
  expect(refused.text).toContain(why);
});

test("a ninth gateway is refused", async () => {
  await using dashboard = await openDashboard();
  const { owner } = dashboard;
  for (let n = 1; n <= 8; n += 1) await add(owner, { id: `own-${n}`, url: "http://127.0.0.1:9" });

  const refused = await add(owner, { id: "own-9", url: "http://127.0.0.1:9" });

  expect(refused.status).toBe(409);
  expect(refused.text).toContain("at most 8");
});

test("a live gateway is refused before customers can be sent back to a public URL", async () => {
  await using dashboard = await openDashboard();
  const { owner } = dashboard;

  const refused = await add(
    owner,
    { url: "https://adapter.example" },
    "/dashboard/settings/payments/gateways",
  );

  expect(refused.status).toBe(409);
  expect(refused.text).toContain("must be a public https:// URL");
});

test("only owners change gateways, and every act is on record without its secret", async () => {
  await using dashboard = await openDashboard();
  const { owner, shop } = dashboard;
  const staff = await dashboard.join("staff", "Kofi");
  const secret = secretIn(await add(owner, { url: "http://127.0.0.1:9" }));

  const seen = await staff.get(GATEWAYS);
  const page = await staff.get(HERE);
  const refused = await staff.send(`${HERE}/remove/sure`);

  expect(seen.text).toContain("own-adapter");
  expect([page.status, refused.status]).toEqual([403, 403]);
  const entries = await rowsOf(shop.test.database.read, auditEntries);
  expect(entries.filter(({ action }) => action === "updateGateway")).toMatchObject([
    { actorName: "Ama", subject: "own-adapter" },
  ]);
  expect(JSON.stringify(entries)).not.toContain(secret);
});

test("no key changes gateways, and none can be given the scope", async () => {
  await using dashboard = await openDashboard();
  const { shop } = dashboard;
  await add(dashboard.owner, { url: "http://127.0.0.1:9" });
  const ask = (method: string, path: string) =>
    fetch(`${shop.url}/v2/gateways/own-adapter${path}`, {
      method,
      headers: { Authorization: `Bearer ${shop.key}`, "Content-Type": "application/json" },
      ...(method === "DELETE" ? {} : { body: "{}" }),
    });

  const answers = [
    await ask("PUT", ""),
    await ask("POST", "/check"),
    await ask("POST", "/rotate-secret"),
    await ask("DELETE", ""),
  ];
  const key = await shop.post("/v2/keys", { name: "Till", scopes: ["connections:write"] });

  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  expect([key.status, key.faults]).toEqual([422, ["#/scopes/0 invalid_choice"]]);
});

test("a key whose row names the scope does not have it", () => {
  expect([...expandScopes(["connections:write", "orders:read"])]).toEqual(["orders:read"]);
});
