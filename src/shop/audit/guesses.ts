// The acts of those who guess: anyone can type a name or a password, so that their entries are not kept for good.

export const FAILED_SIGN_IN = "failSignIn";
export const FAILED_CONFIRMATION = "failConfirmation";
