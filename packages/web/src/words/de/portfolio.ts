/** The texts of portfolios in German. */
import type { Translated } from "../translated.ts";
import type * as english from "../portfolio-en.ts";

const portfolioWords = {
  title: "Vermögenswerte",
  summary: "Wert und Gewinn",
  totals: "Summen",
  account: "Konto",
  own: "Dieses Konto",
  columns: {
    asset: "Asset",
    quantity: "Menge",
    averageCost: (asset) => `Durchschnittskosten (${asset})`,
    price: (asset) => `Letzter Kurs (${asset})`,
    cost: (asset) => `Kosten (${asset})`,
    value: (asset) => `Wert (${asset})`,
    unrealized: (asset) => `Unrealisierter Gewinn (${asset})`,
    realized: (asset) => `Realisierter Gewinn (${asset})`,
  },
  value: "Wert",
  cost: "Kosten",
  unrealized: "Unrealisierter Gewinn",
  realized: "Realisierter Gewinn",
  valueOverTime: (asset) => `Wertentwicklung (${asset})`,
  period: "Zeitraum",
  ranges: { "30": "30 Tage", "90": "90 Tage", "365": "1 Jahr" },
  now: "jetzt",
  noDays: "Die Wertentwicklung beginnt mit dem Ende des ersten Tages (UTC).",
  withoutPrice: (assets) => `Ohne Kurs und daher nicht enthalten: ${assets.join(", ")}.`,
  incomplete: "Ohne Beträge, deren Kosten nicht bekannt sind.",
  method:
    "Gewichtete Durchschnittskosten aus allen Ihren Trades, nach Gebühren. Einzahlungen und andere Gutschriften zählen zum " +
    "damaligen Marktpreis, Auszahlungen verlassen das Konto zu Durchschnittskosten. Auszahlungsgebühren und Handelsgebühren in einem Asset mit Nachlass gelten als " +
    "Verlust. Der Wert eines Tages ist der an seinem Ende (UTC).",
  none: "Noch keine Assets. Sie erscheinen hier, sobald Sie einzahlen oder handeln.",
  signInInstead:
    "Sie verwenden einen API-Schlüssel. Melden Sie sich mit E-Mail-Adresse und Passwort an, um Durchschnittskosten, Gewinn " +
    "und Wertentwicklung zu sehen.",
} satisfies Translated<typeof english.portfolioWords>;

const customerFees = {
  own: "Ihre Gebührensätze",
  title: "Gebühren je Markt",
  help: "Eine Order, die im Orderbuch wartet, zahlt die Maker-Gebühr; eine Order, die sofort ausgeführt wird, zahlt die Taker-Gebühr.",
  discount: (asset) => `Gebühren in ${asset} zahlen`,
  discountIsOn: (asset, percent) => `Sie zahlen Handelsgebühren in ${asset}, mit einem Nachlass von ${percent}.`,
  discountIsOff: (asset, percent) => `Zahlen Sie Handelsgebühren in ${asset} und sparen Sie davon ${percent}.`,
  discountHelp: (asset) =>
    `Jede Gebühr wird zum Durchschnittskurs von ${asset} der letzten fünf Minuten umgerechnet und von Ihrem verfügbaren Guthaben in ${asset} abgezogen. Reicht es nicht aus, hat ${asset} keinen Kurs in dem Asset, das Sie erhalten, oder nimmt ein Markt nicht teil, zahlen Sie die volle Gebühr in dem Asset, das Sie erhalten. Das gilt auch für offene Orders.`,
  discountEnded: "Die Börse bietet den Nachlass nicht mehr an. Sie zahlen Gebühren in dem Asset, das Sie erhalten.",
  discountOn: (asset) => `Gebühren ab jetzt in ${asset} zahlen`,
  discountOff: "Gebühren nicht mehr in einem anderen Asset zahlen",
  discountIsSwitchedOn: (asset) => `Sie zahlen Gebühren jetzt wenn möglich in ${asset}.`,
  discountIsSwitchedOff: "Sie zahlen Gebühren jetzt in dem Asset, das Sie erhalten.",
  none: "Noch keine Märkte. Gebühren stehen hier, sobald die Börse einen Markt eröffnet.",
  market: "Markt",
  maker: "Maker",
  taker: "Taker",
} satisfies Translated<typeof english.customerFees>;

export const portfolioGerman = { portfolioWords, customerFees };
