/** Commands about sign-in and about the venue in general: at least one of every type. */
import type { AccessCommand, Command, ProposalCommand, VenueCommand } from "@pricetime/engine";

type Type = (AccessCommand | VenueCommand | ProposalCommand)["type"];
type Samples = { readonly [T in Type]: readonly Omit<Command<T>, "type">[] };

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
      ...{ by: BY, invitationId: ID, secretHash: HASH, email: "алиса@example.org", holder: null },
      ...{ opens: { name: "Алиса 🦊", makerBps: 0, takerBps: 10_000 }, untilMs: 1_700_000_000_000 },
    },
    {
      ...{ by: "admin", invitationId: OTHER_ID, secretHash: HASH, email: "carol@example.org" },
      ...{ holder: BY, opens: null, untilMs: 1 },
    },
  ],
  revokeInvitation: [{ by: BY, invitationId: ID }],
  acceptInvitation: [{ invitationId: ID, secretHash: HASH, sealedPassword: "s1.box" }],
  setPassword: [
    ...[null, ID].map(
      (except) => ({ by: CUSTOMER, holder: CUSTOMER, was: "s1.a", sealedPassword: "s1.b", except }) as const,
    ),
  ],
  openSession: [
    {
      ...{ holder: CUSTOMER, sessionId: ID, secretHash: HASH, sealedPassword: "s1.a" },
      ...{ totpStep: null, untilMs: 1_700_000_000_000, ip: "2001:db8::1", client: "Firefox on ☃" },
    },
    {
      ...{ holder: BY, sessionId: ID, secretHash: HASH, sealedPassword: "s1.a" },
      ...{ totpStep: 56_000_000, totpSecret: "s1.t", untilMs: 1, ip: "", client: "" },
    },
  ],
  renewSession: [{ sessionId: ID, secretHash: HASH, newSecretHash: OTHER_HASH }],
  closeSession: [{ by: CUSTOMER, sessionId: ID }],
  closeSessions: [
    { by: CUSTOMER, holder: CUSTOMER, except: null },
    { by: BY, holder: BY, except: ID },
  ],
  askRecovery: [{ holder: CUSTOMER, recoveryId: ID, secretHash: HASH, fromMs: 1, untilMs: 1_700_000_000_000 }],
  cancelRecovery: [{ by: CUSTOMER, recoveryId: ID }],
  recover: [{ recoveryId: ID, secretHash: HASH, sealedPassword: "s1.c" }],
  freezeAccount: [{ by: CUSTOMER, accountId: 100 }],
  endOrder: [{ by: BY, orderId: 2 ** 40, why: "the owner is dead" }],
  endAccountOrders: [
    { by: BY, accountId: 100, why: "a court order" },
    { by: "admin", accountId: 101, symbol: "BTCUSDT", why: "а робот взбесился" },
  ],
  endSymbolOrders: [{ by: BY, symbol: "BTCUSDT", why: "the tick size changes" }],
  setDelisting: [
    { by: BY, symbol: "BTCUSDT", atMs: 1_700_000_000_000, why: "too few trades" },
    { by: BY, symbol: "BTCUSDT", atMs: null, why: "enough trades" },
  ],
  tellAlreadyKnown: [{ holder: CUSTOMER }],
  changeNotice: [
    { noticeId: 1, from: "waiting", to: "claimed" },
    { noticeId: 2 ** 40, from: "claimed", to: "unknown" },
  ],
  setStop: [
    { by: BY, scope: "trading", why: "fire", untilMs: null },
    { by: "admin", scope: "coin:BTC", why: "Вилка ☂", untilMs: 1_700_000_000_000 },
  ],
  liftStop: [{ by: BY, scope: "network:ETH" }],
  adjust: [
    {
      ...{ by: BY, accountId: 100, asset: "BTC", direction: "credit", amount: "0.00000001" },
      ...{ house: "treasury", category: "goodwill", why: "an outage", reference: "ticket 7" },
    },
    {
      ...{ by: BY, accountId: 100, asset: "BTC", direction: "debit", amount: "1" },
      ...{ house: "fees", category: "correction", why: "paid twice", reference: "ticket 8" },
    },
  ],
  noteAccount: [{ by: BY, accountId: 100, text: "=HYPERLINK(…)" }],
  noteUnknownDeposit: [
    {
      ...COIN,
      address: "0xabc",
      tag: "",
      coin: "0xdef",
      amount: "17",
      reason: "unknownAsset",
    },
    {
      ...{ ...COIN, by: BY, address: "r1", tag: "7", coin: "XRP", amount: "0.5" },
      reason: "noTag",
    },
  ],
  settleUnknownDeposit: [
    {
      ...{
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
  openOperator: [{ by: "admin", name: "carol", email: "carol@example.org", role: "admin" }],
  changeOperator: [
    { by: BY, name: "bob", role: "viewer" },
    { by: BY, name: "bob", email: "bob@example.org", isEnabled: false },
  ],
  setOperatorTotp: [
    { by: BY, name: "carol", sealedSecret: "s1.t" },
    { by: BY, name: "carol", sealedSecret: null },
  ],
  setApprovalRules: [
    { by: BY, rules: { approvals: 1, withdrawalsAbove: [], acts: [] } },
    {
      ...{ by: BY },
      rules: { approvals: 2, withdrawalsAbove: [{ asset: "BTC", amount: "0.5" }], acts: ["deposit"] },
    },
  ],
  propose: [
    {
      ...{ by: BY, proposalId: ID, why: "above the limit" },
      act: { type: "approveWithdrawal", by: BY, withdrawalId: ID },
    },
  ],
  changeProposal: [
    {
      ...{ by: BY, proposalId: ID, version: 1, why: "the other one" },
      act: { type: "approveWithdrawal", by: BY, withdrawalId: OTHER_ID },
    },
  ],
  approveProposal: [{ by: BY, proposalId: ID, version: 2 }],
  rejectProposal: [{ by: BY, proposalId: ID, why: "no" }],
  breakGlass: [{ by: "admin", why: "bob is gone" }],
  stopBreakGlass: [{ by: BY }],
  publishProof: [{ by: "admin", number: 2, seq: 7, root: HASH, previous: OTHER_HASH }],
};
