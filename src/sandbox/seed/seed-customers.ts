// The customers of a seeded test shop. All of them are invented: the addresses end in example.com, and
// the phone numbers are next to the test numbers of Ghana's mobile networks.

import type { CustomerChange } from "#customers/customer.ts";
import type { Address } from "#kernel/address.ts";
import type { Provider } from "#payments/rows/payment-life.ts";

import { before, type Moment } from "./moment.ts";

/** The test numbers that end in 80 to 98 have other outcomes than success. */
const PHONE_PREFIX = "+2335512349";

type Row = readonly [
  firstName: string,
  lastName: string,
  street: string,
  city: string,
  provider: Provider,
  /** How many days ago the customer registered. */
  daysAgo: number,
  tags: readonly string[],
];

// prettier-ignore
const rows: readonly Row[] = [
  ["Akosua", "Mensah", "27 Oxford Street, Osu", "Accra", "mtn", 21, ["vip"]],
  ["Kwame", "Boateng", "9 Prempeh II Street", "Kumasi", "mtn", 21, []],
  ["Ama", "Darko", "14 Ring Road Central", "Accra", "telecel", 21, ["regular"]],
  ["Yaw", "Asante", "3 Lagos Avenue, East Legon", "Accra", "mtn", 21, ["regular"]],
  ["Esi", "Quaye", "41 High Street, James Town", "Accra", "telecel", 21, ["vip"]],
  ["Kofi", "Owusu", "6 Harbour Road", "Tema", "mtn", 21, []],
  ["Abena", "Sarpong", "18 Labone Crescent", "Accra", "mtn", 20, ["regular"]],
  ["Nii", "Lamptey", "22 Beach Road, Labadi", "Accra", "airteltigo", 19, []],
  ["Adwoa", "Ofori", "5 Community 11", "Tema", "mtn", 18, []],
  ["Kojo", "Amissah", "8 Commercial Street", "Cape Coast", "telecel", 17, []],
  ["Efua", "Arthur", "12 Liberation Road", "Takoradi", "mtn", 15, ["wholesale"]],
  ["Kwesi", "Baidoo", "30 Spintex Road", "Accra", "mtn", 14, []],
  ["Afia", "Agyeman", "17 Hospital Road", "Koforidua", "airteltigo", 13, []],
  ["Yaa", "Frimpong", "2 Adum High Street", "Kumasi", "mtn", 11, []],
  ["Edem", "Agbeko", "11 Ho Main Road", "Ho", "mtn", 10, []],
  ["Naa", "Tetteh", "25 Dansoman High Street", "Accra", "telecel", 8, []],
  ["Selorm", "Kpodo", "4 Lashibi Link", "Tema", "mtn", 7, []],
  ["Dzifa", "Amegashie", "19 Boundary Road, Madina", "Accra", "mtn", 5, []],
  ["Fatima", "Alhassan", "7 Bolga Road", "Tamale", "mtn", 4, []],
  ["Ibrahim", "Yakubu", "33 Nima Highway", "Accra", "airteltigo", 2, []],
];

export interface SeedCustomer {
  /** How the sales name the customer: the first name in lower case. */
  readonly key: string;
  readonly registered: Moment;
  readonly phone: string;
  readonly provider: Provider;
  readonly address: Address;
  readonly details: CustomerChange;
}

/** The customers, in the order in which they registered. */
export const seedCustomers: readonly SeedCustomer[] = rows.map(
  ([firstName, lastName, street, city, provider, daysAgo, tags], index) => {
    const phone = `${PHONE_PREFIX}${String(index + 1).padStart(2, "0")}`;
    const address = addressOf(`${firstName} ${lastName}`, street, city);
    return {
      key: firstName.toLowerCase(),
      registered: before(daysAgo, `07:${30 + index}`),
      phone,
      provider,
      address,
      details: {
        firstName,
        lastName,
        email: `${firstName}.${lastName}@example.com`.toLowerCase(),
        phone,
        addresses: [address],
        marketingConsent: tags.length > 0,
        tags,
      },
    };
  },
);

function addressOf(name: string, line1: string, city: string): Address {
  const unknown = { line2: null, region: null, postalCode: null, phone: null };
  return { ...unknown, name, line1, city, country: "GH" };
}
