// Workflow: a person who is signed in gives the password again, before what needs it.

import { FAILED_CONFIRMATION, recordAct, recordFailure } from "#shop/audit/record-act.ts";
import {
  counterKey,
  delayMsAfter,
  FAILURES_MAX,
  HASH_OF_NO_PASSWORD,
  signInFailed,
} from "#shop/people/credentials/hashing.ts";
import {
  countGuess,
  deleteGuess,
  findPassword,
  forgetGuesses,
  lockGuess,
  takeBackGuess,
} from "#shop/people/credentials/queries.ts";
import { ownPlace, type PeopleShop } from "#shop/people/people-shop.ts";
import { personRows } from "#shop/people/queries.ts";

import { renewSession } from "./open-session.ts";
import type { RenewedSession, Visitor } from "./session.ts";

/**
 * Afterwards the session has a new token and counts as confirmed for 15 minutes. Refuses with `sign_in_failed`
 * and `sign_in_busy` as `signIn` does; guesses are counted by session.
 */
export async function confirmPerson(
  shop: PeopleShop,
  visitor: Visitor,
  password: string,
): Promise<RenewedSession> {
  const { database, passwords, attempts, delay } = shop;
  const { person, session } = visitor;
  const key = counterKey("session", session.id);
  const places = ownPlace(key);
  const actor = { type: "person", id: person.id } as const;
  const { failuresBefore, hash } = await attempts.at(places, () =>
    database.write(async (tx) => {
      await forgetGuesses(tx);
      const failures = await countGuess(tx, key);
      const found = await findPassword(tx, person.id);
      return { failuresBefore: failures, hash: found?.hash ?? HASH_OF_NO_PASSWORD };
    }),
  );
  await delay(delayMsAfter(failuresBefore));
  const isRight = await attempts
    .at(places, () => passwords.verify(password, hash))
    .catch(async (error: unknown) => {
      await database.write((tx) => takeBackGuess(tx, { key }));
      throw error;
    });
  const act = { actorName: person.name, subject: session.id, clientNetwork: session.network };
  if (isRight && failuresBefore < FAILURES_MAX) {
    const renewed = await database.write(
      async (tx) => {
        await personRows.lock(tx, person.id);
        if ((await findPassword(tx, person.id))?.hash !== hash) return null;
        await deleteGuess(tx, { key });
        await recordAct(tx, { ...act, action: "confirmPerson" });
        return renewSession(tx, session.id);
      },
      { actor },
    );
    if (renewed !== null)
      return { token: renewed.token, visitor: { person, session: renewed.session } };
  }
  const failure = { ...act, action: FAILED_CONFIRMATION };
  await database.write(
    async (tx) => {
      await lockGuess(tx, key);
      await recordFailure(tx, failure);
    },
    { actor },
  );
  throw signInFailed();
}
