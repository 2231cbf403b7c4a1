/** A small exchange whose proofs are tested: an engine, its position, and both parts of the proof. */
import { type Command, Engine } from "@pricetime/engine";
import { setup } from "@pricetime/testkit/journal";
import {
  type CustomerPart,
  customerPart,
  holdingPart,
  makeTrees,
  type Position,
  statementOf,
} from "../../../src/funds/proof/proof.ts";
import { proofKeyOf, signingKeyOf } from "../../../src/funds/proof/keys.ts";
import {
  NO_PREVIOUS,
  type SignedStatement,
  signStatement,
  type Statement,
} from "../../../src/funds/proof/statement.ts";
import { ENTRY_BYTES, type SumTree } from "../../../src/funds/proof/sum-tree.ts";

export const MASTER_KEY = "5a".repeat(32);
export const CHAIN_HASH = "c4".repeat(32);

export function venueOf(more: readonly Command[] = []): Engine {
  const engine = new Engine();
  for (const command of [...setup(), ...more]) {
    const [event] = engine.apply({ seq: engine.seq + 1, timeMs: 1_700_000_000_000, command });
    if (event?.type === "rejected") throw new Error(`${command.type}: ${event.reason}`);
  }
  return engine;
}

export interface Made {
  readonly signed: SignedStatement;
  readonly trees: ReadonlyMap<string, SumTree>;
  partOf(accountId: number): CustomerPart;
}

export interface MadeOptions {
  readonly chainHash?: string;
  /** Changes the statement before it is signed, as a venue that lies would. */
  readonly tell?: (statement: Statement) => Statement;
}

export function proofOf(engine: Engine, { chainHash = CHAIN_HASH, tell = (told) => told }: MadeOptions = {}): Made {
  const key = proofKeyOf(MASTER_KEY, chainHash);
  const { seq, timeMs } = engine;
  const position: Position = { seq, timeMs, chainHash, stateHash: engine.stateHash().hash };
  const trees = new Map<string, SumTree>();
  const leaves = new Map<string, Map<number, number>>();
  const assets = makeTrees(engine, position, key, ({ told, owed, tree }) => {
    trees.set(told.asset, tree);
    leaves.set(told.asset, new Map(owed.holdings.accountIds.map((id, n) => [id, tree.leaves[n] as number])));
  });
  const statement = statementOf({ number: 1, previous: NO_PREVIOUS }, position, assets);
  const signed = signStatement(tell(statement), signingKeyOf(MASTER_KEY));
  const partOf = (accountId: number): CustomerPart => {
    const holdings = assets.flatMap((told) => {
      const leaf = leaves.get(told.asset)?.get(accountId);
      const { entries } = trees.get(told.asset) as SumTree;
      const read = (node: number): Buffer => entries.subarray(node * ENTRY_BYTES, (node + 1) * ENTRY_BYTES);
      return leaf === undefined ? [] : [holdingPart({ told, leaf, read })];
    });
    const account = engine.account(accountId);
    if (account === undefined) throw new Error(`no account ${accountId}`);
    return customerPart(signed.digest, account, key, holdings);
  };
  return { signed, trees, partOf };
}
