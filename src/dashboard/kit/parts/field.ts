// Fields of forms: a label, what was typed, and what is wrong with it. A field's name is the JSON Pointer of what it
// sets.

import { currencyFieldOf } from "#dashboard/kit/amounts.ts";
import { ASKED, NONCE, type SubmittedForm } from "#dashboard/kit/forms/submitted-form.ts";
import { writeTypedAmount, type Writing } from "#dashboard/kit/typed-amount.ts";
import { en } from "#dashboard/words/en.ts";
import { randomBytes } from "#kernel/random.ts";
import { attribute, type Hole, type Html, html } from "#platform/html/html.ts";

interface FieldTerms {
  readonly label: string;
  readonly name: string;
  readonly value?: string | number | null;
  readonly hint?: Hole;
  readonly isRequired?: boolean;
  /** True if only a screen reader is told the label, because a heading says it. */
  readonly isLabelHidden?: boolean;
}

interface InputTerms extends FieldTerms {
  readonly type?:
    "text" | "tel" | "email" | "url" | "password" | "search" | "date" | "datetime-local";
  /** The keyboard of a phone: whole numbers, or amounts. */
  readonly digits?: "numeric" | "decimal";
  readonly autocomplete?: string;
  readonly placeholder?: string;
  readonly isFirst?: boolean;
  /** The currency of an amount: a script shows beside the field how it is read. */
  readonly currency?: string;
}

/** An input of one line. */
export function input(submitted: SubmittedForm | null, terms: InputTerms): Html {
  const { name, type = "text", digits, autocomplete = "off", placeholder, currency } = terms;
  return field(submitted, terms, (described) => {
    const isSecret = type === "password";
    return html`<input
        id="${idOf(name)}"
        name="${name}"
        type="${type}"
        value="${isSecret ? "" : valueOf(submitted, terms)}"
        autocomplete="${autocomplete}"
        ${attribute("dir", type === "text" && "auto")}
        ${attribute("inputmode", digits ?? null)}
        ${attribute("placeholder", placeholder ?? null)}
        ${attribute("data-currency", currency ?? null)}
        ${attribute("required", terms.isRequired === true)}
        ${attribute("autofocus", terms.isFirst === true)}
        ${isSecret && [attribute("data-show", en.signIn.show), attribute("data-hide", en.signIn.hide)]}
        ${described}
      />
      ${currency !== undefined && html`<output class="hint" for="${idOf(name)}"></output>`}`;
  });
}

interface AmountTerms extends Omit<FieldTerms, "value"> {
  readonly writing: Writing;
  /** The present amount, minor units. */
  readonly minor?: number | null;
}

/** An amount of money, as people write it. */
export function amountInput(
  submitted: SubmittedForm | null,
  { writing, minor, ...terms }: AmountTerms,
): Html {
  const { currency } = writing;
  // A new one has no value that a stale form could be compared with.
  const value = minor === undefined ? {} : { value: written(minor, writing) };
  return html`${amountCurrency(terms.name, currency)}
  ${input(submitted, { ...terms, ...value, currency, digits: "decimal" })}`;
}

function written(minor: number | null, writing: Writing): string | null {
  return minor === null ? null : writeTypedAmount(minor, writing);
}

/** An amount that goes along without being seen. */
export function hiddenAmount(name: string, minor: number, writing: Writing): Html {
  return html`${amountCurrency(name, writing.currency)}
    <input type="hidden" name="${name}" value="${writeTypedAmount(minor, writing)}" />`;
}

function amountCurrency(name: string, currency: string): Html {
  return html`<input type="hidden" name="${currencyFieldOf(name)}" value="${currency}" />`;
}

/** An input of several lines. */
export function textarea(submitted: SubmittedForm | null, terms: FieldTerms): Html {
  const [id, name, text] = [idOf(terms.name), terms.name, valueOf(submitted, terms)];
  return field(submitted, terms, (described) => {
    // The tags stand on one line: a break between them and the text would be a space of it.
    const attributes = [attribute("dir", "auto"), described];
    return html`<textarea id="${id}" name="${name}" rows="3" ${attributes}>${text}</textarea>`;
  });
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

/** A choice of one of several. An option whose label is its value says it once. */
export function select(
  submitted: SubmittedForm | null,
  { options, ...terms }: FieldTerms & { readonly options: readonly Option[] },
): Html {
  const chosen = valueOf(submitted, terms);
  const wordOf = (value: string) => options.find((one) => one.value === value)?.label ?? value;
  return field(
    submitted,
    { ...terms, wordOf },
    (described) =>
      html`<select id="${idOf(terms.name)}" name="${terms.name}" ${described}>
        ${options.map(({ value, label }) => html`<option ${attribute("value", value === label ? null : value)} ${attribute("selected", value === chosen)}>${label}</option>`)}
      </select>`,
  );
}

/** A box to tick. Its hidden twin before it says false where it is not ticked. */
export function checkbox(
  submitted: SubmittedForm | null,
  { name, label, isChecked, hint }: FieldTerms & { readonly isChecked: boolean },
): Html {
  const typed = submitted?.value(name);
  const isOn = typed === undefined ? isChecked : typed === "true";
  return html`<div class="field">
    <input type="hidden" name="${name}" value="false" /><label class="tick"
      ><input type="checkbox" name="${name}" value="true" ${attribute("checked", isOn)} />
      <span>${label}</span></label
    >
    ${isStale(submitted) && isOn !== isChecked && html`<p class="hint">${en.now(en.ticked(isChecked))}</p>`}
    ${hint !== undefined && html`<p class="hint">${hint}</p>`}
  </div>`;
}

interface ControlTerms extends FieldTerms {
  /** People's word for a value of the field; by default the value itself. */
  readonly wordOf?: (value: string) => string;
}

function field(
  submitted: SubmittedForm | null,
  { wordOf = String, ...terms }: ControlTerms,
  control: (described: Hole) => Html,
): Html {
  const { label, name, hint, isLabelHidden = false } = terms;
  const now = changedTo(submitted, terms);
  const fault = submitted?.faultOf(name);
  const id = idOf(name);
  const described =
    fault !== undefined
      ? [attribute("aria-invalid", "true"), attribute("aria-describedby", `${id}-fault`)]
      : hint !== undefined && [attribute("aria-describedby", `${id}-hint`)];
  return html`<div class="field">
    <label for="${id}" ${attribute("class", isLabelHidden && "unseen")}>${label}</label>
    ${control(described)}
    ${fault !== undefined && html`<p class="fault" id="${id}-fault">${fault}</p>`}
    ${now !== null && html`<p class="hint">${en.now(wordOf(now))}</p>`}
    ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
  </div>`;
}

/** Returns true if the form was made of an older version: what it leaves as it was may have changed since. */
function isStale(submitted: SubmittedForm | null): boolean {
  return submitted?.status === 412 && !submitted.isUndo;
}

/** The value as it is now, where a form of an older version has another one; null where it has not. */
function changedTo(submitted: SubmittedForm | null, { name, value }: FieldTerms): string | null {
  const typed = submitted?.value(name);
  if (!isStale(submitted) || typed === undefined || value === undefined) return null;
  const now = String(value ?? "");
  return typed.replaceAll("\r\n", "\n").trim() === now.trim() ? null : now;
}

function valueOf(submitted: SubmittedForm | null, { name, value }: FieldTerms): string {
  return submitted?.value(name) ?? String(value ?? "");
}

/**
 * The version that a form changes: that which its fields were filled in from, also while a wrong one is put right, until
 * the page has told that there is a newer one.
 */
export function versionField(submitted: SubmittedForm | null, version: number): Html {
  const seen = isStale(submitted) ? undefined : submitted?.value("version");
  return html`<input type="hidden" name="version" value="${seen ?? version}" />`;
}

/** The questions that were asked once, as hidden fields. */
export function askedFields(submitted: SubmittedForm | null): readonly Html[] {
  const asked = submitted?.fields.getAll(ASKED) ?? [];
  return asked.map((name) => html`<input type="hidden" name="${ASKED}" value="${name}" />`);
}

/** The hidden nonce of a form that makes something: submitted twice it is one thing, shown again another one. */
export function nonceField(): Html {
  return html`<input type="hidden" name="${NONCE}" value="${randomBytes(16).toHex()}" />`;
}

/** The id of a field, by which the summary of faults leads to it. */
export function idOf(name: string): string {
  return `f${name.replaceAll(/[^\w]/g, "-")}`;
}

// One of several to choose, with what it means.

interface ChoiceTerms {
  readonly name: string;
  readonly value: string;
  readonly chosen: string | null;
  readonly label: string;
  readonly hint?: string;
  /** Lines of a text that the choice is about. */
  readonly lines?: readonly string[];
}

/** A choice that leaves out the others of its name. */
export function choice({ name, value, chosen, label, hint, lines = [] }: ChoiceTerms): Html {
  return html`<label class="tick"
    ><input
      type="radio"
      name="${name}"
      value="${value}"
      ${attribute("checked", value === chosen)}
    />
    <span
      >${label} ${hint !== undefined && html`<small class="soft">${hint}</small>`}
      ${lines.map((line) => html`<code dir="auto">${line}</code>`)}</span
    ></label
  >`;
}

// A list that is typed entry by entry, so that an entry may have a comma.

const BLANK_ENTRIES = 2;

/** A list with its entries and blank ones; emptied, it is an empty list. */
export function entries(
  { name, submitted }: { readonly name: string; readonly submitted: SubmittedForm | null },
  [legend, values]: readonly [string, readonly string[]],
  entry: (name: string, value: string, index: number) => Html,
): Html {
  const shown = [...values, ...Array.from({ length: BLANK_ENTRIES }, () => "")];
  const fault = submitted?.faultOf(name);
  return html`<fieldset class="entries" id="${idOf(name)}">
    <legend>${legend}</legend>
    ${fault !== undefined && html`<p class="fault">${fault}</p>`}
    <input type="hidden" name="${name}/" value="[]" />
    ${shown.map((value, index) => entry(`${name}/${index}`, value, index))}
  </fieldset>`;
}
