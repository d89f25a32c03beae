// The tools of the test shop, in English. They speak of the wire as it is: who uses them writes programs.

export const sandbox = {
  title: "Test tools",
  clock: "Clock",
  clockWhat:
    "Payments time out, orders expire and webhooks are retried by this clock. Moving it does all that is due on the way.",
  realTime: "Real time",
  ahead: (span: string) => `${span} ahead of real time`,
  days: (days: number) => (days === 1 ? "1 day" : `${days} days`),
  hours: (hours: number) => (hours === 1 ? "1 hour" : `${hours} hours`),
  minutes: (minutes: number) => (minutes === 1 ? "1 minute" : `${minutes} minutes`),
  hour: "+ 1 hour",
  day: "+ 1 day",
  next: "To what is due next",
  back: "Back to real time",
  due: "Due next",
  dueNone: "Nothing is planned.",
  cards: "Test cards and phones",
  cardsWhat: "Each stands for an outcome. Send it as card_token, or as phone.",
  outcome: "Outcome",
  inbox: "Inbox",
  inboxWhat: "Emails to customers, and webhooks that this server sent to itself, arrive here.",
  inboxEmpty: "No messages",
  inboxEmptyWhat: (url: string) =>
    `Every POST to ${url}/<name> arrives here. Give a webhook that address to see what it sends.`,
  signatures: {
    valid: "Signature valid",
    invalid: "Signature invalid",
    unsigned: "Not signed",
  },
  unknownEvent: "Request",
  headers: "Headers",
  empty: "Empty the inbox",
  samples: "Samples",
  samplesWhat: "Products, customers and three weeks of sales, in every state there is.",
  fill: "Fill with samples",
  reset: "Reset the test shop",
  resetWhat:
    "All products, customers, carts, orders, payments and events of the test shop are deleted, and the clock returns to real time. Settings, keys and webhooks stay. This cannot be undone.",
  resetGo: "Delete everything",
  keep: "Keep it",
} as const;
