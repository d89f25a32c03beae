// Nouns define what is closed for the whole shop, and one file loads all of them before the rest.

import { describe, expect, test } from "bun:test";
import { join } from "node:path";

import { kindOfId, zeroId } from "#kernel/id.ts";

const source = join(import.meta.dir, "../src");

describe("the kinds of ids", () => {
  test("are those of the design, each with its prefix", () => {
    const ids = [
      zeroId("store"),
      zeroId("product"),
      zeroId("variant"),
      zeroId("customer"),
      zeroId("cart"),
      zeroId("order"),
      zeroId("lineItem"),
      zeroId("fulfillment"),
      zeroId("return"),
      zeroId("payment"),
      zeroId("refund"),
      zeroId("dispute"),
      zeroId("webhook"),
      zeroId("event"),
      zeroId("delivery"),
      zeroId("key"),
      zeroId("movement"),
      zeroId("discount"),
      zeroId("audit"),
      zeroId("person"),
      zeroId("session"),
      zeroId("personLink"),
      zeroId("taxRate"),
      zeroId("shippingZone"),
      zeroId("shippingRate"),
      zeroId("pickupLocation"),
      zeroId("email"),
      zeroId("collection"),
      zeroId("medium"),
    ];

    expect(ids.map((id) => id.slice(0, id.indexOf("_"))).join(" ")).toBe(
      "str prod var cus cart ord li ful ret pay ref dsp whk evt dlv key mov disc aud per ses lnk txr shz shr loc eml col med",
    );
    expect(kindOfId(zeroId("pickupLocation"))).toBe("pickupLocation");
  });

  test("are all loaded with the nouns, whatever is loaded first", async () => {
    const nouns = await Bun.file(join(source, "nouns.ts")).text();
    const paths = [...new Bun.Glob("**/*.ts").scanSync({ cwd: source })].toSorted();
    const defining: string[] = [];
    let count = 0;
    for (const path of paths) {
      const text = await Bun.file(join(source, path)).text();
      const kinds = text.match(/^defineKind\(/gm) ?? [];
      if (kinds.length > 0) defining.push(path);
      count += kinds.length;
    }

    expect(defining.filter((path) => !nouns.includes(`"#${path}"`))).toEqual([]);
    expect(count).toBeGreaterThan(25);
  });
});
