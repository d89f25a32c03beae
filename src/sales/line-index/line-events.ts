// The events after which an order may have lines that it did not have before, and who reads them.

/** Whose cursor in the log says how far the index of lines is written. */
export const CONSUMER = "order_line_terms";

/** Every story that writes lines emits one of these in the same commit. */
export const lineEvents = ["order.placed", "order.updated"] as const;
