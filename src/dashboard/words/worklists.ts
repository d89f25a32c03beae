// What the lists of what waits for a person say, in English.

export const worklists = {
  refunds: "Refunds to look at",
  refundsEmpty: "No refund waits",
  refundsEmptyWhat: "Refunds that failed, and money that you hand back yourself, appear here.",
  link: "Payment link",
  carts: "Left at the checkout",
  cartsEmpty: "No cart was left",
  cartsEmptyWhat:
    "Carts whose customers went away before they paid appear here, with a link to send them.",
  someone: "A customer",
  whatsApp: "WhatsApp",
  openLink: "Their link",
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
