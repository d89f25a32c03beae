// The words of emails and messages to customers, in English. Another language is an object of the same type.

import { isolated } from "#platform/html/html.ts";
import type { CancelReason } from "#sales/rows/order-life.ts";

/** The texts of a language. */
export type EmailWords = typeof en;

const reasons: Readonly<Record<CancelReason, string>> = {
  customer: "As you asked, we have cancelled your order.",
  merchant: "We are sorry: we had to cancel your order.",
  // The suspicion is not told.
  fraud: "We are sorry: we had to cancel your order.",
  inventory: "We are sorry: we had to cancel your order, because something in it is out of stock.",
  payment_failed: "Your payment did not go through, so we have cancelled your order.",
  expired: "Your order was not paid in time, so we have cancelled it.",
  other: "We are sorry: we had to cancel your order.",
};

export const en = {
  hello: (name: string | null) => (name === null ? "Hello," : `Hello ${isolated(name)},`),
  yourOrder: "Your order",
  orderOf: (order: number) => `Your order #${order}`,
  see: "See your order",
  thanks: "Thank you for your order.",
  placed: {
    subject: (order: number) => `We have your order #${order}`,
    prepared: "We are preparing it.",
    toPay: "To pay",
    payHere: "If you have not paid yet, you can do it here.",
    pay: "Pay now",
  },
  paid: {
    subject: (order: number) => `Payment received for order #${order}`,
    headline: "Payment received",
    arrived: "Thank you. Your payment has arrived.",
    free: {
      subject: (order: number) => `Your order #${order} is confirmed`,
      headline: "Confirmed",
    },
    nothingToPay: "Thank you for your order. There is nothing to pay.",
    prepared: "We are preparing your order now.",
    partlySent: "Part of your order has been sent, and the rest will follow.",
    receipt: (order: number) => `Receipt for order #${order}`,
    see: "See your order and receipt",
    soldBy: (name: string) => `Sold by ${isolated(name)}`,
    taxId: (id: string) => `Tax number ${id}`,
    yourTaxId: (id: string) => `Your tax number ${id}`,
    reverseCharge: "Reverse charge: your business accounts for the tax.",
  },
  shipped: {
    all: {
      subject: (order: number) => `Your order #${order} is on its way`,
      headline: "On its way",
      sentence: "Good news: we have sent your order.",
    },
    part: {
      subject: (order: number) => `A part of your order #${order} is on its way`,
      headline: "Partly on its way",
      sentence: "Good news: we have sent a part of your order.",
    },
    last: {
      subject: (order: number) => `The rest of your order #${order} is on its way`,
      headline: "The rest is on its way",
      sentence: "Good news: we have sent the rest of your order.",
    },
    payOnDelivery: (amount: string) => `Please have ${amount} ready: you pay when it arrives.`,
    inParcel: "In this parcel",
    toCome: "Still to come",
    carrier: (name: string) => `Carrier: ${isolated(name)}`,
    number: (number: string) => `Tracking number: ${isolated(number)}`,
    track: (carrier: string | null) => (carrier === null ? "Track it" : `Track it with ${carrier}`),
  },
  cancelled: {
    subject: (order: number) => `Your order #${order} was cancelled`,
    headline: "Cancelled",
    why: (reason: CancelReason | null) => reasons[reason ?? "other"],
    nothingPaid: "You no longer have to pay for it.",
    goesBack: (amount: string) => `You get ${amount} back.`,
    wentBack: (amount: string) => `We have given ${amount} back to you.`,
    kept: (amount: string) => `We keep ${amount} of what you paid.`,
    visit: (shop: string) => `Visit ${shop}`,
  },
  refunded: {
    subject: (order: number) => `Your refund for order #${order}`,
    headline: "Refunded",
    sentence: "We have refunded this amount to you.",
    tooMuch: "It is what you had paid beyond the amount of your order.",
    sameWay: (method: string) =>
      `It goes back the way you paid: ${isolated(method)}. It can take a few days until you see it.`,
    byHand: "We pay it back to you directly.",
    about: "This refund is for",
    total: "Order total",
    soFar: "Refunded so far",
  },
  left: {
    cart: {
      subject: (shop: string) => `Your cart at ${shop}`,
      headline: "Your cart is still here",
      left: "You left these at the checkout. They are not set aside, so others may buy them first.",
      back: "Go back to your cart",
      heading: "Your cart",
      why: (shop: string) => `${agreedTo(shop)} This is the only one about this cart.`,
    },
    order: {
      subject: (shop: string) => `Your order at ${shop} is not paid yet`,
      headline: "Your order is not paid yet",
      left: "You ordered these, and their payment is not complete yet.",
      back: "Pay your order",
      heading: "Your order",
      why: (shop: string) =>
        `${agreedTo(shop)} This is the only one that asks you to pay this order.`,
    },
    sender: (name: string, address: string) => `${isolated(name)}, ${isolated(address)}`,
    unsubscribe: "Unsubscribe",
  },
  contact: {
    questions: (ways: string) => `Questions? You can ${ways}.`,
    reply: "reply to this email",
    call: (phone: string) => `call ${phone}`,
    or: " or ",
  },
  ownEmail: {
    subject: (shop: string) => `Is this your address? ${shop}`,
    headline: "Is this your address?",
    sentence: (shop: string) =>
      `It was entered at ${isolated(shop)}, for emails about the safety of the shop.`,
    confirm: "Yes, it is mine",
    note: (hours: number) =>
      `Open it where you are signed in, within ${hours} hours. If you did not enter the address, you can ignore this email.`,
  },
  forgotten: {
    subject: (shop: string) => `A new password for ${shop}`,
    headline: "Choose a new password",
    sentence: (shop: string) =>
      `A new password for your name at ${isolated(shop)} was asked for. This link lets you choose one.`,
    choose: "Choose a password",
    note: (minutes: number) =>
      `It works once, within ${minutes} minutes, and signs you out everywhere. If you did not ask for it, ignore this email: nothing changes.`,
  },
  alert: {
    subject: (headline: string, shop: string) => `${headline}: ${shop}`,
    headlines: {
      device: "New sign-in",
      failures: "Many wrong passwords",
      key: "New API key",
      person: "A change of who may sign in",
      exported: "Customer data was taken out",
      webhook: "Webhooks go to a new host",
      setting: "A safety setting was changed",
    },
    acts: {
      signIn: (whom: string) => `${whom} signed in at a device that is not known.`,
      takeLink: (whom: string) => `${whom} chose a password with a link.`,
      failSignIn: (whom: string) => `The password of ${whom} was tried in vain 20 times in a day.`,
      key: "An API key was made or replaced.",
      changeRole: (whom: string) => `The role of ${whom} was changed.`,
      removePerson: (whom: string) => `${whom} was removed and can no longer sign in.`,
      changePassword: (whom: string) => `${whom} has a new password.`,
      askForEmail: (whom: string) => `${whom} entered an email for alerts.`,
      changeEmail: (whom: string) => `${whom} has another email for alerts.`,
      removeEmail: (whom: string) => `${whom} gets no alerts by email any more.`,
      addPasskey: (whom: string) => `${whom} has another passkey.`,
      removePasskey: (whom: string) => `${whom} has a passkey less.`,
      exported: "A file of customers or orders was taken out of the shop.",
      webhook: (host: string) => `Events are sent to ${host}.`,
      setting: (name: string) => `The setting ${name} was changed.`,
    },
    who: "Who",
    when: "When",
    from: "From",
    unknown: "Not known",
    terminal: "The terminal of the server",
    program: (name: string) => `The API key ${isolated(name)}`,
    notMe: "This was not me",
    notMeNote: (name: string) =>
      `The page has a button that signs ${name} out everywhere. It works for 24 hours; opening it changes nothing.`,
    programNote: "If none of you did this, revoke the key in the dashboard, under Keys.",
    push: {
      order: (number: number) => `New order ${number}`,
      paid: (number: number) => `Order ${number} is paid`,
      orders: (count: number) => `${count} new orders`,
      items: (count: number) => (count === 1 ? "1 item" : `${count} items`),
      payment: "A payment to look at",
      dispute: "A payment is disputed",
      refund: "A refund needs you",
      reviews: (count: number) => `${count} payments or refunds need you`,
      ofOrder: (number: number) => `Order ${number}`,
      low: "Running low",
      left: (name: string, units: number) => `${name}: ${units} left`,
      lows: (count: number) => `${count} products are running low`,
      open: "Open",
      chosen: "You chose to be told of this, under your name in the dashboard.",
    },
    summary: {
      title: (day: string) => `Your day: ${day}`,
      taken: (amount: string) => `${amount} taken`,
      orders: (placed: number, paid: number) =>
        `${placed} ${placed === 1 ? "order" : "orders"} placed, ${paid} paid`,
      toPack: (count: string) => `${count} to pack`,
      waiting: (count: string) => `${count} waiting for money`,
      low: (count: string) => `${count} ${count === "1" ? "product" : "products"} running low`,
      open: "Open the shop",
    },
    test: { title: "It works", body: "This is how the shop tells you." },
  },
  code: {
    /** A short message: signs beyond GSM 03.38 would make two of it. */
    message: (code: string, { shop, minutes }: { shop: string; minutes: number }) =>
      `${code} is your code for ${shop}. It is valid for ${minutes} minutes.`,
    subject: (shop: string) => `Your code for ${shop}`,
    headline: "Your code",
    act: "Type this code to sign in:",
    note: (minutes: number) =>
      `It is valid for ${minutes} minutes. Give it to no one. If you did not ask for it, you can ignore this email.`,
  },
};

function agreedTo(shop: string): string {
  return `You get this email because you agreed to emails with offers of ${isolated(shop)}.`;
}
