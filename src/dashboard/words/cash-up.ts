// What the cash-up says, in English.

export const cashUp = {
  title: "Cash up",
  day: "Day",
  show: "Show",
  before: "The day before",
  after: "The day after",
  drawer: "Cash to count",
  drawerWhat:
    "What was taken in cash less what was given back. What was in the drawer before comes on top.",
  byMethod: "By method",
  shop: "The whole shop",
  received: (payments: number) => (payments === 1 ? "1 payment" : `${payments} payments`),
  refunded: (refunds: number) => (refunds === 1 ? "1 refund" : `${refunds} refunds`),
  total: "Together",
  byHand: "Taken by hand",
  byHandWhat: "Sales at the counter, and money that a person confirmed.",
  left: "A person who left",
  key: (name: string) => `Key ${name}`,
  command: "The command line",
  empty: "No money moved",
  emptyWhat: "What is paid and what is given back on this day appears here.",
} as const;
