/** Who may do what, and which acts wait for a second person. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { type Command, type OperatorRole, PROPOSABLE_ACTS, type ProposedAct, RULABLE_ACTS } from "@pricetime/engine";
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

test("an act has no fields but its own, at any depth", () => {
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

test("an approval by somebody else carries out the act, under all their names", () => {
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

test("a change clears approvals, and whoever wrote a word of it approves nothing", () => {
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

test("rules name no act that must not wait, and none that would close the way out of them", () => {
  for (const act of ["approveProposal", "breakGlass", "stopBreakGlass", "setStop", "closeSession", "nothing"]) {
    vault.refuses(rules([act]), "INVALID_VALUE");
  }
  for (const act of RULABLE_ACTS) {
    vault.must(rules([act]));
    endRules();
  }
});

/** Rules that are there already are changed by two persons alone. */
function endRules(): void {
  const none = { approvals: 1, withdrawalsAbove: [], acts: [] };
  const act = { type: "setApprovalRules", by: by("ada"), rules: none };
  vault.must(propose("ada", act, idOf(3)));
  vault.must({ type: "approveProposal", by: by("bo"), proposalId: idOf(3), version: 1 });
}

test("nobody proposes what concerns one person's way in, or one node", () => {
  const holder = `account:${ALICE}`;
  const password = { type: "setPassword", by: by("sue"), holder, was: "s1.a", sealedPassword: "s1.b", except: null };
  assert.ok(!PROPOSABLE_ACTS.includes("setPassword"));
  vault.refuses(propose("sue", password), "INVALID_VALUE");
  vault.refuses(propose("sue", { type: "bindMasterKey", by: by("sue"), keyCheck: HASH }), "INVALID_VALUE");
  vault.refuses(propose("sue", approve("sue")), "INVALID_VALUE");
  vault.refuses(propose("sue", deposit("tom")), "INVALID_VALUE");
  vault.refuses(propose("vic"), "NOT_PERMITTED");
});

test("each operator ends sessions of their own, also one who may only look", () => {
  openSession("vic");
  vault.refuses({ type: "closeSession", by: by("tom"), sessionId: idOf(8) }, "NOT_PERMITTED");
  vault.must({ type: "closeSession", by: by("vic"), sessionId: idOf(8) });
});

test("whoever was shut out hears of the announced end of the rules, too", () => {
  vault.must(rules(["deposit"]));
  vault.must({ type: "changeOperator", by: by("ada"), name: "bo", isEnabled: false });
  vault.must({ type: "breakGlass", by: by("ada"), why: "bo is gone" });
  const told = [...vault.engine.access.notices()].filter(({ kind }) => kind === "breakGlass");
  const all = ["ada", "bo", "sue", "tom", "vic"].map((name) => `${name}@example.org`);
  assert.deepEqual(told.map(({ email }) => email).toSorted(), all);
});

test("rules are for operators: a customer's own acts need nobody else", () => {
  vault.must({ type: "invite", by: "admin", ...invitationOf(`account:${ALICE}`, "alice") });
  vault.must({ type: "acceptInvitation", invitationId: idOf(7), secretHash: HASH, sealedPassword: "s1.p" });
  vault.must(rules(["setAddressList"]));
  const act = { type: "setAddressList", accountId: ALICE, isEnforced: true } as const;
  vault.refuses({ ...act, by: by("sue") }, "NEEDS_TWO");
  vault.must({ ...act, by: `account:${ALICE}` });
});

function invitationOf(holder: string, email: string) {
  const untilMs = vault.engine.timeMs + 1000;
  return { invitationId: idOf(7), secretHash: HASH, holder, email, opens: null, untilMs };
}
