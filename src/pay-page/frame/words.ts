// What all pages for customers say, in English. Another language is an object of the same type, so that a missing
// text is an error of the type checker.

export const en = {
  /** The language of these texts, for `lang`. */
  language: "en",
  testMode: "Test mode: no money moves",
  questions: "Questions?",
  visit: (shop: string) => `Continue to ${shop}`,
  thanks: {
    prepared: "Thank you for your order. The shop is preparing it.",
    partlySent: "Thank you for your order. Part of it has been sent, and the rest will follow.",
    sent: "Thank you for your order. Everything in it has been sent or handed over.",
    again: "Keep the link to this page to see how your order is doing.",
  },
  returned: {
    order: "Order",
    reference: "Reference",
    back: "Back to the payment",
    again: "Check again",
    states: {
      paid: { heading: "Paid", sentence: "Thank you. Your payment has arrived." },
      refunded: { heading: "Refunded", sentence: "This payment was refunded to you." },
      checked: {
        heading: "Being checked",
        sentence: "The shop is checking your payment. Please do not pay again.",
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
  unsubscribe: {
    heading: "No more offers?",
    what: (shop: string) =>
      `${shop} sends you emails about carts that you left, and may send you other offers, because you agreed to it. Press the button, and it sends none any more.`,
    orders: "You still get emails about what you order.",
    act: "Unsubscribe",
    done: "You are unsubscribed",
    doneWhat: (shop: string) => `${shop} sends you no more offers.`,
  },
  faults: {
    notFound: "Not found",
    nothingHere: "There is no page at this address. Please check that it is complete.",
    linkInvalid: "This link is not valid. Please check that you copied all of it.",
    gone: "No longer available",
    linkExpired: "This link has expired. Please visit the shop again.",
    notAvailable: "Not available",
    failed: "Something went wrong on our side. Please try again later.",
  },
  refusals: {
    notReady: "The payment could not be started. Please try again in a few minutes.",
    notPaid: "Your last payment did not go through. You can try again, or pay another way.",
    changed: "The amount has changed since you opened this page. Please check it again.",
    otherDelivery: "The delivery that you chose changes the total. Please check it, and continue.",
    depositBefore: "The deposit is due before delivery. Please choose another way to pay it.",
    noCode: "Please enter the code as you received it: letters and digits only.",
    notHere: "This cannot be paid here. Please contact the shop.",
    tooOften:
      "This phone was asked to pay too often in the last hour. Please try again later, or pay another way.",
  },
} as const;
