// Declares a page of the dashboard: an address, who may see it, what it shows, and its forms.

import type { Form, PageContent } from "#dashboard/kit/forms/form.ts";
import type { RouteContext } from "#platform/http/router.ts";

import type { Visit } from "./visit.ts";

/** The way to another page, in place of one. */
export interface Redirect {
  /** The path below the dashboard. */
  readonly redirectTo: string;
}

export interface Page {
  /** Below `/dashboard` or `/dashboard/test`, with parameters in braces; empty for the first page. */
  readonly path: string;
  /** The person needs any one of these to be led here; the interface decides what is shown. */
  readonly scopes: readonly string[];
  readonly show: (visit: Visit) => Promise<PageContent | Redirect>;
  /** By name: a form is submitted to the page's path and its name. */
  readonly forms?: Readonly<Record<string, Form>>;
  /** True if owners alone may see it. */
  readonly isOwners?: boolean;
  /** True if the test shop alone has it. */
  readonly isTestOnly?: boolean;
  /** True if a person sees it who has to add a passkey first; any other page leads to it. */
  readonly isForNewPasskey?: boolean;
  /** True if the password is asked for before the page is shown: what is typed here would be lost by it. */
  readonly confirmsFirst?: boolean;
}

/** The parameters of the page's address, as the router found them. */
export function namedParams(
  { path }: Page,
  params: RouteContext["params"],
): Readonly<Record<string, string>> {
  // The router has no parameters at all for a path without them.
  if (!path.includes("{")) return {};
  return Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value]] : [],
    ),
  );
}
