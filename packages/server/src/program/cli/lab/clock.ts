/** Commands that control a lab's clock and its clients in lock step. */
import { InvalidArgumentError } from "commander";
import { CLOCK_MODES } from "../../../platform/config/lab-schema.ts";
import { command } from "../session/command-row.ts";
import { symbolName } from "../session/rest.ts";
import type { Session } from "../session/session.ts";
import { CommandFailed, type Row } from "../session/terminal.ts";
import { duration, escape, said, span, time } from "../session/values.ts";

/** The path of the clock's routes. */
export const CLOCK = "/v1/lab/clock";

const SET_CLOCK = command("clock [mode]", "GET /v1/lab/clock")
  .calls("POST /v1/lab/clock", "mode")
  .text("Show the clock, or set its mode: real, scaled or manual.")
  .option("--speed <number>", "Speed of a scaled clock, as a multiple of real time", { parse: Number })
  .option("--at <time>", "Set the clock to this time: 2026-01-01T00:00:00Z, or milliseconds since 1970", time)
  .sends(({ mode, speed, at }: { mode?: string; speed?: number; at?: number }) => {
    if (mode !== undefined && !CLOCK_MODES.some((one) => one === mode)) {
      throw new CommandFailed(`'${mode}' is not a clock mode. Use ${CLOCK_MODES.join(", ")}.`);
    }
    if (mode === undefined && (speed ?? at) !== undefined)
      throw new CommandFailed("Specify the mode, for example: clock manual.");
    return said({ mode, speed, nowMs: at });
  });

interface Advance {
  readonly time?: string;
  readonly to?: number;
  /** `true` if the option is given without its optional value. */
  readonly untilFill?: string | true;
  readonly untilRise?: SymbolAndPrice;
  readonly untilFall?: SymbolAndPrice;
  readonly untilDeposit?: string | true;
  readonly untilIdle?: true;
  readonly account?: string;
  readonly atMost?: number;
}

const ADVANCE = command("advance [time]")
  .text("Advance a manual clock by a time (250ms, 90s, 15m, 2h, 1d), or until an event. Ctrl-C stops it.")
  .option("--to <time>", "Advance to this time", time)
  .option("--until-fill [symbol]", "Advance until the next trade, of any symbol or of this one")
  .option("--until-rise <symbol=price>", "Advance until the symbol trades at this price or higher", {
    parse: symbolAndPrice,
  })
  .option("--until-fall <symbol=price>", "Advance until the symbol trades at this price or lower", {
    parse: symbolAndPrice,
  })
  .option("--until-deposit [coin]", "Advance until a deposit is credited, of any asset or of this one")
  .option("--until-idle", "Advance until no delayed message, deposit or withdrawal is pending")
  .option("--account <account>", "Account of the fill or deposit, by number or email address (default: any)")
  .option("--at-most <time>", "Stop after this time of the lab's clock (default: 1d)", span)
  .runs(async ({ connection, output, terminal }: Session, options: Advance) => {
    const way = wayOf(options);
    const end = (): void => void connection.call("DELETE", `${CLOCK}/advance`).catch(() => {});
    const stop = terminal.onInterrupt?.(end);
    try {
      output.one(await connection.callPatiently<Row>("POST", `${CLOCK}/advance`, way));
    } finally {
      stop?.();
    }
  });

/** Builds the body of the request to advance the clock. */
function wayOf(options: Advance): object {
  const { time, to, untilFill, untilRise, untilFall, untilDeposit, untilIdle, account, atMost } = options;
  const until = (event: object): object => said({ untilEvent: event, maxMs: atMost });
  const ways = [
    time === undefined ? undefined : { ms: duration(time) },
    to === undefined ? undefined : { toMs: to },
    untilFill === undefined ? undefined : until({ fill: said({ symbol: named(untilFill), account }) }),
    untilDeposit === undefined ? undefined : until({ deposit: said({ coin: named(untilDeposit), account }) }),
    untilRise === undefined ? undefined : until({ price: { symbol: untilRise.symbol, atLeast: untilRise.price } }),
    untilFall === undefined ? undefined : until({ price: { symbol: untilFall.symbol, atMost: untilFall.price } }),
    untilIdle === undefined ? undefined : said({ untilIdle, maxMs: atMost }),
  ].filter((way) => way !== undefined);
  const [way] = ways;
  if (way === undefined || ways.length > 1) {
    throw new CommandFailed("Specify exactly one of: a time, --to, or an --until option.");
  }
  if (account !== undefined && (untilFill ?? untilDeposit) === undefined) {
    throw new CommandFailed("--account needs --until-fill or --until-deposit.");
  }
  if (atMost !== undefined && !("maxMs" in way)) throw new CommandFailed("--at-most needs an --until option.");
  return way;
}

const named = (word: string | true): string | undefined => (word === true ? undefined : symbolName(word));

interface SymbolAndPrice {
  readonly symbol: string;
  readonly price: string;
}

/** Parses `BTCUSDT=70000`. */
function symbolAndPrice(text: string): SymbolAndPrice {
  const [, symbol = "", price = ""] = /^([^=]+)=([0-9.]+)$/.exec(text) ?? [];
  if (symbol === "") throw new InvalidArgumentError("It must be a symbol and a price, such as BTCUSDT=70000.");
  return { symbol: symbolName(symbol), price };
}

// Clients in lock step: the clock waits for each of them.

const LIST_CLIENTS = command("clients", "GET /v1/lab/clock/clients")
  .text("List the clients in lock step, for which the clock waits.")
  .answer((names: readonly string[]) => names.map((name) => ({ name })))
  .columns("name");

const RELEASE = command("release <names...>")
  .text("Release clients from lock step. The clock no longer waits for them.")
  .runs(async ({ connection, output }, { names }: { readonly names: readonly string[] }) => {
    const released: Row[] = [];
    for (const name of names) released.push(await connection.call("DELETE", `${CLOCK}/clients/${escape(name)}`));
    output.rows(released, ["name"]);
  });

export const LAB_CLOCK = [SET_CLOCK, ADVANCE, LIST_CLIENTS, RELEASE];
