/** The texts that the account pages share with other pages, in German. */
import type { Translated } from "../translated.ts";
import { germanError } from "./errors.ts";
import type * as english from "../pages-en.ts";

const pagesWords = {
  skip: "Zum Inhalt springen",
  pages: "Seiten",
  theme: "Zwischen dunkel und hell wechseln",
  signOut: "Abmelden",
  lookAt: "Anzeigen",
  credited: (amount) => `${amount} gutgeschrieben`,
  notices: "Benachrichtigungen",
  ...{ dismiss: "Schließen", close: "Schließen", more: "Mehr anzeigen" },
  busy: "Wird gesendet …",
  fault: (what) => `Die Antwort konnte nicht gelesen werden: ${what}`,
  serverMessage: germanError,
  late: "Die Anfrage hat zu lange gedauert.",
  notPermitted: "Bitten Sie einen Operator, dessen Rolle dies erlaubt.",
  outcomeUnknown:
    "Das Ergebnis ist unbekannt. Prüfen Sie, ob die Anfrage ausgeführt wurde, bevor Sie es erneut versuchen.",
  refused: (message, code) => (code === "" ? message : `${message} ${code}`),
  working: (done, of) =>
    `Es gibt ungewöhnlich viele Anmeldeversuche. Ihr Browser führt eine Sicherheitsprüfung durch: ${done} von ${of}.`,
  secretNames: {
    ...{ apiKey: "API-Schlüssel", secretKey: "Geheimer Schlüssel", secret: "Geheimnis" },
    ...{ uri: "URI", link: "Link" },
  },
  copy: "Kopieren",
  copyName: (name) => `Kopieren: ${name}`,
  isCopied: "Kopiert",
  iHaveIt: "Fertig",
  loading: "Wird geladen …",
  find: "Filtern",
  findIn: (title) => `Filtern: ${title}`,
  noneFound: "Keine Zeilen entsprechen diesem Filter.",
  csv: "Als CSV exportieren",
  csvWhole: "Alle als CSV exportieren",
  saveShown: (title) => `Als CSV exportieren: ${title}`,
  saveWhole: (title) => `Alle als CSV exportieren: ${title}`,
  older: "Ältere laden",
  chart: (label, count) => `${label}, ${count} Zeiträume. Mit den Pfeiltasten lesen Sie jeden Wert.`,
  chartValue: (period, value) => `${period}: ${value}`,
  noFigure: "—",
  ms: (value) => `${value} ms`,
  perSecond: (value) => `${value}/s`,
  days: (count) => (count === 1 ? "1 Tag" : `${count} Tage`),
  months: "Jan. Feb. März Apr. Mai Juni Juli Aug. Sep. Okt. Nov. Dez.",
  date: (day, month, year) => `${day}. ${month} ${year}`.trim(),
} satisfies Translated<typeof english.pagesWords>;

const orderWords = {
  types: {
    LIMIT: "Limit",
    MARKET: "Market",
    LIMIT_MAKER: "Post only",
    STOP_LOSS: "Stop-Market",
    STOP_LOSS_LIMIT: "Stop-Limit",
    TAKE_PROFIT: "Take-Profit",
    TAKE_PROFIT_LIMIT: "Take-Profit-Limit",
  },
  statuses: {
    NEW: "Offen",
    PENDING_NEW: "Wartet auf die Ausführung einer anderen Order",
    PARTIALLY_FILLED: "Teilweise ausgeführt",
    FILLED: "Ausgeführt",
    CANCELED: "Storniert",
    PENDING_CANCEL: "Wird storniert",
    REJECTED: "Abgelehnt",
    EXPIRED: "Abgelaufen",
    EXPIRED_IN_MATCH: "Abgelaufen (Eigenhandelsschutz)",
  },
  reasons: {
    UNFILLED_IOC_QUANTITY_EXPIRED: "nicht sofort ausgeführt",
    UNFILLED_FOK_ORDER_EXPIRED: "nicht vollständig ausgeführt",
    INSUFFICIENT_LIQUIDITY: "keine weiteren Orders im Orderbuch",
    OCO_TRIGGER: "andere Order ausgeführt",
    OTO_PHASE_ONE_EXPIRED: "erste Order abgelaufen",
    REJECTED: "beim Platzieren abgelehnt",
    EXCHANGE_CANCELED: "von der Börse storniert",
    EXECUTION_RULE_PRICE_RANGE_EXCEEDED: "außerhalb der Preisspanne",
  },
  because: (status, reason) => `${status}: ${reason}`,
  bought: "Wie gekauft",
  waitsFor: (isBuy, price) => `Wartet auf ${isBuy ? "Kauf" : "Verkauf"} zu ${price}`,
} satisfies Translated<typeof english.orderWords>;

const numberFields = {
  unreadable: "Geben Sie eine Zahl ein",
  ambiguous: "Welche Zahl meinen Sie?",
} satisfies Translated<typeof english.numberFields>;

const numbers = {
  percent: (value) => `${value} %`,
  below: (least) => `< ${least}`,
  milliseconds: (count) => `${count} ms`,
  seconds: (count) => `${count} s`,
  minutes: (count) => `${count} Min.`,
  hours: (count) => `${count} Std.`,
  trillions: " Bio.",
  billions: " Mrd.",
  millions: " Mio.",
  thousands: " Tsd.",
} satisfies Translated<typeof english.numbers>;

export const pagesGerman = { pagesWords, orderWords, numberFields, numbers };
