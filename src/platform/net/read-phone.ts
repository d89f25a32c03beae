// Phones as people write them.

/** Digits of any script, with what people put between them. */
const PHONE_AS_WRITTEN = /^[\p{Nd}\p{Zs}()+./-]{3,40}$/u;

/**
 * The phone in E.164; a text that is none is returned as it is. Lengths are those of the country's numbering plan; which
 * of its ranges are in use is not asked, since plans change faster than programs. An extension has no place in E.164.
 */
export async function readPhone(
  text: string,
  countryOf: () => Promise<string | null>,
): Promise<string> {
  if (!PHONE_AS_WRITTEN.test(text)) return text;
  // Loaded by the first phone that needs it: a start does not wait for the numbering plans.
  const { isSupportedCountry, parsePhoneNumberFromString } = await import("libphonenumber-js/min");
  const country = await countryOf();
  const options =
    country !== null && isSupportedCountry(country) ? { defaultCountry: country } : {};
  const phone = parsePhoneNumberFromString(text, { ...options, extract: false });
  return phone?.isPossible() === true && phone.ext === undefined ? phone.number : text;
}
