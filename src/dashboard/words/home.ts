// The words of the first page, of what waits for a person, of the search and of payments, in English.

export const home = {
  taken: "Taken today",
  more: (percent: number) => `▲ ${percent} %`,
  less: (percent: number) => `▼ ${percent} %`,
  onLast: (weekday: string) => `on last ${weekday} by this time`,
  sameAsLast: (weekday: string) => `the same as last ${weekday} by this time`,
  nothingLast: (weekday: string) => `nothing last ${weekday} by this time`,
  ordersPaid: (placed: number, paid: number) =>
    `${placed} ${placed === 1 ? "order" : "orders"}, ${paid} paid`,
  chartUntil: (amount: string, hour: string) => `Taken today by the hour: ${amount} until ${hour}`,
  hour: "Hour",
  today: "today",
  last: (weekday: string) => `last ${weekday}`,
  waiting: "Waiting for you",
  nothingWaits: "Nothing is waiting. New orders appear here by themselves.",
  toPack: "To pack",
  oldest: (moment: string) => `oldest from ${moment}`,
  short: ["Order short of money", "Orders short of money"],
  shortWhat: "less came than was typed in: ask for the rest, or write it off",
  payments: ["Payment to review", "Payments to review"],
  paymentsWhat: "accept the money or send it back",
  transfers: "Waiting for a transfer",
  transfersWhat: "for more than a day: look at your account, or ask the customer",
  refunds: ["Refund to review", "Refunds to review"],
  refundsWhat: "it failed, or waits for you to pay it out",
  approvals: ["Refund to approve", "Refunds to approve"],
  approvalsWhat: "above the limit of who asked for it",
  disputes: ["Disputed payment", "Disputed payments"],
  disputesWhat: (day: string) => `answer before ${day}`,
  low: "Running low",
  carts: "Left at checkout",
  cartsWhat: (worth: string) => `${worth}; send them a link to come back`,
  cartsLink: "send them a link to come back",
  webhooks: ["Failing webhook", "Failing webhooks"],
  webhooksWhat: "a program is not told what happens here",
  emails: ["Email that failed", "Emails that failed"],
  emailsWhat: "a customer was not told about an order or a cart",
  codes: ["Sign-in code not sent", "Sign-in codes not sent"],
  codesWhat: "the codes of a day were used up; Shop settings say how many are sent",
  abuse: {
    from: (what: string, network: string) => `${what}; most from ${network}`,
    strangers: {
      word: ["Order held back", "Orders held back"],
      what: "visitors' unpaid orders hold their share of an item, which Shop settings set",
    },
    strangersWithoutCodes: {
      word: ["Order to look at", "Orders to look at"],
      what: "visitors reserve more of an item than they should: connect mail, and they have to sign in with a code first",
    },
    guesses: {
      word: ["Sign-in code guessed", "Sign-in codes guessed"],
      what: "codes get longer by themselves, and no customer is locked out",
    },
    sign_ins: {
      word: ["Sign-in slowed down", "Sign-ins slowed down"],
      what: "someone guesses passwords of this dashboard; a passkey is guessed by no one",
    },
    codes: {
      word: ["Sign-in code refused", "Sign-in codes refused"],
      what: "asked for too often; Shop settings say how many are sent in a day",
    },
    orders: {
      word: ["Order refused", "Orders refused"],
      what: "too many at once; a customer who signs in has limits of their own",
    },
    refunds: {
      word: ["Refund refused", "Refunds refused"],
      what: "above the limit in Shop settings",
    },
    pictures: {
      word: ["Picture refused", "Pictures refused"],
      what: "damaged or too large: save it anew",
    },
    requests: {
      word: ["Request refused", "Requests refused"],
      what: "asked too often; the settings of the server say how often a visitor may",
    },
  },
  latest: "Latest orders",
  allOrders: "All orders",
  noOrdersWhat: "Orders appear here as they come in.",
  steps: {
    title: "Getting started",
    left: (count: number) => (count === 1 ? "1 step to go" : `${count} steps to go`),
    done: "done",
    open: "to do",
    orderWhatTest: "Try it out: fill this shop with three weeks of sample sales.",
    seed: "Fill with samples",
    server: "The server has steps of its own:",
  },
} as const;

export const worklists = {
  refunds: "Refunds to review",
  refundsEmpty: "No refunds to review",
  refundsEmptyWhat: "Failed refunds, and money that you give back yourself, appear here.",
  link: "Payment link",
  disputes: "Disputed payments",
  disputesEmpty: "No disputed payments",
  disputesEmptyWhat:
    "When a customer's bank asks for a payment back, it appears here until that is decided.",
  disputesHow:
    "Answer at the payment provider, in its own dashboard. What is decided appears here.",
  disputeStates: {
    warning: "The bank is asking",
    open: "Undecided",
    won: "Won",
    lost: "Lost",
    closed: "Closed",
  },
  vendors: { stripe: "Stripe", paystack: "Paystack", simulated: "Test payment" },
  answerBefore: (day: string) => `Answer before ${day}`,
  emails: "Emails that failed",
  emailsEmpty: "No failed emails",
  emailsEmptyWhat:
    "An email to a customer that the mail server did not take appears here. Send it again from its order or cart.",
  cart: "A cart",
  carts: "Left at checkout",
  cartsEmpty: "No abandoned carts",
  cartsEmptyWhat:
    "When a customer leaves before paying, the cart appears here with a link to send them.",
  someone: "A customer",
  openLink: "Open link",
  subject: (shop: string) => `Your cart at ${shop}`,
  reminder: (shop: string, url: string) =>
    `Hello, you left something in your cart at ${shop}. It is still here for you: ${url}`,
} as const;

export const find = {
  title: "Search",
  placeholder: "Order, item, customer or phone",
  what: "Type a name, an item, a phone number or part of one. #1042 opens that order.",
  all: "All",
  none: "Nothing found",
  noneWhat: (q: string) => `Nothing in this shop matches “${q}”.`,
} as const;

export const payments = {
  which: "Which payments",
  tabs: {
    received: "Received",
    waiting: "Waiting",
    transfers: "Transfers",
    review: "To review",
    failed: "Failed",
  },
  search: "Reference of a payment",
  empty: {
    received: "No payments yet",
    waiting: "No payment is waiting",
    transfers: "No transfer is awaited",
    review: "No payment to review",
    failed: "No failed payments",
  },
  emptyWhat: {
    received: "What customers paid appears here, newest first.",
    waiting: "Payments that a customer or a bank has not decided yet appear here.",
    transfers:
      "Orders whose customers send you the money appear here until you confirm that it came.",
    review: "Money that does not fit its order appears here, to be accepted or sent back.",
    failed: "Attempts that were declined, cancelled or given up appear here.",
  },
  notFound: "Nothing found",
  notFoundWhat: (q: string) => `No payment has the reference “${q}”.`,
} as const;
