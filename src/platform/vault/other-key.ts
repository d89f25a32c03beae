// The refusal of a program whose key is not that of the shop.

/** The shop's secrets are sealed with another key than this program's. */
export class OtherKey extends Error {
  constructor(cause: unknown) {
    super(
      "The secrets of this shop are sealed with another key than this program's. Give it the key of the shop: in " +
        "DUKA_SECRET_KEY, the same for every program of the shop, or as secret.key of its data directory. If that " +
        'key is lost, "duka secrets reset" takes the present one, and says what is lost by it.',
      { cause },
    );
    this.name = "OtherKey";
  }
}
