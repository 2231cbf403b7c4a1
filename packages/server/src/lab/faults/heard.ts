/** A message of a stream as faults see it, and whether a fault is meant for it. */
import type { EngineView } from "@pricetime/engine";
import { AdminRefusal } from "../../people/admin/answer.ts";
import type { StreamMessage } from "../../api/streams/faults-port.ts";
import { ALL_MARKETS, isAllMarkets, readStreamName } from "../../api/streams/market/stream-name.ts";
import type { StreamFault } from "./fault.ts";
import { MAX_TOLD_CHARS } from "./limits.ts";
import { accountNamed, ANY_USER_EVENT, marketNamed, type NamedStream, streamNamed } from "./names.ts";
import type { Struck } from "./rule.ts";

export interface Heard {
  /** The stream as clients name it; "user" for the events of an account. */
  readonly stream: string;
  /** Undefined: the message is no market stream's but an event of an account. */
  readonly kind: string | undefined;
  /** Undefined: it is about no symbol, or about many. */
  readonly symbol: string | undefined;
  /** The account whose event it is. */
  readonly accountId: number | undefined;
  readonly payload: string;
}

const SYMBOL = /"s":"([^"]*)"/;

export function heard({ stream, accountId, payload }: StreamMessage, view: EngineView, nowMs: number): Heard {
  if (isAllMarkets(stream)) {
    const { kind } = ALL_MARKETS[stream];
    const symbol = payload.startsWith("[") ? undefined : SYMBOL.exec(payload)?.[1];
    return { stream, kind, symbol, accountId: undefined, payload };
  }
  const read = readStreamName(stream);
  if (read !== null) return { stream, kind: read.stream.kind, symbol: read.symbol, accountId: undefined, payload };
  const owner = accountId ?? view.listenKeyAccount(stream, nowMs);
  const symbol = SYMBOL.exec(payload)?.[1];
  return { stream: ANY_USER_EVENT, kind: undefined, symbol, accountId: owner, payload };
}

export type IsMeant = (heard: Heard) => boolean;

/** Whether a fault is meant for a message. Throws `AdminRefusal` for names that do not exist. */
export function streamMatch(fault: StreamFault, view: EngineView): IsMeant {
  const { stream, account, symbol } = fault.where;
  const named = stream === undefined ? undefined : streamNamed(view, stream);
  const accountId = account === undefined ? undefined : accountNamed(view, account).accountId;
  if (symbol !== undefined) marketNamed(view, symbol);
  const canStrike = kindOf(fault);
  if (named !== undefined && !canBe(fault, named)) {
    throw new AdminRefusal(400, "BAD_REQUEST", `where.stream: ${fault.fault} is for ${KINDS[fault.fault]}`);
  }
  return (message) =>
    canStrike(message) &&
    (named === undefined || isNamed(named, message)) &&
    (accountId === undefined || message.accountId === accountId) &&
    (symbol === undefined || message.symbol === symbol);
}

const KINDS: Readonly<Record<string, string>> = {
  gap: "changes of the book: depth, or a stream such as btcusdt@depth",
  late: "events of an account: user, or one of them",
};

function kindOf({ fault }: StreamFault): IsMeant {
  if (fault === "gap") return ({ kind }) => kind === "depth";
  if (fault === "late") return ({ kind }) => kind === undefined;
  return () => true;
}

function canBe({ fault }: StreamFault, named: NamedStream): boolean {
  if (fault === "late") return "event" in named;
  if (fault !== "gap") return true;
  if ("name" in named) return readStreamName(named.name)?.stream.kind === "depth";
  return "kind" in named && named.kind === "depth";
}

function isNamed(named: NamedStream, { stream, kind, payload }: Heard): boolean {
  if ("name" in named) return stream === named.name;
  if ("kind" in named) return kind === named.kind;
  if (kind !== undefined) return false;
  return named.event === ANY_USER_EVENT || payload.startsWith(`{"e":"${named.event}"`);
}

/** The description of a struck message in the list of faults. */
export function toldOf({ stream, accountId, payload }: Heard): Omit<Struck, "atMs"> {
  const account = accountId === undefined ? {} : { account: accountId };
  return { stream, ...account, message: payload.slice(0, MAX_TOLD_CHARS) };
}
