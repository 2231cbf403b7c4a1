/** Wallet commands as they are stored in a journal: at least one of every type. */
import type { Command, WalletAct, WalletCommand } from "@pricetime/engine";

type WalletType = (WalletCommand | WalletAct)["type"];

const BY = "carol@example.org";
const ETH_TX = "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060";
const REPORTED = { asset: "USDT", address: "0x6915f16F8791d0A1CC2BF47C13a6B2a92000504b", tag: "", amount: "12.5" };
const COIN = { network: "ETH", txId: ETH_TX, output: 3 };
const ADDRESS = "0x6915f16F8791d0A1CC2BF47C13a6B2a92000504b";
const WITHDRAWAL_ID = "7213fea8e94b4a5593d507237e5a555b";
const HASH = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";
const DESTINATION = { network: "XRP", address: "rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh", tag: "1009" };

export const WALLET_SAMPLES: { readonly [Type in WalletType]: readonly Omit<Command<Type>, "type">[] } = {
  assignDepositAddress: [
    { accountId: 100, ...DESTINATION },
    { accountId: 4, network: "ETH", address: ADDRESS, tag: "" },
  ],
  seeDeposit: [
    { ...COIN, asset: "USDT", address: ADDRESS, tag: "", amount: "12.50000000" },
    { ...COIN, asset: "USDT", address: ADDRESS, tag: "", amount: "12.50000000", by: BY },
  ],
  creditDeposit: [{ ...COIN }, { ...COIN, by: BY }, { ...COIN, ...REPORTED, by: BY }],
  finishDeposit: [{ ...COIN }, { ...COIN, by: BY }, { ...COIN, ...REPORTED, by: BY }],
  dropDeposit: [{ ...COIN }, { ...COIN, by: BY }, { ...COIN, ...REPORTED, by: BY }],
  requestWithdrawal: [
    {
      withdrawalId: WITHDRAWAL_ID,
      accountId: 100,
      asset: "XRP",
      ...DESTINATION,
      amount: "25.1",
      name: "дом",
      withdrawOrderId: "mine-1",
      totpStep: 53_000_000,
      confirmationHash: HASH,
    },
    {
      withdrawalId: WITHDRAWAL_ID,
      accountId: 100,
      asset: "ETH",
      network: "",
      address: ADDRESS,
      tag: "",
      amount: "1",
      name: "",
      withdrawOrderId: "",
      totpStep: null,
      confirmationHash: "",
    },
    {
      withdrawalId: WITHDRAWAL_ID,
      accountId: 100,
      asset: "XRP",
      ...DESTINATION,
      amount: "25.1",
      name: "",
      withdrawOrderId: "",
      totpStep: 53_000_001,
      totpSecret: "v1:sealed",
      confirmationHash: HASH,
    },
  ],
  confirmWithdrawal: [{ withdrawalId: WITHDRAWAL_ID, confirmationHash: HASH }],
  cancelWithdrawal: [
    { accountId: 100, withdrawalId: WITHDRAWAL_ID },
    { accountId: 100, withdrawalId: WITHDRAWAL_ID, by: BY },
  ],
  signWithdrawal: [
    { withdrawalId: WITHDRAWAL_ID, txId: ETH_TX, nonce: 7, signedTx: "0x02f86c" },
    { withdrawalId: WITHDRAWAL_ID, txId: ETH_TX, nonce: 7, signedTx: "0x02f86c", by: BY },
  ],
  completeWithdrawal: [
    { withdrawalId: WITHDRAWAL_ID, txId: ETH_TX },
    { withdrawalId: WITHDRAWAL_ID, txId: ETH_TX, by: BY },
  ],
  failWithdrawal: [
    { withdrawalId: WITHDRAWAL_ID, why: "reverted" },
    { withdrawalId: WITHDRAWAL_ID, why: "the bank is shut", by: BY },
  ],
  failSignedWithdrawal: [
    { withdrawalId: WITHDRAWAL_ID, txId: ETH_TX, nonce: 7, why: "its nonce was taken" },
    { withdrawalId: WITHDRAWAL_ID, txId: ETH_TX, nonce: 7, why: "never sent", by: BY },
  ],
  changeLetter: [
    { withdrawalId: WITHDRAWAL_ID, from: "waiting", to: "claimed" },
    { withdrawalId: WITHDRAWAL_ID, from: "unknown", to: "waiting", by: BY },
  ],
  payNetworkCost: [{ network: "ETH", txId: ETH_TX, asset: "ETH", amount: "0.00042" }],
  advanceNetwork: [
    { network: "ETH", height: 8_654_321, blockHash: ETH_TX },
    { network: "ETH", height: 8_000_000, blockHash: ETH_TX, by: BY },
  ],
  transfer: [
    { accountId: 100, fromAccountId: 100, toAccountId: 103, asset: "BTC", amount: "0.00000001" },
    {
      ...{ accountId: 100, fromAccountId: 103, toAccountId: 100, asset: "BTC", amount: "1" },
      clientTranId: "own-1",
    },
  ],
  convertDust: [{ accountId: 100, assets: ["ETH", "LTC"] }],
  lockApiTrading: [{ accountId: 100, symbol: "BTCUSDT", indicator: "UFR" }],
  approveWithdrawal: [
    { by: BY, withdrawalId: WITHDRAWAL_ID },
    { by: BY, withdrawalId: WITHDRAWAL_ID, amount: "60001", fee: "10000.5", address: "DE0001", tag: "" },
  ],
  rejectWithdrawal: [{ by: BY, withdrawalId: WITHDRAWAL_ID, why: "known fraud" }],
  setAssetNetworks: [
    { by: BY, asset: "XRP", networks: [] },
    {
      by: BY,
      asset: "XRP",
      networks: [
        {
          network: "XRP",
          isDefault: true,
          depositEnabled: false,
          withdrawEnabled: true,
          withdrawFee: "0.25",
          withdrawMin: "25",
          withdrawMax: "0",
          withdrawStep: "0.000001",
          depositMin: "1",
          creditConfirmations: 2,
          finalConfirmations: 12,
          isTagged: true,
          confirmsByMail: true,
          approvalAbove: "10000",
          depositTip: "Wallet Maintenance, Deposit Suspended",
        },
      ],
    },
  ],
  setWithdrawalLimits: [
    {
      by: BY,
      asset: "EUR",
      limits: { account: { per24h: "5000", per72h: "12000.50" }, allCustomers: { per24h: "250000" } },
    },
  ],
  setAccountWithdrawalLimits: [
    { by: BY, accountId: 100, asset: "EUR", limits: { per72h: "50000" } },
    { by: BY, accountId: 100, asset: "EUR", limits: null },
  ],
  setAddressList: [{ by: BY, accountId: 100, isEnforced: true }],
  allowAddress: [{ by: BY, accountId: 100, ...DESTINATION, name: "cold" }],
  disallowAddress: [{ by: BY, accountId: 100, ...DESTINATION }],
  setTotp: [
    { by: BY, accountId: 100, sealedSecret: "v1.nonce.box" },
    { by: BY, accountId: 100, sealedSecret: null },
  ],
  setAccountStatus: [{ by: BY, accountId: 100, message: "Order failed:Low Order fill rate!", objs: ["5"] }],
  unlockApiTrading: [{ by: BY, accountId: 100 }],
  setMaintenance: [{ by: BY, isOn: true }],
  setDustRules: [
    {
      by: BY,
      rules: { dustAsset: "BNB", chargeBps: 200, limitAsset: "BTC", limit: "0.001", pauseMs: 86_400_000 },
    },
  ],
  distributeDividend: [
    {
      by: BY,
      reference: "2019-11",
      heldAsset: "BHD",
      paidAsset: "BHFT",
      amount: "1000",
      info: "BHFT distribution",
    },
  ],
};
