/** A lab's market with agents, what they sent, and the results. */
import assert from "node:assert/strict";
import type { Command } from "@pricetime/engine";
import { LabMarket, type LabMarketOptions } from "@pricetime/testkit/lab-market";

/** Active enough, and fast: an hour of it takes a fraction of a second. */
export const SYMBOL = "LTCUSDT";

export interface Sent {
  readonly timeMs: number;
  readonly by: string;
  readonly command: Command;
}

export interface Traded {
  readonly timeMs: number;
  readonly symbol: string;
  readonly ticks: number;
  readonly taker: string;
  readonly maker: string;
}

export interface AgentRig {
  readonly market: LabMarket;
  /** Sent by agents alone. */
  readonly sent: readonly Sent[];
  /** Trades of everyone. */
  readonly trades: readonly Traded[];
}

export async function agentRig(options: Omit<LabMarketOptions, "onApplied">): Promise<AgentRig> {
  const sent: Sent[] = [];
  const trades: Traded[] = [];
  const market: LabMarket = new LabMarket({
    symbols: [SYMBOL],
    ...options,
    onApplied: ({ command, timeMs }, events) => {
      const nameOf = (accountId: number): string => market.engine.account(accountId)?.name ?? "";
      if (command.type === "placeOrder" || command.type === "cancelOrder") {
        const by = nameOf(command.accountId);
        if (by.startsWith("agent-")) sent.push({ timeMs, by, command });
      }
      for (const event of events) {
        if (event.type !== "trade") continue;
        const { symbol } = market.engine.market(event.symbolId).spec;
        const [taker, maker] = [event.taker, event.maker].map(({ order }) => nameOf(order.accountId));
        trades.push({ timeMs, symbol, ticks: event.priceTicks, taker: taker ?? "", maker: maker ?? "" });
      }
    },
  });
  await market.open();
  return { market, sent, trades };
}

/** Nothing failed or was rejected, and the exchange is consistent. */
export async function closed({ market }: AgentRig): Promise<void> {
  await market.stop();
  assert.deepEqual([market.errors, market.refused], [[], []]);
  market.engine.checkInvariants();
}
