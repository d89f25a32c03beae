// What the lists of what waits for a person say, in English.

export const worklists = {
  refunds: "Refunds to look at",
  refundsEmpty: "No refund waits",
  refundsEmptyWhat: "Refunds that failed, and money that you hand back yourself, appear here.",
  link: "Payment link",
  disputes: "Disputed payments",
  disputesEmpty: "No payment is disputed",
  disputesEmptyWhat:
    "Payments that a customer's bank asks back appear here, until the dispute is decided.",
  disputesHow:
    "Answer at the payment provider, in its own dashboard. What is decided appears here.",
  disputeStates: {
    warning: "The bank asks",
    open: "Not decided",
    won: "Won",
    lost: "Lost",
    closed: "Closed",
  },
  vendors: { stripe: "Stripe", paystack: "Paystack", simulated: "Test payment" },
  answerBefore: (day: string) => `Answer before ${day}`,
  carts: "Left at the checkout",
  cartsEmpty: "No cart was left",
  cartsEmptyWhat:
    "Carts whose customers went away before they paid appear here, with a link to send them.",
  someone: "A customer",
  whatsApp: "WhatsApp",
  email: "Email",
  openLink: "Their link",
  subject: (shop: string) => `Your cart at ${shop}`,
  reminder: (shop: string, url: string) =>
    `Hello, you left something in your cart at ${shop}. It is still here for you: ${url}`,
  webhooks: "Webhooks",
  webhooksEmpty: "No webhook endpoint",
  webhooksEmptyWhat:
    "Programs that are told what happens in the shop are listed here. POST /v2/webhooks makes one.",
  healthy: "Delivering",
  failing: (since: string) => `Failing since ${since}`,
  disabled: "Switched off",
} as const;
