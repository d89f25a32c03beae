// The form encoding of Stripe's API: `a[b][0]=c`.

/** Parameters by name; lists have numbers as names. What is null is left out. */
export interface Params {
  readonly [name: string]: string | number | boolean | null | Params;
}

/** The same parameters always have the same text. */
export function formOf(params: Params): string {
  return new URLSearchParams(pairsOf(params, (name) => name)).toString();
}

function pairsOf(params: Params, nameOf: (name: string) => string): [string, string][] {
  return Object.entries(params).flatMap(([name, value]): [string, string][] => {
    const whole = nameOf(name);
    if (value === null) return [];
    if (typeof value === "object") return pairsOf(value, (part) => `${whole}[${part}]`);
    return [[whole, String(value)]];
  });
}
