// The sums of payments on their order: five columns of the order that are written together.

/** Amounts in minor units of the order's currency. */
export interface PaidTotals {
  readonly paidMinor: number;
  readonly refundingMinor: number;
  readonly refundedMinor: number;
  readonly openAttempts: number;
  readonly paymentsInReview: number;
}

export const noPaidTotals: PaidTotals = {
  paidMinor: 0,
  refundingMinor: 0,
  refundedMinor: 0,
  openAttempts: 0,
  paymentsInReview: 0,
};

/** The totals with those of another added; of rows that have more, the totals alone. */
export function addTotals(one: PaidTotals, other: PaidTotals): PaidTotals {
  return combine(one, other, (left, right) => left + right);
}

/** The rest of the totals without the others. */
export function subtractTotals(one: PaidTotals, other: PaidTotals): PaidTotals {
  return combine(one, other, (left, right) => left - right);
}

function combine(
  one: PaidTotals,
  other: PaidTotals,
  by: (left: number, right: number) => number,
): PaidTotals {
  return {
    paidMinor: by(one.paidMinor, other.paidMinor),
    refundingMinor: by(one.refundingMinor, other.refundingMinor),
    refundedMinor: by(one.refundedMinor, other.refundedMinor),
    openAttempts: by(one.openAttempts, other.openAttempts),
    paymentsInReview: by(one.paymentsInReview, other.paymentsInReview),
  };
}
