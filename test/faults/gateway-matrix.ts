// The fault `gateways`: every call to a gateway goes wrong in every way, before and after its effect, in every
// story of a payment. Afterwards the shop's books and those of the gateway say the same.

import {
  blows,
  canStrike,
  type GatewayCall,
  type Strike,
  strike,
} from "../vendors/struck-gateway.ts";
import { Chance, type Fault, type FaultOptions, type FaultReport, openExtent } from "./fault.ts";
import { booksOf, callsOf, openWorld, PaymentLife, type Story, worlds } from "./gateway-lives.ts";

/** Some calls that go wrong in one story. */
interface MatrixCase {
  readonly world: (typeof worlds)[number];
  readonly story: Story;
  readonly strikes: readonly Strike[];
}

/** A refund that was made and not answered: its gateway is asked for a list. */
const lostRefund: Strike = { call: "refund", blow: "breaks after", nth: 1, times: 1 };

const everyCase: readonly MatrixCase[] = worlds.flatMap((world) =>
  storiesOf(world).flatMap((story) =>
    callsOf[story].flatMap((call) =>
      strikesOf(call).map((one) => ({
        world,
        story,
        strikes: call === "findRefunds" ? [lostRefund, one] : [one],
      })),
    ),
  ),
);

function storiesOf(world: MatrixCase["world"]): Story[] {
  const all: Story[] = ["paid", "declined", "cancelled early", "cancelled late", "late", "code"];
  return world === "simulated" ? all : all.filter((story) => story !== "code");
}

function strikesOf(call: GatewayCall): Strike[] {
  const places = call === "verify" || call === "refund" ? [1, 2] : [1];
  return blows
    .filter((blow) => canStrike(call, blow))
    .flatMap((blow) =>
      places.flatMap((nth) => [1, 3].map((times) => ({ call, blow, nth, times }))),
    );
}

export const gatewayMatrix: Fault = {
  name: "gateways",
  what: "every call to a gateway goes wrong in every way, in every story of a payment",
  short: { rounds: Math.ceil(everyCase.length / 10), minutes: 2 },
  long: { rounds: everyCase.length, minutes: 30 },
  run,
};

async function run({ seed, progress, ...extent }: FaultOptions): Promise<FaultReport> {
  const chance = new Chance(seed);
  const used = openExtent(extent);
  const cases = shuffled(everyCase, chance);
  const broken: string[] = [];
  let [rounds, struck] = [0, 0];
  for (; !used.isUsedUp(rounds) && rounds < cases.length; rounds += 1) {
    const one = cases[rounds];
    if (one === undefined) break;
    const seen = await playCase(one, chance);
    struck += seen.struck;
    broken.push(...seen.broken.map((sentence) => `${caseName(one)}: ${sentence}`));
    if (rounds % 50 === 49) progress(`${rounds + 1} cases, ${broken.length} broken`);
  }
  const figures = { seed, "cases in all": everyCase.length, cases: rounds, "calls struck": struck };
  return { figures, broken };
}

/** What a case is called. */
function caseName({ world, story, strikes }: MatrixCase): string {
  const struck = strikes.map(
    ({ call, blow, nth, times }) => `${call} ${blow}, ${times} times from the ${nth}. call`,
  );
  return `${world}, ${story}: ${struck.join("; ")}`;
}

function shuffled<T>(given: readonly T[], chance: Chance): T[] {
  const left = [...given];
  const drawn: T[] = [];
  while (left.length > 0) drawn.push(...left.splice(chance.below(left.length), 1));
  return drawn;
}

/** Plays a case to the end of its plan; returns what the books do not agree in. */
async function playCase(
  one: MatrixCase,
  chance: Chance,
): Promise<{ readonly struck: number; readonly broken: string[] }> {
  await using world = await openWorld(one.world);
  const books = booksOf(world.gateway);
  const struck = one.strikes.map((each) => strike(world.gateway, each));
  const life = new PaymentLife(world, books, chance);
  await life.live(one.story);
  const calls = struck.reduce((sum, count) => sum + count(), 0);
  return { struck: calls, broken: await life.differences() };
}
