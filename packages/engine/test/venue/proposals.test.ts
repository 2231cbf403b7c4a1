/** Rights of operators, and actions that need dual approval. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  type Command,
  DAILY_PROOFS,
  type Event,
  type OperatorRole,
  PROPOSABLE_ACTS,
  type ProposedAct,
  RULABLE_ACTS,
  CONFIGURATION,
  SIGN_UP,
  TRADING_RULES,
} from "@pricetime/engine";
import { MAX_PROPOSALS_OF_AUTHOR } from "../../src/limits.ts";
import { ALICE, HASH, idOf, Vault } from "../funds/vault.ts";

let vault: Vault;
beforeEach(() => {
  vault = new Vault();
  for (const [name, role] of [
    ["ada", "admin"],
    ["bo", "admin"],
    ["tom", "treasurer"],
    ["sue", "support"],
    ["vic", "viewer"],
  ] as const) {
    open(name, role);
  }
});

function open(name: string, role: OperatorRole): void {
  vault.must({ type: "openOperator", by: "admin", name, email: `${name}@example.org`, role });
}

const by = (name: string): string => `operator:${name}`;
const deposit = (name: string, reference = "r1"): ProposedAct => ({
  ...{ type: "deposit", by: by(name), accountId: ALICE, asset: "USDT", amount: "5", reference },
});
const propose = (name: string, act: object = deposit(name), proposalId = idOf(1)): Command => ({
  ...{ type: "propose", by: by(name), proposalId, act: act as ProposedAct, why: "so" },
});
const approve = (name: string, version = 1): Command => ({
  ...{ type: "approveProposal", by: by(name), proposalId: idOf(1), version },
});
const rules = (acts: readonly string[], approvals = 1): Command => ({
  ...{ type: "setApprovalRules", by: "admin", rules: { approvals, withdrawalsAbove: [], acts } },
});
const openSession = (name: string): void => {
  const invitation = { invitationId: idOf(7), secretHash: HASH };
  const who = { email: `${name}@example.org`, holder: by(name), opens: null };
  vault.must({ type: "invite", by: "admin", ...invitation, ...who, untilMs: vault.engine.timeMs + 1000 });
  vault.must({ type: "acceptInvitation", ...invitation, sealedPassword: "s1.p" });
  vault.must({
    ...{ type: "openSession", holder: by(name), sessionId: idOf(8), secretHash: HASH, sealedPassword: "s1.p" },
    ...{ totpStep: null, untilMs: vault.engine.timeMs + 1000, ip: "", client: "" },
  });
};

test("an action has no additional fields, at any depth", () => {
  const asset = { asset: "GOLD", name: "Gold", precision: 2, networks: [] };
  const network = { ...{ network: "ETH", isDefault: true, depositEnabled: true, withdrawEnabled: true } };
  const fees = { withdrawFee: "0", withdrawMin: "0", withdrawMax: "0" };
  const listing = (more: object): object => ({ type: "listAsset", by: by("ada"), asset: { ...asset, ...more } });
  vault.must(propose("ada", listing({ networks: [{ ...network, ...fees }] }), idOf(2)));
  for (const act of [
    { ...deposit("tom"), accountName: "alice" },
    listing({ accountId: {} }),
    listing({ networks: [{ ...network, ...fees, by: "operator:bo" }] }),
  ]) {
    const { by: author } = act as { readonly by: string };
    vault.refuses(propose(author.slice("operator:".length), act), "INVALID_VALUE");
  }
});

test("the approval of another operator executes the action, in all their names", () => {
  vault.must(rules(["deposit"]));
  vault.refuses(deposit("tom"), "NEEDS_TWO");
  vault.refuses({ ...deposit("tom"), by: "admin" }, "NEEDS_TWO");
  vault.must(propose("tom"));
  vault.refuses(approve("tom"), "OWN_PROPOSAL");
  vault.refuses(approve("sue"), "NOT_PERMITTED");
  vault.refuses(approve("ada", 2), "PROPOSAL_CHANGED");
  vault.must(approve("ada"));
  assert.equal(vault.engine.venue.proposal(idOf(1)), undefined);
  vault.refuses(approve("bo"), "UNKNOWN_PROPOSAL");
});

test("a change removes approvals, and no author may approve", () => {
  open("cy", "admin");
  vault.must(rules(["deposit"], 2));
  vault.must(propose("tom"));
  vault.must(approve("ada"));
  const act = deposit("bo", "r2");
  vault.must({ type: "changeProposal", by: by("bo"), proposalId: idOf(1), version: 1, act, why: "other" });
  assert.deepEqual(vault.engine.venue.proposal(idOf(1))?.approvals, []);
  for (const author of ["tom", "bo"]) vault.refuses(approve(author, 2), "OWN_PROPOSAL");
  vault.must(approve("ada", 2));
  vault.must({ type: "changeOperator", by: "admin", name: "ada", isEnabled: false });
  vault.must(approve("cy", 2));
  assert.notEqual(vault.engine.venue.proposal(idOf(1)), undefined, "who left approves no more");
});

test("rules cannot contain urgent actions or those that end the rules", () => {
  for (const act of ["approveProposal", "breakGlass", "stopBreakGlass", "setStop", "closeSession", "nothing"]) {
    vault.refuses(rules([act]), "INVALID_VALUE");
  }
  for (const act of RULABLE_ACTS) {
    vault.must(rules([act]));
    endRules();
  }
});

/** Existing rules can be changed only with dual approval. */
function endRules(): void {
  const none = { approvals: 1, withdrawalsAbove: [], acts: [] };
  const act = { type: "setApprovalRules", by: by("ada"), rules: none };
  vault.must(propose("ada", act, idOf(3)));
  vault.must({ type: "approveProposal", by: by("bo"), proposalId: idOf(3), version: 1 });
}

test("sign-in and node commands cannot be requested", () => {
  const holder = `account:${ALICE}`;
  const password = { type: "setPassword", by: by("sue"), holder, was: "s1.a", sealedPassword: "s1.b", except: null };
  assert.ok(!PROPOSABLE_ACTS.includes("setPassword"));
  vault.refuses(propose("sue", password), "INVALID_VALUE");
  vault.refuses(propose("sue", { type: "bindMasterKey", by: by("sue"), keyCheck: HASH }), "INVALID_VALUE");
  vault.refuses(propose("sue", approve("sue")), "INVALID_VALUE");
  vault.refuses(propose("sue", deposit("tom")), "INVALID_VALUE");
  vault.refuses(propose("vic"), "NOT_PERMITTED");
});

test("each operator ends the own sessions, also a viewer", () => {
  openSession("vic");
  vault.refuses({ type: "closeSession", by: by("tom"), sessionId: idOf(8) }, "NOT_PERMITTED");
  vault.must({ type: "closeSession", by: by("vic"), sessionId: idOf(8) });
});

test("disabled operators also get the email about an emergency override", () => {
  vault.must(rules(["deposit"]));
  vault.must({ type: "changeOperator", by: by("ada"), name: "bo", isEnabled: false });
  vault.must({ type: "breakGlass", by: by("ada"), why: "bo is gone" });
  const told = [...vault.engine.access.notices()].filter(({ kind }) => kind === "breakGlass");
  const all = ["ada", "bo", "sue", "tom", "vic"].map((name) => `${name}@example.org`);
  assert.deepEqual(told.map(({ email }) => email).toSorted(), all);
});

test("only authors and operators who may approve it change an approval request", () => {
  vault.must(propose("tom"));
  const change = (name: string, version: number): Command => ({
    ...{ type: "changeProposal", by: by(name), proposalId: idOf(1), version, act: deposit(name), why: "other" },
  });
  vault.refuses(change("sue", 1), "NOT_PERMITTED");
  vault.refuses({ type: "rejectProposal", by: by("sue"), proposalId: idOf(1), why: "no" }, "NOT_PERMITTED");
  vault.must(change("tom", 1));
  vault.must(change("bo", 2));
  vault.must(propose("sue", deposit("sue"), idOf(2)));
  vault.must({ ...change("sue", 1), proposalId: idOf(2) } as Command);
});

test("the number of one operator's approval requests is limited, including changed ones", () => {
  const most = MAX_PROPOSALS_OF_AUTHOR;
  for (let number = 1; number <= most; number++) vault.must(propose("sue", deposit("sue"), idOf(number)));
  vault.refuses(propose("sue", deposit("sue"), idOf(most + 1)), "TOO_MANY");
  vault.must(propose("tom", deposit("tom"), idOf(most + 1)));
  vault.must({ type: "rejectProposal", by: by("sue"), proposalId: idOf(1), why: "done" });
  vault.must(propose("sue", deposit("sue"), idOf(1)));
  // A request that another operator has changed still counts as hers.
  const act = deposit("ada");
  vault.must({ type: "changeProposal", by: by("ada"), proposalId: idOf(2), version: 1, act, why: "other" });
  vault.refuses(propose("sue", deposit("sue"), idOf(most + 2)), "TOO_MANY");
});

/** The approval requests that the last command cancelled. */
const cancelled = (events: readonly Event[]): readonly unknown[][] =>
  events.flatMap((event) =>
    event.type === "proposalChanged" && event.status === "cancelled" ? [[event.proposal.proposalId, event.by]] : [],
  );

test("approval requests are cancelled if their author loses the right to create them", () => {
  const ends = [{ isEnabled: false }, { role: "viewer" }] as const;
  for (const [at, change] of ends.entries()) {
    const name = `op${at}`;
    open(name, "support");
    vault.must(propose(name, deposit(name), idOf(1)));
    vault.must(propose("tom", deposit("tom"), idOf(2)));
    vault.must(propose(name, deposit(name), idOf(3)));
    const act = deposit("ada");
    vault.must({ type: "changeProposal", by: by("ada"), proposalId: idOf(3), version: 1, act, why: "mine now" });
    vault.must({ type: "changeOperator", by: by("ada"), name, role: "treasurer" });
    const events = vault.run({ type: "changeOperator", by: by("bo"), name, ...change });
    assert.deepEqual(cancelled(events), [[idOf(1), by("bo")]]);
    const left = [...vault.engine.venue.proposals()].map(({ proposalId }) => proposalId);
    assert.deepEqual(left, [idOf(2), idOf(3)]);
    for (const proposalId of left) vault.must({ type: "rejectProposal", by: by("ada"), proposalId, why: "next" });
  }
});

test("a request that disables its author is executed, and the author's others are cancelled", () => {
  const act: ProposedAct = { type: "changeOperator", by: by("ada"), name: "ada", isEnabled: false };
  vault.must(propose("ada", act));
  vault.must(propose("ada", deposit("ada"), idOf(2)));
  const events = vault.run(approve("bo"));
  assert.deepEqual(cancelled(events), [[idOf(2), "operator:ada+operator:bo"]]);
  const last = events.at(-1);
  assert.ok(last?.type === "proposalChanged" && last.status === "done" && last.proposal.proposalId === idOf(1));
  assert.deepEqual([...vault.engine.venue.proposals()], []);
});

test("in rules version 3 one author may fill all places, and requests of a disabled author remain", () => {
  vault = new Vault(undefined, 3);
  for (const name of ["ada", "sue"]) open(name, "admin");
  for (let number = 1; number <= MAX_PROPOSALS_OF_AUTHOR + 1; number++) {
    vault.must(propose("sue", deposit("sue"), idOf(number)));
  }
  const events = vault.run({ type: "changeOperator", by: by("ada"), name: "sue", isEnabled: false });
  assert.deepEqual(cancelled(events), []);
});

test("a withdrawal that needs dual approval waits for it, whatever the limit of its network", () => {
  vault.fund(ALICE, "40");
  const rule = { approvals: 1, withdrawalsAbove: [{ asset: "BTC", amount: "3" }], acts: [] };
  vault.must({ type: "setApprovalRules", by: "admin", rules: rule });
  vault.setNetwork({ approvalAbove: "49" });
  const statusOf = (number: number, amount: string): string | undefined => {
    vault.must(vault.request({ withdrawalId: idOf(number), amount }));
    return vault.engine.funds.withdrawal(idOf(number))?.status;
  };
  assert.equal(statusOf(20, "3"), "processing");
  assert.equal(statusOf(21, "3.00000001"), "awaitingApproval");
  vault.refuses({ type: "approveWithdrawal", by: by("tom"), withdrawalId: idOf(21) }, "NEEDS_TWO");
});

test("an approved request is carried out only on the withdrawal that its author saw", () => {
  vault.fund(ALICE, "40");
  const rule = { approvals: 1, withdrawalsAbove: [{ asset: "BTC", amount: "3" }], acts: [] };
  vault.must({ type: "setApprovalRules", by: "admin", rules: rule });
  vault.must(vault.request({ withdrawalId: idOf(30), amount: "4" }));
  const { amount, fee } = { amount: "4", fee: "0.1" };
  const { address, tag } = vault.request();
  const act = { type: "approveWithdrawal", by: by("tom"), withdrawalId: idOf(30), amount, fee, address, tag } as const;
  const propose = (number: number, shown: object) =>
    ({ type: "propose", by: by("tom"), proposalId: idOf(number), act: { ...act, ...shown }, why: "so" }) as const;
  vault.must(propose(31, { amount: "40" }));
  vault.must(propose(32, {}));
  const approve = (number: number) =>
    ({ type: "approveProposal", by: by("ada"), proposalId: idOf(number), version: 1 }) as const;
  vault.refuses(approve(31), "WITHDRAWAL_DIFFERS");
  assert.equal(vault.engine.funds.withdrawal(idOf(30))?.status, "awaitingApproval");
  vault.must(approve(32));
  assert.equal(vault.engine.funds.withdrawal(idOf(30))?.status, "processing");
});

test("rules do not apply to a customer's own actions", () => {
  vault.must({ type: "invite", by: "admin", ...invitationOf(`account:${ALICE}`, "alice") });
  vault.must({ type: "acceptInvitation", invitationId: idOf(7), secretHash: HASH, sealedPassword: "s1.p" });
  vault.must(rules(["setAddressList"]));
  const act = { type: "setAddressList", accountId: ALICE, isEnforced: true } as const;
  vault.refuses({ ...act, by: by("sue") }, "NEEDS_TWO");
  vault.must({ ...act, by: `account:${ALICE}` });
});

test("rules do not apply to the node's own commands", () => {
  vault.must(rules(["invite", "unlockApiTrading", "publishProof", "setExchangeFilters"]));
  const filters = { type: "setExchangeFilters", filters: {} } as const;
  vault.refuses({ ...filters, by: "admin" }, "NEEDS_TWO");
  vault.must({ ...filters, by: CONFIGURATION });
  const opens = { name: "", makerBps: 1, takerBps: 2 };
  const invite = { type: "invite", ...invitationOf("", "new@example.org"), holder: null, opens } as const;
  for (const name of ["admin", by("sue"), "sign-up"]) vault.refuses({ ...invite, by: name }, "NEEDS_TWO");
  vault.must({ ...invite, by: SIGN_UP });
  vault.refuses({ type: "unlockApiTrading", by: "admin", accountId: ALICE }, "NEEDS_TWO");
  const unlock = { type: "unlockApiTrading", by: TRADING_RULES, accountId: ALICE } as const;
  assert.notEqual(vault.answer(unlock), "NEEDS_TWO");
  const [seq, root, previous] = [1, HASH, "0".repeat(64)];
  const publish = { type: "publishProof", number: 1, seq, root, previous } as const;
  vault.refuses({ ...publish, by: by("tom") }, "NEEDS_TWO");
  vault.must({ ...publish, by: DAILY_PROOFS });
  const adjust = { type: "adjust", accountId: ALICE, asset: "BTC", direction: "credit", amount: "1" } as const;
  const why = { house: "treasury", category: "goodwill", why: "w", reference: "r" } as const;
  vault.refuses({ ...adjust, ...why, by: DAILY_PROOFS }, "NEEDS_TWO");
});

function invitationOf(holder: string, email: string) {
  const untilMs = vault.engine.timeMs + 1000;
  return { invitationId: idOf(7), secretHash: HASH, holder, email, opens: null, untilMs };
}
