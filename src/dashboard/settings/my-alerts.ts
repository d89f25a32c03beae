// The choices of a person about what they are told, and the browsers that get messages. A script asks the browser for its subscription.

import { pushMessage } from "#alerts/push-alert.ts";
import type { CustomForm } from "#dashboard/kit/forms/form.ts";
import { dateOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { localizeEmails } from "#emails/words/localize.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";
import {
  type AlertChannel,
  alertChannels,
  alertRulesOf,
  type AlertTopic,
  topicsOf,
} from "#shop/people/alert-rules.ts";
import { setAlertRules } from "#shop/people/choose-alerts.ts";
import { lockPerson } from "#shop/people/lookups.ts";
import {
  isReached,
  listReached,
  listSubscriptionsOf,
  type PushSubscription,
  readSubscription,
  subscribe,
  unsubscribe,
} from "#shop/people/sessions/subscriptions.ts";
import { getStore } from "#shop/store/lookups.ts";

import { writeAs } from "./people-page.ts";

const words = en.me.told;

const notReached = defineRefusal(
  "push_not_reached",
  "conflict",
  "No browser took the message: turn the notifications of this browser on again.",
);

/** The choices, and the browsers that get messages. */
export async function toldPart(visit: Visit): Promise<Html> {
  const { person } = visit.visitor;
  const browsers = await listSubscriptionsOf(visit.people.database.read, person.id);
  const here = visit.href("/me");
  const rules = alertRulesOf(person);
  return html`<section id="told">
    <h2>${words.title}</h2>
    <p class="soft">${words.what}</p>
    <form class="stack form" method="post" action="${here}/told">
      ${topicsOf(person.role).map(
        (topic) =>
          html`<fieldset>
            <legend>${words.topics[topic]}</legend>
            ${alertChannels.map((channel) => tick(topic, channel, rules[topic].includes(channel)))}
          </fieldset>`,
      )}
      <p><button>${words.save}</button></p>
    </form>
    <h3>${words.browsers}</h3>
    ${browsers.length === 0 && html`<p>${words.none}</p>`}
    ${
      browsers.length > 0 &&
      html`<ul class="rows">
        ${browsers.map((one) => browserRow(one, here, visit))}
      </ul>`
    }
    <form method="post" action="${here}/push">
      <input type="hidden" name="subscription" />
      <div class="acts" hidden>
        <button class="go" data-push data-denied="${words.denied}" data-failed="${words.failed}">
          ${words.turnOn}
        </button>
        <p class="fault" role="alert"></p>
      </div>
      <div data-no-push>
        <p class="soft">${words.cannot}</p>
        <ol class="soft">
          ${words.iphone.map((step) => html`<li>${step}</li>`)}
        </ol>
      </div>
    </form>
    ${browsers.length > 0 && html`<form method="post" action="${here}/test"><button>${words.test}</button></form>`}
  </section>`;
}

/** The name of the field of a choice. */
const fieldOf = (topic: AlertTopic, channel: AlertChannel) => `${topic} ${channel}`;

function tick(topic: AlertTopic, channel: AlertChannel, isChosen: boolean): Html {
  return html`<label class="tick"
    ><input
      type="checkbox"
      name="${fieldOf(topic, channel)}"
      value="true"
      ${attribute("checked", isChosen)}
    />
    <span>${words.channels[channel]}</span></label
  >`;
}

function browserRow(browser: PushSubscription, here: string, { when }: Visit): Html {
  const { id, device, createdAt } = browser;
  return html`<li class="line">
    <div>
      <strong>${device}</strong>
      <p class="small soft">
        ${isReached(browser) ? words.since(dateOf(createdAt, when.zone)) : words.lost}
      </p>
    </div>
    <form method="post" action="${here}/unpush">
      <input type="hidden" name="browser" value="${id}" />
      <button>${words.turnOff}</button>
    </form>
  </li>`;
}

export const toldForms = {
  told: {
    doneMessage: "saved",
    needsConfirmation: turnsOffSecurity,
    handle: async (visit, fields) => {
      await writeAs(visit, async (tx) => {
        const person = await lockPerson(tx, visit.visitor.person.id);
        const chosen = topicsOf(person.role).map((topic) => [
          topic,
          alertChannels.filter((channel) => fields.get(fieldOf(topic, channel)) === "true"),
        ]);
        await setAlertRules(tx, person, Object.fromEntries(chosen));
      });
      return {};
    },
  },
  push: {
    doneMessage: "saved",
    handle: async (visit, fields) => {
      const terms = readSubscription(fields.get("subscription") ?? "");
      await writeAs(visit, (tx) => subscribe(tx, visit.visitor, terms));
      return {};
    },
  },
  unpush: {
    doneMessage: "removed",
    handle: async (visit, fields) => {
      await writeAs(visit, (tx) => unsubscribe(tx, visit.visitor, fields.get("browser") ?? ""));
      return {};
    },
  },
  test: {
    doneMessage: "told",
    handle: async (visit) => {
      await sendTest(visit);
      return {};
    },
  },
} as const satisfies Readonly<Record<string, CustomForm>>;

/** A borrowed phone must not turn off what tells of it. */
async function turnsOffSecurity({ visitor }: Visit, fields: URLSearchParams): Promise<boolean> {
  return alertRulesOf(visitor.person).security.some(
    (channel) => fields.get(fieldOf("security", channel)) !== "true",
  );
}

/** Sends a message to each browser of the person at once. Refuses with `push_not_reached` where none took it. */
async function sendTest(visit: Visit): Promise<void> {
  const { people, database, dashboardUrl } = visit;
  const store = await localizeEmails(await getStore(database.read));
  const { test } = store.letters.alert;
  const message = { ...test, tag: "test", url: new URL(visit.href("/me"), dashboardUrl).href };
  const shop = { database, ...visit.pushing };
  const browsers = await listReached(people.database.read, visit.visitor.person.id);
  const sent = await Promise.all(
    browsers.map(({ id: subscriptionId }) =>
      pushMessage(shop, people.database, { subscriptionId, message }),
    ),
  );
  if (sent.every((outcome) => outcome?.kind !== "accepted")) throw notReached();
}
