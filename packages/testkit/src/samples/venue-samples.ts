/** Commands of sign-in and of the venue as a whole: at least one of every type. */
import type { AccessCommand, Command, ProposalCommand, VenueCommand } from "@pricetime/engine";

type Type = (AccessCommand | VenueCommand | ProposalCommand)["type"];
type Samples = { readonly [T in Type]: readonly Extract<Command, { type: T }>[] };

const BY = "operator:carol";
const CUSTOMER = "account:100";
const ID = "0123456789abcdef".repeat(2);
const OTHER_ID = "fedcba9876543210".repeat(2);
const HASH = "0123456789abcdef".repeat(4);
const OTHER_HASH = "fedcba9876543210".repeat(4);
const COIN = { network: "ETH", txId: `0x${HASH}`, output: 3 };

export const VENUE_SAMPLES: Samples = {
  invite: [
    {
      ...{ type: "invite", by: BY, invitationId: ID, secretHash: HASH, email: "алиса@example.org", holder: null },
      ...{ opens: { name: "Алиса 🦊", makerBps: 0, takerBps: 10_000 }, untilMs: 1_700_000_000_000 },
    },
    {
      ...{ type: "invite", by: "admin", invitationId: OTHER_ID, secretHash: HASH, email: "carol@example.org" },
      ...{ holder: BY, opens: null, untilMs: 1 },
    },
  ],
  revokeInvitation: [{ type: "revokeInvitation", by: BY, invitationId: ID }],
  acceptInvitation: [{ type: "acceptInvitation", invitationId: ID, secretHash: HASH, sealedPassword: "s1.box" }],
  setPassword: [
    ...[null, ID].map(
      (except) =>
        ({ type: "setPassword", by: CUSTOMER, holder: CUSTOMER, was: "s1.a", sealedPassword: "s1.b", except }) as const,
    ),
  ],
  openSession: [
    {
      ...{ type: "openSession", holder: CUSTOMER, sessionId: ID, secretHash: HASH, sealedPassword: "s1.a" },
      ...{ totpStep: null, untilMs: 1_700_000_000_000, ip: "2001:db8::1", client: "Firefox on ☃" },
    },
    {
      ...{ type: "openSession", holder: BY, sessionId: ID, secretHash: HASH, sealedPassword: "s1.a" },
      ...{ totpStep: 56_000_000, totpSecret: "s1.t", untilMs: 1, ip: "", client: "" },
    },
  ],
  renewSession: [{ type: "renewSession", sessionId: ID, secretHash: HASH, newSecretHash: OTHER_HASH }],
  closeSession: [{ type: "closeSession", by: CUSTOMER, sessionId: ID }],
  closeSessions: [
    { type: "closeSessions", by: CUSTOMER, holder: CUSTOMER, except: null },
    { type: "closeSessions", by: BY, holder: BY, except: ID },
  ],
  askRecovery: [
    { type: "askRecovery", holder: CUSTOMER, recoveryId: ID, secretHash: HASH, fromMs: 1, untilMs: 1_700_000_000_000 },
  ],
  cancelRecovery: [{ type: "cancelRecovery", by: CUSTOMER, recoveryId: ID }],
  recover: [{ type: "recover", recoveryId: ID, secretHash: HASH, sealedPassword: "s1.c" }],
  freezeAccount: [{ type: "freezeAccount", by: CUSTOMER, accountId: 100 }],
  endOrder: [{ type: "endOrder", by: BY, orderId: 2 ** 40, why: "the owner is dead" }],
  endAccountOrders: [
    { type: "endAccountOrders", by: BY, accountId: 100, why: "a court order" },
    { type: "endAccountOrders", by: "admin", accountId: 101, symbol: "BTCUSDT", why: "а робот взбесился" },
  ],
  endSymbolOrders: [{ type: "endSymbolOrders", by: BY, symbol: "BTCUSDT", why: "the tick size changes" }],
  setDelisting: [
    { type: "setDelisting", by: BY, symbol: "BTCUSDT", atMs: 1_700_000_000_000, why: "too few trades" },
    { type: "setDelisting", by: BY, symbol: "BTCUSDT", atMs: null, why: "enough trades" },
  ],
  tellAlreadyKnown: [{ type: "tellAlreadyKnown", holder: CUSTOMER }],
  changeNotice: [
    { type: "changeNotice", noticeId: 1, from: "waiting", to: "claimed" },
    { type: "changeNotice", noticeId: 2 ** 40, from: "claimed", to: "unknown" },
  ],
  setStop: [
    { type: "setStop", by: BY, scope: "trading", why: "fire", untilMs: null },
    { type: "setStop", by: "admin", scope: "coin:BTC", why: "Вилка ☂", untilMs: 1_700_000_000_000 },
  ],
  liftStop: [{ type: "liftStop", by: BY, scope: "network:ETH" }],
  adjust: [
    {
      ...{ type: "adjust", by: BY, accountId: 100, asset: "BTC", direction: "credit", amount: "0.00000001" },
      ...{ house: "treasury", category: "goodwill", why: "an outage", reference: "ticket 7" },
    },
    {
      ...{ type: "adjust", by: BY, accountId: 100, asset: "BTC", direction: "debit", amount: "1" },
      ...{ house: "fees", category: "correction", why: "paid twice", reference: "ticket 8" },
    },
  ],
  noteAccount: [{ type: "noteAccount", by: BY, accountId: 100, text: "=HYPERLINK(…)" }],
  noteUnknownDeposit: [
    {
      type: "noteUnknownDeposit",
      ...COIN,
      address: "0xabc",
      tag: "",
      coin: "0xdef",
      amount: "17",
      reason: "unknownAsset",
    },
    {
      ...{ type: "noteUnknownDeposit", ...COIN, by: BY, address: "r1", tag: "7", coin: "XRP", amount: "0.5" },
      reason: "noTag",
    },
  ],
  settleUnknownDeposit: [
    {
      ...{
        type: "settleUnknownDeposit",
        ...COIN,
        by: BY,
        how: "credit",
        toAccountId: 100,
        asset: "ETH",
        amount: "1.5",
      },
      why: "the customer's own address",
    },
    {
      ...{
        type: "settleUnknownDeposit",
        ...COIN,
        by: BY,
        how: "dismiss",
        toAccountId: null,
        asset: null,
        amount: null,
      },
      why: "worthless",
    },
  ],
  openOperator: [{ type: "openOperator", by: "admin", name: "carol", email: "carol@example.org", role: "admin" }],
  changeOperator: [
    { type: "changeOperator", by: BY, name: "bob", role: "viewer" },
    { type: "changeOperator", by: BY, name: "bob", email: "bob@example.org", isEnabled: false },
  ],
  setOperatorTotp: [
    { type: "setOperatorTotp", by: BY, name: "carol", sealedSecret: "s1.t" },
    { type: "setOperatorTotp", by: BY, name: "carol", sealedSecret: null },
  ],
  setApprovalRules: [
    { type: "setApprovalRules", by: BY, rules: { approvals: 1, withdrawalsAbove: [], acts: [] } },
    {
      ...{ type: "setApprovalRules", by: BY },
      rules: { approvals: 2, withdrawalsAbove: [{ asset: "BTC", amount: "0.5" }], acts: ["deposit"] },
    },
  ],
  propose: [
    {
      ...{ type: "propose", by: BY, proposalId: ID, why: "above the limit" },
      act: { type: "approveWithdrawal", by: BY, withdrawalId: ID },
    },
  ],
  changeProposal: [
    {
      ...{ type: "changeProposal", by: BY, proposalId: ID, version: 1, why: "the other one" },
      act: { type: "approveWithdrawal", by: BY, withdrawalId: OTHER_ID },
    },
  ],
  approveProposal: [{ type: "approveProposal", by: BY, proposalId: ID, version: 2 }],
  rejectProposal: [{ type: "rejectProposal", by: BY, proposalId: ID, why: "no" }],
  breakGlass: [{ type: "breakGlass", by: "admin", why: "bob is gone" }],
  stopBreakGlass: [{ type: "stopBreakGlass", by: BY }],
  publishProof: [{ type: "publishProof", by: "admin", number: 2, seq: 7, root: HASH, previous: OTHER_HASH }],
};
