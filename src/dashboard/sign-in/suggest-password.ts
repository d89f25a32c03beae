// A sentence that would be a good password.

import { randomBytes } from "#kernel/random.ts";

const words =
  "amber anchor apple arrow autumn bakery bamboo basket beach bell bicycle bottle branch bread bridge bright brook brush bucket butter button cabin candle canoe carpet cedar chalk cherry cinnamon circle clay clever cloud clover cocoa coconut copper coral corner cotton cradle curtain daisy desert dinner drum eagle early elder ember evening falcon feather fiddle forest fountain garden gentle ginger glass golden grape gravel harbour harvest hazel heron hidden hollow honey hungry island ivory jacket jasmine jolly kettle kitchen ladder lantern lemon letter lively lizard lucky maple marble market meadow melon mirror modest morning mountain music napkin nettle nimble noble oatmeal ocean olive orange orchard oyster painter paper parrot patient pebble pepper piano pillow planet pocket polite potato pottery proud pumpkin quiet rabbit raisin ribbon river rocket saddle saffron sailor sandal scarf shadow silent silver simple singer sister slipper sparrow spider spoon spring stable station stone summer sunny swallow table tailor teapot thunder tiger timber tomato travel turtle umbrella valley velvet village violet wagon walnut water whistle wicker willow window winter wonder yellow zebra".split(
    " ",
  );

const WORDS = 6;

/** Six words of a list of 200: 45 random bits, which slow guesses do not reach. */
export function suggestPassword(): string {
  // Two bytes each, so that the remainder favours no word noticeably.
  const bytes = new DataView(randomBytes(2 * WORDS).buffer);
  const chosen = Array.from(
    { length: WORDS },
    (_, index) => words[bytes.getUint16(2 * index) % words.length] ?? "",
  );
  return chosen.join(" ");
}
