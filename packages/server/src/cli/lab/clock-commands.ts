/** The commands that hold the clock of a lab. */
import { type Command, InvalidArgumentError } from "commander";
import { CLOCK_MODES } from "../../config/lab-schema.ts";
import { CommandFailed } from "../session/failure.ts";
import { duration } from "./settings.ts";
import { moment } from "../session/moment.ts";
import type { Row } from "../session/output.ts";
import { symbolName } from "../session/rest-session.ts";
import { action, type Options, said } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

/** The path of the clock's routes. */
export const CLOCK = "/v1/lab/clock";

export function addLabClockCommands(lab: Command, terminal: Terminal): void {
  const clock = lab.command("clock [mode]").description("show the clock, or set it to real, scaled or manual");
  clock.option("--speed <number>", "of a scaled clock", Number);
  clock.option("--at <time>", "leap to this moment: 2026-01-01T00:00:00Z, or milliseconds since 1970", moment);
  action(clock, terminal, async ({ connection, output }, [mode], { speed, at }) => {
    if (mode !== undefined && !CLOCK_MODES.some((one) => one === mode)) {
      throw new CommandFailed(`a clock is ${CLOCK_MODES.join(", ")}, not '${mode}'`);
    }
    if (mode === undefined && (speed ?? at) !== undefined)
      throw new CommandFailed("say the mode as well: clock manual");
    const body = mode === undefined ? undefined : said({ mode, speed, nowMs: at });
    output.one(await connection.call<Row>(body === undefined ? "GET" : "POST", CLOCK, body));
  });
  addAdvance(lab, terminal);
}

function addAdvance(lab: Command, terminal: Terminal): void {
  const advance = lab
    .command("advance [time]")
    .description("advance a manual clock: 250ms, 90s, 15m, 2h, 1d; Ctrl-C ends it on the way");
  advance.option("--to <time>", "to this moment", moment);
  advance.option("--until-fill [symbol]", "until a trade, of the symbol where it is named");
  advance.option(
    "--until-rise <symbol=price>",
    "until the symbol trades at this price or a higher one",
    symbolAndPrice,
  );
  advance.option("--until-fall <symbol=price>", "until the symbol trades at this price or a lower one", symbolAndPrice);
  advance.option("--until-deposit [coin]", "until a deposit is credited, of the coin where it is named");
  advance.option("--until-idle", "until nothing is under way");
  advance.option("--account <account>", "whose fill or deposit, by number or mail address (anybody's)");
  advance.option("--at-most <time>", "give up after so long (1d)", duration);
  action(advance, terminal, async ({ connection, output }, [time], options) => {
    const way = wayOf(time, options);
    const end = (): void => void connection.call("DELETE", `${CLOCK}/advance`).catch(() => {});
    const stop = terminal.onInterrupt?.(end);
    try {
      output.one(await connection.callPatiently<Row>("POST", `${CLOCK}/advance`, way));
    } finally {
      stop?.();
    }
  });
}

/** How far to go, as the node's route takes it. */
function wayOf(time: string | undefined, options: Options): object {
  const { to, untilFill, untilRise, untilFall, untilDeposit, untilIdle, account, atMost } = options;
  const until = (event: Options): Options => said({ untilEvent: event, maxMs: atMost });
  const ways = [
    time === undefined ? undefined : { ms: duration(time) },
    to === undefined ? undefined : { toMs: to },
    untilFill === undefined ? undefined : until({ fill: said({ symbol: named(untilFill), account }) }),
    untilDeposit === undefined ? undefined : until({ deposit: said({ coin: named(untilDeposit), account }) }),
    untilRise === undefined ? undefined : until({ price: priceOf(untilRise, "atLeast") }),
    untilFall === undefined ? undefined : until({ price: priceOf(untilFall, "atMost") }),
    untilIdle === undefined ? undefined : said({ untilIdle, maxMs: atMost }),
  ].filter((way) => way !== undefined);
  const [way] = ways;
  if (way === undefined || ways.length > 1) {
    throw new CommandFailed("say how far, in one way: a time, --to, or one of the --until options");
  }
  if (account !== undefined && (untilFill ?? untilDeposit) === undefined) {
    throw new CommandFailed("--account belongs to --until-fill or --until-deposit");
  }
  if (atMost !== undefined && !("maxMs" in way)) throw new CommandFailed("--at-most belongs to the --until options");
  return way;
}

/** An option that may stand without its word is true then. */
const named = (word: unknown): string | undefined => (word === true ? undefined : symbolName(word as string));

interface SymbolAndPrice {
  readonly symbol: string;
  readonly price: string;
}

/** Reads `BTCUSDT=70000`. */
function symbolAndPrice(text: string): SymbolAndPrice {
  const [, symbol = "", price = ""] = /^([^=]+)=([0-9.]+)$/.exec(text) ?? [];
  if (symbol === "") throw new InvalidArgumentError("It must be a symbol and a price, as BTCUSDT=70000.");
  return { symbol: symbolName(symbol), price };
}

function priceOf(said: unknown, bound: "atLeast" | "atMost"): Options {
  const { symbol, price } = said as SymbolAndPrice;
  return { symbol, [bound]: price };
}
