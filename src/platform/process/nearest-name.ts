// Finds the name that a caller probably meant, for refusals of unknown fields and parameters.

/** One mistake is allowed per this many letters: one in `sku`, two in `amount`. */
const LETTERS_PER_MISTAKE = 3;
const MISTAKES_MAX = 3;
/** No name of the API is nearly this long; comparing costs the product of both lengths. */
const LENGTH_MAX = 64;

/**
 * The known name closest to the given one, the first if several are equally close, or null if none
 * is close enough. `lineItems` and `line-items` match `line_items`.
 */
export function nearestName(name: string, known: readonly string[]): string | null {
  if (name.length > LENGTH_MAX) return null;
  const wanted = plainSpelling(name);
  let nearest: string | null = null;
  let mistakes = Infinity;
  for (const candidate of known) {
    const spelling = plainSpelling(candidate);
    const found = distanceWithin(allowedMistakes(wanted, spelling), wanted, spelling);
    if (found < mistakes) {
      nearest = candidate;
      mistakes = found;
    }
  }
  return nearest;
}

/**
 * Names that other interfaces use, or that people guess, with the names that the API has for them. A name
 * counts only where the object has the field, so one name can have several meanings; a name behind a point is
 * that of a field inside it.
 */
const usualNames: Readonly<Record<string, readonly string[]>> = {
  address: ["shipping_address", "line1", "addresses"],
  address1: ["line1"],
  address2: ["line2"],
  available: ["on_hand"],
  callback: ["return_url"],
  callbackurl: ["return_url"],
  client: ["customer"],
  code: ["otp"],
  comment: ["note", "notes"],
  cost: ["price", "amount"],
  delta: ["adjust"],
  email: ["customer.email"],
  emailaddress: ["email", "customer.email"],
  fullname: ["name"],
  inventory: ["on_hand", "stock"],
  inventoryquantity: ["on_hand", "stock"],
  items: ["line_items"],
  mail: ["email", "customer.email"],
  method: ["payment_method"],
  mobile: ["phone", "customer.phone"],
  msisdn: ["phone"],
  paymentmethod: ["method"],
  phone: ["customer.phone"],
  phonenumber: ["phone", "customer.phone"],
  pin: ["otp"],
  postcode: ["postal_code"],
  price: ["prices", "amount"],
  productid: ["variant_id"],
  products: ["line_items"],
  province: ["region"],
  qty: ["quantity", "on_hand", "stock"],
  quantity: ["on_hand", "stock"],
  redirecturl: ["return_url"],
  state: ["region"],
  stock: ["on_hand"],
  street: ["line1"],
  successurl: ["return_url"],
  telephone: ["phone", "customer.phone"],
  title: ["name"],
  total: ["expected_total", "amount"],
  trackingnumber: ["tracking"],
  txref: ["reference"],
  unitprice: ["price", "prices"],
  variant: ["variant_id"],
  zip: ["postal_code"],
  zipcode: ["postal_code"],
};

/**
 * The field that a caller probably meant: one that differs only in its spelling, else the field that the API
 * has for a usual name, else the nearest name. Null if there is none.
 */
export function fieldMeant(name: string, known: readonly string[]): string | null {
  if (name.length > LENGTH_MAX) return null;
  const wanted = plainSpelling(name);
  const isOwn = known.some((one) => plainSpelling(one) === wanted);
  const usual = isOwn || !Object.hasOwn(usualNames, wanted) ? [] : (usualNames[wanted] ?? []);
  const isKnown = (one: string) => known.includes(one.split(".", 1).join(""));
  return usual.find(isKnown) ?? nearestName(name, known);
}

function plainSpelling(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}

function allowedMistakes(one: string, other: string): number {
  const letters = Math.max(one.length, other.length);
  return Math.min(Math.floor(letters / LETTERS_PER_MISTAKE), MISTAKES_MAX);
}

/** The distance of two spellings, or infinity beyond the limit; the lengths alone often suffice. */
function distanceWithin(limit: number, one: string, other: string): number {
  if (Math.abs(one.length - other.length) > limit) return Infinity;
  const found = at(distancesToBeginnings([...one], [...other]), [...other].length);
  return found > limit ? Infinity : found;
}

/**
 * The Damerau-Levenshtein distances, restricted, of the letters to each beginning of the others, the empty one first: the
 * fewest letters to add, drop, change, or swap with a neighbor. The last is the distance to all of them.
 */
export function distancesToBeginnings(
  letters: readonly string[],
  others: readonly string[],
): number[] {
  let beforeLast: number[] = [];
  let last = Array.from({ length: others.length + 1 }, (_, column) => column);
  for (let row = 1; row <= letters.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= others.length; column += 1) {
      const isSame = letters[row - 1] === others[column - 1];
      const isSwapped =
        letters[row - 1] === others[column - 2] && letters[row - 2] === others[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(beforeLast, column - 2) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last;
}

/** Cells outside the table are unreachable. */
function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
