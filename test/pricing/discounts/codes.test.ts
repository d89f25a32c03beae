// Codes of discounts: how they are folded, given, made at random, listed and deleted.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { randomBytes } from "#kernel/random.ts";
import { foldCode, isCode, randomCode } from "#pricing/discounts/discount-code.ts";

import { atOnce, statuses } from "../../support/at-once.ts";
import { openTestShop, sharedShop } from "../../support/shop.ts";
import { buyWith, summer, summerCode } from "./promotions.ts";

const shop = sharedShop();

const spaces = fc.stringMatching(/^\s{0,5}$/);
const plain = fc.stringMatching(/^[A-Z0-9_-]{3,40}$/);

describe("a code", () => {
  test("is the same in any case and with spaces around it", () => {
    const typing = fc.record({ code: plain, before: spaces, after: spaces, lower: fc.string() });
    fc.assert(
      fc.property(typing, ({ code, before, after, lower }) => {
        const cases = [...code].map((one) => (lower.includes(one) ? one.toLowerCase() : one));
        const typed = before + cases.join("") + after;

        expect(foldCode(typed)).toBe(code);
        expect(foldCode(typed.toLowerCase())).toBe(code);
        expect(isCode(typed)).toBe(true);
      }),
    );
  });

  test("folds to itself once folded", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (typed) => {
        expect(foldCode(foldCode(typed))).toBe(foldCode(typed));
      }),
    );
  });

  test("is not one character, nor has it signs of its own", () => {
    expect(["a", "a%b", "a*b", "\u0061\u0000b", "x".repeat(121)].filter(isCode)).toEqual([]);
  });

  test("is one in capital and small letters of any script", () => {
    const folded = (codes: readonly string[]) => new Set(codes.map(foldCode));

    expect(folded(["\u0130nk", "\u0131nk", "ink", "INK", "i\u0307nk"])).toEqual(new Set(["INK"]));
    expect(folded(["stra\u00dfe", "STRASSE", "\u017ftra\u00dfe"])).toEqual(new Set(["STRASSE"]));
    expect(folded(["\uff33\uff35\uff2d", "sum"])).toEqual(new Set(["SUM"]));
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), (text) => {
        const code = foldCode(text);
        expect([foldCode(code), foldCode(code.toLowerCase())]).toEqual([code, code]);
      }),
    );
  });

  test("made at random has no character that is mistaken for another", () => {
    const codes = Array.from({ length: 200 }, () => randomCode("TEA-", randomBytes));

    expect(new Set(codes).size).toBe(200);
    expect(codes.filter((code) => !/^TEA-[CDFGHJKMNPQRTVWXY34679]{10}$/.test(code))).toEqual([]);
  });

  test("belongs to one discount, however it is typed", async () => {
    const { code } = await summerCode(shop);

    const refused = await summer(shop, { codes: ["CHAI", code.replace("UMMER", "ummer")] });

    expect([refused.status, refused.code]).toEqual([409, "discount_code_taken"]);
    expect(refused.faults).toEqual(["#/codes/1 duplicate"]);
    expect((await summer(shop, { codes: ["CHAI"] })).status).toBe(201);
  });

  test("is given to one of many discounts that want it at once", async () => {
    const answers = await atOnce(8, () => summer(shop, { codes: ["RUSH"] }));

    expect(statuses(answers)).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
  });
});

describe("codes of a discount", () => {
  test("are refused where the discount itself has them", async () => {
    const { id } = await summer(shop, { codes: ["OWN1"] });

    const refused = await shop.post(`/v2/discounts/${id}/codes`, { codes: ["own1"] });

    expect([refused.status, refused.at("/detail")]).toEqual([
      409,
      "A discount has this code already.",
    ]);
  });

  test("are added as they are given, each with its limit", async () => {
    const { id } = await summer(shop);

    const added = await shop.post(`/v2/discounts/${id}/codes`, {
      codes: ["tea-2", "Tea-1"],
      usage_limit: 1,
    });

    expect(added.list("/codes")).toMatchObject([
      { code: "TEA-1", discount_id: id, usage_limit: 1, used_count: 0 },
      { code: "TEA-2", discount_id: id, usage_limit: 1, used_count: 0 },
    ]);
    expect((await shop.get(`/v2/discounts/${id}`)).at("/code_count")).toBe(3);
  });

  test("are made a thousand at once, no two alike", async () => {
    const { id } = await summer(shop, { codes: [], automatic: false });

    const added = await shop.post(`/v2/discounts/${id}/codes`, { count: 1000, prefix: "gift-" });

    const codes = new Set(added.list("/codes").map((one) => String(Object(one).code)));
    expect(codes.size).toBe(1000);
    expect([...codes].filter((code) => !/^GIFT-[A-Z0-9]{10}$/.test(code))).toEqual([]);
  });

  test.each([
    ["neither codes nor a count", {}, ["#/codes required"]],
    ["both", { codes: ["TEA"], count: 2 }, ["#/count conflicting_fields"]],
    ["too many", { count: 1001 }, ["#/count too_large"]],
    ["a prefix that no code has", { count: 1, prefix: "É" }, ["#/prefix invalid_format"]],
    ["one code twice", { codes: ["tea", "TEA"] }, ["#/codes/1 duplicate"]],
  ])("are refused with %s", async (_, body, faults) => {
    const { id } = await summer(shop);

    const refused = await shop.post(`/v2/discounts/${id}/codes`, body);

    expect(refused.faults).toEqual(faults);
    expect((await shop.get(`/v2/discounts/${id}`)).at("/code_count")).toBe(1);
  });

  test("are not for an automatic discount", async () => {
    await using shop = await openTestShop();
    const { id } = await summer(shop, { codes: [] });

    const refused = await shop.post(`/v2/discounts/${id}/codes`, { count: 1 });

    expect([refused.status, refused.code]).toEqual([409, "discount_is_automatic"]);
  });

  test("are listed page by page with their uses", async () => {
    const { id } = await summer(shop, { codes: ["CCC", "AAA", "BBB"] });
    await buyWith(shop, ["bbb"]);

    const first = await shop.get(`/v2/discounts/${id}/codes?limit=2`);
    const cursor = first.string("/next_cursor");
    const rest = await shop.get(`/v2/discounts/${id}/codes?limit=2&cursor=${cursor}`);

    expect(first.list("/data")).toMatchObject([
      { code: "AAA", used_count: 0 },
      { code: "BBB", used_count: 1 },
    ]);
    expect(rest.list("/data")).toMatchObject([{ code: "CCC" }]);
    expect(rest.at("/has_more")).toBe(false);
  });
});

describe("deleting a code", () => {
  test("leaves a discount that does not apply by itself", async () => {
    const { id, code } = await summerCode(shop);

    const deleted = await shop.delete(`/v2/discounts/${id}/codes/${code.toLowerCase()}`);

    expect(deleted.status).toBe(204);
    expect((await shop.get(`/v2/discounts/${id}`)).body).toMatchObject({
      automatic: false,
      code_count: 0,
    });
    expect(await buyWith(shop, [code])).toBe("unknown");
  });

  test("that an order used is refused", async () => {
    const { id, code } = await summerCode(shop);
    await buyWith(shop, [code]);

    const refused = await shop.delete(`/v2/discounts/${id}/codes/${code}`);

    expect([refused.status, refused.code]).toEqual([409, "discount_in_use"]);
  });

  test("of another discount is not found", async () => {
    const { code } = await summerCode(shop);
    const { id } = await summer(shop, { codes: ["KETTLE"] });

    const refused = await shop.delete(`/v2/discounts/${id}/codes/${code}`);

    expect([refused.status, refused.code]).toEqual([404, "discount_code_not_found"]);
  });
});
