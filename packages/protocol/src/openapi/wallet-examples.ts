/**
 * Example answers for the wallet and sub-accounts, recorded from a demo. Lists are shortened; types are those of every
 * answer.
 */
import type { Examples } from "../endpoints.ts";

const TRADING_STATUS = {
  isLocked: false,
  plannedRecoverTime: 0,
  triggerCondition: {
    GCR: 150,
    IFER: 150,
    UFR: 300,
  },
  indicators: {
    BTCUSDT: [
      {
        i: "UFR",
        c: 8,
        v: 0.8421117341217464,
        t: 0.995,
      },
    ],
  },
  updateTime: 1795342378995,
} as const;

export const WALLET_EXAMPLES = {
  "system.status": { status: 0, msg: "normal" },
  "margin.pairs": [],
  "capital.depositAddress": {
    address: "sb1497b07274d6113e4f7cc9c989aabdd471e4cb801",
    coin: "BTC",
    tag: "",
    url: "",
  },
  "capital.withdraw": {
    id: "f020b427bdc6ee767c91e5dde628c8d5",
  },
  "capital.withdrawals": [
    {
      id: "5e48bd9205cb6fef5513ef2794c3b05e",
      amount: "0.49950000",
      transactionFee: "0.00050000",
      coin: "BTC",
      status: 6,
      address: "sb153a773701299824916b20ff7cf05e57f244dd59f",
      addressTag: "",
      txId: "468c8e722157a9aa0be715311fc657bb9ad49fc206953d41840b258613cfc25e",
      applyTime: "2026-11-22 10:12:50",
      network: "BTC",
      transferType: 0,
      info: "",
      walletType: 0,
      txKey: "",
      completeTime: "2026-11-22 10:12:58",
    },
  ],
  "capital.deposits": [
    {
      id: "1",
      amount: "1.00000000",
      coin: "BTC",
      network: "BTC",
      status: 1,
      address: "sb1497b07274d6113e4f7cc9c989aabdd471e4cb801",
      addressTag: "",
      txId: "cb4100af7e063426ef4f811c22cd23bb377f5db4a6de79aa4f0dfd59f23fc4cb",
      insertTime: 1795342366954,
      transferType: 0,
      confirmTimes: "4/4",
      unlockConfirm: 4,
      walletType: 0,
    },
  ],
  "asset.tradeFee": [
    {
      symbol: "BTCUSDT",
      makerCommission: "0.001",
      takerCommission: "0.001",
    },
  ],
  "asset.detail": {
    USDT: {
      minWithdrawAmount: "10.00000000",
      depositStatus: true,
      withdrawFee: "5.00000000",
      withdrawStatus: true,
    },
  },
  "asset.dustLog": {
    total: 0,
    userAssetDribblets: [],
  },
  "discount.show": { spotBNBBurn: true, interestBNBBurn: false },
  "discount.switch": { spotBNBBurn: true, interestBNBBurn: false },
  "wallet.accountStatus": {
    data: "Normal",
  },
  "wallet.apiTradingStatus": {
    data: TRADING_STATUS,
  },
  "wallet.apiRestrictions": {
    ipRestrict: false,
    createTime: 1795342345869,
    enableReading: true,
    enableWithdrawals: true,
    enableInternalTransfer: true,
    enableSpotAndMarginTrading: true,
    enableMargin: false,
    enableFutures: false,
    enableVanillaOptions: false,
    enablePortfolioMarginTrading: false,
    permitsUniversalTransfer: true,
  },
  "capital.coins": [
    {
      coin: "USDT",
      name: "TetherUS",
      depositAllEnable: true,
      withdrawAllEnable: true,
      trading: true,
      isLegalMoney: false,
      free: "99999400.02920000",
      locked: "0.00000000",
      withdrawing: "0.00000000",
      networkList: [
        {
          network: "ETH",
          coin: "USDT",
          name: "ETH",
          isDefault: true,
          depositEnable: true,
          withdrawEnable: true,
          withdrawFee: "5.00000000",
          withdrawMin: "10.00000000",
          withdrawMax: "1000000000.00000000",
          withdrawIntegerMultiple: "0.00000001",
          minConfirm: 2,
          unLockConfirm: 4,
          sameAddress: false,
          depositDesc: "",
        },
      ],
    },
  ],
  "subAccount.list": {
    subAccounts: [
      {
        subUserId: 103,
        email: "dave@demo.pricetime",
        remark: "dave",
        isFreeze: false,
        createTime: 1795342345871,
        isManagedSubAccount: false,
        isAssetManagementSubAccount: false,
      },
    ],
  },
  "subAccount.transfer": {
    tranId: 1,
  },
  "subAccount.transfers": [
    {
      from: "alice@demo.pricetime",
      to: "dave@demo.pricetime",
      asset: "BTC",
      qty: "0.10000000",
      time: 1795342379017,
      status: "SUCCESS",
      tranId: 1,
    },
  ],
  "subAccount.universalTransfers": {
    result: [
      {
        tranId: 1,
        fromEmail: "alice@demo.pricetime",
        toEmail: "dave@demo.pricetime",
        asset: "BTC",
        amount: "0.10000000",
        createTimeStamp: 1795342379017,
        fromAccountType: "SPOT",
        toAccountType: "SPOT",
        status: "SUCCESS",
        clientTranId: "",
      },
    ],
    totalCount: 2,
  },
  "subAccount.assets": {
    balances: [
      {
        asset: "USDT",
        free: 0,
        locked: 0,
      },
    ],
  },
  "subAccount.assetsV4": {
    balances: [
      {
        asset: "USDT",
        free: "0.00000000",
        locked: "0.00000000",
        freeze: "0.00000000",
        withdrawing: "0.00000000",
      },
    ],
  },
  "asset.dividends": {
    rows: [
      {
        amount: "0.00249788",
        asset: "BNB",
        divTime: 1795342379055,
        enInfo: "BNB for holders of BTC",
        tranId: 3,
      },
    ],
    total: 1,
  },
  "asset.dust": {
    totalServiceCharge: "0.00002389",
    totalTransfered: "0.00117030",
    transferResult: [
      {
        amount: "5.00000000",
        fromAsset: "TRX",
        operateTime: 1795342380073,
        serviceChargeAmount: "0.00002389",
        tranId: 4,
        transferedAmount: "0.00117030",
      },
    ],
  },
  "wallet.snapshots": {
    code: 200,
    msg: "",
    snapshotVos: [],
  },
} as const satisfies Examples;

export const WAPI_EXAMPLES = {
  "wapi.systemStatus": { status: 0, msg: "normal" },
  "wapi.depositAddress": {
    address: "sb1497b07274d6113e4f7cc9c989aabdd471e4cb801",
    success: true,
    addressTag: "",
    asset: "BTC",
  },
  "wapi.withdraw": {
    msg: "success",
    success: true,
    id: "5e48bd9205cb6fef5513ef2794c3b05e",
  },
  "wapi.deposits": {
    depositList: [
      {
        insertTime: 1795342366954,
        amount: 1,
        asset: "BTC",
        address: "sb1497b07274d6113e4f7cc9c989aabdd471e4cb801",
        txId: "cb4100af7e063426ef4f811c22cd23bb377f5db4a6de79aa4f0dfd59f23fc4cb",
        status: 1,
      },
    ],
    success: true,
  },
  "wapi.withdrawals": {
    withdrawList: [
      {
        id: "f020b427bdc6ee767c91e5dde628c8d5",
        amount: 0.4995,
        transactionFee: 0.0005,
        address: "sb153a773701299824916b20ff7cf05e57f244dd59f",
        asset: "BTC",
        txId: "fd2c42e3bba1f859eb1323f54a5a6f025d06524947a79180e7368fe12baa6b32",
        applyTime: 1795342370961,
        status: 6,
      },
    ],
    success: true,
  },
  "wapi.accountStatus": {
    msg: "Normal",
    success: true,
    objs: [],
  },
  "wapi.apiTradingStatus": {
    success: true,
    status: TRADING_STATUS,
  },
  "wapi.tradeFee": {
    tradeFee: [
      {
        symbol: "BTCUSDT",
        maker: 0.001,
        taker: 0.001,
      },
    ],
    success: true,
  },
  "wapi.assetDetail": {
    success: true,
    assetDetail: {
      USDT: {
        minWithdrawAmount: "10.00000000",
        depositStatus: true,
        withdrawFee: 5,
        withdrawStatus: true,
      },
    },
  },
  "wapi.subAccounts": {
    success: true,
    subAccounts: [
      {
        email: "dave@demo.pricetime",
        status: "enabled",
        activated: true,
        mobile: "",
        gAuth: false,
        createTime: 1795342345871,
      },
    ],
  },
  "wapi.subAccountTransfer": {
    success: true,
    txnId: "2",
  },
  "wapi.subAccountTransfers": {
    success: true,
    transfers: [
      {
        from: "alice@demo.pricetime",
        to: "dave@demo.pricetime",
        asset: "BTC",
        qty: "0.10000000",
        time: 1795342379017,
      },
    ],
  },
  "wapi.subAccountAssets": {
    success: true,
    balances: [
      {
        asset: "BTC",
        free: 0.2,
        locked: 0,
      },
    ],
  },
} as const satisfies Examples;
