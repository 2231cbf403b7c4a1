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
    "damaligen Marktpreis, Auszahlungen verlassen das Konto zu Durchschnittskosten, und Auszahlungsgebühren gelten als " +
    "Verlust. Der Wert eines Tages ist der an seinem Ende (UTC).",
  none: "Noch keine Assets. Sie erscheinen hier, sobald Sie einzahlen oder handeln.",
  signInInstead:
    "Sie verwenden einen API-Schlüssel. Melden Sie sich mit E-Mail-Adresse und Passwort an, um Durchschnittskosten, Gewinn " +
    "und Wertentwicklung zu sehen.",
} satisfies Translated<typeof english.portfolioWords>;

export const portfolioGerman = { portfolioWords };
