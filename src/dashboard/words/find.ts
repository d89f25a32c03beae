// What the search over the shop says, in English.

export const find = {
  title: "Search",
  placeholder: "Order, item, customer or phone",
  what: "Write a name, an item, a phone number or part of it. #1042 opens the order.",
  customers: "Customers",
  all: "All",
  none: "Nothing found",
  noneWhat: (q: string) => `Nothing in this shop has “${q}” in it.`,
} as const;
