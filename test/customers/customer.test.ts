// The rules of customers: whose name is what, and how somebody is recognized.

import { describe, expect, test } from "bun:test";

import {
  changedDetails,
  contactTaken,
  type Customer,
  emptyDetails,
  requireReachable,
  searchText,
} from "#customers/customer.ts";
import { newId } from "#kernel/id.ts";
import { Refusal, validationFailed } from "#kernel/refusal.ts";

const ada: Customer = {
  ...emptyDetails,
  id: newId("customer", 0),
  email: "ada@shop.example",
  phone: "+233201234567",
  name: "Ada Mensah",
  firstName: "Ada",
  lastName: "Mensah",
  ordersCount: 0,
  erasedAt: null,
  version: 1,
  createdAt: 0,
  updatedAt: 0,
};
const countess = { ...ada, name: "The Countess" };

describe("a name", () => {
  test.each([
    [
      "follows first and last name",
      {
        before: emptyDetails,
        change: { firstName: "Ada", lastName: "Mensah" },
        name: "Ada Mensah",
      },
    ],
    [
      "follows the only part there is",
      { before: emptyDetails, change: { lastName: "Mensah" }, name: "Mensah" },
    ],
    [
      "is kept as it was given",
      { before: emptyDetails, change: { name: "A. M.", firstName: "Ada" }, name: "A. M." },
    ],
    [
      "follows when a part changes",
      { before: ada, change: { lastName: "Owusu" }, name: "Ada Owusu" },
    ],
    [
      "follows until nothing is left",
      { before: ada, change: { firstName: null, lastName: null }, name: null },
    ],
    [
      "of its own stays when a part changes",
      { before: countess, change: { firstName: "Augusta" }, name: "The Countess" },
    ],
    [
      "of two parts at their longest is as long as a name may be",
      {
        before: emptyDetails,
        change: { firstName: "😀".repeat(100), lastName: "y".repeat(100) },
        name: `${"😀".repeat(100)} ${"y".repeat(99)}`,
      },
    ],
    ["can be taken away", { before: ada, change: { name: null }, name: null }],
    [
      "stays when something else changes",
      { before: ada, change: { phone: null }, name: "Ada Mensah" },
    ],
  ])("%s", (_, { before, change, name }) => {
    expect(changedDetails(before, change).name).toBe(name);
  });
});

describe("an email", () => {
  test("is kept in lower case", () => {
    expect(changedDetails(emptyDetails, { email: "Ada@Shop.Example" }).email).toBe(
      "ada@shop.example",
    );
  });

  test("can be taken away", () => {
    expect(changedDetails(ada, { email: null }).email).toBeNull();
  });
});

describe("a customer", () => {
  test.each([
    ["an email", { email: "ada@shop.example", phone: null }],
    ["a phone", { email: null, phone: "+233201234567" }],
  ])("with only %s can be reached", (_, contact) => {
    expect(() => requireReachable(contact)).not.toThrow();
  });

  test("without email and phone is told of at both places", () => {
    const refusal = refusalOf(() => requireReachable(emptyDetails));

    expect(refusal.definition).toBe(validationFailed);
    expect(refusal.details.faults?.map((fault) => [fault.pointer, fault.code])).toEqual([
      ["/email", "required"],
      ["/phone", "required"],
    ]);
  });

  test("is found by names, email and phone", () => {
    expect(searchText(countess)).toBe("The Countess Ada Mensah ada@shop.example +233201234567");
  });

  test.each([
    ["email", { email: ada.email, phone: null }, "email"],
    ["phone", { email: "grace@shop.example", phone: ada.phone }, "phone"],
    ["email before phone", { email: ada.email, phone: ada.phone }, "email"],
  ])("is recognized by %s", (_, contact, field) => {
    expect(contactTaken(ada, contact).details.members).toEqual({ existing_id: ada.id, field });
  });
});

function refusalOf(act: () => void): Refusal {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error;
  }
  throw new Error("Nothing was refused.");
}
