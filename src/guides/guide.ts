// The guides of this program: Markdown files beside this one, compiled into the binary. The title of a
// guide is its first heading, its summary the first paragraph after that.

import accounts from "#guides/accounts.md" with { type: "text" };
import analytics from "#guides/analytics.md" with { type: "text" };
import api from "#guides/api.md" with { type: "text" };
import catalog from "#guides/catalog.md" with { type: "text" };
import copies from "#guides/copies.md" with { type: "text" };
import dashboard from "#guides/dashboard.md" with { type: "text" };
import development from "#guides/development.md" with { type: "text" };
import discounts from "#guides/discounts.md" with { type: "text" };
import emails from "#guides/emails.md" with { type: "text" };
import gateways from "#guides/gateways.md" with { type: "text" };
import goLive from "#guides/go-live.md" with { type: "text" };
import importing from "#guides/importing.md" with { type: "text" };
import nextjs from "#guides/nextjs.md" with { type: "text" };
import operations from "#guides/operations.md" with { type: "text" };
import orders from "#guides/orders.md" with { type: "text" };
import payments from "#guides/payments.md" with { type: "text" };
import paystack from "#guides/paystack.md" with { type: "text" };
import postgresql from "#guides/postgresql.md" with { type: "text" };
import proxy from "#guides/proxy.md" with { type: "text" };
import sandbox from "#guides/sandbox.md" with { type: "text" };
import security from "#guides/security.md" with { type: "text" };
import shipping from "#guides/shipping.md" with { type: "text" };
import states from "#guides/states.md" with { type: "text" };
import storefront from "#guides/storefront.md" with { type: "text" };
import stripe from "#guides/stripe.md" with { type: "text" };
import taxes from "#guides/taxes.md" with { type: "text" };
import testing from "#guides/testing.md" with { type: "text" };
import trouble from "#guides/trouble.md" with { type: "text" };
import upgrading from "#guides/upgrading.md" with { type: "text" };
import webhooks from "#guides/webhooks.md" with { type: "text" };
import { readChangelog } from "#platform/process/bundled-texts.ts" with { type: "macro" };

export interface Guide {
  /** Its name in addresses and by `duka guide`. */
  readonly name: string;
  /** The aim of who reads it: the heading above it in the list of all. */
  readonly way: string;
  readonly title: string;
  readonly summary: string;
  /** Markdown with markers such as `<!-- settings -->`, which `fillGuide` replaces. */
  readonly text: string;
}

/** The changelog of this program, embedded when it is bundled. */
export const changelog: string = readChangelog();
/** Its sections, one level deeper: they stand in a guide. */
const whatChanged = changelog.replace(/^[^]*?(?=^## )/m, "").replaceAll(/^#/gm, "##");

/** The ways through the guides, each in the order in which a newcomer reads it. */
const ways: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Try it": { dashboard, sandbox, testing, importing },
  "Build a shop": {
    storefront,
    nextjs,
    catalog,
    accounts,
    api,
    orders,
    states,
    discounts,
    shipping,
    taxes,
    payments,
    paystack,
    stripe,
    gateways,
    emails,
    webhooks,
    analytics,
  },
  "Run it": {
    "go-live": goLive,
    operations,
    proxy,
    trouble,
    copies,
    postgresql,
    security,
    upgrading: `${upgrading}\n${whatChanged}`,
    development,
  },
};

export const guides: readonly Guide[] = Object.entries(ways).flatMap(([way, texts]) =>
  Object.entries(texts).map(([name, text]) => {
    const [heading = "", summary = ""] = text.split("\n\n");
    const title = heading.replace("# ", "");
    return { name, way, title, summary: summary.replaceAll("\n", " "), text };
  }),
);
