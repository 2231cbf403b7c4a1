/** Fills in the order form as a user does. */
import type { Locator } from "playwright-core";
import type { Terminal } from "./terminal.ts";

export interface Entry {
  readonly side: "Buy" | "Sell";
  /** The name of the order type in the form. */
  readonly kind:
    | "Limit"
    | "Market"
    | "OCO"
    | "Stop limit"
    | "Take profit limit"
    | "Stop market"
    | "Take profit"
    | "Trailing stop";
  /** Where the price of a limit order comes from, if not from its field. */
  readonly price?: "Best bid" | "Best ask";
  /** Texts by the label of their field. */
  readonly fields: Readonly<Record<string, string>>;
  readonly ticks?: readonly (typeof TICKS)[number][];
  /** The type of an OCO's limit leg; "Post only" if absent. */
  readonly limitLeg?: "Take profit" | "Take profit limit";
  readonly inForce?: "GTC" | "IOC" | "FOK";
  /** The mode of self-trade prevention, if not that of the market. */
  readonly prevention?: string;
  /** The asset in which a market order's amount is given. */
  readonly amountIn?: string;
}

const TICKS = ["Post only", "Iceberg", "Take profit / Stop loss"] as const;
const TABS: readonly string[] = ["Limit", "Market", "OCO"];

export async function fillIn({ form }: Pick<Terminal, "form">, entry: Entry): Promise<void> {
  await form.getByRole("group", { name: "Side" }).getByRole("button", { name: entry.side }).click();
  if (TABS.includes(entry.kind)) await form.getByRole("tab", { name: entry.kind, exact: true }).click();
  else await form.getByRole("combobox", { name: "More" }).selectOption({ label: entry.kind });
  if (entry.amountIn !== undefined) await form.getByRole("button", { name: `Amount in ${entry.amountIn}` }).click();
  if (entry.kind === "OCO") {
    const leg = form.getByRole("combobox", { name: "Limit leg" });
    await leg.selectOption({ label: entry.limitLeg ?? "Post only" });
  }
  const prevention = form.getByRole("combobox", { name: "Self-trade prevention" });
  if (entry.prevention !== undefined && !(await prevention.isVisible())) await form.locator("summary").click();
  if (await prevention.isVisible()) await prevention.selectOption(entry.prevention ?? "");
  const price = form.getByRole("combobox", { name: "Price from" });
  if (await price.isVisible()) await price.selectOption({ label: entry.price ?? "Price" });
  for (const name of TICKS) {
    const tick = form.getByRole("checkbox", { name });
    const isWanted = entry.ticks?.includes(name) === true;
    if (isWanted || (await tick.isVisible())) await tick.setChecked(isWanted);
  }
  const stop = form.getByRole("combobox", { name: "Stop type" });
  if (await stop.isVisible()) await stop.selectOption("Trailing distance" in entry.fields ? "trailing" : "fixed");
  const inForce = form.getByRole("combobox", { name: "Time in force" });
  if (entry.inForce !== undefined) await inForce.selectOption(entry.inForce);
  else if ((await inForce.isVisible()) && (await inForce.isEnabled())) await inForce.selectOption("GTC");
  for (const [label, text] of Object.entries(entry.fields)) await fieldOf({ form }, label).fill(text);
}

export function fieldOf({ form }: Pick<Terminal, "form">, label: string): Locator {
  return form.getByRole("textbox", { name: label, exact: true });
}

/** The number in a field, without separators of thousands. */
export async function numberIn(terminal: Pick<Terminal, "form">, label: string): Promise<string> {
  return (await fieldOf(terminal, label).inputValue()).replaceAll(",", "");
}

/** The submit button. */
export function submitOf({ form }: Pick<Terminal, "form">): Locator {
  return form.locator("button[type=submit]");
}
