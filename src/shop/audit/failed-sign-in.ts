// The act that strangers make: anyone can type a name, so that its entries are not kept for good.

export const FAILED_SIGN_IN = "failSignIn";
