// What the door says, in English.

export const door = {
  name: "Your name",
  password: "Password",
  show: "Show password",
  hide: "Hide password",
  enter: "Sign in",
  brief: "This is not my device: sign me out after 12 hours",
  unsent: "You were signed out, so nothing was saved. Sign in, and send the form again.",
  forgotten: "Forgotten? An owner makes you a new link, or run",
  forgottenWhere: "where the shop runs.",
  emptyShop:
    "This shop has no people yet. Run this where Duka runs, and open the link that it prints:",
  yourName: "Your name",
  yourNameHint: "You sign in with it, and it stands beside what you do.",
  newPassword: "A password",
  passwordHint: "At least 15 characters; a sentence is easy to keep in mind. For example:",
  linkFor: {
    first_owner: () => "You are the first here, so this makes you the owner.",
    invitation: () => "You are invited to help run this shop.",
    recovery: (name: string) => `A new password for ${name}. It ends the sessions that are open.`,
  },
  take: {
    first_owner: "Become the owner",
    invitation: "Join the shop",
    recovery: "Keep this password",
  },
  linkEnded: "This link is not valid any more.",
  linkEndedWhat: "A link works once and not for long. Ask for a new one, or run",
  confirmWhy:
    "Your password again, please: what you are about to do must not happen by a phone left lying.",
  confirm: "Go on",
  back: "Back",
  left: "You are signed out.",
} as const;
