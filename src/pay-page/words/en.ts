// The words of all pages for customers, in English. Another language is an object of the same type, so that a missing
// text is an error of the type checker.

import type { NextAction } from "#payments/rows/payment-life.ts";
import { pluralOf } from "#shop/store/branding.ts";
import { methodLabels } from "#shop/store/payment-methods.ts";

/** The texts of a language. */
export type Words = typeof en;

/** The step that a gateway asks of the customer. */
export interface GatewaySaid {
  readonly type: NextAction["type"];
  /** In its own words, most often in English. */
  readonly text: string;
  /** The code to dial, such as `*170#`; null where it names nothing of the kind. */
  readonly ussd: string | null;
  /** True if what the customer types in is listed below. */
  readonly hasDetails: boolean;
}

const plural = pluralOf("en");
const inDays = (count: number) => `${count} ${plural(count, "day", "days")}`;

export const en = {
  /** The sign between a name and its value, without the space after it. */
  colon: ":",
  percent: (percent: number) => `${percent} %`,
  number: (number: number) => `#${number}`,
  order: (number: number) => `Order #${number}`,
  amounts: "Amounts",
  item: "An item",
  yourOrder: "Your order",
  testMode: "Test mode: no money moves",
  skip: "Skip to content",
  questions: "Questions?",
  visit: (shop: string) => `Continue to ${shop}`,
  methods: { labels: methodLabels },
  thanks: {
    prepared: "Thank you for your order. The shop is preparing it.",
    partlySent: "Thank you for your order. Part of it has been sent, and the rest will follow.",
    sent: "Thank you for your order. Everything in it has been sent or handed over.",
    again: "Keep the link to this page to see how your order is doing.",
  },
  cart: {
    heading: "Your cart",
    undelivered: "Your cart, without delivery",
    empty: "This cart is empty.",
    nothingLeft: "Nothing in this cart can be ordered now. Please contact the shop.",
    only: (units: number, name: string) => `Only ${units} of ${name} can be ordered now.`,
    soldOut: (name: string) => `${name} is sold out.`,
    notInCurrency: (name: string, currency: string) => `${name} is no longer sold in ${currency}.`,
    tooMuch: (name: string) => `${name} costs more than a single order allows.`,
    notForSale: (name: string) => `${name} is no longer for sale.`,
    nowCosts: (name: string, { before, after }: { before: string; after: string }) =>
      `${name} now costs ${after} instead of ${before}.`,
    again: (name: string) => `${name} can be ordered again.`,
    goesOnWithout: (lines: number) =>
      `Your order continues without ${plural(lines, "it", "them")}.`,
    codeGone: (code: string) => `The code ${code} does not apply any more.`,
    leftOut: "Left out",
  },
  bill: {
    cancelled: (number: number) => `Order #${number} was cancelled`,
    paid: (number: number) => `Order #${number} is paid`,
    noWayToPay: "This shop cannot take payments here at the moment. Please contact the shop.",
    tooLate: "It can no longer be paid.",
    beingChecked: "Your payment is being checked. You do not need to do anything.",
  },
  sums: {
    subtotal: "Subtotal",
    discount: "Discount",
    shipping: "Shipping",
    total: "Total",
    refunded: "Refunded",
    undelivered: "Total without delivery",
    paid: "Paid",
    toPay: "To pay",
    includes: (tax: string, amount: string) => `includes ${tax}: ${amount}`,
  },
  ways: {
    legend: "How do you want to pay?",
    choose: "Please choose how you want to pay.",
    another: "Pay another way",
    placeOrder: "Place the order",
    continue: "Continue to payment",
    deposit: (amount: string) => `Pay only the deposit of ${amount} now`,
    byHand: "You see where to pay in the next step.",
    onPhone: "You approve the payment on your phone.",
    onPage: "You pay on a secure page and come back here.",
    phone: "Phone number",
    phoneAbroad: "Phone number, with its country code",
    noPhone: (example: string) =>
      `Please enter the phone number with its country code, such as ${example}.`,
    network: "Network",
    chooseNetwork: "Choose your network",
    code: "Code",
    sendCode: "Send the code",
    approved: "I have approved it",
  },
  step: {
    gatewaySays: ({ text }: GatewaySaid) => text,
    detail: (label: string) => label,
    part: (amount: string) => `The amount of this payment is ${amount}.`,
    giveNumber: (number: number) => `Give the order number #${number} with your payment.`,
    confirms: "The shop will confirm your payment when it arrives.",
    shopHasIt: "The shop has your order.",
    keptUntil: (time: string) => `The shop keeps your order until ${time}.`,
    depositBefore: (amount: string) =>
      `The shop asks for a deposit of ${amount} before the delivery: please pay it another way.`,
    depositEnough: (amount: string) =>
      `A deposit of ${amount} is enough for the shop to keep your order.`,
  },
  details: {
    heading: "Your details",
    name: "Name",
    email: "Email",
    either: "An email or a phone number is enough.",
    continue: "Continue",
    noName: "Please enter your name.",
    noEmail: "Please enter a complete email address.",
    noContact: "Please enter an email address or a phone number.",
    incomplete: "Please enter what is missing first.",
  },
  delivery: {
    change: "Change the delivery",
    showTotal: "Show the new total",
    continue: "Continue",
    collect: "Collect your order",
    how: "How do you want to get your order?",
    to: (country: string) => `Delivery to ${country}`,
    toOrCollect: (country: string) => `Delivery to ${country}, or collect it`,
    collectAt: (place: string) => `Collect it at ${place}`,
    free: "Free",
    haveIt: "Have it delivered",
    where: "Where is it delivered to?",
    another: "Deliver to another address",
    street: "Street and number, or how to find it",
    postalCode: "Postal code, if any",
    town: "Town",
    region: "Region or state, if any",
    country: "Country",
    chooseCountry: "Choose the country",
    showOptions: "Show the delivery options",
    noCountry: "Please choose the country.",
    noStreet: "Please enter the street and the town.",
    gone: "The delivery that was chosen is no longer offered. Please choose again.",
    choose: "Please choose how you want to get your order.",
    notTo: (country: string) => `The shop offers no delivery of this cart to ${country}.`,
    collectInstead: "You can collect it, or give another address.",
    askShop: "Please give another address, or contact the shop.",
    sameDay: "On the same day",
    inDays,
    atLeast: (days: number) => `At least ${inDays(days)}`,
    upTo: (days: number) => `Up to ${inDays(days)}`,
    between: (least: number, most: number) => `${least} to ${inDays(most)}`,
  },
  status: {
    cancelled: "Cancelled",
    unpaidInTime: "It was not paid in time. You no longer have to pay for it.",
    refunded: "Refunded",
    youAreRefunded: "You have been refunded.",
    refundIsDue: "A refund is due to you.",
    refundComes: "Your refund is on its way.",
    sent: "Sent",
    partlySent: "Partly sent",
    notConfirmed: "Not confirmed yet",
    notPaid: "Not paid yet",
    prepared: "Being prepared",
    progress: "Progress",
    ordered: "Ordered",
    paid: "Paid",
    notYet: "not yet",
    units: {
      sent: (units: number) => `${units} sent`,
      cancelled: (units: number) => `${units} cancelled`,
      returned: (units: number) => `${units} returned`,
    },
    credited: "Cancelled or returned",
    kept: "Kept by the shop",
    waived: "Waived by the shop",
    refundDue: "Refund due",
    refundOnWay: "Refund on its way",
    sentOn: (day: string) => `Sent on ${day}`,
    track: "Track it",
    trackWith: (carrier: string) => `Track it with ${carrier}`,
    deliveryAddress: "Delivery address",
    billingAddress: "Billing address",
    contact: "Contact",
    hidden:
      "Your address and your contact details are not shown any more, because your order has not changed for 30 days. The shop still has them.",
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
      `${shop} sends you emails about carts that you left and orders that you have not paid, and may send you offers, because you agreed to it. Press the button, and it sends none any more.`,
    orders: "You still get emails about what you order.",
    act: "Unsubscribe",
    done: "You are unsubscribed",
    doneWhat: (shop: string) => `${shop} sends you no more offers.`,
  },
  faults: {
    busy: "Too many requests came from here. Please try again in a minute.",
    notFound: "Not found",
    nothingHere: "There is no page at this address. Please check that it is complete.",
    linkInvalid: "This link is not valid. Please check that you copied all of it.",
    gone: "No longer available",
    linkExpired: "This link has expired. Please visit the shop again.",
    notAvailable: "Not available",
    failed: "Something went wrong on our side. Please try again later.",
  },
  refusals: {
    heldByOthers:
      "Others hold most of what is left and have not paid yet. Please try again later, or contact the shop.",
    payFirst: "You have orders here that are not paid yet. Please pay or cancel one of them first.",
    tooMany: "Too many orders came from here. Please try again in ten minutes.",
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
};
