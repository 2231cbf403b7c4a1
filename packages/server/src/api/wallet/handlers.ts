/** The handler of each wallet endpoint: one function, or two where /wapi and /sapi differ in shape. */
import type { EndpointId } from "@pricetime/protocol";
import type { Handler } from "../call.ts";
import { assetDetail, tradeFees, wapiAssetDetail, wapiTradeFee } from "./asset-detail.ts";
import { coins } from "./coins.ts";
import { coinDepositAddress, wapiDepositAddress } from "./deposit-address.ts";
import { coinDeposits, depositHistory } from "./deposits.ts";
import { convertDust, dividends, dustLog, snapshots } from "./gains.ts";
import {
  accountStatus,
  apiRestrictions,
  apiTradingStatus,
  systemStatus,
  wapiAccountStatus,
  wapiApiTradingStatus,
  wapiDustLog,
} from "./status.ts";
import {
  subAccountAssets,
  subAccountAssetsV4,
  subAccounts,
  wapiSubAccountAssets,
  wapiSubAccounts,
} from "./sub-accounts.ts";
import {
  subAccountTransfers,
  universalTransfer,
  universalTransfers,
  wapiTransfer,
  wapiTransfers,
} from "./transfers.ts";
import { wapiWithdraw, withdrawApply } from "./withdraw.ts";
import { coinWithdrawals, withdrawHistory } from "./withdrawals.ts";

export const WALLET_HANDLERS = {
  "wapi.withdraw": wapiWithdraw,
  "wapi.deposits": depositHistory,
  "wapi.withdrawals": withdrawHistory,
  "wapi.depositAddress": wapiDepositAddress,
  "wapi.accountStatus": wapiAccountStatus,
  "wapi.systemStatus": systemStatus,
  "wapi.apiTradingStatus": wapiApiTradingStatus,
  "wapi.dustLog": wapiDustLog,
  "wapi.tradeFee": wapiTradeFee,
  "wapi.assetDetail": wapiAssetDetail,
  "wapi.subAccounts": wapiSubAccounts,
  "wapi.subAccountTransfers": wapiTransfers,
  "wapi.subAccountTransfer": wapiTransfer,
  "wapi.subAccountAssets": wapiSubAccountAssets,
  "capital.coins": coins,
  "capital.withdraw": withdrawApply,
  "capital.withdrawals": coinWithdrawals,
  "capital.deposits": coinDeposits,
  "capital.depositAddress": coinDepositAddress,
  "asset.tradeFee": tradeFees,
  "asset.detail": assetDetail,
  "asset.dust": convertDust,
  "asset.dustLog": dustLog,
  "asset.dividends": dividends,
  "wallet.accountStatus": accountStatus,
  "wallet.apiTradingStatus": apiTradingStatus,
  "wallet.apiRestrictions": apiRestrictions,
  "wallet.snapshots": snapshots,
  "subAccount.list": subAccounts,
  "subAccount.transfers": subAccountTransfers,
  "subAccount.transfer": universalTransfer,
  "subAccount.universalTransfers": universalTransfers,
  "subAccount.assets": subAccountAssets,
  "subAccount.assetsV4": subAccountAssetsV4,
  "system.status": systemStatus,
} satisfies Partial<Record<EndpointId, Handler>>;
