/**
 * A real sandbox chain outside of the nodes: it continues while nodes die. A node's calls take time, and a broadcast
 * transaction arrives even if the node has died meanwhile.
 */
import { DatabaseSync } from "node:sqlite";
import { type Chain, type SandboxControl, openSandbox, WorldFile } from "@pricetime/server/parts";
import type { Dice } from "@pricetime/testkit/dice";
import { Life, type Schedule } from "@pricetime/testkit/schedule";
import { simWorld } from "../world/machine.ts";
import { COINS, SANDBOX } from "./network.ts";

const BLOCK_MS = 3_000;
const MOST_LATENCY_MS = 40;

export interface SimChainParts {
  readonly schedule: Schedule;
  readonly dice: Dice;
  /** Called when the chain has changed. */
  readonly onChange: () => void;
}

export class SimChain {
  readonly control: SandboxControl;
  readonly file: WorldFile;
  readonly #chain: Chain;
  readonly #parts: SimChainParts;

  constructor(parts: SimChainParts) {
    this.#parts = parts;
    const { schedule, dice, onChange } = parts;
    const world = simWorld({ schedule, life: new Life(), nodeDice: dice }, () => schedule.nowMs);
    this.file = new WorldFile(new DatabaseSync(":memory:"), SANDBOX, world);
    const assets = COINS.map((spec, assetId) => ({ assetId, spec }));
    const { chain, world: control } = openSandbox({
      file: this.file,
      network: SANDBOX,
      blockMs: BLOCK_MS,
      cost: null,
      seed: "sim",
      view: { assets: () => assets },
      world,
      onChange,
    });
    this.#chain = chain;
    control.start();
    this.control = control;
  }

  /** The chain as one process of a node reaches it. */
  for(life: Life): Chain {
    const { schedule, dice } = this.#parts;
    const pause = (): Promise<void> => schedule.pause(dice.below(MOST_LATENCY_MS), life);
    const over = async <T>(ask: () => Promise<T>): Promise<T> => {
      await pause();
      try {
        return await ask();
      } finally {
        await pause();
      }
    };
    const chain = this.#chain;
    return {
      network: chain.network,
      kind: chain.kind,
      isAddress: (address, tag) => chain.isAddress(address, tag),
      addressOf: (accountId) => over(() => chain.addressOf(accountId)),
      head: () => over(() => chain.head()),
      block: (height) => over(() => chain.block(height)),
      coins: (from, to, isOurs) => over(() => chain.coins(from, to, isOurs)),
      transaction: (txId) => over(() => chain.transaction(txId)),
      minedNonce: (height) => over(() => chain.minedNonce(height)),
      sign: (payment, ahead) => over(() => chain.sign(payment, ahead)),
      raise: (payment, raise) => over(() => chain.raise(payment, raise)),
      broadcast: async (signedTx) => {
        await schedule.pause(dice.below(MOST_LATENCY_MS));
        try {
          await chain.broadcast(signedTx);
        } finally {
          await pause();
        }
      },
      close: () => Promise.resolve(),
    };
  }
}
