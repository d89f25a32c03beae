// Who needs a passkey to sign in to the dashboard.

export const passkeyRules = ["none", "owners", "all"] as const;
export type PasskeyRule = (typeof passkeyRules)[number];

/** Returns true if a person of the role needs a passkey. */
export function asksForPasskey(rule: PasskeyRule, role: string): boolean {
  return rule === "all" || (rule === "owners" && role === "owner");
}
