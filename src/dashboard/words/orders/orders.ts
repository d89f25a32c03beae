// What the list of orders says, in English.

export const orders = {
  title: "Orders",
  tabsLabel: "Which orders",
  tabs: { pack: "To pack", unpaid: "Not paid", all: "All" },
  newOrder: "New order",
  searchLabel: "Search orders",
  searchHint: "Number, name, phone or item",
  filter: "Filter",
  filterLabel: "Filter orders",
  payment: "Payment",
  sending: "Sending",
  channel: "Channel",
  from: "From",
  to: "To",
  any: "Any",
  apply: "Show",
  clear: "Clear filter",
  notSent: "Not sent",
  /** Of news: one order, or a number before these words. */
  oneNew: "1 new order",
  manyNew: "new orders",
  choose: (number: number) => `Choose #${number}`,
  /** After a number of orders. */
  chosen: "chosen",
  sendChosen: "Mark as sent",
  noneChosen: "First tick the orders that were sent.",
  someSent: (sent: number, left: number) =>
    `${sent === 0 ? "No order is" : sent === 1 ? "1 order is" : `${sent} orders are`} marked as sent. ${left === 1 ? "This one is not:" : "These are not:"}`,
  notMarked: (number: string, reason: string) => `#${number}: ${reason}`,
  changed: "it was changed in the meantime. Check it, and mark it again.",
  empty: {
    pack: "Nothing to pack",
    packWhat: "Every paid order has left the house. New ones appear here by themselves.",
    unpaid: "Every order is paid",
    unpaidWhat: "Orders waiting for payment appear here.",
    all: "No orders yet",
    allWhat: "Orders appear here as they come in. You can also enter one yourself.",
    found: "Nothing found",
    foundWhat: (q: string) => `No order has “${q}” in its number, its customer or its items.`,
    filteredWhat: "No order matches this filter.",
  },
} as const;
