/** The commands that control the clock of a lab, and its clients in lock step. */
import { type Command, InvalidArgumentError } from "commander";
import { CLOCK_MODES } from "../../../platform/config/lab-schema.ts";
import { CommandFailed, type Row, type Terminal } from "../session/terminal.ts";
import { action, duration, escape, momentOf, type Options, said } from "../session/session.ts";
import { symbolName } from "../session/rest.ts";

/** The path of the clock's routes. */
export const CLOCK = "/v1/lab/clock";

export function addLabClockCommands(lab: Command, terminal: Terminal): void {
  const clock = lab.command("clock [mode]").description("Show the clock, or set its mode: real, scaled or manual.");
  clock.option("--speed <number>", "Speed of a scaled clock, as a multiple of real time", Number);
  clock.option("--at <time>", "Set the clock to this time: 2026-01-01T00:00:00Z, or milliseconds since 1970", momentOf);
  action(clock, terminal, async ({ connection, output }, [mode], { speed, at }) => {
    if (mode !== undefined && !CLOCK_MODES.some((one) => one === mode)) {
      throw new CommandFailed(`'${mode}' is not a clock mode. Use ${CLOCK_MODES.join(", ")}.`);
    }
    if (mode === undefined && (speed ?? at) !== undefined)
      throw new CommandFailed("Specify the mode, for example: clock manual.");
    const body = mode === undefined ? undefined : said({ mode, speed, nowMs: at });
    output.one(await connection.call<Row>(body === undefined ? "GET" : "POST", CLOCK, body));
  });
  addAdvance(lab, terminal);
}

function addAdvance(lab: Command, terminal: Terminal): void {
  const advance = lab
    .command("advance [time]")
    .description("Advance a manual clock by a time (250ms, 90s, 15m, 2h, 1d), or until an event. Ctrl-C stops it.");
  advance.option("--to <time>", "Advance to this time", momentOf);
  advance.option("--until-fill [symbol]", "Advance until the next trade, of any symbol or of this one");
  advance.option(
    "--until-rise <symbol=price>",
    "Advance until the symbol trades at this price or higher",
    symbolAndPrice,
  );
  advance.option(
    "--until-fall <symbol=price>",
    "Advance until the symbol trades at this price or lower",
    symbolAndPrice,
  );
  advance.option("--until-deposit [coin]", "Advance until a deposit is credited, of any asset or of this one");
  advance.option("--until-idle", "Advance until no delayed message, deposit or withdrawal is pending");
  advance.option("--account <account>", "Account of the fill or deposit, by number or email address (default: any)");
  advance.option("--at-most <time>", "Stop after this time of the lab's clock (default: 1d)", duration);
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

/** The body of the node's route. */
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
    throw new CommandFailed("Specify exactly one of: a time, --to, or an --until option.");
  }
  if (account !== undefined && (untilFill ?? untilDeposit) === undefined) {
    throw new CommandFailed("--account needs --until-fill or --until-deposit.");
  }
  if (atMost !== undefined && !("maxMs" in way)) throw new CommandFailed("--at-most needs an --until option.");
  return way;
}

/** An option with an optional value is `true` without one. */
const named = (word: unknown): string | undefined => (word === true ? undefined : symbolName(word as string));

interface SymbolAndPrice {
  readonly symbol: string;
  readonly price: string;
}

/** Reads `BTCUSDT=70000`. */
function symbolAndPrice(text: string): SymbolAndPrice {
  const [, symbol = "", price = ""] = /^([^=]+)=([0-9.]+)$/.exec(text) ?? [];
  if (symbol === "") throw new InvalidArgumentError("It must be a symbol and a price, such as BTCUSDT=70000.");
  return { symbol: symbolName(symbol), price };
}

function priceOf(said: unknown, bound: "atLeast" | "atMost"): Options {
  const { symbol, price } = said as SymbolAndPrice;
  return { symbol, [bound]: price };
}

// Clients in lock step, for which the clock waits.

const CLIENTS = `${CLOCK}/clients`;

export function addLabClientCommands(lab: Command, terminal: Terminal): void {
  const clients = lab.command("clients").description("List the clients in lock step, for which the clock waits.");
  action(clients, terminal, async ({ connection, output }) => {
    const names = await connection.call<string[]>("GET", CLIENTS);
    const rows = names.map((name) => ({ name }));
    output.rows(rows, ["name"]);
  });
  const release = lab
    .command("release <names...>")
    .description("Release clients from lock step. The clock no longer waits for them.");
  action(release, terminal, async ({ connection, output }, [names = []]) => {
    const released: { readonly name: string }[] = [];
    for (const name of names as unknown as readonly string[]) {
      released.push(await connection.call("DELETE", `${CLIENTS}/${escape(name)}`));
    }
    output.rows(released, ["name"]);
  });
}
