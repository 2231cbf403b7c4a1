/** An exchange, its wallet and a sandbox, with three customers; and the invariants that must hold in the end. */
import assert from "node:assert/strict";
import { inspect } from "node:util";
import {
  ADOPT_NEWEST_RULES,
  type AssetNetwork,
  type Command,
  decodeCommands,
  DEPOSITS_ACCOUNT,
  DUST_ACCOUNT,
  Engine,
  type Event,
  FEE_ACCOUNT,
  formatDecimal,
  OUTSIDE_ACCOUNT,
  parseDecimal,
  TREASURY_ACCOUNT,
} from "@pricetime/engine";
import { deposit, listAsset, openAccount, requestWithdrawal } from "@pricetime/testkit/commands";
import { replayBatch } from "../../../src/journal/replica/recover.ts";
import { type Action, ASSETS, type Asset, CUSTOMERS, DEEPEST_REORG } from "./actions.ts";
import { MortalWallet } from "./mortal-wallet.ts";
import { assetNetwork, NETWORK } from "./sandbox-world.ts";

const BY = "test";
const PRECISION: Readonly<Record<Asset, number>> = { COIN: 8, TOKEN: 6 };
const RULES: Readonly<Record<Asset, Partial<AssetNetwork>>> = {
  COIN: { creditConfirmations: 2, finalConfirmations: 4, depositMin: "0.05" },
  TOKEN: { creditConfirmations: 1, finalConfirmations: 3, withdrawMin: "0.6" },
};
/** As in `assetNetwork`. */
const FEE_CENTS = 50;
const COST = { asset: "COIN", amount: "0.001" };
/** Blocks until everything pending is over: withdrawals are processed one after the other. */
const MOST_QUIETING_BLOCKS = 600;

/** The initial balance of each customer in each asset: so little that deposits matter. */
const START_CENTS = 500;

interface Requested {
  readonly withdrawalId: string;
  readonly asset: Asset;
  readonly customer: number;
  readonly gross: bigint;
}

/** The outcome of each coin and each withdrawal, according to the journal. */
interface Told {
  /** Steps of deposits and withdrawals, and rejections, by name. */
  readonly steps: Map<string, number>;
  readonly successes: Map<string, number>;
  readonly shortages: Map<string, bigint>;
  readonly signatures: Map<string, Set<string>>;
  readonly ends: Map<string, { readonly status: string; readonly txId: string }>;
}

export class Venue {
  readonly wallet: MortalWallet;
  readonly #addresses = new Map<number, string>();
  readonly #requested: Requested[] = [];
  /** Changes by transfers and trades, by customer and asset. */
  readonly #moved = new Map<string, bigint>();
  #strangers = 0;
  #spoilt = 0;
  #trades = 0;

  constructor(folder: string) {
    this.wallet = new MortalWallet({ folder, cost: COST });
  }

  async open(): Promise<void> {
    await this.wallet.must(ADOPT_NEWEST_RULES);
    for (const asset of ASSETS) {
      await this.wallet.must(listAsset(asset, PRECISION[asset], [assetNetwork(RULES[asset])]));
    }
    for (const customer of CUSTOMERS) {
      const master = customer === 101 ? { masterId: 100 } : {};
      await this.wallet.must(openAccount(`${customer}@example.com`, master));
      this.#addresses.set(customer, (await this.wallet.depositAddress(customer)).address);
      for (const asset of ASSETS) await this.act({ type: "deposit", customer, asset, cents: START_CENTS });
    }
    await this.quieten();
  }

  async act(action: Action): Promise<void> {
    const { wallet } = this;
    const { world } = wallet.sandbox;
    switch (action.type) {
      case "deposit": {
        const { asset, customer, cents } = action;
        world.faucet({ asset, address: this.#addressOf(customer), tag: "", amount: decimal(cents) });
        return;
      }
      case "payStranger":
        world.faucet({ asset: "COIN", address: this.#stranger(), tag: "", amount: "7" });
        return;
      case "mine":
        world.mine(action.blocks);
        return;
      case "reorg":
        world.reorg(action.depth, action.fate);
        return;
      case "fault":
        if (action.fault.kind === "revert" || action.fault.kind === "takeNonce") this.#spoilt++;
        world.fail(action.fault);
        return;
      case "withdraw":
        return this.#withdraw(action);
      case "rush":
        return this.#rush(action);
      case "transfer":
        return this.#transfer(action);
      case "raise":
        return this.#raise(action);
      case "takeBack":
        return this.#takeBack(action);
      case "shut":
        return this.#open(action.asset, action.isOpen);
      case "live":
        return this.#live(action);
      case "restart":
        return action.isInOrder && wallet.isReachable ? wallet.stopInOrder() : wallet.restart();
    }
  }

  /** A withdrawal has a reason to fail that is not one of our actions. */
  expectFailure(): void {
    this.#spoilt++;
  }

  async journaled(): Promise<Command[]> {
    const commands: Command[] = [];
    for await (const batch of this.wallet.journal.read(1)) commands.push(...decodeCommands(batch.bytes, batch.count));
    return commands;
  }

  /** Everything pending ends, while nothing new happens. */
  async quieten(): Promise<void> {
    const { wallet } = this;
    wallet.sandbox.world.fail({ kind: "unreachable", durationMs: 0 });
    for (const asset of ASSETS) await this.#open(asset, true);
    await wallet.live(4);
    for (let i = 0; i < MOST_QUIETING_BLOCKS; i++) {
      const { world } = wallet.sandbox;
      const isQuiet =
        wallet.engine.funds.openDeposits(NETWORK).length + wallet.engine.funds.openWithdrawals().length === 0;
      if (isQuiet && world.status().waiting === 0) return;
      world.mine(1);
      // As often as it takes to believe a chain that says that a coin does not exist.
      await wallet.live(4);
    }
    const { engine, sandbox } = this.wallet;
    const left = { deposits: engine.funds.openDeposits(NETWORK), withdrawals: engine.funds.openWithdrawals() };
    assert.fail(`it does not come to rest: ${inspect({ ...left, chain: sandbox.world.status() }, { depth: 4 })}`);
  }

  /** The invariants of a quiet wallet. Returns how often each step was taken. */
  async check(): Promise<ReadonlyMap<string, number>> {
    const { engine, sandbox } = this.wallet;
    engine.checkInvariants();
    const { height } = await sandbox.chain.head();
    const told = await this.#told();
    const holdings = new Map<Asset, bigint>(ASSETS.map((asset) => [asset, 0n]));
    const add = (asset: string, units: bigint): unknown =>
      holdings.set(asset as Asset, (holdings.get(asset as Asset) ?? 0n) + units);
    const owners = new Map([...this.#addresses].map(([customer, address]) => [address, customer]));
    const brought = new Map<string, bigint>();
    let counted = 0;
    for (const { txId, output, asset, address, amount } of await sandbox.chain.coins(0, height, (to) =>
      owners.has(to),
    )) {
      const units = parseDecimal(amount, PRECISION[asset as Asset]) ?? 0n;
      const isTooLittle = asset === "COIN" && units < 5_000_000n;
      assert.equal(told.successes.get(`${txId} ${output}`) ?? 0, isTooLittle ? 0 : 1, `coin ${txId} counts once`);
      if (isTooLittle) continue;
      counted++;
      add(asset, units);
      tally(brought, owners.get(address), asset, units);
    }
    assert.equal(told.successes.size, counted, "no coin counts that the chain does not hold");
    this.#checkPayments(told, add, brought);
    for (const asset of ASSETS) this.#checkBooks(asset, holdings.get(asset) ?? 0n, brought, told.shortages);
    return told.steps;
  }

  /** Each completed withdrawal was paid once, each failed one never, and nothing else was paid. */
  #checkPayments(told: Told, add: (asset: string, units: bigint) => unknown, brought: Map<string, bigint>): void {
    const cost = parseDecimal(COST.amount, PRECISION.COIN) ?? 0n;
    const paid = new Map<string, bigint>();
    const chain = new Set(this.wallet.payments().map(({ txId }) => txId));
    for (const { txId, asset, amount, isSuccess } of this.wallet.payments()) {
      add(COST.asset, -cost);
      if (isSuccess === 0) continue;
      const units = parseDecimal(amount, PRECISION[asset as Asset]) ?? 0n;
      add(asset, -units);
      paid.set(txId, units);
    }
    let failed = 0;
    for (const { withdrawalId, asset, customer, gross } of this.#requested) {
      const end = told.ends.get(withdrawalId);
      const signed = [...(told.signatures.get(withdrawalId) ?? [])];
      assert.ok(end !== undefined, `withdrawal ${withdrawalId} is over`);
      const arrived = signed.map((txId) => paid.get(txId)).filter((units) => units !== undefined);
      for (const txId of signed) paid.delete(txId);
      if (end.status === "completed") {
        assert.deepEqual(arrived, [gross - units(asset, FEE_CENTS)], `${withdrawalId} arrives, all but the fee`);
        assert.ok(signed.includes(end.txId), "by one that was signed for it");
        assert.ok(chain.has(end.txId), "and that the chain holds");
        tally(brought, customer, asset, -gross);
      } else {
        assert.deepEqual(arrived, [], `${withdrawalId} is ${end.status}`);
        failed++;
      }
    }
    assert.equal(paid.size, 0, "nothing is paid that nobody asked for");
    assert.ok(failed <= this.#spoilt, "none fails without a cause");
  }

  #checkBooks(
    asset: Asset,
    holding: bigint,
    brought: ReadonlyMap<string, bigint>,
    shortages: ReadonlyMap<string, bigint>,
  ): void {
    const { engine } = this.wallet;
    const assetId = assetIdOf(engine, asset);
    let sum = 0n;
    for (const account of [...CUSTOMERS, FEE_ACCOUNT, DEPOSITS_ACCOUNT, TREASURY_ACCOUNT, DUST_ACCOUNT]) {
      const { free, locked } = engine.balance(account, assetId);
      sum += free + locked;
    }
    assert.equal(sum, holding, `${asset}: the books hold what the chain holds`);
    assert.equal(engine.balance(OUTSIDE_ACCOUNT, assetId).free, -holding);
    for (const customer of CUSTOMERS) {
      const key = `${customer} ${asset}`;
      const expected = (brought.get(key) ?? 0n) + (this.#moved.get(key) ?? 0n) + (shortages.get(key) ?? 0n);
      const { free, locked } = engine.balance(customer, assetId);
      assert.equal(free + locked, expected, `customer ${customer} has what is his in ${asset}`);
    }
  }

  /** The whole journal again, by its events. */
  async #told(): Promise<Told> {
    const told: Told = {
      steps: new Map(),
      successes: new Map(),
      shortages: new Map(),
      signatures: new Map(),
      ends: new Map(),
    };
    const engine = new Engine();
    for await (const batch of this.wallet.journal.read(1)) {
      replayBatch(engine, batch, (_, events) => {
        for (const event of events) note(engine, told, event);
      });
    }
    return told;
  }

  async #live({ rounds, steps, turn }: Extract<Action, { type: "live" }>): Promise<void> {
    const { wallet } = this;
    const meanwhile = turn && {
      atStep: turn.atStep,
      act: (): unknown => wallet.sandbox.world.reorg(turn.depth, turn.fate),
    };
    await wallet.live(rounds, steps ?? undefined, meanwhile ?? undefined);
  }

  async #withdraw({ customer, asset, cents, to }: Extract<Action, { type: "withdraw" }>): Promise<void> {
    const withdrawalId = String(this.#requested.length).padStart(32, "0");
    const refusal = await this.wallet.do(
      requestWithdrawal({
        withdrawalId,
        accountId: customer,
        asset,
        address: to === null ? this.#stranger() : this.#addressOf(to),
        amount: decimal(cents),
      }),
    );
    if (refusal === null) this.#requested.push({ withdrawalId, asset, customer, gross: units(asset, cents) });
  }

  async #rush({ asset, count }: Extract<Action, { type: "rush" }>): Promise<void> {
    for (let i = 0; i < count; i++) {
      await this.#withdraw({ type: "withdraw", customer: CUSTOMERS[i % 3] ?? 100, asset, cents: 101 + i, to: null });
    }
  }

  /** Signed and waiting; the chain may contain it already. */
  async #raise({ which, steps }: Extract<Action, { type: "raise" }>): Promise<void> {
    const signed = this.wallet.engine.funds.openWithdrawals().filter(({ txIds }) => txIds.length > 0);
    const withdrawal = signed[which];
    if (withdrawal !== undefined) await this.wallet.raise(withdrawal.withdrawalId, steps ?? undefined);
  }

  async #transfer({ isBack, asset, cents }: Extract<Action, { type: "transfer" }>): Promise<void> {
    const [fromAccountId, toAccountId] = isBack ? [101, 100] : [100, 101];
    const amount = decimal(cents);
    const refusal = await this.wallet.do({
      ...{ type: "transfer", accountId: 100, fromAccountId, toAccountId, asset, amount },
    });
    if (refusal !== null) return;
    tally(this.#moved, fromAccountId, asset, -units(asset, cents));
    tally(this.#moved, toAccountId, asset, units(asset, cents));
  }

  /** Like a trade: what is not final may also change hands. */
  async #trade(asset: Asset, amount: bigint): Promise<void> {
    if (amount === 0n) return;
    const reference = ++this.#trades;
    const paid = deposit(102, asset, formatDecimal(amount, PRECISION[asset], PRECISION[asset]), `to ${reference}`);
    await this.wallet.must({ ...paid, type: "debit", accountId: 100, reference: `from ${reference}` });
    await this.wallet.must(paid);
    tally(this.#moved, 100, asset, -amount);
    tally(this.#moved, 102, asset, amount);
  }

  async #takeBack({ asset, cents, fate }: Extract<Action, { type: "takeBack" }>): Promise<void> {
    await this.act({ type: "deposit", customer: 100, asset, cents });
    await this.act({ type: "mine", blocks: DEEPEST_REORG });
    await this.act({ type: "live", rounds: 2, steps: null, turn: null });
    const { engine } = this.wallet;
    await this.#trade(asset, engine.balance(100, assetIdOf(engine, asset)).free);
    await this.act({ type: "reorg", depth: DEEPEST_REORG, fate });
  }

  async #open(asset: Asset, isOpen: boolean): Promise<void> {
    const networks = [assetNetwork({ ...RULES[asset], depositEnabled: isOpen })];
    await this.wallet.must({ type: "setAssetNetworks", by: BY, asset, networks });
  }

  #addressOf(customer: number): string {
    return this.#addresses.get(customer) ?? assert.fail();
  }
  #stranger(): string {
    return `stranger${String(++this.#strangers).padStart(10, "0")}`;
  }
}

function note(engine: Engine, told: Told, event: Event): void {
  for (const step of [stepOf(event), crowdOf(engine, event)]) {
    if (step !== undefined) told.steps.set(step, (told.steps.get(step) ?? 0) + 1);
  }
  if (event.type === "depositChanged") {
    const { txId, output, accountId, assetId } = event.deposit;
    const key = `${txId} ${output}`;
    if (event.status === "success") told.successes.set(key, (told.successes.get(key) ?? 0) + 1);
    tally(told.shortages, accountId, engine.asset(assetId).spec.asset, event.shortage);
  } else if (event.type === "withdrawalChanged") {
    const { withdrawalId, txIds } = event.withdrawal;
    told.signatures.set(withdrawalId, new Set([...(told.signatures.get(withdrawalId) ?? []), ...txIds]));
    const { status, txId } = event;
    if (status === "completed" || status === "failed") told.ends.set(withdrawalId, { status, txId });
  }
}

function assetIdOf(engine: Engine, asset: Asset): number {
  return engine.assets().find(({ spec }) => spec.asset === asset)?.assetId ?? assert.fail();
}

function stepOf(event: Event): string | undefined {
  if (event.type === "depositChanged") {
    const isShort = event.shortage > 0n ? " short" : "";
    return `deposit ${event.status}${event.moved < 0n || isShort !== "" ? " after credit" : ""}${isShort}`;
  }
  if (event.type === "withdrawalChanged") {
    const isSigned = event.status === "processing" && event.txId !== "";
    const isAgain = event.withdrawal.txIds.length > 1;
    return `withdrawal ${isSigned ? `signed${isAgain ? " again" : ""}` : event.status}`;
  }
  return event.type === "rejected" ? `refused ${event.reason}` : undefined;
}

/** How many payments are pending after this one. */
function crowdOf(engine: Engine, event: Event): string | undefined {
  if (event.type !== "withdrawalChanged" || event.status !== "processing" || event.txId === "") return undefined;
  return `under way ${engine.funds.openWithdrawals().filter(({ txIds }) => txIds.length > 0).length}`;
}

function tally(counts: Map<string, bigint>, customer: number | undefined, asset: string, change: bigint): void {
  const key = `${customer} ${asset}`;
  counts.set(key, (counts.get(key) ?? 0n) + change);
}

function decimal(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}

function units(asset: Asset, cents: number): bigint {
  return BigInt(cents) * 10n ** BigInt(PRECISION[asset] - 2);
}
