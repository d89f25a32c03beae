// A form that came without a session: the sign-in page carries what was typed, and the form is shown again to the person
// who signs in. Invariant: no page carries a secret that was typed, and the form is not done before its person has
// seen it.

import { type SubmittedForm, submittedForm } from "#dashboard/kit/forms/submitted-form.ts";
import { bareResponse, redirect } from "#dashboard/kit/respond.ts";
import type { DashboardTerms } from "#dashboard/kit/terms.ts";
import { en } from "#dashboard/words/en.ts";
import type { SignedIn } from "#shop/people/sessions/session.ts";

import { hasSecret, withoutConfirmation } from "./confirm-form.ts";
import { shopOf, signInWith, unsentTo } from "./serve-sign-in.ts";
import { type SignInNames, signInPage } from "./sign-in-pages.ts";

/** Fields that the page adds to those of the form, whose own may have the names of the sign-in. */
const names: SignInNames = {
  name: "sign-in-name",
  password: "sign-in-password",
  brief: "sign-in-brief",
  passkey: "sign-in-passkey",
};

/** A form, and the page that it belongs to. */
interface Unsent {
  readonly fields: URLSearchParams;
  readonly page: string;
}

/** Who signed in with the form, or the page that asks for it and carries the form. */
export async function signInWithForm(
  terms: DashboardTerms,
  request: Request,
  { fields, page }: Unsent,
): Promise<SignedIn | Response> {
  if (hasSecret(fields)) return redirect(unsentTo(page));
  const outcome = hasSignedIn(fields)
    ? await signInWith(terms, request, { fields, names })
    : { submitted: null };
  if ("value" in outcome) return outcome.value;
  const content = signInPage({
    ...(await shopOf(terms, request)),
    submitted: outcome.submitted,
    note: outcome.submitted === null ? en.signIn.unsentKept : null,
    action: new URL(request.url).pathname,
    names,
    hidden: [...ownFields(fields)],
  });
  return bareResponse(request, { ...content, status: 401 });
}

/** Returns true if the form came from the page that carried it: its person has not seen it since. */
export function hasSignedIn(fields: URLSearchParams): boolean {
  return fields.has(names.password);
}

/** The form as its page shows it again: nothing of it is done. */
export function unsentForm(name: string, fields: URLSearchParams): SubmittedForm {
  const refusal = { status: 401, problem: { detail: en.signIn.unsentAgain }, fieldOf: String };
  return submittedForm(name, ownFields(fields), refusal);
}

function ownFields(fields: URLSearchParams): URLSearchParams {
  const added = Object.values(names);
  return new URLSearchParams(
    [...withoutConfirmation(fields)].filter(([name]) => !added.includes(name)),
  );
}
