import type { Same } from "../shell/language.js";
import type { zh } from "./texts.zh-CN.js";

export const en: Same<typeof zh> = {
  title: "My account",
  shownName: "The name that visitors see",
  shownNameSaved: "Saved.",
  rolesAre: "Roles: {{roles}}",
  password: "Password",
  oldPassword: "Present password",
  newPassword: "New password",
  changePassword: "Change password",
  passwordChanged: "The password is changed. You are signed out everywhere else.",
  totp: "Two-step sign-in",
  totpOff: "It is off. With it, signing in takes six digits from an authenticator beside the password.",
  totpOn: "It is on. {{left}} recovery codes are left.",
  totpBegin: "Turn two-step sign-in on",
  totpEnd: "Turn two-step sign-in off",
  totpPassword: "Your password first",
  totpScan: "Scan this picture with an authenticator, or type the key in; then write the six digits that it shows.",
  totpSecret: "Key",
  totpQr: "Picture for the authenticator to scan",
  totpCode: "Six digits",
  totpConfirm: "Confirm",
  totpCodes:
    "These are recovery codes for when your phone is not at hand; each is good once. Write them down now: they are not shown again.",
  totpKept: "I have written them down",
  signIns: "Where you are signed in",
  here: "here",
  seen: "Last seen: {{at}}",
  began: "Signed in {{at}}, until {{until}} at the latest",
  revoke: "Sign it out",
  unknownDevice: "Unknown device",
};
