// How a page declares a form: by the route of the interface that takes its fields, or by a function that handles them.
// A field is named by the JSON Pointer of what it sets in the body (`/customer/email`). After a success the browser is
// redirected to the next page; after a refusal the same page is shown again with what was typed and the faults.

import type { Visit } from "#dashboard/kit/visit.ts";
import type { Done } from "#dashboard/words/en.ts";
import type { Html } from "#platform/html/html.ts";
import type { ReceivedFile } from "#platform/http/intake/uploads.ts";
import type { JsonObject, JsonValue } from "#platform/http/strict-json.ts";
import type { RenewedSession } from "#shop/people/sessions/session.ts";

export type Form =
  RequestForm | CustomForm | PreviewForm | RedisplayForm | DownloadForm | FilesForm;

/** A form whose fields are the body of a request to the interface. */
export interface RequestForm {
  /** Method and path of the route; its parameters are those of the page, or hidden fields named `@name`. */
  readonly route: string;
  /** The message of the next page about what was done; of some forms, by the answer. */
  readonly doneMessage: Done | ((answer: JsonObject) => Done);
  /** The path of the next page, below the dashboard; by default the page itself. */
  readonly redirectTo?: (answer: JsonObject, visit: Visit) => string;
  /** Makes the body of what was typed; by default that is the body. */
  readonly prepareBody?: (body: JsonObject, visit: Visit) => JsonObject | Promise<JsonObject>;
  /** Asks once before it is sent: questions by field. Its page has `askedFields`. */
  readonly asks?: (fields: URLSearchParams, body: JsonObject) => ReadonlyMap<string, string>;
  /** Parameters of the route that have to be found first. */
  readonly findParams?: (
    visit: Visit,
    fields: URLSearchParams,
  ) => Promise<Readonly<Record<string, string>>>;
  /** The field that a pointer into the prepared body is about; by default the one of that name. */
  readonly fieldOf?: (pointer: string, fields: URLSearchParams) => string;
  /** Shows the answer in place of a redirect: it has a secret that is not shown again. */
  readonly showAnswer?: (visit: Visit, answer: JsonValue) => Promise<PageContent> | PageContent;
  /** The next page offers to undo it. */
  readonly undo?: Undoable;
  readonly needsConfirmation?: NeedsConfirmation;
}

/** True if the person must have confirmed the password in the last minutes; of some forms, as they are filled in. */
type NeedsConfirmation = boolean | ((visit: Visit, fields: URLSearchParams) => Promise<boolean>);

/** A form that a function handles: it changes people, in the live shop, or sends several requests. */
export interface CustomForm {
  /** Its refusals are shown beside the fields that they name. */
  readonly handle: (visit: Visit, fields: URLSearchParams) => Promise<Handled>;
  /** Null where the next page says by itself what was done. */
  readonly doneMessage: Done | null;
  readonly redirectTo?: (answer: JsonObject, visit: Visit) => string;
  readonly needsConfirmation?: NeedsConfirmation;
}

/** The consequences of a form that was handled, beside the next page. */
export interface Handled {
  /** The session goes on under another token, which the browser is to keep. */
  readonly renewed?: RenewedSession;
  /** Shown in place of a redirect: it has a secret that is not shown again. */
  readonly page?: PageContent;
  /** The path of the next page, below the dashboard; by default that of the form. */
  readonly nextPath?: string;
}

/** A form that says what another one would do, before that is done. It changes nothing. */
export interface PreviewForm {
  /** The form of which it has the fields. */
  readonly form: RequestForm;
  /** Method and path of the route that takes the same body, and answers what would be. */
  readonly previewRoute: string;
  /** The page has the fields as hidden ones, so that what was typed goes along. */
  readonly showPreview: (visit: Visit, preview: Preview) => Promise<PageContent> | PageContent;
  readonly needsConfirmation?: false;
}

export interface Preview {
  readonly answer: JsonValue;
  readonly fields: URLSearchParams;
}

/** A form that changes nothing: the page is shown again with what was typed, which stays out of its address. */
interface RedisplayForm {
  readonly redisplays: true;
  readonly needsConfirmation?: false;
}

/** A form that is answered by a file, which the browser saves; its page stays. */
export interface DownloadForm {
  readonly download: (visit: Visit) => Promise<Download>;
  /** The scope that it needs beside those of its page. */
  readonly scope?: string;
  readonly needsConfirmation?: boolean;
}

/** A form with files, sent as multipart/form-data. They are on the disk of this machine until it was handled. */
export interface FilesForm {
  /** Its refusal is shown on the page. */
  readonly takeFiles: (visit: Visit, files: readonly ReceivedFile[]) => Promise<JsonObject>;
  /** Null where the next page says by itself what was done. */
  readonly doneMessage: Done | null;
  /** The path of the next page, below the dashboard, by what `takeFiles` answered; by default the page itself. */
  readonly redirectTo?: (answer: JsonObject, visit: Visit) => string;
  readonly needsConfirmation?: false;
}

export interface Download {
  /** The name that the browser offers: letters, digits, `_`, `-` and `.` alone. */
  readonly name: string;
  readonly type: "application/json; charset=utf-8" | "text/csv; charset=utf-8";
  /** In parts where it may be long; a fault of a later part breaks the download off. */
  readonly text: string | AsyncIterable<string>;
}

/**
 * How an edit is undone at once: the same route is sent the old values, for the version that the edit made. The page's
 * address alone names what is changed.
 */
export interface Undoable {
  /** The route that shows what is changed with its version; by default that of the form with GET, null for what has none. */
  readonly readRoute?: string | null;
  /** The part that the form is about, by the names of its body; null where it is gone. By default all of it. */
  readonly part?: (shown: JsonObject, visit: Visit) => JsonObject | null;
  /** The body that undoes the edit; null where none does. By default what differs of what the form set. */
  readonly undoBody?: (edit: Edit) => JsonObject | null;
}

/** The effect of an edit, of which the body that undoes it is made. */
export interface Edit {
  /** The record that the form changed, as the interface showed it before and after. */
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly body: JsonObject;
}

// The content of a page for one visitor, before the frame is put around it.

export interface PageContent {
  readonly title: string;
  readonly body: Html;
  /** An id or the beginning of an event's name: the page shows such news while it is looked at. */
  readonly follows?: string;
  /** True if work goes on: the browser asks for the page again after 2 s; with a script, while it has a `progress`. */
  readonly isAtWork?: boolean;
  /** True if it shows a secret, which no cache may keep. */
  readonly isSecret?: boolean;
  /** 200 by default. */
  readonly status?: number;
}
