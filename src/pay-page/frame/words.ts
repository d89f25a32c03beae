// What all pages for customers say, in English. Another language is an object of the same type, so that a missing
// text is an error of the type checker.

export const en = {
  /** The language of these texts, for `lang`. */
  language: "en",
  testMode: "Test mode: no money moves",
  questions: "Questions?",
  visit: (shop: string) => `Go on to ${shop}`,
  thanks: {
    prepared: "Thank you for your order. The shop prepares it now.",
    partlySent: "Thank you for your order. A part of it was sent, and the rest follows.",
    sent: "Thank you for your order. Everything in it was sent or handed over.",
    again: "Keep the address of this page: it shows your order whenever you open it.",
  },
  returned: {
    order: "Order",
    reference: "Reference",
    back: "Back to the payment",
    again: "Check again",
    states: {
      paid: { heading: "Paid", sentence: "Thank you. Your payment has arrived." },
      refunded: { heading: "Refunded", sentence: "This payment was given back to you." },
      checked: {
        heading: "Being checked",
        sentence: "The shop checks your payment. Please do not pay again.",
      },
      awaited: {
        heading: "Not confirmed yet",
        sentence:
          "We do not know yet whether your payment went through. If you have paid, please do not pay again, and check again in a minute.",
      },
      unpaid: {
        heading: "Not paid",
        sentence: "Your payment did not go through. You can try again, or pay another way.",
      },
    },
  },
  faults: {
    notFound: "Not found",
    linkInvalid: "This link is not valid. Please check that you copied all of it.",
    gone: "No longer available",
    linkExpired: "This link has expired. Please visit the shop again.",
    notAvailable: "Not available",
    failed: "Something went wrong on our side. Please try again later.",
  },
  refusals: {
    notReady: "The payment could not be started. Please try again in a few minutes.",
    notPaid: "Your last payment did not go through. You can try again, or pay another way.",
    changed: "The amount has changed since you opened this page. Please look at it again.",
    otherDelivery:
      "With the delivery that you chose, the total is another one. Please look at it, and continue.",
    depositBefore: "The deposit is paid before the delivery. Please choose another way to pay it.",
    noCode: "Please type the code as you received it: letters and digits only.",
    notHere: "This cannot be paid here. Please contact the shop.",
    tooOften:
      "This phone was asked too often in the last hour. Please try again later, or pay another way.",
  },
} as const;
