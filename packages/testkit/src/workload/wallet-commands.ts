/** Random wallet commands about existing deposits, addresses and withdrawals, with steps in and out of order. */
import {
  type CoinId,
  type Command,
  type DepositContents,
  DUST_ACCOUNT,
  FEE_ACCOUNT,
  OUTSIDE_ACCOUNT,
  TREASURY_ACCOUNT,
} from "@pricetime/engine";
import { amount as amountOf, show } from "../models/money.ts";
import type { ModelDeposit, ModelWithdrawal } from "../models/state.ts";
import type { ModelExchange } from "../models/exchange.ts";
import type { Dice } from "../dice.ts";
import { BY, dustRules, limitsOverTime, makeNetworks, NETWORKS, someAmount, WIRE_MOST, type World } from "./world.ts";

type Maker = (dice: Dice, world: World, model: ModelExchange) => Command;

function someAccount(dice: Dice, world: World): number {
  return dice.oneIn(40) ? 9_999 : dice.pick(world.accountIds);
}

function someAsset(dice: Dice, world: World): World["assets"][number] {
  return dice.oneIn(40) ? { asset: "ZZZ", precision: 3 } : dice.pick(world.assets);
}

/** Returns a withdrawal address: one outside the exchange, or any customer's deposit address. */
function someAddress(dice: Dice, model: ModelExchange): { address: string; tag: string; network: string } {
  const { addresses } = model.wallet;
  if (addresses.length > 0 && dice.oneIn(3)) return dice.pick(addresses);
  return { network: dice.pick(NETWORKS), address: `stranger${dice.below(3)}`, tag: dice.oneIn(4) ? "7" : "" };
}

const assignAddress: Maker = (dice, world) => ({
  type: "assignDepositAddress",
  accountId: dice.oneIn(10) ? TREASURY_ACCOUNT : someAccount(dice, world),
  network: dice.oneIn(30) ? "NONE" : dice.pick(NETWORKS),
  address: `a${dice.below(12)}`,
  tag: dice.oneIn(2) ? "" : String(dice.below(2)),
});

const seeDeposit: Maker = (dice, world, model) => {
  const { asset, precision } = someAsset(dice, world);
  const { addresses } = model.wallet;
  const ours = addresses.length > 0 && !dice.oneIn(12) ? dice.pick(addresses) : someAddress(dice, model);
  const { address, tag, network } = ours;
  const coin = someCoin(dice);
  return {
    type: "seeDeposit",
    ...coin,
    // Some deposits are reported by an operator, the others by a watcher.
    ...(coin.output === 1 ? { by: BY } : {}),
    network: dice.oneIn(20) ? dice.pick(NETWORKS) : network,
    asset,
    address,
    tag,
    amount: someAmount(dice, precision),
  };
};

function someCoin(dice: Dice): CoinId {
  return { network: dice.pick(NETWORKS), txId: `t${dice.below(1_000)}`, output: dice.below(2) };
}

const depositStep: Maker = (dice, _world, model) => {
  const open = model.wallet.deposits.filter(({ status }) => status === "pending" || status === "credited");
  const among = open.length > 0 && !dice.oneIn(8) ? open : model.wallet.deposits;
  if (among.length === 0 || dice.oneIn(40)) return { type: "creditDeposit", ...someCoin(dice) };
  const deposit = dice.pick(among);
  const [network, txId, output] = JSON.parse(deposit.coin) as [string, string, number];
  const type = dice.weighted([
    [5, "creditDeposit"],
    [3, "finishDeposit"],
    [3, "dropDeposit"],
  ] as const);
  return { type, network, txId, output, ...(dice.oneIn(60) ? {} : reportOf(dice, deposit, 12)) };
};

/**
 * Returns the reported contents of the deposit. With a probability of 1 in `otherOnceIn`, they have another asset,
 * amount or receiver.
 */
function reportOf(dice: Dice, deposit: ModelDeposit, otherOnceIn: number): DepositContents {
  const { asset, address, tag, amount } = deposit;
  const reported = { asset, address, tag, amount: show(amount) };
  if (!dice.oneIn(otherOnceIn)) return reported;
  const other = [{ asset: "AAA" }, { asset: "BBB" }, { amount: "3" }, { address: "a0" }, { tag: "1" }, { tag: "" }];
  return { ...reported, ...dice.pick(other) };
}

/** Spends a credited deposit, so that its removal by a reorg leaves a negative balance. */
const spendDeposit: Maker = (dice, world, model) => {
  const credited = model.wallet.deposits.filter(({ status, accountId }) => {
    return status === "credited" && accountId !== TREASURY_ACCOUNT;
  });
  if (credited.length === 0) return depositStep(dice, world, model);
  const { accountId, asset } = dice.pick(credited);
  const { free } = model.money.of(accountId, asset);
  // The amount is limited by the digits of the wire format.
  const amount = show(free < amountOf(WIRE_MOST) ? free : amountOf(WIRE_MOST));
  return { type: "debit", by: BY, accountId, asset, amount, reference: `s${dice.below(100_000)}` };
};

/** Reports a deposit again, possibly with other contents. */
const seeAgain: Maker = (dice, world, model) => {
  const { deposits, addresses } = model.wallet;
  if (deposits.length === 0) return seeDeposit(dice, world, model);
  const deposit = dice.pick(deposits);
  const [network, txId, output] = JSON.parse(deposit.coin) as [string, string, number];
  if (deposit.status !== "dropped" && dice.oneIn(2)) {
    return { type: "seeDeposit", network, txId, output, ...reportOf(dice, deposit, 2) };
  }
  const address = addresses.find((known) => known.accountId === deposit.accountId && known.network === network)!;
  const amount = dice.oneIn(2) ? show(deposit.amount) : "1";
  return {
    type: "seeDeposit",
    ...{ network, txId, output, amount },
    asset: deposit.asset,
    address: address.address,
    tag: address.tag,
  };
};

const requestWithdrawal: Maker = (dice, world, model) => {
  if (dice.oneIn(10)) return requestAgain(dice, world, model);
  return requestAnew(dice, world, model);
};

/** Repeats a request with its client id, or sends a different one with that id. */
const requestAgain: Maker = (dice, world, model) => {
  const named = model.wallet.withdrawals.filter(
    ({ withdrawOrderId, accountId }) => withdrawOrderId !== "" && world.accountIds.includes(accountId),
  );
  const anew = requestAnew(dice, world, model);
  if (named.length === 0) return anew;
  const { accountId, asset, network, address, tag, amount, withdrawOrderId } = dice.pick(named);
  const again = { ...anew, accountId, asset, network, address, tag, amount: show(amount), withdrawOrderId };
  return dice.oneIn(3)
    ? { ...again, ...dice.pick([{ amount: "1" }, { address: "stranger9" }, { name: "work" }]) }
    : again;
};

const requestAnew = (dice: Dice, world: World, model: ModelExchange): Command<"requestWithdrawal"> => {
  const { asset, precision } = someAsset(dice, world);
  const { address, tag, network } = someAddress(dice, model);
  const lastStep = model.wallet.totpSteps.at(-1)?.step ?? 0;
  return {
    type: "requestWithdrawal",
    withdrawalId: idOf(dice.oneIn(30) ? dice.below(40) : dice.below(2 ** 30)),
    accountId: someAccount(dice, world),
    asset,
    network: dice.oneIn(30) ? "NONE" : dice.oneIn(3) ? "" : network,
    address,
    tag,
    amount: someAmount(dice, precision),
    name: "home",
    withdrawOrderId: dice.oneIn(3) ? `w${dice.below(30)}` : "",
    totpStep: dice.oneIn(4) ? null : Math.max(0, lastStep + dice.between(-1, 2)),
    ...(dice.oneIn(4) ? {} : { totpSecret: dice.pick(["sealed", "sealed", "sealed anew"]) }),
    confirmationHash: dice.oneIn(10) ? "" : hashOf(dice.below(3)),
  };
};

function idOf(number: number): string {
  return number.toString(16).padStart(32, "0");
}
function hashOf(number: number): string {
  return number.toString(16).padStart(64, "0");
}

const withdrawalStep: Maker = (dice, world, model) => {
  const open = model.wallet.openWithdrawals();
  const among = open.length > 0 && !dice.oneIn(8) ? open : model.wallet.withdrawals;
  const withdrawal = among.length === 0 || dice.oneIn(60) ? undefined : dice.pick(among);
  const withdrawalId = withdrawal?.withdrawalId ?? idOf(99);
  const accountId = dice.oneIn(10) ? someAccount(dice, world) : (withdrawal?.accountId ?? 100);
  const hash = dice.oneIn(6) ? hashOf(9) : (withdrawal?.hash ?? "");
  const nonce = withdrawal?.signed[0]?.nonce ?? dice.below(50);
  const txId = withdrawal?.signed.at(-1)?.txId ?? `p${dice.below(1_000)}`;
  return dice.weighted<Command>([
    [4, { type: "confirmWithdrawal", withdrawalId, confirmationHash: hash }],
    [2, { type: "cancelWithdrawal", accountId, withdrawalId }],
    [3, { type: "approveWithdrawal", by: BY, withdrawalId, ...shown(dice, withdrawal) }],
    [2, { type: "rejectWithdrawal", by: BY, withdrawalId, why: "odd" }],
    [
      5,
      {
        type: "signWithdrawal",
        withdrawalId,
        txId: dice.oneIn(6) ? txId : `p${dice.below(1_000)}`,
        nonce: dice.oneIn(8) ? 51 : nonce,
        signedTx: "raw",
      },
    ],
    [3, { type: "completeWithdrawal", withdrawalId, txId: dice.oneIn(8) ? "other" : txId }],
    // An operator's decision, often while the withdrawal is signed, and one by the network.
    [3, { type: "failWithdrawal", withdrawalId, why: "stuck" }],
    [
      2,
      {
        type: "failSignedWithdrawal",
        withdrawalId,
        txId: dice.oneIn(6) ? (withdrawal?.signed[0]?.txId ?? "p0") : txId,
        nonce: dice.oneIn(8) ? 52 : nonce,
        why: "its nonce was taken",
      },
    ],
  ]);
};

/** What the operator saw of the withdrawal: nothing, its true contents, or one wrong value. */
function shown(dice: Dice, withdrawal: ModelWithdrawal | undefined): Partial<Command<"approveWithdrawal">> {
  if (withdrawal === undefined || dice.oneIn(3)) return {};
  const { address, tag, ...sums } = withdrawal;
  const all = { amount: show(sums.amount), fee: show(sums.fee), address, tag };
  if (!dice.oneIn(4)) return all;
  return { ...all, [dice.pick(["amount", "fee", "address", "tag"])]: dice.pick(["1.5", "0.000000001", "x"]) };
}

const transfer: Maker = (dice, world, model) => {
  const { transferIds } = model.wallet;
  return transferIds.length > 0 && dice.oneIn(4) ? transferAgain(dice, model) : transferAnew(dice, world);
};

/** Repeats a transfer with its client id, or sends a different one with that id. */
function transferAgain(dice: Dice, model: ModelExchange): Command {
  const { masterId: accountId, clientTranId, contents } = dice.pick(model.wallet.transferIds);
  const [from, to, asset, value] = JSON.parse(contents) as [string, string, string, string];
  const ends = { fromAccountId: Number(from), toAccountId: Number(to) };
  const amount = dice.oneIn(3) ? "1" : show(BigInt(value));
  return { type: "transfer", accountId, ...ends, asset, amount, clientTranId };
}

const transferAnew = (dice: Dice, world: World): Command => {
  const { asset, precision } = someAsset(dice, world);
  return {
    type: "transfer",
    accountId: dice.oneIn(3) ? someAccount(dice, world) : world.accountIds[0]!,
    fromAccountId: someAccount(dice, world),
    toAccountId: someAccount(dice, world),
    asset,
    amount: someAmount(dice, precision),
    ...(dice.oneIn(2) ? { clientTranId: `c${dice.below(8)}` } : {}),
  };
};

const convertDust: Maker = (dice, world, model) => {
  const { asset } = someAsset(dice, world);
  // An account that has converted dust converts again, possibly too soon.
  const last = dice.oneIn(3) ? model.wallet.dustSales.at(-1) : undefined;
  return {
    type: "convertDust",
    accountId: last?.accountId ?? someAccount(dice, world),
    assets: dice.oneIn(20) ? [] : dice.oneIn(3) ? [asset, someAsset(dice, world).asset] : [asset],
  };
};

const setDustRules: Maker = (dice, world) => dustRules(dice, world.assets);

const dividend: Maker = (dice, world) => {
  const paid = someAsset(dice, world);
  if (dice.oneIn(8)) {
    // The reference repeats often, usually with the same contents.
    const [held, other] = world.assets as [World["assets"][number], World["assets"][number]];
    const what = { heldAsset: held.asset, paidAsset: other.asset, amount: dice.oneIn(4) ? "2" : "1", info: "again" };
    return { type: "distributeDividend", by: BY, reference: `e${dice.below(3)}`, ...what };
  }
  return {
    type: "distributeDividend",
    by: BY,
    reference: `d${dice.below(2_000)}`,
    heldAsset: someAsset(dice, world).asset,
    paidAsset: paid.asset,
    amount: someAmount(dice, paid.precision),
    info: "gift",
  };
};

const venueMove: Maker = (dice, world) => {
  const { asset, precision } = someAsset(dice, world);
  if (dice.oneIn(4)) {
    const type = dice.oneIn(6) ? "debit" : "deposit";
    const accountId = dice.oneIn(6) ? DUST_ACCOUNT : TREASURY_ACCOUNT;
    return {
      type,
      by: BY,
      accountId,
      asset: "AAA",
      amount: dice.pick(["5", "5", "7"]),
      reference: `u${dice.below(3)}`,
    };
  }
  return {
    type: dice.oneIn(5) ? "debit" : "deposit",
    by: BY,
    accountId: dice.pick([
      TREASURY_ACCOUNT,
      DUST_ACCOUNT,
      FEE_ACCOUNT,
      dice.oneIn(10) ? OUTSIDE_ACCOUNT : DUST_ACCOUNT,
    ]),
    asset,
    amount: someAmount(dice, precision),
    reference: `v${dice.below(100_000)}`,
  };
};

/** Returns an existing email address, possibly in different case, or a new one. */
function someEmail(dice: Dice, model: ModelExchange): string {
  if (dice.oneIn(3)) return `Moved${dice.below(40)}@example.org`;
  const { email } = dice.pick([...model.accounts.values()]);
  return dice.pick([email, email.toUpperCase(), email.toLowerCase()]);
}

const setAccount: Maker = (dice, world, model) => {
  const accountId = someAccount(dice, world);
  const { address, tag, network } = someAddress(dice, model);
  const flag = dice.pick(["canWithdraw", "canDeposit", "isEnabled", "confirmsByMail"] as const);
  return dice.pick<Command>([
    { type: "changeAccount", by: BY, accountId, [flag]: dice.oneIn(2) },
    { type: "changeAccount", by: BY, accountId, [flag]: flag !== "confirmsByMail" },
    { type: "changeAccount", by: BY, accountId, ...(dice.oneIn(3) && { email: someEmail(dice, model) }) },
    { type: "setAddressList", by: BY, accountId, isEnforced: dice.oneIn(3) },
    { type: "allowAddress", by: BY, accountId, network, address, tag, name: "n" },
    { type: "disallowAddress", by: BY, accountId, network, address, tag },
    { type: "setTotp", by: BY, accountId, sealedSecret: dice.pick(["sealed", "sealed", "sealed anew", null, null]) },
    { type: "setAccountStatus", by: BY, accountId, message: "slow", objs: ["5"] },
  ]);
};

const lockTrading: Maker = (dice, world) => {
  const accountId = someAccount(dice, world);
  if (dice.oneIn(3)) return { type: "unlockApiTrading", by: BY, accountId };
  const symbol = dice.oneIn(20) ? "NOSUCH" : dice.pick(world.symbols).symbol;
  return { type: "lockApiTrading", accountId, symbol, indicator: dice.pick(["UFR", "IFER", "GCR"]) };
};

const setVenue: Maker = (dice, world) => {
  const { asset, precision } = someAsset(dice, world);
  const network = dice.pick(NETWORKS);
  const txId = `f${dice.below(200)}`;
  return dice.weighted<Command>([
    [1, { type: "setMaintenance", by: BY, isOn: true }],
    [3, { type: "setAssetNetworks", by: BY, asset, networks: makeNetworks(dice, precision) }],
    [3, limitsOverTime(dice, { asset, precision }, dice.oneIn(2) ? null : someAccount(dice, world))],
    [2, { type: "payNetworkCost", network, txId, asset, amount: someAmount(dice, precision) }],
    [
      1,
      { type: "payNetworkCost", network, txId: `f${dice.below(3)}`, asset: "AAA", amount: dice.pick(["1", "1", "2"]) },
    ],
    [1, { type: "advanceNetwork", network, height: dice.below(100), blockHash: `b${dice.below(100)}` }],
  ]);
};

export const WALLET_MAKERS: readonly (readonly [number, Maker])[] = [
  [6, assignAddress],
  [40, seeDeposit],
  [50, depositStep],
  [10, spendDeposit],
  [6, seeAgain],
  [72, requestWithdrawal],
  [80, withdrawalStep],
  [25, transfer],
  [24, convertDust],
  [4, setDustRules],
  [10, dividend],
  [8, venueMove],
  [20, setAccount],
  [3, lockTrading],
  [10, setVenue],
];

/** Reverts settings that would block most other commands. */
export function walletRelief(dice: Dice, model: ModelExchange): Command | null {
  if (model.wallet.isInMaintenance && dice.oneIn(6)) return { type: "setMaintenance", by: BY, isOn: false };
  const accounts = [...model.accounts.values()];
  const shut = accounts.find((account) => !account.canWithdraw || !account.isEnabled || !account.canDeposit);
  if (shut !== undefined && dice.oneIn(30)) {
    const { accountId } = shut;
    return { type: "changeAccount", by: BY, accountId, canWithdraw: true, canDeposit: true, isEnabled: true };
  }
  const locked = model.wallet.locks.find(({ untilMs }) => untilMs > model.nowMs);
  return locked !== undefined && dice.oneIn(20)
    ? { type: "unlockApiTrading", by: BY, accountId: locked.accountId }
    : null;
}
