// Where a person is signed in, with the way to end each session.

import { type Html, html } from "#platform/html/html.ts";
import type { Session } from "#shop/people/sessions/session.ts";

import { nearOf, shortDayOf } from "../parts/times.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";

const { people } = en;

/** The sessions; each but that of this visit can be ended by the form at `action`. */
export function sessionsPart(visit: Visit, sessions: readonly Session[], action: string): Html {
  if (sessions.length === 0) return html`<p class="soft">${people.noSessions}</p>`;
  return html`<ul class="rows">
    ${sessions.map((session) => rowOf(visit, session, action))}
  </ul>`;
}

function rowOf(visit: Visit, { id, device, network, seenAt, createdAt }: Session, action: string) {
  const when = visit.realWhen;
  const isHere = id === visit.visitor.session.id;
  const facts = [
    isHere ? people.thisDevice : people.seen(nearOf(seenAt, when)),
    people.since(shortDayOf(createdAt, when)),
    network,
  ];
  return html`<li class="line">
    <div>
      <strong>${device}</strong>
      <p class="small soft">${facts.filter((fact) => fact !== null).join(" · ")}</p>
    </div>
    ${
      !isHere &&
      html`<form method="post" action="${action}">
        <input type="hidden" name="session" value="${id}" /><button>${people.end}</button>
      </form>`
    }
  </li>`;
}
