// Fields of forms: a label, what was typed, and what is wrong with it. A field's name is the JSON Pointer of what it
// sets.

import { randomBytes } from "#kernel/random.ts";
import { attribute, type Hole, type Html, html } from "#platform/html/html.ts";

import type { Sent } from "../forms/sent.ts";
import { en } from "../words/en.ts";

interface FieldTerms {
  readonly label: string;
  readonly name: string;
  readonly value?: string | number | null;
  readonly hint?: Hole;
  readonly isRequired?: boolean;
  /** Whether only a screen reader is told the label, because a heading says it. */
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
}

/** An input of one line. */
export function input(sent: Sent | null, terms: InputTerms): Html {
  const { name, type = "text", digits, autocomplete = "off", placeholder } = terms;
  return field(sent, terms, (described) => {
    const isSecret = type === "password";
    return html`<input
      id="${idOf(name)}"
      name="${name}"
      type="${type}"
      value="${isSecret ? "" : valueOf(sent, terms)}"
      autocomplete="${autocomplete}"
      ${attribute("inputmode", digits ?? null)}
      ${attribute("placeholder", placeholder ?? null)}
      ${attribute("required", terms.isRequired === true)}
      ${attribute("autofocus", terms.isFirst === true)}
      ${isSecret && [attribute("data-show", en.door.show), attribute("data-hide", en.door.hide)]}
      ${described}
    />`;
  });
}

/** An input of several lines. */
export function textarea(sent: Sent | null, terms: FieldTerms): Html {
  const [id, name, text] = [idOf(terms.name), terms.name, valueOf(sent, terms)];
  return field(sent, terms, (described) => {
    return html`<textarea id="${id}" name="${name}" rows="3" ${described}>${text}</textarea>`;
  });
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

/** A choice of one of several. An option whose label is its value says it once. */
export function select(
  sent: Sent | null,
  { options, ...terms }: FieldTerms & { readonly options: readonly Option[] },
): Html {
  const chosen = valueOf(sent, terms);
  const wordOf = (value: string) => options.find((one) => one.value === value)?.label ?? value;
  return field(
    sent,
    { ...terms, wordOf },
    (described) =>
      html`<select id="${idOf(terms.name)}" name="${terms.name}" ${described}>
        ${options.map(({ value, label }) => html`<option ${attribute("value", value === label ? null : value)} ${attribute("selected", value === chosen)}>${label}</option>`)}
      </select>`,
  );
}

/** A box to tick. Its hidden twin before it says false where it is not ticked. */
export function checkbox(
  sent: Sent | null,
  { name, label, isChecked, hint }: FieldTerms & { readonly isChecked: boolean },
): Html {
  const typed = sent?.typed(name);
  const isOn = typed === undefined ? isChecked : typed === "true";
  return html`<div class="field">
    <input type="hidden" name="${name}" value="false" /><label class="tick"
      ><input type="checkbox" name="${name}" value="true" ${attribute("checked", isOn)} />
      <span>${label}</span></label
    >
    ${isStale(sent) && isOn !== isChecked && html`<p class="hint">${en.now(en.ticked(isChecked))}</p>`}
    ${hint !== undefined && html`<p class="hint">${hint}</p>`}
  </div>`;
}

interface ControlTerms extends FieldTerms {
  /** What people call a value of the field; by default the value itself. */
  readonly wordOf?: (value: string) => string;
}

function field(
  sent: Sent | null,
  { wordOf = String, ...terms }: ControlTerms,
  control: (described: Hole) => Html,
): Html {
  const { label, name, hint, isLabelHidden = false } = terms;
  const now = changedTo(sent, terms);
  const fault = sent?.faultOf(name);
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

/** Whether the form was made of an older version: what it leaves as it was may have changed since. */
function isStale(sent: Sent | null): boolean {
  return sent?.status === 412 && !sent.isUndo;
}

/** The value as it is now, where a form of an older version has another one; null where it has not. */
function changedTo(sent: Sent | null, { name, value }: FieldTerms): string | null {
  const typed = sent?.typed(name);
  if (!isStale(sent) || typed === undefined || value === undefined) return null;
  const now = String(value ?? "");
  return typed.replaceAll("\r\n", "\n").trim() === now.trim() ? null : now;
}

function valueOf(sent: Sent | null, { name, value }: FieldTerms): string {
  return sent?.typed(name) ?? String(value ?? "");
}

/**
 * The version that a form changes: that which its fields were filled in from, also while a wrong one is put right, until
 * the page has told that there is a newer one.
 */
export function versionField(sent: Sent | null, version: number): Html {
  const seen = isStale(sent) ? undefined : sent?.typed("version");
  return html`<input type="hidden" name="version" value="${seen ?? version}" />`;
}

/** The random name of a form that makes something: sent twice it is one thing, shown again another one. */
export function onceField(): Html {
  return html`<input type="hidden" name="form" value="${randomBytes(16).toHex()}" />`;
}

/** The id of a field, by which the summary of faults leads to it. */
export function idOf(name: string): string {
  return `f${name.replaceAll(/[^\w]/g, "-")}`;
}
