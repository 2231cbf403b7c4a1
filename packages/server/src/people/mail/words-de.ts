/** The texts of emails to customers in German. */
import { decimalIn } from "../../api/withdrawal-confirmation-words.ts";
import type { EmailWords } from "./words-en.ts";

const minutes = (count: number): string => `${count} ${count === 1 ? "Minute" : "Minuten"}`;

export const GERMAN_EMAILS: EmailWords = {
  none: "(keine)",
  unknownTime: "(unbekannte Zeit)",
  moment: (year, month, day, clock) => `${day}.${month}.${year}, ${clock} UTC`,
  decimal: (text) => decimalIn("de", text),
  from: (venue, url) =>
    venue === "" ? `Diese E-Mail kommt von der Börse ${url}.` : `Diese E-Mail kommt von ${venue}, ${url}.`,
  support: (address) => `Support: ${address}`,
  you: "Sie selbst (angemeldet)",
  time: "Zeit",
  account: "Konto",
  network: "Netzwerk",
  address: "Adresse",
  tag: "Tag",
  name: "Name",
  addedBy: "Hinzugefügt von",
  staysUntil: "Gilt noch bis",
  offBy: "Ausgeschaltet von",
  onBy: "Eingeschaltet von",
  label: "Bezeichnung",
  permissions: "Berechtigungen",
  createdBy: "Erstellt von",
  newAddress: "Neue Adresse",
  changedBy: "Geändert von",
  ip: "IP-Adresse",
  browser: "Browser",
  amount: "Betrag",
  reference: "Referenz",
  lock: `Falls Sie das nicht waren, sperren Sie Ihr Konto sofort. Alle Sitzungen, API-Schlüssel und offenen Orders enden, und
Handel und Auszahlungen sind gesperrt, bis die Börse das Konto entsperrt:`,
  lockUntil: (days) => `Dieser Link ist ${days} Tage gültig.`,
  addressAdded: {
    subject: "Auszahlungsadresse hinzugefügt",
    text: "Zu den Auszahlungsadressen Ihres Kontos wurde eine Adresse hinzugefügt:",
  },
  addressListEnded: {
    subject: "Positivliste für Auszahlungsadressen ausgeschaltet",
    text: `Die Positivliste für Auszahlungsadressen Ihres Kontos wurde ausgeschaltet. Bis zum Ende der Wartezeit gehen
Auszahlungen weiterhin nur an die Adressen in Ihrem Adressbuch, danach an jede Adresse:`,
    keep: "Um die Positivliste zu behalten, melden Sie sich an und schalten Sie sie unter „Adressen“ wieder ein.",
  },
  alreadyKnown: {
    subject: "Sie haben bereits ein Konto",
    text: `Jemand, vielleicht Sie selbst, wollte mit dieser E-Mail-Adresse ein Konto eröffnen; es gibt für sie bereits eines. Es
wurde nichts geändert. Falls Sie Ihr Passwort vergessen haben, setzen Sie es auf der Anmeldeseite zurück:`,
  },
  apiKeyCreated: {
    subject: "API-Schlüssel erstellt",
    text: "Für Ihr Konto wurde ein API-Schlüssel erstellt:",
  },
  emailChanged: {
    subject: "Ihre E-Mail-Adresse wurde geändert",
    text: `Die E-Mail-Adresse Ihres Kontos wurde geändert. Sie melden sich jetzt mit der neuen Adresse an, und E-Mails zu Ihrem
Konto werden an diese gesendet:`,
    same: "Ihr Passwort und die Zwei-Faktor-Authentifizierung bleiben unverändert.",
  },
  frozen: {
    subject: "Ihr Konto ist gesperrt",
    text: (
      time,
    ) => `Ihr Konto wurde am ${time} gesperrt. Alle Sitzungen, API-Schlüssel und offenen Orders sind beendet, und
Handel und Auszahlungen sind gesperrt. Wenden Sie sich an die Börse, um das Konto entsperren zu lassen:`,
  },
  invitation: {
    subject: "Wählen Sie ein Passwort für Ihr Konto",
    text: (until) =>
      `Sie sind eingeladen, ein Passwort für Ihr Konto zu wählen. Dieser Link funktioniert einmal, bis ${until}:`,
    ignore:
      "Falls Sie diese E-Mail nicht erwartet haben, ignorieren Sie sie. Ohne den Link kann kein Passwort gewählt werden.",
  },
  newSignIn: {
    subject: "Neue Anmeldung",
    text: "Mit Ihrem Passwort wurde eine Anmeldung von einem neuen Browser oder einer neuen IP-Adresse vorgenommen:",
  },
  passwordChanged: {
    subject: "Ihr Passwort wurde geändert",
    text: (time) => `Ihr Passwort wurde am ${time} geändert.`,
  },
  recovered: {
    subject: "Ihr Passwort wurde zurückgesetzt",
    text: (
      time,
    ) => `Am ${time} wurde mit dem Link aus unserer E-Mail ein neues Passwort für Sie gewählt. Alle Sitzungen sind
beendet, und Auszahlungen sind 24 Stunden lang ausgesetzt.`,
  },
  recovery: {
    subject: "Setzen Sie Ihr Passwort zurück",
    text: (asked, from, until) =>
      `Am ${asked} wurde angefordert, Ihr Passwort zurückzusetzen. Falls Sie das waren, wählen Sie mit diesem
Link ein neues Passwort. Er funktioniert von ${from} bis ${until}:`,
    cancel: `Falls Sie das nicht waren, brechen Sie das Zurücksetzen mit diesem Link ab. Der Link oben funktioniert dann nicht
mehr:`,
  },
  totpOn: {
    subject: "Zwei-Faktor-Authentifizierung eingeschaltet",
    text: "Sie brauchen jetzt einen Code aus Ihrer Authenticator-App, um sich anzumelden:",
  },
  totpOff: {
    subject: "Zwei-Faktor-Authentifizierung ausgeschaltet",
    text: "Codes aus Ihrer Authenticator-App sind nicht mehr erforderlich:",
  },
  withdrawal: {
    subject: (amount) => `Bestätigen Sie Ihre Auszahlung von ${amount}`,
    text: "Von Ihrem Konto wurde eine Auszahlung beauftragt:",
    amount: (amount, fee) => `${amount}, einschließlich einer Gebühr von ${fee}`,
    receives: "Sie erhalten",
    via: "Gesendet über",
    to: "An",
    tag: "Tag oder Verwendungszweck",
    recipient: "Empfänger",
    confirm: (count) => `Falls Sie das waren, bestätigen Sie die Auszahlung innerhalb von ${minutes(count)}:`,
    otherwise: (security) =>
      `Falls Sie das nicht waren, bestätigen Sie nichts: Die Auszahlung wird storniert, wenn der Link abläuft. Ändern Sie dann
Ihr Passwort und prüfen Sie Ihre Sitzungen und API-Schlüssel: ${security}`,
  },
};
