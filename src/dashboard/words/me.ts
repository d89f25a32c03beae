// What a person reads about their own sign-in, in English.

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
} as const;
