/** Every action with every role, by the table below; actions of customers; actions that need dual approval. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Command, type CommandType, Engine, type OperatorRole, OPERATOR_ROLES } from "@pricetime/engine";
import { openAccount } from "@pricetime/testkit/commands";
import { SAMPLES } from "@pricetime/testkit/samples";
import { BY, TestExchange } from "../harness.ts";

/** No role may do it for another operator. */
const NOBODY = "";
const ADMIN = "admin";
const SUPPORT = "support admin";
const TREASURER = "treasurer admin";
const ALL = "support treasurer admin";

/** The roles that may do each action alone. Commands without an operator as author are not listed. */
const MAY = {
  listAsset: ADMIN,
  listSymbol: ADMIN,
  setSymbolStatus: ADMIN,
  setSymbolFilters: ADMIN,
  setSelfTradePrevention: ADMIN,
  setPriceRange: ADMIN,
  setExchangeFilters: ADMIN,
  addPast: ADMIN,
  importKlines: ADMIN,
  bindMasterKey: ADMIN,
  setOrderLimits: ADMIN,
  setSharedSettings: ADMIN,
  setInterface: ADMIN,
  setOrderIds: ADMIN,
  setCommissionDiscount: ADMIN,
  setMaintenance: ADMIN,
  setSymbolFee: ADMIN,
  openOperator: ADMIN,
  changeOperator: ADMIN,
  setOperatorTotp: ADMIN,
  setApprovalRules: ADMIN,
  breakGlass: ADMIN,
  endSymbolOrders: ADMIN,
  setDelisting: ADMIN,

  openAccount: SUPPORT,
  changeAccount: SUPPORT,
  createApiKey: ADMIN,
  deleteApiKey: SUPPORT,
  setAddressList: SUPPORT,
  allowAddress: SUPPORT,
  disallowAddress: SUPPORT,
  setTotp: SUPPORT,
  setAccountStatus: SUPPORT,
  unlockApiTrading: SUPPORT,
  noteAccount: SUPPORT,
  cancelWithdrawal: SUPPORT,
  invite: SUPPORT,
  revokeInvitation: SUPPORT,
  setPassword: NOBODY,
  closeSession: SUPPORT,
  closeSessions: SUPPORT,
  cancelRecovery: SUPPORT,
  freezeAccount: SUPPORT,
  endOrder: SUPPORT,
  endAccountOrders: SUPPORT,

  deposit: TREASURER,
  debit: TREASURER,
  approveWithdrawal: TREASURER,
  rejectWithdrawal: TREASURER,
  seeDeposit: TREASURER,
  creditDeposit: TREASURER,
  finishDeposit: TREASURER,
  dropDeposit: TREASURER,
  signWithdrawal: TREASURER,
  completeWithdrawal: TREASURER,
  failWithdrawal: TREASURER,
  failSignedWithdrawal: TREASURER,
  advanceNetwork: TREASURER,
  setAssetNetworks: TREASURER,
  setWithdrawalLimits: TREASURER,
  setAccountWithdrawalLimits: TREASURER,
  setDustRules: TREASURER,
  distributeDividend: TREASURER,
  adjust: TREASURER,
  noteUnknownDeposit: TREASURER,
  settleUnknownDeposit: TREASURER,
  publishProof: TREASURER,
  liftStop: TREASURER,

  changeLetter: ALL,
  setStop: ALL,
  stopBreakGlass: ALL,
  propose: ALL,
  changeProposal: ALL,
  approveProposal: ALL,
  rejectProposal: ALL,
} as const satisfies { readonly [Type in CommandType]?: string };

/** A venue with one operator of each role, and a disabled one. */
function venue(): TestExchange {
  const exchange = new TestExchange();
  exchange.listAssets(["BTC", 8]);
  exchange.openAccount("alice@example.org");
  exchange.openAccount("bob@example.org");
  for (const role of OPERATOR_ROLES) open(exchange, role, role);
  open(exchange, "gone", "admin");
  exchange.run({ type: "changeOperator", by: BY, name: "gone", isEnabled: false });
  return exchange;
}

function open(exchange: TestExchange, name: string, role: OperatorRole): void {
  const email = `${name}@example.org`;
  assert.equal(exchange.answer({ type: "openOperator", by: BY, name, email, role }), "operatorChanged");
}

const VENUE = venue().engine.snapshot();

/** The result in a venue without any other commands. */
function answerOf(command: Command): string {
  const exchange = new TestExchange();
  exchange.engine = Engine.restore(VENUE);
  return exchange.answer(command);
}

const isSigned = (command: Command): boolean => "by" in command;

/** Samples whose right depends on more than the type; they are tested separately. */
function isSpecial(command: Command): boolean {
  if (command.type === "changeAccount") {
    return command.makerBps !== undefined || command.takerBps !== undefined || command.email !== undefined;
  }
  if (command.type === "setTotp") return command.sealedSecret !== null;
  if (command.type === "liftStop") return command.scope === "trading" || command.scope === "placing";
  if (command.type === "invite") return command.holder?.startsWith("operator:") === true;
  return false;
}

const samplesOf = (type: string): readonly Command[] => SAMPLES[type as CommandType];

test("the table contains every command with an author", () => {
  const signed = Object.keys(SAMPLES).filter((type) => samplesOf(type).some(isSigned));
  assert.deepEqual(signed.toSorted(), Object.keys(MAY).toSorted());
});

for (const role of [...OPERATOR_ROLES, "gone", "stranger"]) {
  test(`rights of ${role}`, () => {
    let [allowed, refused] = [0, 0];
    for (const [type, who] of Object.entries(MAY)) {
      for (const sample of samplesOf(type)) {
        if (isSpecial(sample)) continue;
        const by = `operator:${role}`;
        const act = "act" in sample ? { act: { ...sample.act, by } } : {};
        const answer = answerOf({ ...sample, ...act, by } as Command);
        const isAllowed = who.split(" ").includes(role);
        assert.equal(answer !== "NOT_PERMITTED", isAllowed, `${type} by ${role}: ${answer}`);
        if (isAllowed) allowed++;
        else refused++;
      }
    }
    assert.ok(allowed + refused > 60, `${allowed} allowed, ${refused} refused`);
    assert.equal(allowed > 0, role === "support" || role === "treasurer" || role === "admin");
  });
}

const by = (name: string) => ({ by: `operator:${name}` });
const INVITE: Omit<Command<"invite">, "by"> = {
  ...{ type: "invite", invitationId: "1".repeat(32), secretHash: "a".repeat(64), email: "admin@example.org" },
  ...{ holder: "operator:admin", opens: null, untilMs: 1_700_000_000_000 },
};

test("only admins set rates and customers' secrets, lift suspensions of trading and invite operators", () => {
  for (const role of OPERATOR_ROLES) {
    const acts: Command[] = [
      { type: "changeAccount", ...by(role), accountId: 100, makerBps: 1 },
      { type: "changeAccount", ...by(role), accountId: 100, takerBps: 1, canTrade: true },
      { type: "changeAccount", ...by(role), accountId: 100, email: "elsewhere@example.org" },
      { type: "setTotp", ...by(role), accountId: 100, sealedSecret: "s" },
      { type: "liftStop", ...by(role), scope: "trading" },
      { type: "liftStop", ...by(role), scope: "placing" },
      { ...INVITE, ...by(role) },
    ];
    for (const act of acts) assert.equal(answerOf(act) !== "NOT_PERMITTED", role === "admin", `${act.type} by ${role}`);
  }
});

test("each operator changes only the own password, sessions and codes", () => {
  for (const role of OPERATOR_ROLES) {
    for (const other of OPERATOR_ROLES) {
      const holder = `operator:${other}`;
      const change = { holder, was: "a", sealedPassword: "b", except: null };
      const password = answerOf({ type: "setPassword", ...by(role), ...change });
      assert.equal(password !== "NOT_PERMITTED", role === other, `${role} for ${other}`);
      const sessions = answerOf({ type: "closeSessions", ...by(role), holder, except: null });
      const isSupport = role === "support" || role === "admin";
      assert.equal(sessions !== "NOT_PERMITTED", isSupport || role === other, `${role} for ${other}`);
      const totp = answerOf({ type: "setOperatorTotp", ...by(role), name: other, sealedSecret: "s" });
      assert.equal(totp !== "NOT_PERMITTED", role === "admin" || role === other, `${role} for ${other}`);
    }
  }
});

/** Actions of a customer on the own account; all others are rejected. */
const OWN: readonly CommandType[] = [
  "createApiKey",
  "deleteApiKey",
  "setTotp",
  "setAddressList",
  "allowAddress",
  "disallowAddress",
  "freezeAccount",
  "cancelWithdrawal",
  "setPassword",
  "closeSessions",
  "closeSession",
  "cancelRecovery",
];

test("a customer may do only the listed actions", () => {
  for (const [type, samples] of Object.entries(SAMPLES)) {
    for (const sample of samples.filter(isSigned)) {
      const act = "act" in sample ? { act: { ...sample.act, by: "account:100" } } : {};
      const answer = answerOf({ ...sample, ...act, by: "account:100" } as Command);
      // The customer's own choice, unlike other changes of the account.
      if ("paysInDiscountAsset" in sample) assert.equal(answer, "accountChanged");
      else if (!OWN.includes(type as CommandType)) assert.equal(answer, "NOT_PERMITTED", type);
    }
  }
});

test("a customer acts only on the own account and its sub-accounts", () => {
  const exchange = new TestExchange();
  exchange.engine = Engine.restore(VENUE);
  assert.equal(exchange.answer(openAccount("sub@example.org", { masterId: 100 })), "accountOpened");
  const key = { sealedSecret: "s", permissions: ["TRADE"], ipAllowList: [], label: "" } as const;
  const make = (account: number, as: number, letter: string): string =>
    exchange.answer({
      type: "createApiKey",
      by: `account:${as}`,
      accountId: account,
      apiKey: letter.repeat(64),
      ...key,
    });
  assert.equal(make(100, 100, "a"), "apiKeyCreated noticeChanged");
  assert.equal(make(102, 100, "b"), "apiKeyCreated noticeChanged");
  for (const [account, as] of [
    [101, 100],
    [100, 101],
    [102, 101],
    [100, 102],
  ] as const) {
    assert.equal(make(account, as, "c"), "NOT_PERMITTED", `${as} on ${account}`);
  }
  const withdraws = { ...key, permissions: ["WITHDRAW"], ipAllowList: ["203.0.113.9"] } as const;
  const ofSub = {
    type: "createApiKey",
    by: "account:100",
    accountId: 102,
    apiKey: "d".repeat(64),
    ...withdraws,
  } as const;
  assert.equal(exchange.answer(ofSub), "NOT_PERMITTED", "by which one could go round the master's code");
  const remove = (letter: string, as: number): string =>
    exchange.answer({ type: "deleteApiKey", by: `account:${as}`, apiKey: letter.repeat(64) });
  assert.deepEqual([remove("a", 101), remove("b", 102)], ["NOT_PERMITTED", "apiKeyDeleted"]);
  assert.equal(
    exchange.answer({ type: "setTotp", by: "account:101", accountId: 100, sealedSecret: "s" }),
    "NOT_PERMITTED",
  );
});

test("a customer's key that may withdraw needs an IP allowlist and a code", () => {
  const key = { type: "createApiKey", by: "account:100", accountId: 100, apiKey: "k".repeat(64) } as const;
  const more = { sealedSecret: "s", permissions: ["WITHDRAW"], label: "" } as const;
  assert.equal(answerOf({ ...key, ...more, ipAllowList: [] }), "NOT_PERMITTED");
  assert.equal(answerOf({ ...key, ...more, ipAllowList: ["203.0.113.9"] }), "NOT_PERMITTED");
  const exchange = new TestExchange();
  exchange.engine = Engine.restore(VENUE);
  exchange.run({ type: "setTotp", by: "account:100", accountId: 100, sealedSecret: "s" });
  const code = { totpStep: 7, totpSecret: "s" };
  assert.equal(exchange.answer({ ...key, ...more, ...code, ipAllowList: [] }), "NOT_PERMITTED");
  const bound = { ...key, ...more, ipAllowList: ["203.0.113.9"] };
  assert.equal(exchange.answer(bound), "TOTP_REQUIRED");
  assert.equal(exchange.answer({ ...bound, ...code }), "apiKeyCreated noticeChanged");
  assert.equal(answerOf({ ...key, ...more, by: "operator:admin", ipAllowList: [] }), "apiKeyCreated noticeChanged");
});

test("actions in the rules, and changes of the rules, need dual approval, also with the admin token", () => {
  const exchange = new TestExchange();
  exchange.engine = Engine.restore(VENUE);
  open(exchange, "second", "admin");
  const rules = { approvals: 1, withdrawalsAbove: [], acts: ["deposit"] };
  assert.equal(exchange.answer({ type: "setApprovalRules", ...by("admin"), rules }), "approvalRulesChanged");
  const money = { accountId: 100, asset: "BTC", amount: "1", reference: "r" } as const;
  for (const who of ["operator:admin", "operator:treasurer", "admin", "anybody"]) {
    const acts: readonly Command[] = [
      { type: "deposit", by: who, ...money },
      { type: "setApprovalRules", by: who, rules: { ...rules, acts: [] } },
      { type: "openOperator", by: who, name: "third", email: "third@example.org", role: "admin" },
      { type: "changeOperator", by: who, name: "viewer", role: "admin" },
      { type: "changeOperator", by: who, name: "gone", isEnabled: true },
      { type: "setOperatorTotp", by: who, name: "second", sealedSecret: null },
      { ...INVITE, by: who },
    ];
    for (const act of acts) {
      const expected = who === "operator:treasurer" && act.type !== "deposit" ? "NOT_PERMITTED" : "NEEDS_TWO";
      assert.equal(exchange.answer(act), expected, `${act.type} by ${who}`);
    }
  }
  const own: Command = { type: "setOperatorTotp", ...by("second"), name: "second", sealedSecret: "s" };
  assert.equal(exchange.answer(own), "operatorChanged noticeChanged");
  const leaves: Command = { type: "changeOperator", ...by("admin"), name: "viewer", isEnabled: false };
  assert.equal(exchange.answer(leaves), "operatorChanged", "who must go goes at once");
});

test("another person's password cannot be set or requested", () => {
  const act = { type: "setPassword", holder: "account:100", was: "a", sealedPassword: "b", except: null } as const;
  assert.equal(answerOf({ ...act, ...by("admin") }), "NOT_PERMITTED");
  const proposed = { ...act, ...by("admin") } as never;
  const propose = { type: "propose", ...by("admin"), proposalId: "1".repeat(32), act: proposed, why: "w" } as const;
  assert.equal(answerOf(propose), "INVALID_VALUE");
});

test("adjustments and settling unattributed deposits need dual approval without operators, too", () => {
  const exchange = new TestExchange();
  const [credit] = SAMPLES.adjust;
  const [settle, dismiss] = SAMPLES.settleUnknownDeposit;
  const byCustomer = { ...credit, by: "account:100" } as Command;
  assert.equal(exchange.answer(byCustomer), "NEEDS_TWO", "a name before anybody can sign in is only a name");
  assert.ok(credit !== undefined && settle?.how === "credit" && dismiss?.how === "dismiss");
  assert.deepEqual([exchange.answer(credit), exchange.answer(settle)], ["NEEDS_TWO", "NEEDS_TWO"]);
  assert.equal(exchange.answer(dismiss), "UNKNOWN_DEPOSIT");
});

test("adjustments and settling unattributed deposits need dual approval under any rules", () => {
  const [credit] = SAMPLES.adjust;
  assert.ok(credit !== undefined);
  for (const who of ["operator:admin", "operator:treasurer", "admin", "anybody"]) {
    assert.equal(answerOf({ ...credit, by: who }), "NEEDS_TWO", who);
    for (const settle of SAMPLES.settleUnknownDeposit) {
      assert.equal(answerOf({ ...settle, by: who }), settle.how === "dismiss" ? "UNKNOWN_DEPOSIT" : "NEEDS_TWO");
    }
  }
});

test("a customer may change the language and the asset of fees of their own account, and nothing else of it", () => {
  const exchange = new TestExchange();
  exchange.engine = Engine.restore(VENUE);
  const change = { type: "changeAccount", by: "account:100", accountId: 100 } as const;
  exchange.run({ ...change, language: "de" });
  assert.equal(exchange.engine.account(100)?.language, "de");
  exchange.run({ ...change, paysInDiscountAsset: true });
  assert.equal(exchange.engine.account(100)?.paysInDiscountAsset, true);
  for (const command of [
    { ...change, accountId: 101, language: "de" },
    { ...change, language: "en", takerBps: 0 },
    { ...change, language: "en", canTrade: true },
    { ...change, accountId: 101, paysInDiscountAsset: true },
    { ...change, paysInDiscountAsset: true, makerBps: 0 },
    change,
  ]) {
    assert.equal(exchange.answer(command), "NOT_PERMITTED");
  }
  const restored = Engine.restore(exchange.engine.snapshot());
  assert.equal(restored.account(100)?.language, "de");
  assert.equal(restored.account(100)?.paysInDiscountAsset, true);
  assert.equal(restored.account(101)?.language, undefined);
});
