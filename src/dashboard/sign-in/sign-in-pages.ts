// Pages that need no session: signing in, taking a one-time link, giving the password again.

import { asset } from "#dashboard/kit/assets.ts";
import type { PageContent } from "#dashboard/kit/forms/form.ts";
import type { SubmittedForm } from "#dashboard/kit/forms/submitted-form.ts";
import { input } from "#dashboard/kit/parts/field.ts";
import { refusedNote } from "#dashboard/kit/parts/note.ts";
import { en } from "#dashboard/words/en.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";
import type { OpenLink } from "#shop/people/credentials/take-link.ts";

const words = en.signIn;

/** The names of the fields. */
export interface SignInNames {
  readonly name: string;
  readonly password: string;
  readonly brief: string;
  readonly passkey: string;
}

export const signInNames: SignInNames = {
  name: "/name",
  password: "/password",
  brief: "brief",
  passkey: "passkey",
};

interface PasskeyTerms {
  /** True if it is the form's own way to be sent. */
  readonly isOnly?: boolean;
  readonly purpose: "enter" | "confirm" | "register";
  /** The field of the form that takes what the authenticator signed. */
  readonly field: string;
  readonly label: string;
}

/** The button of a form that asks for a passkey. A script shows it where the browser can. */
export function passkeyButton({ purpose, field, label, isOnly = false }: PasskeyTerms): Html {
  return html`<input type="hidden" name="${field}" />
    <div class="${isOnly ? "acts" : "field"}" hidden>
      <button
        type="${isOnly ? "submit" : "button"}"
        ${attribute("class", isOnly && "go")}
        data-purpose="${purpose}"
        data-field="${field}"
        data-busy="${words.passkeyBusy}"
        data-failed="${words.passkeyFailed}"
      >
        ${label}
      </button>
      <p class="fault" role="alert"></p>
    </div>
    <script src="${asset("passkey.js")}" type="module"></script>`;
}

export interface SignInTerms {
  readonly shop: string;
  /** True if the shop has people already. */
  readonly hasPeople: boolean;
  readonly submitted: SubmittedForm | null;
  /** True if browsers have passkeys at this address. */
  readonly hasPasskeys: boolean;
  /** True if people who have forgotten their password get a link by email. */
  readonly mailsLinks: boolean;
  /**
   * The words that come first, to a person whose form did nothing because the session had ended; null for any other.
   */
  readonly note: string | null;
  /** The address to which the form is sent, in which fields, and with what. */
  readonly action: string;
  readonly names: SignInNames;
  readonly hidden: readonly (readonly [name: string, value: string])[];
}

/** The way in. In a shop that has no people yet, it says how the first owner gets a link. */
export function signInPage(terms: SignInTerms): PageContent {
  const { shop, hasPeople, submitted, hasPasskeys, mailsLinks, note, action, names, hidden } =
    terms;
  if (!hasPeople) {
    return {
      title: shop,
      body: html`<p>${words.emptyShop}</p>
        <pre class="wire" tabindex="0">duka people link</pre>`,
    };
  }
  const body = html`<form class="stack" method="post" action="${action}">
      ${note !== null && html`<div class="note" role="alert"><span>${note}</span></div>`}
      ${refusedNote(submitted)}
      ${hidden.map(([key, value]) => html`<input type="hidden" name="${key}" value="${value}" />`)}
      ${input(submitted, { label: words.name, name: names.name, autocomplete: "username", isRequired: true, isFirst: submitted === null })}
      ${input(submitted, { label: words.password, name: names.password, type: "password", autocomplete: "current-password", isRequired: true })}
      ${brief(submitted, names.brief)}
      <button class="go">${words.enter}</button>
      ${hasPasskeys && passkeyButton({ purpose: "enter", field: names.passkey, label: words.usePasskey })}
    </form>
    <p class="small soft">${words.passkeyHint} ${!hasPasskeys && words.passkeyWhere}</p>
    ${mailsLinks && html`<p class="small"><a href="/dashboard/forgot">${words.forgot}</a></p>`}
    <p class="small soft">
      ${words.forgotten} <code>duka people link</code> ${words.forgottenWhere}
    </p>`;
  return { title: shop, body, status: submitted?.status ?? 200 };
}

/** Asks for an email, and says the same whether a person has it or not. */
export function forgotPage(shop: string, isAsked: boolean): PageContent {
  const form = html`<p>${words.forgotWhat}</p>
    <form class="stack" method="post" action="/dashboard/forgot">
      ${input(null, { label: words.email, name: "/email", type: "email", autocomplete: "email", isRequired: true, isFirst: true })}
      <button class="go">${words.forgotSend}</button>
    </form>`;
  const asked = html`<div class="note" role="status"><span>${words.forgotSent}</span></div>`;
  const body = html`${isAsked ? asked : form}
    <p><a class="button quiet" href="/dashboard/enter">${words.enter}</a></p>`;
  return { title: shop, body };
}

interface LinkTerms {
  readonly shop: string;
  readonly open: OpenLink;
  /** A sentence that would be a good password. */
  readonly suggestion: string;
  readonly submitted: SubmittedForm | null;
  readonly path: string;
}

/** The page of a one-time link. Only the form uses it up, because messengers open links. */
export function linkPage({ shop, open, suggestion, submitted, path }: LinkTerms): PageContent {
  const { link, person } = open;
  const body = html`<p>${words.linkFor[link.kind](person?.name ?? "")}</p>
    <form class="stack" method="post" action="${path}">
      ${refusedNote(submitted)}
      ${person === null && input(submitted, { label: words.yourName, name: "/name", autocomplete: "username", hint: words.yourNameHint, isRequired: true, isFirst: true })}
      ${input(submitted, { label: words.newPassword, name: "/password", type: "password", autocomplete: "new-password", hint: html`${words.passwordHint} <q id="suggestion">${suggestion}</q>`, isRequired: true })}
      ${brief(submitted, signInNames.brief)}
      <button class="go">${words.take[link.kind]}</button>
    </form>`;
  return { title: shop, body, status: submitted?.status ?? 200, isSecret: true };
}

/** A link that cannot be used. */
export function endedLinkPage(shop: string): PageContent {
  return {
    title: shop,
    status: 404,
    body: html`<div class="note stop" role="alert"><span>${words.linkEnded}</span></div>
      <p>${words.linkEndedWhat} <code>duka people link</code> ${words.forgottenWhere}</p>
      <p><a class="button" href="/dashboard/enter">${words.enter}</a></p>`,
  };
}

interface ConfirmTerms {
  readonly shop: string;
  readonly name: string;
  /** The way back. */
  readonly to: string;
  readonly submitted: SubmittedForm | null;
  /** True if a file comes, and this page stays. */
  readonly isDownload?: boolean;
  /** The address to which the password is sent, in which field, and with what. */
  readonly action: string;
  readonly field: string;
  /** The field that takes a passkey in its place; null for a person without one. */
  readonly passkeyField: string | null;
  readonly hidden: readonly (readonly [name: string, value: string])[];
}

/** The password again, before something that a borrowed phone must not do. */
export function confirmPage({
  shop,
  name,
  to,
  submitted,
  isDownload = false,
  action,
  field,
  passkeyField,
  hidden,
}: ConfirmTerms): PageContent {
  const body = html`<p>${words.confirmWhy}${isDownload && html` ${words.confirmFile}`}</p>
    <form class="stack" method="post" action="${action}" ${attribute("data-file", isDownload)}>
      ${refusedNote(submitted)}
      ${hidden.map(([key, value]) => html`<input type="hidden" name="${key}" value="${value}" />`)}
      <input type="text" hidden autocomplete="username" value="${name}" />
      ${input(submitted, { label: words.password, name: field, type: "password", autocomplete: "current-password", isRequired: true, isFirst: true })}
      <button class="go">${words.confirm}</button>
      ${passkeyField !== null && passkeyButton({ purpose: "confirm", field: passkeyField, label: words.usePasskey })}
    </form>
    <p><a class="button quiet" href="${to}">${words.back}</a></p>`;
  return { title: shop, body, status: submitted?.status ?? 200 };
}

function brief(submitted: SubmittedForm | null, name: string): Html {
  const isOn = submitted?.value(name) === "true";
  return html`<label class="tick"
    ><input type="checkbox" name="${name}" value="true" ${attribute("checked", isOn)} />
    <span>${words.brief}</span></label
  >`;
}
