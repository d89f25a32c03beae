// The path of the example storefront, for those who only name it: they load no page for that.

/** To be appended to the server's address. */
export const STORE_PATH = "/test/store";
