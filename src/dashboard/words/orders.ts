// The words of the pages of orders but that of one, in English.

export const orders = {
  title: "Orders",
  tabsLabel: "Which orders",
  tabs: { pack: "To pack", unpaid: "Not paid", all: "All" },
  newOrder: "New order",
  search: "Number, name, phone or item",
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
  /** The news: one order, or a number before these words. */
  oneNew: "1 new order",
  manyNew: "new orders",
  choose: (number: number) => `Choose #${number}`,
  /** After a number of orders. */
  chosen: "chosen",
  sendChosen: "Mark as sent",
  printSlips: "Print slips",
  printAll: "Print all packing slips",
  leftToPack: (count: string) => `${count} left to pack`,
  slips: (count: number) =>
    count === 0 ? "Packing slips" : count === 1 ? "1 packing slip" : `${count} packing slips`,
  noSlips: "There is nothing to pack.",
  sendAll: (count: number) => (count === 1 ? "Mark it as sent" : `Mark all ${count} as sent`),
  noneChosen: "First tick the orders that were sent.",
  someSent: (sent: number, left: number) =>
    `${sent === 0 ? "No order is" : sent === 1 ? "1 order is" : `${sent} orders are`} marked as sent. ${left === 1 ? "This one is not:" : "These are not:"}`,
  someUnsent: (undone: number, left: number) =>
    `${undone === 0 ? "No order is" : undone === 1 ? "1 order is" : `${undone} orders are`} to pack again. ${left === 1 ? "This one is not:" : "These are not:"}`,
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
    notYet: "None found so far",
    notYetWhat: "Only the newest of many orders are searched yet. Older ones may match.",
  },
} as const;

// How orders are spoken of, in English.

export const order = {
  counter: "Counter sale",
  unknown: "Customer",
  payments: {
    on_delivery: "Pay on delivery",
    unpaid: "Not paid",
    pending: "Paying now",
    review: "Payment to review",
    partially_paid: "Partly paid",
    paid: "Paid",
    overpaid: "Overpaid",
    partially_refunded: "Partly refunded",
    refunded: "Refunded",
  },
  sending: {
    unfulfilled: "To pack",
    partially_fulfilled: "Partly sent",
    fulfilled: "Sent",
    cancelled: "Cancelled",
  },
  methods: {
    mobile_money: "Mobile money",
    card: "Card",
    gateway: "Online payment",
    cash_on_delivery: "Cash on delivery",
    bank_transfer: "Bank transfer",
    cash: "Cash",
  },
  channels: {
    online_store: "Online",
    pos: "Counter",
    phone: "Phone",
    social: "Social",
    whatsapp: "WhatsApp",
  },
} as const;

// How emails to customers are spoken of, in English.

export const emails = {
  title: "Emails",
  what: "What your customers are told by email. Each email has the order or the cart as it is then, and a link to its page.",
  from: (sender: string) => `Emails come from ${sender}.`,
  noServer: "This server sends no emails yet.",
  noServerWhat:
    "The person who runs it has to set DUKA_SMTP_URL and DUKA_MAIL_FROM, and start it again.",
  guide: "How to set up emails",
  test: "Emails of the test shop land in the inbox, and reach no one.",
  inbox: "Open the inbox",
  templates: {
    order_placed: {
      name: "Order placed",
      what: "At once, with how to pay, for an order whose payment you take yourself.",
    },
    order_paid: {
      name: "Payment received",
      what: "Once the order is paid in full. It is the receipt.",
    },
    order_shipped: {
      name: "Goods sent",
      what: "For each parcel, with its tracking. Send it again if the tracking comes later.",
    },
    order_cancelled: { name: "Order cancelled", what: "With the reason, and what is refunded." },
    order_refunded: { name: "Refund", what: "For each refund, once the money is on its way." },
    cart_abandoned: {
      name: "Cart left at checkout",
      what: "Once for a cart or an unpaid order, an hour after it was left, to customers who agreed to marketing. It has a link to unsubscribe, and needs your postal address.",
    },
  },
  postal: "Postal address",
  postalHint:
    "Of your business, in one line. Only emails about carts show it: laws on marketing ask for it.",
  try: "Send a test email",
  tryWhat: "To see whether the mail server takes your emails.",
  tryWhatTest: "It lands in the inbox of the test shop.",
  to: "Send it to",
  tryAct: "Send",
  accepted: "The mail server took it. Look into your mailbox, and into its spam.",
  acceptedTest: "It is in the inbox of the test shop.",
  refused: "It was not sent.",
  said: (answer: string) => `The mail server said: ${answer}`,
  resend: "Send again",
  states: { waiting: "Waiting", sent: "Sent", failed: "Failed", skipped: "Not sent" },
  /** Why an email was not sent, by the first word of its error. */
  reasons: {
    rejected: "The mail server refused the address or the message.",
    busy: "The mail server did not take it at the moment.",
    authentication: "The mail server refused the login. Check DUKA_SMTP_URL.",
    tls: "No safe connection to the mail server. Check its certificate.",
    timeout: "The mail server did not answer in time.",
    connection: "The mail server could not be reached.",
    not_configured: "This server sends no emails yet.",
    no_recipient: "The customer has no email any more.",
    too_old: "It was more than a day old.",
    turned_off: "This email is turned off.",
    already_paid: "The order was paid by then.",
    shipment_cancelled: "It was not sent after all.",
    nothing_to_say: "There was nothing left to say.",
    order_gone: "The order is gone.",
    cart_gone: "The cart is gone.",
    cart_completed: "The cart was ordered by then.",
    cart_expired: "The cart has expired.",
    cart_taken_up: "The customer was back at the checkout by then.",
    no_consent: "The customer does not agree to marketing any more.",
    recently_reminded: "The same email address had one less than a day before.",
  },
} as const;

// The words of the page of a new order, in English.

export const newOrder = {
  title: "New order",
  find: "Find items",
  search: "Name or SKU",
  picked: "In this order",
  pickedHint: "Clear a number to remove the item.",
  found: "Items",
  nothing: (q: string) => `No product has “${q}” in its name or SKU.`,
  none: "Find the first item above.",
  short: (left: number) => (left > 0 ? `Only ${left} left.` : "None left."),
  gone: (names: string) => `No longer for sale, and removed: ${names}.`,
  anItem: "an item",
  tooMany: (max: number) =>
    `Only the first ${max} items are kept: place them, and then the others.`,
  total: "Items, before taxes and discounts",
  customer: "Customer",
  customerHint: "Needed unless the sale is paid and handed over now.",
  noDelivery: "No delivery",
  name: "Name",
  phone: "Phone",
  note: "Note",
  sellTitle: "Paid in cash, handed over now",
  sellHint: "See the total with taxes and discounts, then take the cash.",
  showTotal: "Show total",
  tendered: "Cash received",
  tenderedHint: "Shows the change to give. Leave it empty if the amount is exact.",
  sell: "Sell now",
  placeTitle: "Pay later",
  method: "How it will be paid",
  review: "Review order",
  place: "Place order",
  totalTitle: "Check the total",
  totalChanged: (total: string) =>
    `The total is now ${total}. Nothing has been sold yet. Check with the customer and try again.`,
  payLater: (method: string) => `Paid later: ${method}.`,
  change: (amount: string) => `Change to give: ${amount}.`,
} as const;
