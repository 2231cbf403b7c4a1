/** Evaluates the assertions of a scenario after each event. */
import type { Assertion, AssertKind, Condition } from "@pricetime/server/scenarios";
import { amountOf, shown, type ScenarioState } from "./scenario-state.ts";

export interface Finding {
  readonly holds: boolean;
  /** The current values in readable form, for example `position of BTC 1.2 (at most 1)`. */
  readonly text: string;
}

type Bounds = { readonly min?: string | number; readonly max?: string | number };

/** Evaluates a condition. `bot` is the account for conditions that name no account. */
function findingOf({ is, of }: Condition, state: ScenarioState, bot: string): Finding {
  const account = (name: string | undefined) => state.account(name ?? bot);
  switch (is) {
    case "balance":
      return amount(`balance of ${of.asset}`, account(of.account).balances.get(of.asset) ?? 0n, of);
    case "position":
      return amount(`position in ${of.asset}`, account(of.account).positions.get(of.asset) ?? 0n, of);
    case "equity":
      return amount(`equity in ${of.quote}`, state.equity(account(of.account), of.quote), of);
    case "drawdown": {
      const percent = state.drawdown(account(of.account), of.quote);
      const holds = percent <= amountOf(String(of.maxPercent));
      return { holds, text: `drawdown ${shown(percent, 3)} % (at most ${of.maxPercent} %)` };
    }
    case "price": {
      const price = state.prices.get(of.symbol) ?? 0n;
      return amount(`price of ${of.symbol}`, price, of);
    }
    case "book": {
      const isEmpty = state.isEmpty(of.symbol, of.side);
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
      return count(`strikes of ${of.fault}`, state.struck.get(of.fault) ?? 0, of);
  }
}

const on = (symbol: string | undefined): string => (symbol === undefined ? "" : ` on ${symbol}`);

function amount(what: string, value: bigint, { min, max }: Bounds): Finding {
  const holds =
    (min === undefined || value >= amountOf(String(min))) && (max === undefined || value <= amountOf(String(max)));
  return { holds, text: `${what} ${shown(value)}${boundsText({ min, max })}` };
}

/** Checks a number against its bounds. Without bounds, it must be at least one. */
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

/**
 * The state of one assertion. `atMs` is the time at which it was decided; it is absent for `always` and `never` while
 * they hold.
 */
export interface Verdict {
  readonly kind: AssertKind;
  readonly name: string;
  readonly state: "holds" | "waiting" | "failed";
  /** The values at the time of the decision; before it, the current values. */
  readonly text: string;
  readonly atMs?: number;
  /** The number of evaluations in which the assertion did not hold. */
  readonly failures: number;
}

interface Judged {
  readonly assertion: Assertion;
  state: Verdict["state"];
  text: string;
  atMs?: number;
  failures: number;
}

export class Judge {
  readonly #state: ScenarioState;
  readonly #bot: string;
  readonly #judged: readonly Judged[];

  constructor(assertions: readonly Assertion[], state: ScenarioState, bot: string) {
    this.#state = state;
    this.#bot = bot;
    this.#judged = assertions.map((assertion) => ({
      assertion,
      state: assertion.kind === "always" || assertion.kind === "never" ? "holds" : "waiting",
      text: "",
      failures: 0,
    }));
  }

  /** Evaluates all assertions on the current state. */
  look(atMs: number): void {
    for (const judged of this.#judged) {
      const { kind, condition } = judged.assertion;
      const isDecided = kind === "sometimes" && judged.state === "holds";
      if (isDecided) continue;
      const { holds, text } = findingOf(condition, this.#state, this.#bot);
      if (kind === "sometimes" && holds) Object.assign(judged, { state: "holds", atMs });
      const isAgainst = (kind === "always" && !holds) || (kind === "never" && holds);
      if (isAgainst) judged.failures += 1;
      // The first failure is reported, because it explains the most.
      if (isAgainst && judged.failures === 1) Object.assign(judged, { state: "failed", atMs, text });
      else if (judged.state !== "failed") judged.text = text;
    }
  }

  /** Decides all assertions at the end of the scenario. */
  end(atMs: number): void {
    this.look(atMs);
    for (const judged of this.#judged) {
      if (judged.state !== "waiting") continue;
      const { holds } = findingOf(judged.assertion.condition, this.#state, this.#bot);
      const holdsAtLast = judged.assertion.kind === "finally" && holds;
      Object.assign(judged, { state: holdsAtLast ? "holds" : "failed", atMs, failures: holdsAtLast ? 0 : 1 });
    }
  }

  get verdicts(): readonly Verdict[] {
    return this.#judged.map(({ assertion: { kind, name, condition }, state, text, atMs, failures }) => ({
      kind,
      name: name ?? nameOf(condition),
      state,
      text,
      failures,
      ...(atMs !== undefined && { atMs }),
    }));
  }
}

/** The subject of a condition, without its bounds. */
function nameOf({ is, of }: Condition): string {
  const about = Object.entries(of).filter(([key]) => !BOUNDS.has(key));
  return [is, ...about.map(([, value]) => String(value))].join(" ");
}

const BOUNDS: ReadonlySet<string> = new Set(["min", "max", "maxPercent", "empty"]);
