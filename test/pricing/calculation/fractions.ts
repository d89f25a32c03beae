// Exact fractions for a second pricing, and amounts handed out unit by unit.

/** A fraction of whole numbers; the denominator is above zero. */
export class Fraction {
  readonly above: bigint;
  readonly below: bigint;

  constructor(above: bigint | number, below: bigint | number = 1n) {
    this.above = BigInt(above);
    this.below = BigInt(below);
  }

  plus({ above, below }: Fraction): Fraction {
    return new Fraction(this.above * below + above * this.below, this.below * below);
  }

  times({ above, below }: Fraction): Fraction {
    return new Fraction(this.above * above, this.below * below);
  }

  over({ above, below }: Fraction): Fraction {
    return new Fraction(this.above * below, this.below * above);
  }

  minus({ above, below }: Fraction): Fraction {
    return this.plus(new Fraction(-above, below));
  }

  isBelow(other: Fraction): boolean {
    return this.minus(other).above < 0n;
  }

  /** The whole number that is not above it. It is not below zero. */
  floor(): bigint {
    return this.above / this.below;
  }

  halfUp(): bigint {
    return this.plus(new Fraction(1, 2)).floor();
  }
}

/** The sum of amounts. */
export function sumUp(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, one) => sum + one, 0n);
}

/** The lower amount. */
export function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

/** The part of an amount that a rate in millionths takes. */
export function percent(amount: bigint, millionths: number): bigint {
  return new Fraction(amount).times(new Fraction(millionths, 1_000_000)).halfUp();
}

/** Hands out the whole parts, then one unit at a time to the share that is furthest below its exact part. */
export function shareOut(amount: bigint, weights: readonly bigint[]): bigint[] {
  const total = sumUp(weights);
  if (total === 0n) return weights.map(() => 0n);
  const exact = weights.map((weight) => new Fraction(amount).times(new Fraction(weight, total)));
  const shares = exact.map((part) => part.floor());
  for (let units = amount - sumUp(shares); units > 0n; units -= 1n) {
    let furthest = 0;
    exact.forEach((part, index) => {
      const gap = part.minus(new Fraction(shares[index] ?? 0n));
      const widest = (exact[furthest] ?? part).minus(new Fraction(shares[furthest] ?? 0n));
      if (widest.isBelow(gap)) furthest = index;
    });
    shares[furthest] = (shares[furthest] ?? 0n) + 1n;
  }
  return shares;
}
