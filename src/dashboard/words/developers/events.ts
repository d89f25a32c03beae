// The log of events, in English.

export const events = {
  what: "All that happened, newest first, as programs are told it.",
  empty: "No events yet",
  emptyWhat: "Each change in the shop is an event, which appears here and is sent to webhooks.",
} as const;
