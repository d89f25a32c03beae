// A gateway that takes its time: what the magic values do at once, they do half a minute later.

import { magicBook } from "#sandbox/simulated-gateway/magic.ts";
import type { Script, ScriptBook, Step } from "#sandbox/simulated-gateway/script.ts";

/** Seconds of the shop's clock. */
const LATER = 30;

/** The magic values, each as slow as a busy gateway. */
export const slowBook: ScriptBook = {
  ofCard: (token) => {
    const script = magicBook.ofCard(token);
    return script === null ? null : slowed(script);
  },
  ofPhone: (phone) => slowed(magicBook.ofPhone(phone)),
  ofPage: magicBook.ofPage,
};

function slowed(script: Script): Script {
  return { ...script, steps: script.steps.flatMap(later) };
}

/** A step that is answered at once needs no notice; half a minute later it does. */
function later(step: Step): Step[] {
  const slow = { ...step, afterSeconds: step.afterSeconds + LATER };
  if (step.afterSeconds > 0 || !("becomes" in step)) return [slow];
  return [slow, { afterSeconds: LATER, pushes: step.becomes.state }];
}
