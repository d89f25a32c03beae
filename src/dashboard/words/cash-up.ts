// What the cash-up says, in English.

export const cashUp = {
  title: "Cash up",
  day: "Day",
  show: "Show",
  before: "The day before",
  after: "The day after",
  drawer: "Cash to count",
  drawerWhat: "Cash taken minus cash given back. Add what was in the drawer before.",
  byMethod: "By method",
  shop: "The whole shop",
  received: (payments: number) => (payments === 1 ? "1 payment" : `${payments} payments`),
  refunded: (refunds: number) => (refunds === 1 ? "1 refund" : `${refunds} refunds`),
  total: "Total",
  byHand: "Taken by hand",
  byHandWhat: "Counter sales, and payments that a person confirmed.",
  left: "A person who left",
  key: (name: string) => `Key ${name}`,
  command: "The command line",
  empty: "No money moved",
  emptyWhat: "Payments and refunds of this day appear here.",
} as const;
