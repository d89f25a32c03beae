// Which events an endpoint receives: all, or those that are ticked, by what they are about.

import type { SubmittedForm } from "#dashboard/kit/forms/submitted-form.ts";
import { choice, idOf, input } from "#dashboard/kit/parts/field.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import {
  eventMeanings,
  eventNames,
  eventPatterns,
  isNamedOnly,
  namesMatching,
} from "#messaging/events/event.ts";
import { everything } from "#messaging/webhooks/endpoints/webhook.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";
import type { JsonObject, JsonValue } from "#platform/http/strict-json.ts";

import { eventsOf, type Webhook } from "./webhook-words.ts";

const { webhooks } = en;
/** The field in which the form says whether all events are meant; the ticks of single ones come after it. */
const ALL = "/events/0";
const [EVERYTHING = "*"] = everything;
const meanings: Readonly<Record<string, string>> = eventMeanings;
const nounWords: Readonly<Record<string, string>> = webhooks.nouns;
const nouns = [...Map.groupBy(eventNames, nounOf).keys()];

/** A name or a pattern that can be ticked. */
interface Tick {
  readonly name: string;
  readonly value: string;
  readonly isOn: boolean;
}

/** The choice, as it was sent or as the endpoint has it; null for one that is to be made. */
function eventsField(submitted: SubmittedForm | null, webhook: Webhook | null): Html {
  const ticks = ticksOf(submitted, webhook);
  const chosen = submitted?.value(ALL) ?? allOf(webhook);
  const named = nouns.filter((noun) => hasToBeNamed(`${noun}.*`));
  return html`<fieldset class="choices events" id="${idOf("/events")}">
      <legend>${webhooks.events}</legend>
      ${choice({ name: ALL, value: EVERYTHING, chosen, label: webhooks.all, hint: webhooks.allHint })}
      ${choice({ name: ALL, value: "", chosen, label: webhooks.ticked })}
      ${faultOf(submitted, webhook)}
      ${nouns.filter((noun) => !named.includes(noun)).map((noun) => groupOf(noun, offered(noun, ticks)))}
    </fieldset>
    ${named.map(
      (noun) =>
        html`<fieldset class="choices">
          <legend>${webhooks.ofKeys}</legend>
          <p class="small soft">${webhooks.ofKeysHint}</p>
          ${offered(noun, ticks).map(tickOf)}
        </fieldset>`,
    )}`;
}

/** With all events, only those beside are meant that have to be named. Without a choice there are none. */
export function withEvents({ events = [], ...rest }: JsonObject): JsonObject {
  return { ...rest, events: meantOf(events) };
}

function meantOf(chosen: JsonValue): JsonValue {
  if (!Array.isArray(chosen) || !chosen.includes(EVERYTHING)) return chosen;
  return chosen.filter(
    (one) => one === EVERYTHING || (typeof one === "string" && hasToBeNamed(one)),
  );
}

/** Returns true if the pattern is of events that have to be named. */
function hasToBeNamed(pattern: string): boolean {
  return namesMatching(pattern).every(isNamedOnly);
}

/** `order` of `order.paid` and of `order.*`. */
function nounOf(pattern: string): string {
  return pattern.slice(0, pattern.indexOf("."));
}

function allOf(webhook: Webhook | null): string {
  return webhook === null || webhook.events.includes(EVERYTHING) ? EVERYTHING : "";
}

function ticksOf(submitted: SubmittedForm | null, webhook: Webhook | null): readonly Tick[] {
  return eventPatterns
    .filter((value) => value !== EVERYTHING)
    .map((value, index) => {
      const name = `/events/${index + 1}`;
      const isOn =
        submitted === null
          ? webhook?.events.includes(value) === true
          : submitted.value(name) !== undefined;
      return { name, value, isOn };
    });
}

/** The pattern of a noun and its events. Unless it is ticked, none is offered for one event, or for what has to be named. */
function offered(noun: string, ticks: readonly Tick[]): readonly Tick[] {
  const of = ticks.filter(({ value }) => nounOf(value) === noun);
  const patterns = of.filter(
    ({ value, isOn }) => value.endsWith(".*") && (isOn || (of.length > 2 && !hasToBeNamed(value))),
  );
  return [...patterns, ...of.filter(({ value }) => !value.endsWith(".*"))];
}

/** The fault of the choice, or how it is now where it was changed meanwhile. */
function faultOf(submitted: SubmittedForm | null, webhook: Webhook | null): Html | null {
  if (submitted?.faultOf("/events") !== undefined)
    return html`<p class="fault">${webhooks.noEvents}</p>`;
  if (submitted?.status !== 412 || webhook === null) return null;
  return html`<p class="small soft">${en.now(eventsOf(webhook))}</p>`;
}

function groupOf(noun: string, of: readonly Tick[]): Html {
  const isOpen = of.some(({ isOn }) => isOn);
  return html`<details ${attribute("open", isOpen)}>
    <summary>${nounWords[noun] ?? noun}</summary>
    ${of.map(tickOf)}
  </details>`;
}

function tickOf({ name, value, isOn }: Tick): Html {
  return html`<label class="tick"
    ><input type="checkbox" name="${name}" value="${value}" ${attribute("checked", isOn)} />
    <span
      ><code>${value}</code>
      <small class="soft">${meanings[value] ?? webhooks.wholeNoun}</small></span
    ></label
  >`;
}

// The fields of an endpoint: its address, what it is for, and which events it receives.

/** The fields, filled in with what the endpoint has; null for one that is to be made. */
export function endpointFields(visit: Visit, webhook: Webhook | null): Html {
  const { submitted, mode } = visit;
  const url = {
    label: webhooks.url,
    name: "/url",
    type: "url",
    value: webhook?.url ?? "",
    hint:
      mode === "test"
        ? html`${webhooks.urlHintTest} <a href="/guides/webhooks">${webhooks.tryOut}</a>`
        : webhooks.urlHint,
    isRequired: true,
    isFirst: webhook === null && submitted === null,
  } as const;
  const description = {
    label: webhooks.description,
    name: "/description",
    value: webhook?.description ?? "",
    hint: webhooks.descriptionHint,
  };
  return html`${input(submitted, url)} ${input(submitted, description)}
  ${eventsField(submitted, webhook)}`;
}
