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
