// What the search over the shop says, in English.

export const find = {
  title: "Search",
  placeholder: "Order, item, customer or phone",
  what: "Type a name, an item, a phone number or part of one. #1042 opens that order.",
  all: "All",
  none: "Nothing found",
  noneWhat: (q: string) => `Nothing in this shop matches “${q}”.`,
} as const;
