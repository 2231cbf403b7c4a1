/** A test engine with a wallet: two networks, three customers and a sub-account, and shortcuts for commands. */
import assert from "node:assert/strict";
import {
  type AssetNetwork,
  type CoinId,
  type Command,
  DEPOSITS_ACCOUNT,
  DUST_ACCOUNT,
  FEE_ACCOUNT,
  OUTSIDE_ACCOUNT,
  TREASURY_ACCOUNT,
} from "@pricetime/engine";
import { listAsset, networkOf, openAccount, requestWithdrawal } from "@pricetime/testkit/commands";
import { BY, TestExchange } from "../harness.ts";

export const [ALICE, BOB, SUB, CAROL] = [100, 101, 102, 103] as const;
export const BTC = 0;
export const HASH = "ab".repeat(32);
export const COIN: CoinId = { network: "BTC", txId: "tx1", output: 0 };
/** The contents that `Vault.see` reports for `COIN`. */
export const REPORTED = { asset: "BTC", address: `home${ALICE}`, tag: "", amount: "2" } as const;

export const NETWORK = networkOf("BTC", { withdrawFee: "0.1", withdrawMin: "0.5", withdrawMax: "50" });

export function idOf(number: number): string {
  return number.toString(16).padStart(32, "0");
}

export class Vault extends TestExchange {
  constructor(
    networks: readonly AssetNetwork[] = [NETWORK, { ...NETWORK, network: "SIDE", isDefault: false }],
    edition?: number,
  ) {
    super(edition);
    this.must(listAsset("BTC", 8, networks));
    this.must(listAsset("USDT", 2));
    for (const email of ["alice", "bob"]) this.openAccount(email);
    this.must(openAccount("sub", { masterId: ALICE }));
    this.openAccount("carol");
    for (const accountId of [ALICE, BOB, SUB, TREASURY_ACCOUNT]) {
      this.must({ type: "assignDepositAddress", accountId, network: "BTC", address: `home${accountId}`, tag: "" });
    }
  }

  /** Applies a command that must succeed. */
  must(command: Command): void {
    const [first] = this.run(command);
    if (first?.type === "rejected") assert.fail(`${command.type} was refused: ${first.reason}`);
    this.engine.checkInvariants();
  }

  /** Applies a command that must be rejected, and checks that only the number of the last entry has changed. */
  refuses(command: Command, reason: string): void {
    const before = this.portrait();
    assert.equal(this.answer(command), reason, command.type);
    assert.deepEqual(this.portrait(), before, `${command.type} was refused and changed something`);
    this.engine.checkInvariants();
  }

  /** The visible state of balances, wallet and accounts. */
  portrait(): unknown {
    const { engine } = this;
    const venue = [OUTSIDE_ACCOUNT, FEE_ACCOUNT, DEPOSITS_ACCOUNT, TREASURY_ACCOUNT, DUST_ACCOUNT];
    const accounts = [...engine.accounts()];
    const ids = accounts.map(({ accountId }) => accountId);
    return structuredClone({
      accounts,
      balances: [...venue, ...ids].map((id) => engine.assets().map(({ assetId }) => engine.balance(id, assetId))),
      withdrawable: ids.map((id) => engine.assets().map(({ assetId }) => engine.funds.withdrawable(id, assetId))),
      assets: engine.assets(),
      deposits: ["BTC", "SIDE"].map((network) => engine.funds.openDeposits(network)),
      addresses: ["BTC", "SIDE"].map((network) => [...engine.funds.depositAddresses(network)]),
      withdrawals: engine.funds.openWithdrawals(),
      allowed: ids.map((id) => engine.funds.allowedAddresses(id)),
      locks: ids.map((id) => engine.apiTradingLock(id, engine.timeMs)),
      heights: ["BTC", "SIDE"].map((network) => engine.funds.networkHeight(network)),
      venue: [engine.isInMaintenance, engine.funds.dustRules, engine.nextDueMs(), engine.openOrderCount],
    });
  }

  fund(accountId: number, amount: string, asset = "BTC"): void {
    const reference = `fund ${this.engine.seq}`;
    this.must({ type: "deposit", by: BY, accountId, asset, amount, reference });
  }

  /** Checks the free and the locked balance, in units. */
  holds(accountId: number, free: bigint, locked = 0n, assetId = BTC): void {
    assert.deepEqual({ ...this.engine.balance(accountId, assetId) }, { free, locked }, `what ${accountId} holds`);
  }

  see(fields: Partial<Command<"seeDeposit">> = {}): Command<"seeDeposit"> {
    return { type: "seeDeposit", ...COIN, ...REPORTED, ...fields };
  }

  request(fields: Partial<Command<"requestWithdrawal">> = {}): Command<"requestWithdrawal"> {
    const first = { withdrawalId: idOf(1), accountId: ALICE, asset: "BTC", address: "stranger", amount: "3" };
    return requestWithdrawal({ ...first, confirmationHash: HASH, ...fields });
  }

  setNetwork(change: Partial<AssetNetwork>): void {
    this.must({ type: "setAssetNetworks", by: BY, asset: "BTC", networks: [{ ...NETWORK, ...change }] });
  }
}
