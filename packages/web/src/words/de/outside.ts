/** The texts of the pages without a session in German: sign-in, invitations, and password resets. */
import type { Translated } from "../translated.ts";
import type * as english from "../customer-en.ts";

export const customerOutside = {
  signIn: "Anmelden",
  welcome: (venue) => `Willkommen bei ${venue}. Melden Sie sich an, um einzuzahlen, auszuzahlen und zu handeln.`,
  noAccount: "Noch kein Konto?",
  invitedOnly:
    "Noch kein Konto? Konten werden auf Einladung eröffnet. Wenden Sie sich für eine Einladung an die Börse.",
  demo: "Dies ist eine Demo: Ihre Konten stehen allen offen.",
  signInAs: (name) => `Als ${name} anmelden`,
  email: "E-Mail-Adresse",
  password: "Passwort",
  bothNeeded: "Geben Sie Ihre E-Mail-Adresse und Ihr Passwort ein.",
  codeHelp: "Der sechsstellige Code aus Ihrer Authenticator-App. Jeder Code kann einmal verwendet werden.",
  lost: "Passwort vergessen?",
  signUp: "Konto eröffnen",
  signUpHelp: "Wir senden Ihnen per E-Mail einen Link, mit dem Sie Ihr Passwort wählen.",
  byInvitation: "Konten dieser Börse werden auf Einladung eröffnet. Wenden Sie sich für eine Einladung an die Börse.",
  lostHelp:
    "Wir senden Ihnen per E-Mail einen Link, mit dem Sie Ihr Passwort zurücksetzen. Zu Ihrer Sicherheit funktioniert der Link erst nach einer Wartezeit, und Auszahlungen sind nach dem Zurücksetzen 24 Stunden lang ausgesetzt.",
  sendLetter: "E-Mail senden",
  emailNeeded: "Geben Sie eine E-Mail-Adresse ein.",
  emailSent: {
    "sign-up": (email) => `Wir haben eine E-Mail an ${email} gesendet. Prüfen Sie Ihren Posteingang.`,
    "password-reset": (email) =>
      `Falls es für ${email} ein Konto gibt, haben wir eine E-Mail gesendet. Prüfen Sie Ihren Posteingang.`,
  },
  noLink: "Dieser Link ist unvollständig. Öffnen Sie ihn erneut aus der E-Mail.",
  looking: "Wird geladen …",
  newPassword: "Neues Passwort",
  passwordAgain: "Passwort wiederholen",
  passwordHelp: (least) => `Mindestens ${least} Zeichen, zum Beispiel mehrere Wörter ohne Zusammenhang.`,
  passwordLength: (least, most) => `Verwenden Sie ${least} bis ${most} Zeichen.`,
  passwordsDiffer: "Die Passwörter stimmen nicht überein.",
  setPassword: "Passwort festlegen",
  invitation: "Ihre Einladung",
  invitedAs: (email) => `Diese Einladung gilt für ${email}. Wählen Sie ein Passwort, um Ihr Konto zu eröffnen.`,
  name: "Ihr Name",
  accept: "Konto eröffnen",
  recovery: "Passwort zurücksetzen",
  recoveryHelp: "Das Zurücksetzen beendet alle Sitzungen und setzt Auszahlungen für 24 Stunden aus.",
  recoveryWaits: (moment) =>
    `Dieser Link funktioniert ab ${moment}. Bewahren Sie die E-Mail auf und öffnen Sie den Link dann erneut. Falls Sie dies nicht angefordert haben, brechen Sie es mit dem anderen Link in der E-Mail ab.`,
  recovered: "Ihr Passwort wurde zurückgesetzt. Melden Sie sich mit dem neuen Passwort an.",
  cancelRecovery: "Zurücksetzen abbrechen",
  cancelRecoveryHelp:
    "Falls Sie nicht angefordert haben, Ihr Passwort zurückzusetzen, brechen Sie es hier ab. Ihr bisheriges Passwort bleibt dann gültig, und der Link zum Zurücksetzen funktioniert nicht mehr.",
  cancelIt: "Zurücksetzen abbrechen",
  recoveryCancelled: "Das Zurücksetzen wurde abgebrochen. Ihr Passwort ist unverändert.",
  lock: "Konto sperren",
  lockHelp:
    "Falls jemand anderes Zugriff auf Ihr Konto haben könnte, sperren Sie es. Alle Sitzungen, API-Schlüssel und offenen Orders enden, und Handel und Auszahlungen sind gesperrt, bis die Börse das Konto entsperrt.",
  lockIt: "Konto jetzt sperren",
  locked: "Ihr Konto ist gesperrt. Wenden Sie sich an die Börse, um es entsperren zu lassen.",
} satisfies Translated<typeof english.customerOutside>;
