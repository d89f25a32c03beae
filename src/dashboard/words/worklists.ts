// What the lists of what waits for a person say, in English.

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
