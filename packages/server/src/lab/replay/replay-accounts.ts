/** The accounts by which recorded orders are placed: opened and funded when they are needed first, as bots are. */
import type { EngineView, OperatorCommand } from "@pricetime/engine";
import { BOT_ADDRESSES } from "../demo/port.ts";
import type { PromptSequencer } from "../../journal/sequencer/port.ts";
import { KeptUnreadable } from "../../platform/world/read-kept.ts";

/** Accounts of a replay: for quotes between trades on either side, for makers of single trades, and for takers. */
export interface ReplayAccounts {
  readonly bids: number;
  readonly asks: number;
  readonly makers: number;
  readonly takers: number;
}

/** Each account gets this much of an asset: more than was ever traded. */
const GRANT = "1000000000000000";

export interface ReplayNode {
  readonly view: EngineView;
  readonly sequencer: Pick<PromptSequencer, "run" | "submit" | "submitNow" | "canSubmitNow">;
}

type Act = OperatorCommand extends infer C ? (C extends { readonly by: string } ? Omit<C, "by"> : never) : never;

/** The actor in the journal. */
const BY = "replay";

/** Carries out an operator's command. Throws when it is refused. */
export async function act({ sequencer }: ReplayNode, command: Act): Promise<void> {
  const [event] = (await sequencer.run({ ...command, by: BY })).events;
  if (event?.type === "rejected") throw new Error(`the replay's ${command.type} was refused: ${event.reason}`);
}

/** Journals nothing when all of them are there. */
export async function openReplayAccounts(node: ReplayNode, symbol: string): Promise<ReplayAccounts> {
  const market = node.view.marketBySymbol(symbol);
  if (market === undefined) throw new Error(`${symbol} is not listed`);
  const assets = [market.spec.baseAsset, market.spec.quoteAsset];
  const open = async (job: string): Promise<number> => {
    const name = nameOf(job, symbol);
    const email = `${name}${BOT_ADDRESSES}`;
    if (node.view.accountByEmail(email) === undefined) {
      await act(node, { type: "openAccount", email, name, makerBps: 0, takerBps: 0 });
      const { accountId } = node.view.accountByEmail(email) ?? {};
      if (accountId === undefined) throw new Error("an account that was opened is there");
      for (const asset of assets) {
        await act(node, { type: "deposit", accountId, asset, amount: GRANT, reference: `${name} ${asset}` });
      }
    }
    return node.view.accountByEmail(email)?.accountId as number;
  };
  return {
    bids: await open("bids"),
    asks: await open("asks"),
    makers: await open("makers"),
    takers: await open("takers"),
  };
}

/** The accounts of a replay that has begun. Throws `KeptUnreadable` for one that never did on this exchange. */
export function openedAccounts({ view }: ReplayNode, symbol: string): ReplayAccounts {
  const of = (job: string): number => {
    const account = view.accountByEmail(`${nameOf(job, symbol)}${BOT_ADDRESSES}`);
    if (account === undefined) throw new KeptUnreadable(`replays: the accounts of that on ${symbol} are not open`);
    return account.accountId;
  };
  return { bids: of("bids"), asks: of("asks"), makers: of("makers"), takers: of("takers") };
}

const nameOf = (job: string, symbol: string): string => `replay-${job}-${symbol.toLowerCase()}`;

/** The accounts of bots, agents and earlier replays that have orders on a symbol: they would be in the way. */
export function* accountsInTheWay({ view }: ReplayNode, symbolId: number): Generator<number> {
  for (const { accountId, email } of view.accounts()) {
    if (email.endsWith(BOT_ADDRESSES) && view.countOpenOrders(accountId, symbolId) > 0) yield accountId;
  }
}
