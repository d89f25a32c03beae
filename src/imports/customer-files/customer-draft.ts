// A customer as it is read from the rows of a file: the body of `POST /v2/customers`.

import { blankFaults, type Intake } from "#imports/tables/blank-faults.ts";
import type { Row } from "#imports/tables/columns.ts";
import { Draft, type DraftTerms } from "#imports/tables/draft.ts";
import { countriesOf } from "#pay-page/delivery/read-address.ts";
import { addressColumns } from "#sheets/customer-rows.ts";

interface AddressBody {
  name?: string | undefined;
  line1?: string | undefined;
  line2?: string | undefined;
  city?: string | undefined;
  region?: string | undefined;
  postal_code?: string | undefined;
  country?: string | undefined;
  phone?: string | undefined;
}

interface CustomerBody {
  email?: string | undefined;
  phone?: string | undefined;
  name?: string | undefined;
  first_name?: string | undefined;
  last_name?: string | undefined;
  addresses?: AddressBody[] | undefined;
  marketing_consent?: boolean | undefined;
  tags?: readonly string[] | undefined;
  tax_id?: string | undefined;
  tax_exemption?: string | undefined;
  metadata?: object | undefined;
}

/** A customer of a file. */
export class CustomerDraft extends Draft<CustomerBody> {
  readonly #row: Row;

  constructor(row: Row, given: DraftTerms) {
    super(row, {}, given);
    this.#row = row;
  }

  /** The cell of the first row whose column and member have this name. */
  own(name: string): string | undefined {
    return this.text({ row: this.#row, column: name, pointer: `/${name}` });
  }

  /** A phone, with its digits as they were. */
  phone(row: Row, column = "phone", pointer = `/${column}`): string | undefined {
    return this.code({ row, column, pointer }, "phone")?.replace(/^'/, "");
  }

  /** Takes what the row has of an address; nothing where all its cells are blank. */
  addAddress(row: Row): void {
    const at = `/addresses/${this.body.addresses?.length ?? 0}`;
    const cell = (column: string, field: string) =>
      this.text({ row, column, pointer: `${at}/${field}` });
    const country = cell(addressColumns.country, "country");
    const address: AddressBody = {
      name: cell(addressColumns.name, "name"),
      line1: cell(addressColumns.line1, "line1"),
      line2: cell(addressColumns.line2, "line2"),
      city: cell(addressColumns.city, "city"),
      region: cell(addressColumns.region, "region"),
      postal_code: cell(addressColumns.postalCode, "postal_code")?.replace(/^'/, ""),
      country: country && codeOfCountry(country),
      phone: this.phone(row, addressColumns.phone, `${at}/phone`),
    };
    if (isBlank(address)) return;
    this.body.addresses = [...(this.body.addresses ?? []), address];
  }

  /** Leaves blank what this shop does not read of another shop's customer, and out whom no message would reach. */
  async mendForeign(intake: Intake, country: string | null): Promise<void> {
    const own = this.body.addresses?.[0];
    const countries = [own?.country, country].filter((one) => typeof one === "string");
    await blankFaults(this, intake, countries);
    const addresses = this.body.addresses?.filter((one) => !isBlank(one)) ?? [];
    this.body.addresses = addresses.length === 0 ? undefined : addresses;
    // A customer without an account may have it there alone.
    if (this.body.email === undefined) this.body.phone ??= own?.phone;
    this.#leaveOutIfUnreachable();
  }

  /** Leaves a customer out whom no message would reach: the shop knows customers by email or phone. */
  #leaveOutIfUnreachable(): void {
    if (this.body.email !== undefined || this.body.phone !== undefined) return;
    this.isLeftOut = true;
    this.warn(this.#row, "A customer without an email and a phone is left out.");
  }
}

function isBlank(address: AddressBody): boolean {
  return Object.values(address).every((value) => value === undefined);
}

/** The code of a country that is written as a code or by its English name; another text as it is. */
function codeOfCountry(text: string): string {
  if (/^[a-z]{2}$/i.test(text)) return text.toUpperCase();
  const folded = text.toLowerCase();
  return countriesOf(null, "en").find(({ name }) => name.toLowerCase() === folded)?.code ?? text;
}
