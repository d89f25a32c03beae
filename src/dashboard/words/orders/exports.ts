// What is said of files for spreadsheets, in English.

export const exports = {
  orders: "Export orders",
  ordersWhat:
    "A file for the accounts: each order with its taxes, what was paid and what went back. A row for each tax; refunds have rows of their own, below zero.",
  days: (from: string, to: string) => `Orders placed from ${from} to ${to}.`,
  save: "Save as CSV",
  noDay: "This is not a day such as 2026-01-31.",
  customers: "Export customers",
  products: "Export products",
} as const;
