/** Coins and networks, their fees, minimums and suspensions. Interface 4.5, 4.6, S.16. */
import { formatDecimal } from "@pricetime/engine";
import type { AssetNetwork, AssetSpec, EngineView } from "@pricetime/engine";
import type { Coin, CoinNetwork } from "@pricetime/protocol";
import type { Call } from "../call.ts";
import { longList, type MaybeLong } from "../answers/long-list.ts";
import { amountText, fixedText } from "../../history/shapes/amounts.ts";
import { type AssetBalance, readBalance } from "../balances.ts";
import { type OpenNetworks, openNetworks } from "./open-networks.ts";

const COINS_A_PIECE = 25;

export interface CoinBalance extends AssetBalance {
  readonly spec: AssetSpec;
  /** Amount held by open withdrawals of the account. */
  readonly held: bigint;
}

function networkShape(open: OpenNetworks, spec: AssetSpec, network: AssetNetwork): CoinNetwork {
  const minConfirm = network.creditConfirmations ?? 1;
  return {
    network: network.network,
    coin: spec.asset,
    name: network.network,
    isDefault: network.isDefault,
    depositEnable: open.takesDeposits(spec.asset, network),
    withdrawEnable: open.paysWithdrawals(spec.asset, network),
    withdrawFee: fixedText(network.withdrawFee),
    withdrawMin: fixedText(network.withdrawMin),
    withdrawMax: fixedText(network.withdrawMax),
    withdrawIntegerMultiple: fixedText(network.withdrawStep ?? formatDecimal(1n, spec.precision)),
    minConfirm,
    unLockConfirm: network.finalConfirmations ?? minConfirm,
    sameAddress: network.isTagged === true,
    depositDesc: network.depositEnabled ? "" : (network.depositTip ?? ""),
  };
}

/** Amounts held by open withdrawals of the account, by asset. */
function withdrawingOf(engine: EngineView, accountId: number): ReadonlyMap<number, bigint> {
  const held = new Map<number, bigint>();
  for (const { assetId, amount } of engine.funds.openWithdrawalsOf(accountId)) {
    held.set(assetId, (held.get(assetId) ?? 0n) + amount);
  }
  return held;
}

export function readCoins(engine: EngineView, accountId: number): CoinBalance[] {
  const held = withdrawingOf(engine, accountId);
  return engine.assets().map((asset) => ({
    ...readBalance(engine, accountId, asset),
    spec: asset.spec,
    held: held.get(asset.assetId) ?? 0n,
  }));
}

function coinShape(engine: EngineView, open: OpenNetworks, { asset, spec, balance, held }: CoinBalance): Coin {
  const { assetId } = asset;
  const networkList = spec.networks.map((network) => networkShape(open, spec, network));
  return {
    coin: spec.asset,
    name: spec.name,
    depositAllEnable: networkList.some(({ depositEnable }) => depositEnable),
    withdrawAllEnable: networkList.some(({ withdrawEnable }) => withdrawEnable),
    trading: true,
    isLegalMoney: false,
    free: amountText(engine, assetId, balance.free),
    locked: amountText(engine, assetId, balance.locked - held),
    withdrawing: amountText(engine, assetId, held),
    networkList,
  };
}

export function coins(call: Call): MaybeLong {
  const { engine, turns } = call.venue;
  const accountId = call.accountId();
  const open = openNetworks(call);
  return longList(turns, {
    key: `coins ${accountId}`,
    count: engine.assets().length,
    rowsAPiece: COINS_A_PIECE,
    read: () => ({ rows: readCoins(engine, accountId) }),
    write: (row) => JSON.stringify(coinShape(engine, open, row)),
  });
}
