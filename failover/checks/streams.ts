/**
 * Compares stream messages with the log: on each connection a contiguous part of the expected messages of the account
 * or symbol, without gap, repetition or reordering, and up to the end if the connection lasted.
 */
import { amount, show } from "@pricetime/testkit/models";
import type { DepthMessages, TradeMessages, UserMessages } from "../clients/heard.ts";
import type { Course } from "./course.ts";
import type { Findings } from "./findings.ts";

const KIND = "streams";

/** Returns the number of compared messages. */
export function checkUserStreams(
  heard: readonly UserMessages[],
  emails: readonly string[],
  course: Course,
  findings: Findings,
): number {
  for (const connection of heard) {
    const accountId = course.accountIds.get(emails[connection.account] ?? "") ?? -1;
    const expected = (course.executions.get(accountId) ?? []).map(({ key }) => key);
    const who = `account ${connection.account} at ${connection.node} from ${connection.openedMs.toFixed(0)} ms`;
    comparePiece(who, connection.keys, expected, connection.isWhole, findings);
  }
  return heard.reduce((sum, { keys }) => sum + keys.length, 0);
}

export function checkTradeStreams(heard: readonly TradeMessages[], course: Course, findings: Findings): number {
  for (const { node, symbol, openedMs, trades, isWhole } of heard) {
    const who = `trades of ${symbol} at ${node} from ${openedMs.toFixed(0)} ms`;
    const keys = trades.map(({ tradeId, price, quantity }) => tradeKey(tradeId, amount(price), amount(quantity)));
    const all = (course.trades.get(symbol) ?? []).map((trade) => tradeKey(trade.tradeId, trade.price, trade.quantity));
    comparePiece(who, keys, all, isWhole, findings);
  }
  return heard.reduce((sum, { trades }) => sum + trades.length, 0);
}

const tradeKey = (tradeId: number, price: bigint, quantity: bigint): string =>
  `trade ${tradeId}: ${show(quantity)} at ${show(price)}`;

function comparePiece(
  who: string,
  heard: readonly string[],
  expected: readonly string[],
  isWhole: boolean,
  findings: Findings,
): void {
  if (heard.length === 0) return;
  // A message repeats if its order is amended, triggered or released, so that a piece may begin at several places.
  const starts = expected.flatMap((key, at) => (key === heard[0] ? [at] : []));
  const wrongFrom = (start: number): number => heard.findIndex((key, at) => expected[start + at] !== key);
  const equalFrom = (start: number): number => (wrongFrom(start) < 0 ? heard.length : wrongFrom(start));
  const start = starts.toSorted((one, other) => equalFrom(one) - equalFrom(other) || one - other).at(-1);
  if (start === undefined) {
    return findings.add(KIND, `${who}: its first message belongs to no entry of the log: ${heard[0]}`);
  }
  const wrong = wrongFrom(start);
  if (wrong >= 0) {
    const must = expected[start + wrong] ?? "nothing";
    return findings.add(KIND, `${who}: message ${wrong + 1} is ${heard[wrong]}, but must be ${must}`);
  }
  if (isWhole && start + heard.length !== expected.length) {
    findings.add(KIND, `${who}: ends with ${heard.at(-1)}, but the last message was ${expected.at(-1)}`);
  }
}

/**
 * Compares depth changes of all nodes: on each connection a change begins where the previous one ended, and all nodes
 * agree on the quantity of a level after the same update.
 */
export function checkDepthStreams(heard: readonly DepthMessages[], findings: Findings): number {
  // The quantity of a level, by symbol, last update of the message, and level.
  const levels = new Map<string, { readonly quantity: string; readonly node: string }>();
  for (const { node, symbol, openedMs, events } of heard) {
    const who = `depth of ${symbol} at ${node} from ${openedMs.toFixed(0)} ms`;
    for (const [at, event] of events.entries()) {
      const before = events[at - 1];
      if (before !== undefined && event.U !== before.u + 1) {
        findings.add(KIND, `${who}: ${event.U} to ${event.u} comes after ${before.u}`);
      }
      if (event.u < event.U) findings.add(KIND, `${who}: ${event.U} to ${event.u} holds nothing`);
      const changes = [...event.b.map((level) => ["bid", ...level]), ...event.a.map((level) => ["ask", ...level])];
      for (const [side, price, quantity = ""] of changes) {
        const key = `${symbol} ${event.u} ${side} ${price}`;
        const other = levels.get(key);
        if (other !== undefined && other.quantity !== quantity) {
          findings.add(KIND, `${who}: ${key} is ${quantity} here and ${other.quantity} at ${other.node}`);
        }
        levels.set(key, { quantity, node });
      }
    }
  }
  return heard.reduce((sum, { events }) => sum + events.length, 0);
}
