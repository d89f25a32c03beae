// A program that has a certificate, and is killed (SIGKILL) at a call to the authority: an even number is the moment
// before a call, the odd one after it that of its answer. Arguments: the number, the folder, and the place of the
// authority as JSON.

import "#nouns.ts";

import { openRenewing } from "./renewing.ts";

const [point = "", folder = "", place = "{}"] = process.argv.slice(2);
let reached = 0;

function dieAtPoint(): void {
  if (reached === Number(point)) process.kill(process.pid, "SIGKILL");
  reached += 1;
}

await using program = await openRenewing({
  pebble: JSON.parse(place),
  folder,
  askBy: (ask) => async (question) => {
    dieAtPoint();
    const answer = await ask(question);
    dieAtPoint();
    return answer;
  },
});
await program.run();
