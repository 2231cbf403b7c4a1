/** Settings in the model, which move no money. */
import {
  type NoticeKind,
  type RejectReason,
  TREASURY_ACCOUNT,
  type WalletAct,
  type WalletCommand,
} from "@pricetime/engine";
import { oweOwner } from "../access/letters.ts";
import { fits } from "../amount.ts";
import { type Happening, said } from "../happening.ts";
import type { ModelAddress, ModelWallet } from "../state.ts";

type Setting = Extract<
  WalletCommand | WalletAct,
  {
    type:
      | "assignDepositAddress"
      | "advanceNetwork"
      | "setAssetNetworks"
      | "setAddressList"
      | "allowAddress"
      | "disallowAddress"
      | "setTotp"
      | "setAccountStatus"
      | "setMaintenance";
  }
>;

export function setting(wallet: ModelWallet, command: Setting): Happening[] | RejectReason {
  switch (command.type) {
    case "assignDepositAddress":
      return assign(wallet, command);
    case "advanceNetwork":
      return [said(`network ${command.network}`)];
    case "setAssetNetworks":
      return setNetworks(wallet, command);
    case "setMaintenance":
      wallet.isInMaintenance = command.isOn;
      return [said(`maintenance ${command.isOn}`)];
    default:
      return changeAccount(wallet, command);
  }
}

function assign(wallet: ModelWallet, command: Extract<Setting, { type: "assignDepositAddress" }>) {
  const { accountId, network, address, tag } = command;
  if (accountId !== TREASURY_ACCOUNT && !wallet.exchange.accounts.has(accountId)) return "UNKNOWN_ACCOUNT";
  const isThere = wallet.exchange.assets.some(({ networks }) => networks.some((listed) => listed.network === network));
  if (!isThere) return "UNKNOWN_NETWORK";
  const onNetwork = wallet.addresses.filter((known) => known.network === network);
  const isTaken = (known: ModelAddress) =>
    known.accountId === accountId || (known.address === address && known.tag === tag);
  if (onNetwork.some(isTaken)) return "ALREADY_EXISTS";
  wallet.addresses.push({ accountId, network, address, tag });
  return [said(`address ${address}/${tag} on ${network} is of ${accountId}`)];
}

function setNetworks({ exchange }: ModelWallet, command: Extract<Setting, { type: "setAssetNetworks" }>) {
  const asset = exchange.assets.find((listed) => listed.asset === command.asset);
  if (asset === undefined) return "UNKNOWN_ASSET";
  const isHeld = (amount: string | undefined) => fits(exchange, amount ?? "0", asset.precision);
  for (const network of command.networks) {
    const { withdrawFee, withdrawMin, withdrawMax, withdrawStep, depositStep, depositMin, approvalAbove } = network;
    const amounts = [withdrawFee, withdrawMin, withdrawMax, withdrawStep, depositStep, depositMin, approvalAbove];
    if (!amounts.every(isHeld)) return "INVALID_VALUE";
  }
  asset.networks = command.networks;
  return [];
}

type AccountSetting = Exclude<
  Setting,
  { type: "assignDepositAddress" | "advanceNetwork" | "setAssetNetworks" | "setMaintenance" }
>;

function changeAccount(wallet: ModelWallet, command: AccountSetting): Happening[] | RejectReason {
  const { accountId } = command;
  const account = wallet.exchange.accounts.get(accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  const letters: Happening[] = [];
  const { access } = wallet.exchange;
  const tell = (kind: NoticeKind, facts: Readonly<Record<string, string>>): void => {
    const { by } = command as { readonly by: string };
    letters.push(...oweOwner(access, kind, accountId, by, facts));
  };
  if (command.type === "setTotp") {
    const replaces = command.sealedSecret !== null && account.totpSecret !== null;
    if (replaces && wallet.exchange.edition >= 2) return "ALREADY_EXISTS";
    account.totpSecret = command.sealedSecret;
    tell("totpChanged", { change: command.sealedSecret === null ? "removed" : "set" });
  }
  if (command.type === "setAddressList") {
    const isEnded = account.isListEnforced && !command.isEnforced;
    account.isListEnforced = command.isEnforced;
    if (isEnded) tell("addressListEnded", { fromMs: `${wallet.exchange.nowMs}` });
  }
  if (command.type === "allowAddress" || command.type === "disallowAddress") {
    const { network, address, tag } = command;
    const isIt = (known: ModelAddress) =>
      known.accountId === accountId && known.network === network && known.address === address && known.tag === tag;
    const isListed = wallet.allowed.some(isIt);
    if (command.type === "allowAddress") {
      if (isListed) return "ALREADY_EXISTS";
      wallet.allowed.push({ accountId, network, address, tag });
      tell("addressAdded", { network, address, tag, name: command.name });
    } else {
      if (!isListed) return "UNKNOWN_ADDRESS";
      wallet.allowed = wallet.allowed.filter((known) => !isIt(known));
    }
  }
  return [said(`account ${accountId} changed`), ...letters];
}
