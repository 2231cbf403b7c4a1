/** The texts about proofs of liabilities in German. */
import type { Translated } from "../translated.ts";
import type * as english from "../proof-en.ts";

const customerProof = {
  title: "Nachweis der Verbindlichkeiten",
  again: "Erneut prüfen",
  checking: "Wird geprüft …",
  none: "Die Börse hat noch keinen Nachweis veröffentlicht.",
  ofSubAccount: (email, fault) => `Unterkonto ${email}: ${fault}`,
  holds: (count, accounts) =>
    `Der Nachweis ist gültig. Er enthält ${count} Guthaben ${accounts === 1 ? "Ihres Kontos" : `Ihrer ${accounts} Konten`}.`,
  partOf: (email) => `Enthaltene Guthaben von ${email}`,
  nothing: "Laut der Börse hat dieses Konto keine Guthaben.",
  number: "Nummer des Nachweises",
  time: "Zeit",
  digest: "Prüfsumme",
  publicKey: "Öffentlicher Schlüssel",
  reserves: "Reserven und Verbindlichkeiten",
  noReserves:
    "Die Börse hat mit diesem Nachweis keine Reserven veröffentlicht. Der Nachweis zeigt, was die Börse schuldet, nicht, was sie hält.",
  noneShown: "Nicht veröffentlicht",
  asset: "Asset",
  owed: "Kunden geschuldet",
  held: "Reserven",
  surplus: "Reserven minus Verbindlichkeiten",
  reservesAre: (signed, said) =>
    `Reserveadressen, die mit ihrem eigenen Schlüssel signiert haben: ${signed}. Reserveadressen, die der Betreiber ohne Signatur angibt: ${said}. Ihr Browser hat die Signatur der Börse und die Summen geprüft. Das Skript unten prüft die Signaturen der Adressen. Was eine Adresse hält, lässt sich auf ihrer Blockchain prüfen.`,
  reservesDigest: "Prüfsumme der Reserven",
  savePublic: "Öffentlichen Teil herunterladen",
  saveOwn: (email) => `Teil von ${email} herunterladen`,
  checked:
    "Ihr Browser hat diesen Nachweis geprüft. Vergleichen Sie seine Prüfsumme mit anderen Kunden: Wer dieselbe Prüfsumme sieht, sieht dieselben Summen. Fehlt ein Asset in Ihrer Liste, so erklärt die Börse, dass sie Ihnen davon nichts schuldet.",
  script: "Skript herunterladen (proof_check.py)",
  scriptHelp:
    "Um die Dateien ohne diese Seite und ohne die Börse zu prüfen, führen Sie das Skript aus. Es braucht nur Python 3 und teilt keinen Code mit der Software der Börse.",
  notChecked: "Es wurde nichts geprüft.",
  limits: "Was ein Nachweis nicht zeigt",
  limitsAre: [
    "Schulden außerhalb des Hauptbuchs: Ein Kredit an die Börse oder eine nie erfasste Einzahlung steht in keinem Nachweis.",
    "Wem die Reserven gehören: Assets können für den Zeitpunkt des Nachweises geliehen oder an andere verpfändet sein.",
    "Dass es Reserven gibt, wenn keine veröffentlicht sind oder keine Adresse signiert hat.",
    "Dass Sie Ihr Geld erhalten: Ein Nachweis beschreibt einen einzelnen Zeitpunkt.",
    "Dass andere Kunden enthalten sind: Er zeigt, dass Sie es sind, und jeder Kunde muss seinen eigenen Teil prüfen.",
  ],
} satisfies Translated<typeof english.customerProof>;

const ofAsset = (asset: string, text: string): string => (asset === "" ? text : `${asset}: ${text}`);

const proofFaults = {
  form: () => "Die Datei ist kein gültiger Nachweis.",
  signature: () => "Die Signatur passt nicht zum öffentlichen Schlüssel in der Datei.",
  otherProof: () => "Der öffentliche Teil und Ihr Teil gehören zu verschiedenen Nachweisen.",
  unknownAsset: (asset) => ofAsset(asset, "Das Asset fehlt im öffentlichen Teil."),
  twice: (asset) => ofAsset(asset, "Das Asset ist zweimal aufgeführt."),
  length: (asset) => ofAsset(asset, "Die Länge des Pfads passt nicht zur Höhe des Baums."),
  bounds: (asset) => ofAsset(asset, "Eine Summe überschreitet den zulässigen Bereich."),
  root: (asset) => ofAsset(asset, "Ihr Betrag ist in der Summe der Börse nicht enthalten."),
  total: (asset) => ofAsset(asset, "Die Beträge ergeben nicht die veröffentlichte Summe."),
  held: (asset) => ofAsset(asset, "Die Guthaben entsprechen nicht Einzahlungen minus Auszahlungen."),
  first: () => "Die Nummer des Nachweises passt nicht zum vorigen Nachweis.",
  order: (asset) => ofAsset(asset, "Das Asset ist zweimal oder in falscher Reihenfolge aufgeführt."),
  otherReserves: () => "Die Reserven gehören zu einem anderen Nachweis.",
  addressTwice: (asset) => ofAsset(asset, "Eine Adresse ist in den Reserven doppelt gezählt."),
  notPublished: () => "Der erhaltene Nachweis ist nicht der, den die Börse veröffentlicht hat.",
  ofAnother: () => "Der erhaltene Teil gehört zu einem anderen Konto.",
  leaving: (asset) => ofAsset(asset, "Laufende Auszahlungen übersteigen, was Kunden geschuldet wird."),
} satisfies Translated<typeof english.proofFaults>;

export const proofGerman = { customerProof, proofFaults };
