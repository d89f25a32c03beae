// How the people who run the shop and its customers are spoken of, in English.

type Act = (who: string, whom: string, times: number) => string;

/** Sign-ins and the like, by the name under which they are recorded. */
const acts = {
  signIn: (who) => `${who} signed in`,
  failSignIn: (_, whom, times) =>
    (whom === "" ? "A sign-in failed" : `A sign-in as ${whom} failed`) + timesOf(times),
  signOut: (who) => `${who} signed out`,
  confirmPerson: (who) => `${who} confirmed who they are`,
  failConfirmation: (who, _, times) => `${who} gave a wrong password or passkey${timesOf(times)}`,
  installOwner: () => "The owner of the sandbox was made",
  admitPerson: (who) => `${who} opened the link of the sandbox`,
  makeFirstLink: () => "The first owner's link was made",
  invitePerson: (who) => `${who} made an invitation`,
  withdrawLink: (who) => `${who} withdrew a link`,
  takeLink: (who) => `${who} signed in with a link`,
  makeRecoveryLink: (who, whom) => `${who} made a link for a new password of ${whom}`,
  changePassword: (who) => `${who} changed the password`,
  askForEmail: (who) => `${who} entered an email for alerts`,
  changeEmail: (who) => `${who} confirmed an email for alerts`,
  removeEmail: (who) => `${who} removed the email for alerts`,
  disownSessions: (_, whom) => `${whom} was signed out everywhere by the link of an alert`,
  changeRole: (who, whom) => `${who} changed the role of ${whom}`,
  endSessions: (who, whom) => `${who} ended sessions of ${whom}`,
  addPasskey: (who) => `${who} added a passkey`,
  renamePasskey: (who) => `${who} renamed a passkey`,
  removePasskey: (who, whom) => `${who} removed a passkey of ${whom}`,
  removePerson: (who, whom) => `${who} removed ${whom}`,
  createKey: (who) => `${who} made an API key`,
  rotateKey: (who) => `${who} replaced an API key`,
  revokeKey: (who) => `${who} revoked an API key`,
  restore: () => "A backup was restored: all sessions ended",
} as const satisfies Readonly<Record<string, Act>>;

function timesOf(times: number): string {
  return times === 1 ? "" : `, ${times} times in a quarter of an hour`;
}

export const people = {
  title: "People",
  what: "Everybody signs in with their own name and password, for the live and the test shop.",
  invite: "Invite",
  inviteTitle: "Invite a person",
  inviteWhat: "You get a link to send. It works once, for three days.",
  role: "Role",
  roles: { owner: "Owner", staff: "Staff", viewer: "Viewer" },
  roleHints: {
    owner: "Everything, including people, keys and settings.",
    staff: "Day-to-day work: orders, products, stock, customers, payments. No settings, no keys.",
    viewer: "Sees the shop and changes nothing.",
  },
  makeLink: "Create link",
  linkTitle: "The link is ready",
  linkShown: "Send it now: it is shown only once.",
  linkInvites: (role: string, shop: string) => `It lets one person in as ${role} of ${shop}.`,
  linkRecovers: (name: string) => `It lets ${name} choose a new password, within 24 hours.`,
  linkOfThisMachine:
    "It opens only on the computer that runs the shop. For others, the shop needs an address that they can reach: the setting DUKA_PUBLIC_URL.",
  whatsapp: "Send by WhatsApp",
  whatsappText: (shop: string, link: string) => `Your link to ${shop}. It works once: ${link}`,
  back: "People",
  you: "you",
  seen: (when: string) => `seen ${when}`,
  neverSeen: "not signed in",
  devices: (count: number) => (count === 1 ? "1 device" : `${count} devices`),
  invitations: "Open links",
  invitation: (role: string) => `Invitation as ${role}`,
  recovery: (name: string) => `New password for ${name}`,
  firstOwner: "First owner",
  madeBy: (name: string) => `by ${name}`,
  commandLine: "the command line",
  until: (when: string) => `until ${when}`,
  takeBack: "Withdraw",
  acts: "Security history",
  actsWhat:
    "Sign-ins, links, roles and keys. What was done in the shop is shown with each order and product.",
  noActs: "Nothing happened here yet",
  unknown: "An unknown person",
  removedPerson: (name: string) => `${name} (removed)`,
  actWords: acts,
  changeRole: "Change role",
  changeRoleHint: "Open sessions end.",
  sessions: "Signed in at",
  noSessions: "Nowhere.",
  thisDevice: "this device",
  since: (day: string) => `since ${day}`,
  end: "Sign out",
  endAll: "Sign out everywhere",
  recover: "New password",
  recoverWhat: (name: string) =>
    `For ${name}, who forgot the password: a link to choose a new one.`,
  recoverMake: "Create link",
  remove: "Remove",
  removeTitle: (name: string) => `Remove ${name}?`,
  removeWhat: (name: string) =>
    `${name} is signed out everywhere and can no longer sign in. What ${name} did keeps the name. To come back, ${name} needs a new invitation.`,
  keep: "Keep",
} as const;

// The words for a person about their own sign-in, in English.

export const me = {
  title: "You",
  role: "Role",
  changePassword: "Change password",
  changeWhat: "You stay signed in here, and are signed out everywhere else.",
  newPassword: "New password",
  savePassword: "Save password",
  look: "Light or dark",
  lookWhat: "Follows your device.",
  sound: "A sound for each new order",
  soundWhat:
    "On this device, while a page of the shop is open. Browsers stay silent until you have tapped the page.",
  endOthers: "Sign out everywhere else",
  passkeys: {
    title: "Passkeys",
    what: "A passkey signs you in with the lock of your phone or computer: a fingerprint, your face or its PIN. Nothing is typed, so that nothing can be guessed or given away.",
    none: "You have no passkey yet.",
    noneOf: (name: string) => `${name} has none.`,
    removeOf: (name: string) =>
      `Each signs ${name} in. If one is lost, or is not theirs, the command “duka people link” removes all of them, on the server.`,
    once: "Once you have one, your password alone no longer signs you in on a new device.",
    add: "Add a passkey",
    asked: "Your shop asks you for a passkey. Add one to go on.",
    name: "Name",
    nameHint: "To tell it from others, such as My phone.",
    make: "Make passkey",
    cannot:
      "This browser cannot make a passkey here. It needs JavaScript and a newer version, or try another browser.",
    noHost: "Passkeys belong to a name, and this address has none. Open the dashboard at",
    noHostElse: "Passkeys need https. Open the dashboard by its https address.",
    added: (day: string) => `added ${day}`,
    used: (when: string) => `used ${when}`,
    neverUsed: "not used yet",
    rename: "Save name",
    remove: "Remove passkey",
    removeWhat:
      "Once it is removed here, it no longer signs you in. Remove it from the device, too, where it is kept with your passwords.",
    removeLast: "It is your last one: your password alone then signs you in on new devices again.",
  },
  told: {
    title: "Being told",
    what: "What the shop tells you, and how. A message to this device comes also while no page is open. It names no customer.",
    topics: {
      order: "A new order",
      review: "A payment or a refund that needs you",
      low_stock: "Stock running low",
      summary: "What the day brought, each evening",
      security: "The safety of the shop",
    },
    channels: { push: "On my devices", email: "By email" },
    save: "Save",
    browsers: "Your devices",
    none: "No device of yours gets messages yet.",
    since: (day: string) => `since ${day}`,
    lost: "It could not be reached ten times in a row. Turn it on again there.",
    turnOn: "Turn on for this device",
    turnOff: "Turn off",
    test: "Send a test",
    denied: "The browser does not allow messages of this address. Allow them in its settings.",
    failed: "That did not work. Try again, or use another browser.",
    cannot:
      "This browser shows no messages at this address. It needs https. On an iPhone, put Duka on the home screen first:",
    iphone: [
      "Tap the button Share.",
      "Tap Add to Home Screen, and then Add.",
      "Open Duka from the home screen, and come back here.",
    ],
  },
  email: {
    title: "Email for alerts",
    what: "The shop sends you there what you choose under Being told, and a link if you forget your password.",
    none: "You have given no email. Alerts are on Home.",
    noMail: "This server sends no emails. It does once DUKA_SMTP_URL is set.",
    field: "Your email",
    other: "Another email",
    send: "Send a link to it",
    remove: "Remove the email",
    confirmTitle: "Your email for alerts",
    confirmWhat: (email: string) => `Alerts about the shop will go to ${email}.`,
    confirm: "Use this email",
    notNow: "Not now",
  },
} as const;

// Alerts about the safety of the shop, in English.

export const alerts = {
  title: "Safety of the shop",
  all: "Who did what",
  byEmail: "Get these by email",
  what: (name: string) =>
    `If this was not ${name}, sign ${name} out everywhere: every session ends, and no device is known any more. Nothing happens before you press the button.`,
  go: "This was not me: sign out everywhere",
  done: (name: string) => `${name} is signed out everywhere.`,
  next: (name: string) =>
    `Now ${name} needs a new password, since who knows the old one can try it again. Look at the passkeys of ${name}, too, under Me or People: each still signs in.`,
  ended: "This link is no longer valid.",
  endedWhat:
    "It works for 24 hours. Sign in: sessions can be ended under your own name and at People.",
} as const;

// Signing in, one-time links and passwords, in English.

export const signIn = {
  name: "Your name",
  password: "Password",
  show: "Show password",
  hide: "Hide password",
  enter: "Sign in",
  usePasskey: "Use a passkey",
  passkeyHint: "If you have a passkey, a new device needs it, in place of the password.",
  passkeyWhere: "It does not work at this address: use one with https, or localhost.",
  passkeyBusy: "The shop did not answer. Try again in a few seconds.",
  passkeyFailed: "That did not work. Try again, or use your password.",
  brief: "This is not my device: sign me out after 12 hours",
  unsent: "You were signed out, so nothing was saved. Sign in, and send the form again.",
  unsentKept: "You were signed out, so nothing was saved. Sign in to get back what you typed.",
  unsentAgain:
    "Nothing was saved yet, because you were signed out. Check what you typed, and send it again.",
  forgot: "Forgot your password?",
  email: "Your email",
  forgotWhat:
    "If a person of this shop has confirmed this email, a link for a new password is sent there. It works once, for half an hour.",
  forgotSend: "Send the link",
  forgotSent: "If a person of this shop has this email, the link is on its way there.",
  forgotten: "Forgot your password, or lost your passkey? Ask an owner for a new link, or run",
  forgottenWhere: "where the shop runs.",
  emptyShop:
    "This shop has no people yet. Open the link that Duka printed when it started, or run this where it runs to get a new one:",
  yourName: "Your name",
  yourNameHint: "You sign in with it, and it is shown next to what you do.",
  newPassword: "Choose a password",
  passwordHint: "At least 15 characters. A sentence is easy to remember, for example:",
  linkFor: {
    first_owner: () => "You are the first here, so this makes you the owner.",
    invitation: () => "You are invited to help run this shop.",
    recovery: (name: string) => `Choose a new password for ${name}. All open sessions end.`,
  },
  take: {
    first_owner: "Become the owner",
    invitation: "Join the shop",
    recovery: "Save password",
  },
  linkEnded: "This link is no longer valid.",
  linkEndedWhat: "A link works once, for a limited time. Ask for a new one, or run",
  confirmWhy:
    "Please enter your password again. This protects the shop if a phone is left unattended.",
  confirmFile: "The file then comes at once.",
  confirm: "Continue",
  back: "Back",
  left: "You are signed out.",
} as const;

export const customers = {
  add: "Add customer",
  search: "Name, phone or email",
  empty: "No customers yet",
  emptyWhat: "Everyone who orders appears here with their contact and their orders.",
  notFound: "Nothing found",
  notFoundWhat: (q: string) => `No customer has “${q}” in their name, phone or email.`,
  erased: "Erased customer",
  erasedOn: (day: string) => `The personal data was erased on ${day}. The orders are kept.`,
  orders: (count: number) =>
    count === 0 ? "No orders" : count === 1 ? "1 order" : `${count} orders`,
  spent: "Spent",
  refunded: (amount: string) => `${amount} refunded`,
  name: "Name",
  phone: "Phone",
  email: "Email",
  contactHint: "A phone or an email is enough.",
  unverified: "Typed at the storefront, and not confirmed by you.",
  unverifiedAddresses:
    "Save the details to confirm them and the addresses, which are removed otherwise when the customer first signs in.",
  greeting: (name: string, shop: string) =>
    `Hello${name === "" ? "" : ` ${name}`}, this is ${shop}.`,
  details: "Details",
  tags: "Tags",
  tag: (index: number) => `Tag ${index}`,
  consent: "Agreed to receive news and offers",
  taxes: "Taxes",
  taxId: "Tax number",
  exemption: "Pays tax",
  exemptions: {
    none: "Yes",
    reverse_charge: "No, their own business accounts for it",
    exempt: "No, exempt",
  },
  exemptionHint:
    "In the European Union a business accounts for it that has a VAT number of another country, for orders that go there.",
  addresses: "Addresses",
  address: {
    add: "Add address",
    edit: "Edit",
    editOf: (number: number) => `Edit address ${number}`,
    title: (number: number) => `Address ${number}`,
    default: "Default",
    makeDefault: "Make default",
    remove: "Remove",
    gone: "This address is not there any more.",
    name: "Recipient",
    nameHint: "If it is not the customer.",
    phone: "Phone",
    line1: "Street, or how to find it",
    line1Hint: "Such as 12 Ring Road, or Blue gate behind the Total station.",
    line2: "Flat, floor or building",
    city: "City",
    region: "Region",
    postal_code: "Postal code",
    country: "Country",
  },
  since: "Customer since",
  data: "Personal data",
  export: "Download everything",
  exportWhat: "One file with all that is stored about this customer.",
  erase: "Erase personal data",
  eraseTitle: (name: string) => `Erase ${name}`,
  eraseWhat:
    "Names, contacts, addresses, tags and notes are removed from the customer, from their carts, orders and payments, and from all records. The orders themselves stay, without a name. This cannot be undone.",
  eraseGo: "Erase for good",
  delete: "Delete customer",
  deleteTitle: (name: string) => `Delete ${name}`,
  deleteWhat:
    "This customer has no orders. The customer is deleted, and their carts are kept without personal data. This cannot be undone.",
  deleteGo: "Delete for good",
  keep: "Keep customer",
} as const;
