// The alerts on Home: those of the last seven days that no email told the owner.

import { sentenceOf, whereOf, whoOf } from "#alerts/facts.ts";
import { listUntold } from "#alerts/list-untold.ts";
import { momentOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { en as emailWords } from "#emails/words/en.ts";
import { type Html, html } from "#platform/html/html.ts";

const words = en.alerts;
const SHOWN_MAX = 5;

/** The newest alerts; null where there are none, and for all but owners. */
export async function alertsPart(visit: Visit): Promise<Html | null> {
  const { database, people, visitor, now, when } = visit;
  if (visitor.person.role !== "owner") return null;
  const dbs = { db: database.read, people: people.database.read };
  const found = await listUntold(dbs, visitor.person, { now, limit: SHOWN_MAX });
  if (found.length === 0) return null;
  return html`<section>
    <h2>${words.title}</h2>
    <ul class="rows">
      ${found.map((facts) => {
        const where = whereOf(facts);
        return html`<li class="line">
          <div>
            <strong>${sentenceOf(emailWords, facts)}</strong>
            <p class="small soft">
              ${whoOf(emailWords, facts)} ·
              ${momentOf(facts.entry.createdAt, when)}${where !== null && html` · ${where}`}
            </p>
          </div>
        </li>`;
      })}
    </ul>
    <p class="small">
      <a href="${visit.href("/people/acts")}">${words.all}</a
      >${visitor.person.email === null && html` · <a href="${visit.href("/me")}">${words.byEmail}</a>`}
    </p>
  </section>`;
}
