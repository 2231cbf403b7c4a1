/** Answers recorded from a demo: the wallet of 2019. Lists are cut short; the types are those of every answer. */
import type { Examples } from "./examples.ts";

export const WAPI_EXAMPLES = {
  "wapi.systemStatus": {
    status: 0,
    msg: "normal",
  },
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
    status: {
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
    },
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
