// What a page of the dashboard is: an address, who may see it, what it shows, and its forms.

import type { Html } from "#platform/html/html.ts";
import type { JsonObject, JsonValue } from "#platform/http/json/strict-json.ts";
import type { RenewedSession } from "#shop/people/sessions/session.ts";

import type { Visit } from "./visit.ts";
import type { Done } from "./words/en.ts";

/** A page as it is shown to one visitor. */
export interface Shown {
  readonly title: string;
  readonly body: Html;
  /** An id or the beginning of an event's name: the page shows such news while it is looked at. */
  readonly follows?: string;
  /** Whether it shows a secret, which no cache may keep. */
  readonly isSecret?: boolean;
  /** 200 by default. */
  readonly status?: number;
}

/** The way to another page, in place of one. */
export interface Onward {
  /** The path below the dashboard. */
  readonly leadsTo: string;
}

/** What an edit did, of which the body that leads back is made. */
export interface Edit {
  /** What the form changed, as the interface showed it before and after. */
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly body: JsonObject;
}

/**
 * How an edit is taken back at once: the same route is asked with the old values, for the version that the edit made.
 * The page's address alone names what is changed.
 */
export interface Undoable {
  /** The route that shows what is changed with its version; by default that of the form with GET, null for what has none. */
  readonly reads?: string | null;
  /** The part that the form is about, by the names of its body; null where it is gone. By default all of it. */
  readonly part?: (shown: JsonObject, visit: Visit) => JsonObject | null;
  /** The body that leads back; null where none does. By default what differs of what the form set. */
  readonly leadsBack?: (edit: Edit) => JsonObject | null;
}

/** A form whose fields are the body of a request to the interface. */
export interface AskingForm {
  /** Method and path of the route; its parameters are those of the page, or fields named `@name`. */
  readonly asks: string;
  /** The sentence that the next page says. */
  readonly says: Done;
  /** The path that follows, below the dashboard; by default the page itself. */
  readonly leadsTo?: (answer: JsonObject, visit: Visit) => string;
  /** Completes what was typed, before it is sent. */
  readonly completes?: (body: JsonObject, visit: Visit) => JsonObject | Promise<JsonObject>;
  /** Parameters of the route that have to be found first. */
  readonly finds?: (
    visit: Visit,
    form: URLSearchParams,
  ) => Promise<Readonly<Record<string, string>>>;
  /** Where the form has what a pointer into the completed body is about; by default where the pointer says. */
  readonly pointsTo?: (pointer: string, fields: URLSearchParams) => string;
  /** Shows the answer at once: it has a secret that is not shown again. */
  readonly shows?: (visit: Visit, answer: JsonValue) => Promise<Shown> | Shown;
  /** The next page offers to take it back. */
  readonly undo?: Undoable;
  /** Whether the person must have confirmed the password in the last minutes; of some forms, as they are filled in. */
  readonly needsConfirmation?:
    boolean | ((visit: Visit, fields: URLSearchParams) => Promise<boolean>);
}

/** What a story leads to, beside the next page. */
export interface Told {
  /** The session goes on under another token, which the browser is to keep. */
  readonly renewed?: RenewedSession;
  /** Shown at once instead of the next page: it has a secret that is not shown again. */
  readonly shown?: Shown;
}

/** A form that tells a story of people, in the live shop, or asks the interface more than once. Refusals are shown. */
export interface StoryForm {
  readonly tells: (visit: Visit, form: URLSearchParams) => Promise<Told>;
  readonly says: Done;
  readonly leadsTo?: (answer: JsonObject, visit: Visit) => string;
  readonly needsConfirmation?: boolean;
}

/** A form that changes nothing: the page is shown again with what was typed, which stays out of its address. */
export interface LookingForm {
  readonly looksAgain: true;
  readonly needsConfirmation?: false;
}

/** A form that says what another one would do, before that is done: what was typed goes along. It changes nothing. */
export interface PreviewForm {
  /** The form of which it has the fields. */
  readonly of: AskingForm;
  /** Method and path of the route that takes the same body, and answers what would be. */
  readonly previews: string;
  readonly shows: (visit: Visit, preview: Preview) => Promise<Shown> | Shown;
  readonly needsConfirmation?: false;
}

export interface Preview {
  readonly answer: JsonValue;
  readonly fields: URLSearchParams;
}

/** A form that is answered by a file, which the browser keeps; its page stays. */
export interface FileForm {
  readonly saves: (visit: Visit) => Promise<SavedFile>;
  readonly needsConfirmation?: false;
}

export interface SavedFile {
  /** The name that the browser offers: letters, digits, `_`, `-` and `.` alone. */
  readonly name: string;
  readonly type: "application/json; charset=utf-8" | "text/csv; charset=utf-8";
  readonly text: string;
}

export type Form = AskingForm | StoryForm | LookingForm | PreviewForm | FileForm;

export interface Page {
  /** Below `/dashboard` or `/dashboard/test`, with parameters in braces; empty for the first page. */
  readonly path: string;
  /** The person needs any one of these to be led here; the interface decides what is shown. */
  readonly scopes: readonly string[];
  /** The way in the navigation that leads here; the page's own first step by default. */
  readonly show: (visit: Visit) => Promise<Shown | Onward>;
  readonly forms?: Readonly<Record<string, Form>>;
  /** Whether owners alone may see it. */
  readonly isOwners?: boolean;
  /** Whether the password is asked for before the page is shown: what is typed here would be lost by it. */
  readonly confirmsFirst?: boolean;
}
