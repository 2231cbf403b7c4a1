/** The coins of the venue with what the account has of each: several pages ask for them. */
import type { Asked } from "../pages/keep-asking.ts";
import { useAsked } from "./asked.ts";
import type { Desk } from "./desk.ts";
import type { Steps } from "./wire/account.ts";
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

/** The step of deposits, or of withdrawals, on a network; undefined: it has none of its own. */
export type StepOf = (way: "depositStep" | "withdrawStep", coin: string, network: string) => string | undefined;

export function useSteps(desk: Desk): StepOf {
  const { value } = useAsked(desk, "steps", (wire) => wire.account<readonly Steps[]>("GET", "steps"), {
    isStill: true,
  });
  return (way, coin, network) => value?.find((one) => one.asset === coin && one.network === network)?.[way];
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
