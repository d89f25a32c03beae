// The kinds of what limits refuse, as the merchant is told of them. Pure.

export const abuseKinds = [
  "requests",
  "orders",
  "codes",
  "guesses",
  "shelf",
  "sign_ins",
  "refunds",
  "pictures",
] as const;
export type AbuseKind = (typeof abuseKinds)[number];
