// Gateways of the shop's own in a shop that two programs serve.

import { expect, setDefaultTimeout, test } from "bun:test";

import { putCustom } from "#payments/gateways/custom-gateways.ts";
import { checkCustom } from "#payments/gateways/http/check-custom.ts";
import { onlyPublic } from "#platform/net/target-url.ts";

import { openPrograms } from "../../support/programs.ts";
import { until } from "../../support/until.ts";
import { CallbackGateway } from "../../vendors/callback-gateway.ts";
import { serveGateway } from "../../vendors/http/serve-gateway.ts";

// Slow on a busy machine.
setDefaultTimeout(60_000);

test("a gateway that one program added is asked by the other without a restart", async () => {
  await using programs = await openPrograms(2);
  await using served = await serveGateway(new CallbackGateway("k3yr1ng"));
  const [one, other] = [programs.of(0), programs.of(1)];
  const { database } = one.test;
  const place = { id: "own-adapter", mode: "test", testReach: onlyPublic } as const;
  const { url } = served.server;
  const added = await database.write((tx) =>
    putCustom(tx, { ...place, url, by: "operator", expected: null }),
  );
  served.use(added.secret ?? "");

  await checkCustom(database.read, place, (story) => database.write(story));

  const isKnown = () => other.test.gateways.some(({ id }) => id === "own-adapter");
  await until(isKnown, "The other program does not know the gateway.");
  const payment = await other.post("/v2/payments/initialize", {
    amount: 5,
    currency: "GHS",
    method: "mobile_money",
    phone: "+233551234000",
    gateway: "own-adapter",
  });
  expect(payment.status).toBe(201);
});

test("of two programs that add the eighth gateway at once, one is refused", async () => {
  await using programs = await openPrograms(2);
  const add = (program: number, id: string) =>
    programs.of(program).test.database.write((tx) =>
      putCustom(tx, {
        id,
        mode: "test",
        url: "http://127.0.0.1:9",
        by: "operator",
        expected: null,
      }),
    );
  for (let n = 1; n <= 7; n += 1) await add(0, `own-${n}`);

  const done = await Promise.allSettled([add(0, "own-8"), add(1, "own-9")]);

  expect(done.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});
