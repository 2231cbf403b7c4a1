/** Whether a condition holds, and what is so. */
import type { Condition } from "@pricetime/server/scenarios";
import { amountOf, shown } from "./amounts.ts";
import type { World } from "./world.ts";

export interface Finding {
  readonly holds: boolean;
  /** The present values, for people: `position of BTC 1.2 (at most 1)`. */
  readonly text: string;
}

type Bounds = { readonly min?: string | number; readonly max?: string | number };

/** `bot`: the account of a condition that names none. */
export function findingOf({ is, of }: Condition, world: World, bot: string): Finding {
  const account = (name: string | undefined) => world.account(name ?? bot);
  switch (is) {
    case "balance":
      return amount(`balance of ${of.asset}`, account(of.account).balances.get(of.asset) ?? 0n, of);
    case "position":
      return amount(`position in ${of.asset}`, account(of.account).positions.get(of.asset) ?? 0n, of);
    case "equity":
      return amount(`equity in ${of.quote}`, world.equity(account(of.account), of.quote), of);
    case "drawdown": {
      const percent = world.drawdown(account(of.account), of.quote);
      const holds = percent <= amountOf(String(of.maxPercent));
      return { holds, text: `drawdown ${shown(percent, 3)} % (at most ${of.maxPercent} %)` };
    }
    case "price": {
      const price = world.prices.get(of.symbol) ?? 0n;
      return amount(`price of ${of.symbol}`, price, of);
    }
    case "book": {
      const isEmpty = world.isEmpty(of.symbol, of.side);
      const [side, present] = [of.side === "BUY" ? "bids" : "asks", isEmpty ? "no" : "some"];
      return {
        holds: isEmpty === of.empty,
        text: `${present} ${side} on ${of.symbol} (${of.empty ? "none" : "some"})`,
      };
    }
    case "openOrders":
      return count(`open orders${on(of.symbol)}`, account(of.account).openOrders(of.symbol), of);
    case "orders":
      return count(`orders ${of.status}${on(of.symbol)}`, account(of.account).countOrders(of), of);
    case "trades": {
      const fills = account(of.account).fills.filter(({ symbol }) => of.symbol === undefined || symbol === of.symbol);
      return count(`trades${on(of.symbol)}`, fills.length, of);
    }
    case "errors": {
      const refusals = account(of.account).refusals.filter(
        ({ code, status, endpoint }) =>
          (of.code === undefined || code === of.code) &&
          (of.status === undefined || status === of.status) &&
          (of.endpoint === undefined || endpoint === of.endpoint),
      );
      const which = [of.status, of.code, of.endpoint].filter((part) => part !== undefined).join(" ");
      return count(`errors${which === "" ? "" : ` ${which}`}`, refusals.length, of);
    }
    case "struck":
      return count(`strikes of ${of.fault}`, world.struck.get(of.fault) ?? 0, of);
  }
}

const on = (symbol: string | undefined): string => (symbol === undefined ? "" : ` on ${symbol}`);

function amount(what: string, value: bigint, { min, max }: Bounds): Finding {
  const holds =
    (min === undefined || value >= amountOf(String(min))) && (max === undefined || value <= amountOf(String(max)));
  return { holds, text: `${what} ${shown(value)}${boundsText({ min, max })}` };
}

/** Without bounds, the number must be at least one. */
function count(what: string, value: number, { min, max }: Bounds): Finding {
  const least = min === undefined && max === undefined ? 1 : min;
  const holds = (least === undefined || value >= Number(least)) && (max === undefined || value <= Number(max));
  return { holds, text: `${what} ${value}${boundsText({ min: least, max })}` };
}

function boundsText({
  min,
  max,
}: {
  readonly min?: string | number | undefined;
  readonly max?: string | number | undefined;
}): string {
  const bounds = [min === undefined ? [] : [`at least ${min}`], max === undefined ? [] : [`at most ${max}`]].flat();
  return bounds.length === 0 ? "" : ` (${bounds.join(", ")})`;
}
