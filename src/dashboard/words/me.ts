// What a person reads about their own sign-in, in English.

export const me = {
  title: "You",
  role: "Role",
  changePassword: "Change the password",
  changeWhat: "You stay signed in here, and are signed out everywhere else.",
  newPassword: "New password",
  savePassword: "Keep this password",
  look: "Light or dark",
  lookWhat: "As your device is set.",
  sound: "A sound for each new order",
  soundWhat:
    "On this device, while a page of the shop is open in it. Browsers stay silent on a page until you have touched it.",
  endOthers: "Sign out everywhere else",
} as const;
