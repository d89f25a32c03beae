// The list of payments, in English.

export const payments = {
  which: "Which payments",
  tabs: { received: "Received", waiting: "Waiting", review: "To review", failed: "Failed" },
  search: "Reference of a payment",
  empty: {
    received: "No payments yet",
    waiting: "No payment is waiting",
    review: "No payment to review",
    failed: "No failed payments",
  },
  emptyWhat: {
    received: "What customers paid appears here, newest first.",
    waiting: "Payments that a customer or a bank has not decided yet appear here.",
    review: "Money that does not fit its order appears here, to be accepted or sent back.",
    failed: "Attempts that were declined, cancelled or given up appear here.",
  },
  notFound: "Nothing found",
  notFoundWhat: (q: string) => `No payment has the reference “${q}”.`,
} as const;
