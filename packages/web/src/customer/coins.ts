/** The coins of the venue with what the account has of each: several pages ask for them. */
import type { Asked } from "../pages/keep-asking.ts";
import { useAsked } from "./asked.ts";
import type { Desk } from "./desk.ts";
import type { Coin, Network, SymbolInfo } from "./wire/exchange.ts";

export function useCoins(desk: Desk): Asked<readonly Coin[]> {
  return useAsked(desk, "coins", (wire) => wire.exchange<readonly Coin[]>("GET", "/sapi/v1/capital/config/getall"));
}

export function useSymbols(desk: Desk): Asked<readonly SymbolInfo[]> {
  return useAsked(
    desk,
    "symbols",
    async (wire) => {
      const { symbols } = await wire.exchange<{ symbols: readonly SymbolInfo[] }>("GET", "/api/v3/exchangeInfo");
      return symbols;
    },
    { isStill: true },
  );
}

/** The coin that is chosen, or the first of which `isWanted` holds. */
export function chosenOf(
  coins: readonly Coin[],
  chosen: string,
  isWanted: (network: Network) => boolean,
): Coin | undefined {
  return (
    coins.find(({ coin }) => coin === chosen) ?? coins.find(({ networkList }) => networkList.some(isWanted)) ?? coins[0]
  );
}

/** The network that is chosen, or the default one, or any. */
export function networkOf(coin: Coin | undefined, chosen: string): Network | undefined {
  const list = coin?.networkList ?? [];
  return list.find(({ network }) => network === chosen) ?? list.find(({ isDefault }) => isDefault) ?? list[0];
}
