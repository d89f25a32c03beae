// Disabling endpoints, by hand or because of failures, and enabling them again.

import { describe, expect, test } from "bun:test";

import { toIso } from "#kernel/time.ts";
import { findPending } from "#messaging/webhooks/deliveries/queries.ts";

import { MORNING_MS, openTestShop } from "../../support/shop.ts";
import {
  disableAs,
  openEndpoint,
  pileUp,
  replayFor,
  rowOf,
  sharedSender,
  sicken,
  unused,
} from "./endpoints.ts";

const shared = sharedSender();

const MORNING = toIso(MORNING_MS);

describe("disabling", () => {
  test("is shown with its reason and announced", async () => {
    const endpoint = await openEndpoint(shared);
    await sicken(shared, endpoint);

    const disabled = await shared.put(endpoint.path, { status: "disabled" });

    expect(disabled.body).toMatchObject({
      status: "disabled",
      disabled_reason: "manual",
      disabled_at: MORNING,
      failures_in_row: 3,
      version: 2,
    });
    expect(await shared.announced()).toEqual([
      {
        event: "webhook.disabled",
        data: {
          id: endpoint.id,
          webhook_id: endpoint.id,
          url: unused.url,
          reason: "manual",
          failing_since: MORNING,
          last_success_at: toIso(MORNING_MS - 1_000),
        },
      },
    ]);
  });

  test("twice is announced once and changes nothing", async () => {
    await using shop = await openTestShop();
    const { id, path } = await openEndpoint(shop);
    await shop.put(path, { status: "disabled" });
    shop.clock.advance(1_000);

    const again = await shop.put(path, { status: "disabled" });
    const gone = await disableAs(shop, id, "gone");

    expect(again.body).toMatchObject({ disabled_at: MORNING, version: 2 });
    expect([gone.disabledReason, gone.version]).toEqual(["manual", 2]);
    expect(await shop.announcedNames()).toEqual(["webhook.disabled"]);
  });

  test("together with other changes makes one version", async () => {
    const { path } = await openEndpoint(shared);

    const changed = await shared.put(path, { status: "disabled", description: "Closed." });

    expect(changed.body).toMatchObject({ description: "Closed.", status: "disabled", version: 2 });
  });

  test.each(["gone", "failing"] as const)("because it is %s shows that reason", async (reason) => {
    const { id, path } = await openEndpoint(shared);

    await disableAs(shared, id, reason);

    expect((await shared.get(path)).at("/disabled_reason")).toBe(reason);
    expect(await shared.announced()).toMatchObject([
      { event: "webhook.disabled", data: { reason } },
    ]);
  });

  test("cancels pending deliveries and ends the replay", async () => {
    const endpoint = await openEndpoint(shared);
    await pileUp(shared, endpoint, 3);
    await replayFor(shared, endpoint);

    const disabled = await shared.put(endpoint.path, { status: "disabled" });

    expect(disabled.at("/replay")).toBeNull();
    expect(await findPending(shared.test.database.read, endpoint.id, 10)).toEqual([]);
  });

  test("does not affect other endpoints", async () => {
    const [endpoint, other] = [await openEndpoint(shared), await openEndpoint(shared)];
    await pileUp(shared, other, 2);

    await shared.put(endpoint.path, { status: "disabled" });

    expect((await shared.get(other.path)).at("/status")).toBe("enabled");
    expect(await findPending(shared.test.database.read, other.id, 10)).toHaveLength(2);
  });
});

describe("enabling", () => {
  test("resets the failures and starts after the newest event", async () => {
    const endpoint = await openEndpoint(shared);
    await sicken(shared, endpoint);
    await shared.put(endpoint.path, { status: "disabled" });
    await shared.post("/v2/customers", { email: "ada@example.com" });
    await shared.announced();

    const enabled = await shared.put(endpoint.path, { status: "enabled" });

    expect(enabled.body).toMatchObject({
      status: "enabled",
      disabled_reason: null,
      disabled_at: null,
      failures_in_row: 0,
      failing_since: null,
      last_success_at: toIso(MORNING_MS - 1_000),
      version: 3,
    });
    expect((await rowOf(shared, endpoint.id)).startsAfter).toBe((await shared.events()).length);
    expect(await shared.announced()).toEqual([]);
  });

  test("sends nothing that was pending before, however much it was", async () => {
    const endpoint = await openEndpoint(shared);
    await pileUp(shared, endpoint, 2_500);
    await shared.put(endpoint.path, { status: "disabled" });

    await shared.put(endpoint.path, { status: "enabled" });

    expect(await findPending(shared.test.database.read, endpoint.id, 10)).toEqual([]);
  });

  test("an endpoint lets it be disabled and announced again", async () => {
    const { path } = await openEndpoint(shared);
    await shared.put(path, { status: "disabled" });
    await shared.put(path, { status: "enabled" });

    await shared.put(path, { status: "disabled" });

    expect(await shared.announcedNames()).toEqual(["webhook.disabled", "webhook.disabled"]);
  });
});
