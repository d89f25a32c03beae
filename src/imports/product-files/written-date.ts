// Dates as shops and spreadsheets write them. A date that may be two is never guessed.

const TIME = String.raw`(?<time>[ T]\d{1,2}:\d{2}.*)?$`;
const YEAR_FIRST = new RegExp(
  `^(?<year>\\d{4})(?<mark>[-/.]?)(?<month>\\d\\d?)\\k<mark>(?<day>\\d\\d?)${TIME}`,
);
/** With points the day stands first; with others either may. */
const DAY_FIRST = new RegExp(String.raw`^(?<day>\d\d?)\.(?<month>\d\d?)\.(?<year>\d{4})${TIME}`);
const EITHER_FIRST = new RegExp(
  `^(?<one>\\d\\d?)(?<mark>[-/])(?<other>\\d\\d?)\\k<mark>(?<year>\\d{4})${TIME}`,
);
const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const DAY_AND_NAME = new RegExp(
  `^(?<day>\\d\\d?)[ -](?<name>[a-z]{3})[a-z]*\\.?[ ,-]+(?<year>\\d{4})${TIME}`,
  "i",
);
const NAME_AND_DAY = new RegExp(
  `^(?<name>[a-z]{3})[a-z]*\\.? (?<day>\\d\\d?),? (?<year>\\d{4})${TIME}`,
  "i",
);
/** Databases write no date so. */
const NO_DATE = /^0000-00-00/;

type Parts = Readonly<Record<string, string>>;

/**
 * The instants that a text may mean, as epoch milliseconds: one for most dates, two for 05/06/2026, none for what is no
 * date; null for a text that says there is none.
 */
export function instantsOf(text: string): number[] | null {
  if (NO_DATE.test(text)) return null;
  const parts = (YEAR_FIRST.exec(text) ?? DAY_FIRST.exec(text))?.groups;
  return parts === undefined ? ofName(text) : instantOf(parts);
}

/** The instants of a date with the name of its month, or with its day and month in either order. */
function ofName(text: string): number[] {
  const named = (DAY_AND_NAME.exec(text) ?? NAME_AND_DAY.exec(text))?.groups;
  if (named === undefined) return inEitherOrder(EITHER_FIRST.exec(text)?.groups ?? {});
  const month = months.indexOf(named["name"]?.toLowerCase() ?? "") + 1;
  return instantOf({ ...named, month: String(month) });
}

function inEitherOrder({ one = "", other = "", ...rest }: Parts): number[] {
  const readings = [
    ...instantOf({ ...rest, day: one, month: other }),
    ...instantOf({ ...rest, day: other, month: one }),
  ];
  return [...new Set(readings)];
}

/** The instant of these parts, which is none for a day that no month has. */
function instantOf({ year = "", month = "", day = "", time = "" }: Parts): number[] {
  const date = [year, month.padStart(2, "0"), day.padStart(2, "0")].join("-");
  const start = Date.parse(date);
  if (Number.isNaN(start) || !new Date(start).toISOString().startsWith(date)) return [];
  const instant = time === "" ? start : Date.parse(`${date}T${time.slice(1).padStart(5, "0")}`);
  return Number.isNaN(instant) ? [] : [instant];
}
