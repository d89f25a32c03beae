// The people of tests have one password, and its hash takes as long as opening a shop: it is made once per process, as
// strong as it was asked for, and known to be that of its password. Only its salt is the same for several people. Every
// other password is verified as slowly as ever.

const slow = { ...Bun.password };
const made = new Map<string, Promise<string>>();
/** Each hash that was made, with its password. */
const known = new Map<unknown, unknown>();

Object.assign(Bun.password, {
  hash: async (...asked: Parameters<typeof slow.hash>) => {
    const terms = JSON.stringify(asked);
    const making = made.get(terms) ?? slow.hash(...asked);
    made.set(terms, making);
    const text = await making;
    known.set(text, asked[0]);
    return text;
  },
  verify: async (...asked: Parameters<typeof slow.verify>) =>
    known.get(asked[1]) === asked[0] || slow.verify(...asked),
});
