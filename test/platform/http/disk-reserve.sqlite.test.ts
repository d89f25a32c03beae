// The last room of a disk is for live orders: what strangers and tests write is refused before.

import { describe, expect, test } from "bun:test";

import { diskReserve, diskRoomOf } from "#platform/process/disk-reserve.ts";

import { openTestShop } from "../../support/shop.ts";

const GIB = 1_073_741_824;
const low = { free: 0.9 * GIB, total: 500 * GIB };

describe("below the reserve", () => {
  test("test mode and publishable keys change nothing, and live secret keys go on", async () => {
    await using shop = await openTestShop({ readDisk: () => low });
    const live = await shop.createKey({ mode: "live" });
    const publishable = await shop.createKey({ mode: "live", scopes: ["storefront"] });
    const ada = { email: "ada@example.com" };

    const ofTest = await shop.post("/v2/customers", ada);
    const ofStranger = await shop.post("/v2/carts", {}, { key: publishable });
    const ofMerchant = await shop.post("/v2/customers", ada, { key: live });

    expect([ofTest.status, ofTest.code]).toEqual([503, "storage_low"]);
    expect(ofTest.headers.get("retry-after")).toBe("60");
    expect([ofStranger.status, ofStranger.code]).toEqual([503, "storage_low"]);
    expect(ofMerchant.status).toBe(201);
    expect(await shop.announced()).toEqual([]);
  });

  test("the inbox takes no message", async () => {
    await using shop = await openTestShop({ readDisk: () => low });

    const answer = await fetch(`${shop.url}/hooks/test/inbox/shop`, { method: "POST", body: "{}" });

    expect(answer.status).toBe(503);
    expect((await shop.get("/v2/test/inbox")).list("/data")).toEqual([]);
  });

  test("everything is read, and what is deleted makes room", async () => {
    await using shop = await openTestShop({ readDisk: () => low });

    expect((await shop.get("/v2/customers")).status).toBe(200);
    expect((await shop.delete("/v2/test/inbox")).status).toBe(204);
  });

  test("a shop without a reserve goes on", async () => {
    const settings = { DUKA_DISK_RESERVE: "0" };
    await using shop = await openTestShop({ readDisk: () => low, settings });

    expect((await shop.post("/v2/customers", { email: "ada@example.com" })).status).toBe(201);
  });
});

describe("the reserve", () => {
  test.each([
    ["1 GiB of a large disk", null, { free: GIB, total: 500 * GIB }, true],
    ["a byte less of it", null, { free: GIB - 1, total: 500 * GIB }, false],
    ["5 % of a small disk", null, { free: 0.5 * GIB, total: 10 * GIB }, true],
    ["less of it", null, { free: 0.49 * GIB, total: 10 * GIB }, false],
    ["what the operator says", 10, { free: 10_485_760, total: 500 * GIB }, true],
    ["a byte less than that", 10, { free: 10_485_759, total: 500 * GIB }, false],
    ["nothing on a full disk", 0, { free: 0, total: GIB }, true],
  ] as const)("of %s", (...[, reserveMib, room, isEnough]) => {
    expect(diskReserve({ reserveMib, read: () => room })()).toBe(isEnough);
  });

  test("is read from the disk of the data directory", () => {
    const room = diskRoomOf(import.meta.dir);

    expect(room?.free).toBeGreaterThan(0);
    expect(room?.total).toBeGreaterThan(room?.free ?? 0);
  });

  test("is unknown where the data directory is gone", () => {
    expect(diskRoomOf(`${import.meta.dir}/gone`)).toBeNull();
  });
});
