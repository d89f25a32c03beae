// What the dashboard says, in English. Another language is an object of the same type, so that a missing text is an
// error of the type checker.

import { cashUp } from "./cash-up.ts";
import { customers } from "./customers.ts";
import { events } from "./developers/events.ts";
import { keys } from "./developers/keys.ts";
import { requests } from "./developers/requests.ts";
import { sandbox } from "./developers/sandbox.ts";
import { webhooks } from "./developers/webhooks.ts";
import { find } from "./find.ts";
import { collections, goods } from "./goods.ts";
import { home } from "./home.ts";
import { me } from "./me.ts";
import { emails } from "./orders/emails.ts";
import { exports } from "./orders/exports.ts";
import { imports } from "./orders/imports.ts";
import { newOrder } from "./orders/new-order.ts";
import { oneOrder } from "./orders/one-order.ts";
import { order } from "./orders/order.ts";
import { orders } from "./orders/orders.ts";
import { payments } from "./payments.ts";
import { people } from "./people.ts";
import { reports } from "./reports.ts";
import { settings } from "./settings.ts";
import { signIn } from "./sign-in.ts";
import { stock } from "./stock.ts";
import { undo } from "./undo.ts";
import { worklists } from "./worklists.ts";

export const en = {
  cashUp,
  collections,
  customers,
  emails,
  signIn,
  events,
  exports,
  requests,
  find,
  goods,
  home,
  imports,
  keys,
  me,
  newOrder,
  oneOrder,
  order,
  orders,
  payments,
  people,
  reports,
  sandbox,
  settings,
  stock,
  undo,
  webhooks,
  worklists,
  nav: {
    home: "Home",
    orders: "Orders",
    toPack: "to pack",
    products: "Products",
    stock: "Stock",
    customers: "Customers",
    search: "Search",
    payments: "Payments",
    cashUp: "Cash up",
    reports: "Reports",
    developers: "Developers",
    keys: "Keys",
    webhooks: "Webhooks",
    events: "Events",
    requests: "Requests",
    sandbox: "Test tools",
    shop: "Shop",
    settings: "Settings",
    people: "People",
    more: "More",
  },
  skip: "Skip to content",
  test: "Test",
  testShop: "Test shop",
  liveShop: (shop: string) => `${shop}, live`,
  signOut: "Sign out",
  roles: { owner: "owner", staff: "staff", viewer: "viewer" },
  search: "Search",
  figures: "As a table",
  contact: { call: "Call", whatsApp: "WhatsApp", email: "Email" },
  copy: "Copy",
  copied: "Copied",
  save: "Save",
  cancel: "Go back",
  showOlder: "Show older",
  required: "This is required.",
  faultsFound: "Not saved. Please check these fields:",
  notSaved: "Not saved.",
  tooFew: "Nothing is filled in or chosen here yet.",
  done: {
    saved: "Saved.",
    moved: "The clock is moved, and what was due is done.",
    emptied: "The test shop is empty.",
    seeded: "The shop is filled with samples.",
    sent: "Marked as sent.",
    cancelled: "Cancelled.",
    returned: "Return recorded.",
    refunded: "Refund recorded.",
    paid: "Payment recorded.",
    noted: "Note saved.",
    mailed: "It is sent again within seconds.",
    placed: "Order placed.",
    sold: "Sold and paid.",
    added: "Added.",
    archived: "Archived: it is no longer sold.",
    restored: "It is for sale again.",
    counted: "Stock updated.",
    undone: "Undone. It is as it was.",
    made: "Created.",
    removed: "Removed.",
    erased: "The personal data is erased.",
    revoked: "Revoked: it no longer works.",
    invited: "Invited.",
    ended: "Signed out.",
    changed: "Changed.",
    tracked: "Tracking saved.",
    delivered: "Delivered. What came back is below.",
    undelivered: "Sent, but not delivered. What came back is below.",
    replayed: "Past events are being sent.",
    turnedOn: "Turned on.",
    turnedOff: "Turned off.",
    already: "Already done: nothing was done twice.",
  },
  refused: {
    forbidden: "Your role does not allow this",
    forbiddenWhat: "Ask an owner of the shop to do it, or to change your role.",
    notFound: "Page not found",
    notFoundWhat: "The address is wrong, or what was here has been deleted.",
    failed: "Something went wrong on our side",
    failedWhat: (id: string) =>
      `Nothing was changed by this page. Try again. If it keeps happening, tell the person who runs the server this id: ${id}`,
    busy: "Too many requests",
    busyWhat: "Wait a few seconds and try again.",
    away: "This is not available at the moment",
    awayWhat: "Try again in a minute. If it keeps happening, tell the person who runs the server.",
    tooLarge: "That was too large",
    tooLargeWhat: "Nothing was changed. Go back and send less text at once.",
    cutOff: "The form arrived incomplete",
    cutOffWhat: "Nothing was changed. Go back and send it again.",
    strange: "This came from another site",
    strangeWhat: "Nothing was changed. Open the page again and send the form from there.",
    host: "This address is not the dashboard's",
    hostWhat: (url: string) => `Open it at ${url}. Another address must be set as DUKA_PUBLIC_URL.`,
  },
  /** `{time}` is when the page was made, by the clock of the device. */
  gone: "No connection. What you see is from {time}. Nothing is saved until the connection is back.",
  again: "Do it again",
  stale: "This was changed in the meantime. Here is how it is now; what you typed is kept below.",
  now: (value: string) => `Now: ${value === "" ? "empty" : value}`,
  ticked: (isOn: boolean) => (isOn ? "ticked" : "not ticked"),
} as const;

/** A sentence after something was done. */
export type Done = keyof typeof en.done;
