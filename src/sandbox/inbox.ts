// The receiver inside of the test shop: what it says of a message's signature.

/** `unsigned` where the headers of Standard Webhooks are missing. */
export type SignatureVerdict = "valid" | "invalid" | "unsigned";
