/** Random wallet actions over some days, with trades for prices; the same for the same seed. */
import { type AssetNetwork, type Command, DUST_ACCOUNT, type PlaceOrder, TREASURY_ACCOUNT } from "@pricetime/engine";
import {
  deposit,
  listAsset,
  listSymbol,
  networkOf,
  openAccount,
  placeOrder,
  requestWithdrawal,
} from "@pricetime/testkit/commands";
import { Dice } from "@pricetime/testkit/dice";
import { BY } from "@pricetime/testkit/journal";

/** 100 is the master of 101 and 102; 103 is independent. */
export const WALLET_ACCOUNTS: readonly number[] = [100, 101, 102, 103];
/** In the order of their ids. VAST has amounts beyond 64 bits. */
export const WALLET_ASSETS: readonly string[] = ["BTC", "BNB", "USDT", "VAST", "ODD"];
/** Nearly every account gets this amount, so sums need more than 64 bits. */
const VAST = "90000000000000000000";
/** Hash of the code in the mailed link. */
const HASH = "a".repeat(64);
const NETWORKS: readonly string[] = ["MAIN", "SIDE"];

export function walletFlow(seed: number, count: number): Command[] {
  const dice = new Dice(seed);
  return [...walletSetup(), ...Array.from({ length: count }, (_, n) => walletCommand(dice, n))];
}

function walletSetup(): Command[] {
  const bounds = { withdrawFee: "0.5", withdrawMin: "1", withdrawMax: "0", approvalAbove: "5" };
  const network = (name: string): AssetNetwork =>
    networkOf(name, { ...bounds, isDefault: name === "MAIN", confirmsByMail: name === "SIDE" });
  const filters = {
    priceFilter: { minPrice: "0.01", maxPrice: "1000000", tickSize: "0.01" },
    lotSize: { minQty: "0.001", maxQty: "9000", stepSize: "0.001" },
  };
  const open = (accountId: number, master = {}): Command =>
    openAccount(`${accountId}@test`, { makerBps: 10, takerBps: 10, ...master });
  return [
    ...WALLET_ASSETS.map((asset) => listAsset(asset, asset === "BNB" ? 6 : 8, NETWORKS.map(network))),
    ...["BTC/USDT", "BNB/USDT", "VAST/BNB"].map((pair) => listSymbol(pair, filters)),
    ...[open(100), open(101, { masterId: 100 }), open(102, { masterId: 100 }), open(103)],
    ...[...WALLET_ACCOUNTS, TREASURY_ACCOUNT, DUST_ACCOUNT].flatMap((accountId) =>
      WALLET_ASSETS.map((asset) =>
        deposit(accountId, asset, asset === "VAST" || accountId === DUST_ACCOUNT ? VAST : "900000"),
      ),
    ),
    ...[...WALLET_ACCOUNTS, TREASURY_ACCOUNT].flatMap((accountId) =>
      NETWORKS.map((name): Command => {
        const [address, tag] = [`${name}-${accountId}`, name === "SIDE" ? String(accountId) : ""];
        return { type: "assignDepositAddress", accountId, network: name, address, tag };
      }),
    ),
    {
      type: "setDustRules",
      by: BY,
      rules: { dustAsset: "BNB", chargeBps: 200, limitAsset: "USDT", limit: VAST, pauseMs: 60_000 },
    },
  ];
}

function walletCommand(dice: Dice, n: number): Command {
  const kind = dice.next();
  if (kind < 0.3) return depositStep(dice);
  if (kind < 0.65) return withdrawalStep(dice, n);
  if (kind < 0.75) return transfer(dice);
  if (kind < 0.79) return { type: "convertDust", accountId: dice.pick(WALLET_ACCOUNTS), assets: dustAssets(dice) };
  if (kind < 0.8) return dividend(dice, n);
  if (kind < 0.82) return { type: "lockApiTrading", accountId: 103, symbol: "BTCUSDT", indicator: "GCR" };
  if (kind < 0.83) return { type: "unlockApiTrading", by: BY, accountId: 103 };
  return order(dice, n);
}

function depositStep(dice: Dice): Command {
  const coin = dice.below(120);
  const network = NETWORKS[coin % 2] as string;
  const id = { network, txId: `in${coin >> 1}`, output: coin % 3 };
  const kind = dice.next();
  if (kind < 0.5) {
    const accountId = dice.pick([...WALLET_ACCOUNTS, TREASURY_ACCOUNT]);
    const to = { address: `${network}-${accountId}`, tag: network === "SIDE" ? String(accountId) : "" };
    const asset = dice.pick(WALLET_ASSETS);
    const amount = asset === "VAST" ? "123456789012345678.5" : `${1 + dice.below(20)}.25`;
    return { type: "seeDeposit", ...id, ...to, asset, amount };
  }
  if (kind < 0.7) return { type: "creditDeposit", ...id };
  return kind < 0.85 ? { type: "finishDeposit", ...id } : { type: "dropDeposit", ...id };
}

/** Four commands share one, so steps find their withdrawal. */
const withdrawalId = (n: number): string => (n >> 2).toString(16).padStart(32, "0");

function withdrawalStep(dice: Dice, n: number): Command {
  const kind = dice.next();
  const accountId = dice.pick(WALLET_ACCOUNTS);
  if (kind < 0.35) {
    const asset = dice.pick(WALLET_ASSETS);
    return requestWithdrawal({
      withdrawalId: withdrawalId(n),
      accountId,
      asset,
      network: dice.pick(["", ...NETWORKS]),
      address: `out${dice.below(5)}`,
      tag: dice.pick(["", "memo"]),
      amount: asset === "VAST" ? "987654321987654321" : `${dice.below(12)}.75`,
      name: dice.pick(["", "cold"]),
      withdrawOrderId: dice.next() < 0.5 ? "" : `mine${dice.below(200)}`,
      confirmationHash: HASH,
    });
  }
  const id = { withdrawalId: withdrawalId(Math.max(n - dice.below(40), 0)) };
  if (kind < 0.5) return { type: "confirmWithdrawal", ...id, confirmationHash: HASH };
  if (kind < 0.58) return { type: "approveWithdrawal", by: BY, ...id };
  if (kind < 0.62) return { type: "rejectWithdrawal", by: BY, ...id, why: "not today" };
  if (kind < 0.68) return { type: "cancelWithdrawal", accountId, ...id };
  const txId = `out${dice.below(90)}`;
  if (kind < 0.85) return { type: "signWithdrawal", ...id, txId, nonce: 1, signedTx: "0x00" };
  if (kind < 0.95) return { type: "completeWithdrawal", ...id, txId };
  return { type: "failWithdrawal", ...id, why: "lost" };
}

function transfer(dice: Dice): Command {
  const [fromAccountId, toAccountId] = [dice.pick(WALLET_ACCOUNTS), dice.pick(WALLET_ACCOUNTS)];
  const asset = dice.pick(WALLET_ASSETS);
  return { type: "transfer", accountId: 100, fromAccountId, toAccountId, asset, amount: `${1 + dice.below(9)}.5` };
}

function dustAssets(dice: Dice): string[] {
  const assets = ["BTC", "USDT", "VAST"].filter(() => dice.next() < 0.4);
  return assets.length === 0 ? ["BTC", "USDT"] : assets;
}

function dividend(dice: Dice, n: number): Command {
  const [heldAsset, paidAsset] = [dice.pick(WALLET_ASSETS), dice.pick(["BTC", "BNB", "ODD"])];
  const act = { type: "distributeDividend", by: BY, reference: `dividend${n}`, heldAsset, paidAsset } as const;
  return { ...act, amount: `${1 + dice.below(50)}.01`, info: `dividend of ${heldAsset}` };
}

function order(dice: Dice, n: number): PlaceOrder {
  return placeOrder({
    accountId: dice.pick(WALLET_ACCOUNTS),
    symbolId: dice.below(3),
    side: dice.next() < 0.5 ? "BUY" : "SELL",
    timeInForce: dice.next() < 0.8 ? "GTC" : "IOC",
    priceTicks: 1_000 + dice.below(40),
    quantityLots: 1 + dice.below(5_000),
    clientOrderId: `o${n}`,
  });
}
