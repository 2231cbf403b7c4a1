/**
 * Random histories: the engine on both books and the model agree on every command. A replay, and a snapshot with the
 * rest of the journal, lead to the same state. PRICETIME_SEED runs one seed, HISTORIES sets the number of histories, FIRST_SEED the seed of the first;
 * random-histories.campaign.ts runs enough for all rare outcomes.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Command,
  decodeCommands,
  encodeCommands,
  Engine,
  type Entry,
  NEWEST_EDITION,
  type RejectReason,
} from "@pricetime/engine";
import { EXCHANGE_FILTERS, SYMBOL_FILTERS } from "@pricetime/engine/filters";
import { portrait } from "./portrait.ts";
import type { ModelExchange } from "@pricetime/testkit/models";
import { makeWorld, randomCommand, type World } from "@pricetime/testkit/workload";
import { Comparison } from "./random/comparison.ts";
import { Dice } from "@pricetime/testkit/dice";
import { shrink } from "./random/shrink.ts";
import { Tally } from "./random/tally.ts";

const HISTORIES = Number(process.env["HISTORIES"] ?? 3);
const FIRST_SEED = Number(process.env["FIRST_SEED"] ?? 1);
const COMMANDS_A_HISTORY = 1_250;
const START_MS = 1_700_000_000_000;
const DAY_MS = 24 * 3_600_000;

/** Every rejection reason of trading and operator commands; other tests cover the rest. */
const REASONS: readonly RejectReason[] = [
  ...[...Object.values(SYMBOL_FILTERS), ...Object.values(EXCHANGE_FILTERS)].map(({ name }) => name),
  "MARKET_CLOSED",
  "CANCEL_ONLY",
  "INSUFFICIENT_BALANCE",
  "DUPLICATE_ORDER",
  "UNKNOWN_ORDER",
  "CANCEL_IDS_DISAGREE",
  "CANCEL_RESTRICTED",
  "AMEND_NOT_SUPPORTED",
  "AMEND_INCREASES",
  "AMEND_CHANGES_NOTHING",
  "AMEND_PENDING_OPO",
  "INVALID_QUANTITY",
  "UNKNOWN_SYMBOL",
  "ORDER_TYPE_NOT_SUPPORTED",
  "ICEBERG_NOT_SUPPORTED",
  "ICEBERG_EXCEEDS_QUANTITY",
  "QUOTE_ORDER_QTY_NOT_SUPPORTED",
  "UNSUPPORTED_COMBINATION",
  "SELF_TRADE_PREVENTION_NOT_ALLOWED",
  "TRAILING_STOP_NOT_SUPPORTED",
  "PEG_NOT_SUPPORTED",
  "PEG_ORDER_TYPE",
  "PEG_PRICE_TYPE",
  "PEG_LEVEL_MISSING",
  "WOULD_MATCH_IMMEDIATELY",
  "WOULD_TRIGGER_IMMEDIATELY",
  "OCO_NOT_SUPPORTED",
  "OCO_BAD_PRICES",
  "OTO_NOT_SUPPORTED",
  "OPO_NOT_SUPPORTED",
  "ACCOUNT_MAY_NOT_TRADE",
  "UNKNOWN_ACCOUNT",
  "UNKNOWN_ASSET",
  "ALREADY_EXISTS",
  "INVALID_VALUE",
  "ROUNDING_TOO_COARSE",
  "MAINTENANCE",
  "API_TRADING_LOCKED",
  "UNKNOWN_NETWORK",
  "UNKNOWN_ADDRESS",
  "UNKNOWN_DEPOSIT",
  "WRONG_STATUS",
  "DEPOSIT_SUSPENDED",
  "DEPOSIT_BELOW_MINIMUM",
  "DEPOSIT_NOT_A_MULTIPLE",
  "UNKNOWN_WITHDRAWAL",
  "WITHDRAWAL_SUSPENDED",
  "ACCOUNT_MAY_NOT_WITHDRAW",
  "WITHDRAWAL_BELOW_MINIMUM",
  "WITHDRAWAL_ABOVE_MAXIMUM",
  "WITHDRAWAL_NOT_A_MULTIPLE",
  "WITHDRAWAL_BELOW_FEE",
  "ADDRESS_NOT_ALLOWED",
  "ADDRESS_IS_OWN",
  "TOTP_REQUIRED",
  "TOTP_REUSED",
  "TOTP_DIFFERS",
  "WRONG_CONFIRMATION",
  "TRANSACTION_DIFFERS",
  "WITHDRAWAL_DIFFERS",
  "ALREADY_SIGNED",
  "MASTER_ONLY",
  "NOT_RELATED",
  "SAME_ACCOUNT",
  "DUST_NOT_OFFERED",
  "DUST_ASSET_ITSELF",
  "DUST_TOO_MUCH",
  "DUST_TOO_LITTLE",
  "NO_PRICE",
  "TREASURY_SHORT",
  "NO_HOLDERS",
  "NOT_PERMITTED",
  "NEEDS_TWO",
  "UNKNOWN_STOP",
  "SYMBOL_TRADES",
  "DELISTED",
  "STOPPED",
  "UNKNOWN_OPERATOR",
  "TOO_FEW_OPERATORS",
  "UNKNOWN_PROPOSAL",
  "PROPOSAL_CHANGED",
  "OWN_PROPOSAL",
  "UNKNOWN_INVITATION",
  "UNKNOWN_SESSION",
  "UNKNOWN_RECOVERY",
  "UNKNOWN_LETTER",
  "PASSWORD_DIFFERS",
  "TOO_SOON",
  "REPEAT_DIFFERS",
  "CONTENTS_NOT_KEPT",
  "EMAIL_SHARED",
];

/** The minimum number of each in 100 histories. */
const LEAST_REFUSALS = 1;

/** Fewer seeds may not contain all rare outcomes. */
const ENOUGH_HISTORIES = 60;
/** Outcomes that must occur, with the minimum number in 100 histories. */
const FLOORS: readonly (readonly [name: string, least: number])[] = [
  ["traded", 3_400],
  ["CANCELED", 5_000],
  ["CANCELED after fills", 430],
  ["EXPIRED", 4_000],
  ["EXPIRED after fills", 400],
  ["maker FILLED", 1_700],
  ["maker PARTIALLY_FILLED", 1_700],
  ...(["BUY", "SELL"] as const).flatMap((side) => [
    [`traded ${side} LIMIT GTC`, 390] as const,
    [`traded ${side} LIMIT IOC`, 42] as const,
    [`traded ${side} LIMIT FOK`, 10] as const,
    [`ended ${side} LIMIT FOK`, 200] as const,
    [`traded ${side} MARKET GTC`, 1_000] as const,
    [`ended ${side} MARKET GTC`, 1_000] as const,
    [`traded by quote ${side}`, 280] as const,
    [`book too thin for quote ${side}`, 80] as const,
    [`opened ${side} LIMIT_MAKER GTC`, 500] as const,
    ...(["STOP_LOSS", "STOP_LOSS_LIMIT", "TAKE_PROFIT", "TAKE_PROFIT_LIMIT"] as const).flatMap((type) => [
      [`opened ${side} ${type} GTC`, 250] as const,
      [`triggered ${side} ${type} GTC`, 50] as const,
      [`traded ${side} ${type} GTC`, 14] as const,
    ]),
    [`opened pegged ${side} LIMIT`, 30] as const,
    [`opened pegged ${side} LIMIT with a price`, 20] as const,
    [`opened pegged ${side} LIMIT_MAKER`, 10] as const,
    [`opened pegged ${side} STOP_LOSS_LIMIT`, 15] as const,
    [`opened pegged ${side} TAKE_PROFIT_LIMIT`, 8] as const,
    [`triggered pegged ${side}`, 3] as const,
    [`opened trailing ${side}`, 130] as const,
    [`opened trailing ${side} with stop price`, 40] as const,
    [`triggered trailing ${side}`, 15] as const,
    [`triggered trailing ${side} with stop price`, 2] as const,
    [`triggered ${side} STOP_LOSS_LIMIT IOC`, 3] as const,
    [`triggered ${side} STOP_LOSS_LIMIT FOK`, 3] as const,
    [`triggered ${side} TAKE_PROFIT_LIMIT IOC`, 6] as const,
    [`triggered ${side} TAKE_PROFIT_LIMIT FOK`, 6] as const,
  ]),
  ["triggered trailing leg", 2],
  ["traded pegged taker", 60],
  ["traded pegged maker", 60],
  ["amended pegged", 15],
  ["rejected pegged STOP_LOSS_LIMIT", 4],
  ["rejected pegged TAKE_PROFIT_LIMIT", 2],
  ["rejected pegged LIMIT", 1],
  ["several triggered at once", 150],
  ["same trigger price: stop, stop", 60],
  ["same trigger price: stop, trailing", 4],
  ["same trigger price: trailing, trailing", 3],
  ["cascade", 140],
  ["triggered iceberg", 50],
  ["next slice", 480],
  ...["LIMIT", "LIMIT_MAKER", "STOP_LOSS_LIMIT", "TAKE_PROFIT_LIMIT"].map(
    (type) => [`opened iceberg ${type}`, 40] as const,
  ),
  ["triggered and expired STOP_LOSS GTC", 50],
  ["triggered and expired STOP_LOSS GTC after fills", 50],
  ["triggered and expired TAKE_PROFIT GTC", 27],
  ["triggered and expired TAKE_PROFIT GTC after fills", 30],
  ["triggered and expired STOP_LOSS_LIMIT IOC", 10],
  ["triggered and expired STOP_LOSS_LIMIT FOK", 10],
  ["could not pay", 4],
  ["could not pay after fills", 20],
  ["paid out of free money, FILLED", 15],
  ["prevented by EXPIRE_MAKER", 60],
  ["prevented by EXPIRE_TAKER", 50],
  ["prevented by EXPIRE_BOTH", 60],
  ["prevented by DECREMENT", 150],
  ["prevented by TRANSFER", 30],
  ["prevented by TRANSFER between accounts", 5],
  ["prevented iceberg by DECREMENT", 40],
  ["prevented leg", 8],
  ["prevented legs go on", 0.3],
  ["discounted commission of a taker", 2],
  ["discounted commission of a maker", 4],
  ["discounted commission of a taker, in a market of the discount asset", 2],
  ["discounted commission of a maker, in a market of the discount asset", 1],
  ["discount asset received", 60],
  ["no discount", 100],
  ["stopped by its range MARKET GTC", 80],
  ["stopped by its range MARKET GTC after fills", 8],
  ["stopped by its range LIMIT GTC", 30],
  ["stopped by its range STOP_LOSS GTC", 5],
  ["list placed", 500],
  ["list ended by STOP_LOSS", 50],
  ["list ended by STOP_LOSS_LIMIT", 29],
  ["list ended by TAKE_PROFIT", 9],
  ["list ended by TAKE_PROFIT_LIMIT", 9],
  ["list ended by its limit PARTIALLY_FILLED", 30],
  ["list ended by its limit FILLED", 18],
  ["list ended by cancelOrder", 80],
  ["list ended by cancelOrderList", 40],
  ["list ended by cancelOpenOrders", 8],
  ["list ended by cancelReplace", 25],
  ["replaced: canceled, placed", 600],
  ["replaced: canceled, not placed", 300],
  ["replaced: not canceled, placed", 30],
  ["replaced: not canceled, not placed", 200],
  ["amended", 500],
  ["amended iceberg", 30],
  ["amended leg", 15],
  ["amended after fills", 15],
  ["amended after fills, and expired", 30],
  ["amended with the same id", 150],
  ["list updated", 3],
  ...(["OTO", "OTOCO", "OPO", "OPOCO"] as const).map((kind) => [`${kind} placed`, 1] as const),
  ...(["LIMIT", "MARKET", "LIMIT_MAKER", "STOP_LOSS", "STOP_LOSS_LIMIT", "TAKE_PROFIT"] as const).map(
    (type) => [`released ${type}`, 1] as const,
  ),
  ["released LIMIT_MAKER with what was bought", 1],
  ["released STOP_LOSS with what was bought", 1],
  ["pending CANCELED NONE", 1],
  ["pending EXPIRED OTO_PHASE_ONE_EXPIRED", 1],
  ["pending EXPIRED REJECTED", 1],
  ["pending EXPIRED OCO_TRIGGER", 1],
  ["several lists released at once", 1],
  ["seeDeposit to pending", 900],
  ["creditDeposit to credited", 300],
  ["finishDeposit to success", 250],
  ["dropDeposit to dropped", 400],
  ["treasury covers", 20],
  ["requestWithdrawal to emailSent", 150],
  ["requestWithdrawal to awaitingApproval", 150],
  ["requestWithdrawal to processing", 300],
  ["confirmWithdrawal to awaitingApproval", 5],
  ["confirmWithdrawal to processing", 20],
  ["cancelWithdrawal to cancelled", 50],
  ["tick to cancelled", 50],
  ["approveWithdrawal to processing", 50],
  ["rejectWithdrawal to rejected", 40],
  ["signWithdrawal to processing", 200],
  ["completeWithdrawal to completed", 130],
  ["failWithdrawal to failed", 60],
  ["failSignedWithdrawal to failed", 40],
  ["transfer", 200],
  ["convertDust", 15],
  ["refused DUST_TOO_SOON", 2],
  ["distributeDividend", 400],
  ["setStop", 300],
  ["stop ends in time", 50],
  ["adjusted", 30],
  ["proposal carried out", 100],
  ["proposal cancelled", 20],
  ["changeProposal", 60],
  ["noteUnknownDeposit", 100],
  ["session opened", 500],
  ["session closed", 400],
  ...(["closeSession", "closeSessions", "setPassword", "recover", "freezeAccount", "openSession"] as const).map(
    (type) => [`${type} ends a session`, 10] as const,
  ),
  ["acceptInvitation ends a session", 3],
  ["changeOperator ends a session", 0.5],
  ...(["UNKNOWN_ACCOUNT", "PASSWORD_DIFFERS", "INVALID_VALUE"] as const).map(
    (reason) => [`sign-in refused ${reason}`, 15] as const,
  ),
  ...(["TOTP_REQUIRED", "TOTP_DIFFERS", "TOTP_REUSED"] as const).map(
    (reason) => [`sign-in refused ${reason}`, 3] as const,
  ),
  ["invitation open", 300],
  ["invitation accepted", 200],
  ["invitation expired", 30],
  ["invitation revoked", 5],
  ["account opened by invitation", 5],
  ["password set", 400],
  ["recovery asked", 100],
  ["recovery done", 30],
  ["recovery cancelled", 20],
  ["withdrawal held after a link", 5],
  ["account frozen", 60],
  ["withdrawal given back by a freeze", 3],
  ...(["freezeAccount", "changeAccount", "endOrder", "endAccountOrders", "endSymbolOrders", "tick"] as const).map(
    (type) => [`${type} ends an order`, 10] as const,
  ),
  ["letter waiting", 1_000],
  ["letter claimed", 200],
  ["letter sent", 80],
  ["letter failed", 50],
  ["letter unknown", 50],
  ["proof published", 50],
];

test("random histories agree with the naive book and the model", { timeout: 300_000 }, () => {
  const tally = new Tally();
  const only = process.env["PRICETIME_SEED"];
  if (only !== undefined) return runSeed(Number(only), tally);
  for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) runSeed(seed, tally);
  assert.ok(tally.commands >= HISTORIES * COMMANDS_A_HISTORY);
  if (process.env["PRICETIME_TALLY"] !== undefined) console.log(String(tally));
  assert.ok(tally.of("traded") > HISTORIES * 5, "hardly anything was traded");
  if (HISTORIES < ENOUGH_HISTORIES) return;
  const ofReasons = REASONS.map((reason) => [`refused ${reason}`, LEAST_REFUSALS] as const);
  const tooFew = [...ofReasons, ...FLOORS].flatMap(([name, least]) => {
    // Rare outcomes occur by chance: half of the number is enough, and in a few histories one or two may be none.
    const half = Math.floor((least * HISTORIES) / 200);
    const wanted = half > 2 || HISTORIES >= 200 ? half : 0;
    return tally.of(name) >= wanted ? [] : [`${name}, ${tally.of(name)} of ${wanted}`];
  });
  assert.deepEqual(tooFew, []);
});

test("random histories whose orders are numbered by symbol", () => {
  const numbered: readonly Command[] = [
    { type: "adoptRules", edition: NEWEST_EDITION },
    { type: "setOrderIds", by: "test", orderIds: "symbol" },
  ];
  // A single history may trade nothing.
  const histories = Math.max(3, Math.ceil(HISTORIES / 3));
  const tally = new Tally();
  for (let seed = 1; seed <= histories; seed++) runSeed(1_000_000 + seed, tally, numbered);
  assert.ok(tally.of("traded") > histories * 5, "hardly anything was traded");
});

interface TimedCommand {
  readonly timeMs: number;
  readonly command: Command;
}

function runSeed(seed: number, tally: Tally, before: readonly Command[] = []): void {
  const comparison = new Comparison();
  tally.beginHistory();
  try {
    for (const command of before) comparison.step(START_MS, command);
    play(seed, comparison, tally);
    comparison.deepCheck();
    checkReplays(comparison, new Dice(seed ^ 0x5eed));
  } catch (error) {
    throw new Error(explain(seed, comparison.entries, error), { cause: error });
  }
}

function play(seed: number, comparison: Comparison, tally: Tally): void {
  const dice = new Dice(seed);
  const world = makeWorld(dice);
  let timeMs = START_MS;
  for (const command of world.opening) tally.count(command, comparison.step(timeMs, command), comparison.model);
  for (let i = 0; i < COMMANDS_A_HISTORY; i++) {
    // Mostly short intervals, sometimes long ones, so that averaging windows and listen keys expire.
    timeMs += dice.weighted([
      [90, dice.below(1_500)],
      [9, dice.below(40_000)],
      [1, dice.below(4_000_000)],
      [1, -5],
    ]);
    // Sometimes so long that approval requests and announced emergency overrides expire.
    if (dice.oneIn(800)) timeMs += 8 * DAY_MS;
    // Withdrawals of a recovered account are held for a day.
    if (isAnyHeld(world, comparison.model) && dice.oneIn(80)) timeMs += DAY_MS;
    const command = randomCommand(dice, world, comparison.model);
    tally.count(command, comparison.step(timeMs, command), comparison.model);
  }
}

function isAnyHeld({ accountIds }: World, { access }: ModelExchange): boolean {
  return accountIds.some((accountId) => access.isHeld(accountId));
}

/** A journal of the same commands, and a snapshot with the rest of the journal, must lead to the same state. */
function checkReplays(comparison: Comparison, dice: Dice): void {
  const { entries, fast } = comparison;
  const commands = entries.map(({ command }) => command);
  const read = decodeCommands(encodeCommands(commands), commands.length);
  assert.deepEqual(read, commands, "the journal reads back");
  const cut = dice.below(entries.length);
  const replica = new Engine();
  let restored: Engine | null = null;
  for (const [i, { seq, timeMs }] of entries.entries()) {
    if (i === cut) {
      const snapshot = replica.snapshot();
      restored = Engine.restore(snapshot);
      restored.checkInvariants();
      assert.deepEqual(restored.snapshot(), snapshot, "snapshot of a restored engine");
      assert.deepEqual(portrait(restored), portrait(replica), "a restored engine");
    }
    const entry: Entry = { seq, timeMs, command: read[i]! };
    replica.apply(entry);
    restored?.apply(entry);
  }
  assert.equal(replica.eventDigest(), fast.eventDigest(), "hash of a replay");
  assert.deepEqual(portrait(replica), portrait(fast), "a replay");
  assert.deepEqual(replica.snapshot(), fast.snapshot(), "snapshot of a replay");
  assert.equal(restored!.eventDigest(), fast.eventDigest(), "hash after snapshot and tail");
  assert.deepEqual(restored!.snapshot(), fast.snapshot(), "snapshot after snapshot and tail");
  assert.deepEqual(comparison.naive.snapshot(), fast.snapshot(), "snapshots of the two books");
}

function explain(seed: number, entries: readonly Entry[], error: unknown): string {
  const message = messageOf(error);
  const history: TimedCommand[] = entries.map(({ timeMs, command }) => ({ timeMs, command }));
  const short = shrink(history, (shorter) => {
    const failure = failureOf(shorter);
    return failure !== null && messageOf(failure).split(/[:\n]/)[0] === message.split(/[:\n]/)[0];
  });
  const failure = failureOf(short) ?? error;
  const lines = short.map(({ timeMs, command }) => `  ${timeMs} ${JSON.stringify(command, bigText)}`);
  return `seed ${seed}, command ${entries.length}: ${messageOf(failure)}\nshortest history:\n${lines.join("\n")}`;
}

function failureOf(history: readonly TimedCommand[]): unknown {
  const comparison = new Comparison();
  try {
    for (const { timeMs, command } of history) comparison.step(timeMs, command);
    comparison.deepCheck();
    checkReplays(comparison, new Dice(history.length));
    return null;
  } catch (error) {
    return error;
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof assert.AssertionError)) return String(error);
  return `${error.message}\n  actual: ${String(error.actual)}\n  expected: ${String(error.expected)}`;
}

function bigText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}
