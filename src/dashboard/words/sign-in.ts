// Signing in, one-time links and passwords, in English.

export const signIn = {
  name: "Your name",
  password: "Password",
  show: "Show password",
  hide: "Hide password",
  enter: "Sign in",
  brief: "This is not my device: sign me out after 12 hours",
  unsent: "You were signed out, so nothing was saved. Sign in, and send the form again.",
  unsentKept: "You were signed out, so nothing was saved. Sign in to get back what you typed.",
  unsentAgain:
    "Nothing was saved yet, because you were signed out. Check what you typed, and send it again.",
  forgotten: "Forgot your password? Ask an owner for a new link, or run",
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
  confirm: "Continue",
  back: "Back",
  left: "You are signed out.",
} as const;
