/**
 * Random commands on approval requests, compared with a model in this file: authors never approve, a change removes all
 * approvals, approvals of operators without the right do not count, and a rejected action leaves its request unchanged.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Command, type Event, type OperatorRole } from "@pricetime/engine";
import { Dice } from "@pricetime/testkit/dice";
import { MAX_APPROVALS, PROPOSAL_LIFE_MS } from "../../src/limits.ts";
import { BY, TestExchange } from "../harness.ts";

const SEEDS = 300;
const STEPS = 150;
const DAY_MS = 24 * 60 * 60 * 1000;
const NAMES = ["a", "b", "c", "d", "e", "f", "g", "h", "i"] as const;
/** Most roles may move money, so that five approvals are possible. */
const ROLES: readonly OperatorRole[] = ["admin", "treasurer", "admin", "treasurer", "support", "viewer"];
const IDS = [1, 2, 3].map((number) => String(number).padStart(32, "0"));

interface Person {
  role: OperatorRole;
  isEnabled: boolean;
}

interface Waiting {
  version: number;
  isSound: boolean;
  authors: string[];
  approvals: string[];
  untilMs: number;
}

/** The rules, implemented independently of the engine. */
class Model {
  readonly people = new Map<string, Person>();
  readonly waiting = new Map<string, Waiting>();
  approvals = 1;

  mayPropose(by: string): boolean {
    const person = this.people.get(by);
    return person?.isEnabled === true && person.role !== "viewer";
  }

  mayMoveMoney(by: string): boolean {
    const person = this.people.get(by);
    return person?.isEnabled === true && (person.role === "admin" || person.role === "treasurer");
  }

  /** The approval request, or the reason why it cannot be decided. */
  current(id: string, version: number, nowMs: number): Waiting | string {
    const found = this.waiting.get(id);
    if (found === undefined || nowMs >= found.untilMs) return "UNKNOWN_PROPOSAL";
    return found.version === version ? found : "PROPOSAL_CHANGED";
  }
}

class Play {
  readonly exchange = new TestExchange();
  readonly model = new Model();
  readonly dice: Dice;
  credited = 0;
  seen = new Map<string, number>();
  #references = 0;

  constructor(seed: number) {
    this.dice = new Dice(seed);
    this.exchange.listAssets(["BTC", 0]);
    this.exchange.openAccount("alice@example.org");
    for (const name of NAMES) {
      const role = this.dice.pick(ROLES);
      this.model.people.set(`operator:${name}`, { role, isEnabled: true });
      this.must({ type: "openOperator", by: BY, name, email: `${name}@example.org`, role });
    }
    this.#setApprovals();
  }

  must(command: Command): void {
    const answer = this.exchange.answer(command);
    assert.doesNotMatch(answer, /[A-Z]_/, `${command.type}: ${answer}`);
  }

  step(): void {
    const draw = this.dice.below(100);
    if (draw < 18) this.#propose();
    else if (draw < 30) this.#change();
    else if (draw < 78) this.#approve();
    else if (draw < 82) this.#reject();
    else if (draw < 90) this.#promote();
    else if (draw < 93) this.#setApprovals();
    else this.#pass();
  }

  /** Compares the engine with the model. */
  compare(): void {
    const { engine } = this.exchange;
    const theirs = [...engine.venue.proposals()].map(({ proposalId, version, authors, approvals, untilMs }) => {
      return [proposalId, { version, authors: [...authors], approvals: [...approvals], untilMs }];
    });
    const ours = [...this.model.waiting].map(([id, { isSound: _isSound, ...rest }]) => [id, rest]);
    assert.deepEqual(new Map(theirs as never), new Map(ours as never));
    assert.equal(engine.balance(100, 0).free, BigInt(this.credited));
  }

  #expect(command: Command, expected: string): readonly Event[] {
    const events = this.exchange.run(command);
    const [first] = events;
    const answer = first?.type === "rejected" ? first.reason : "done";
    assert.equal(answer, expected, JSON.stringify(command));
    this.seen.set(expected, (this.seen.get(expected) ?? 0) + 1);
    return events;
  }

  #someone(): string {
    return this.dice.oneIn(40) ? "operator:nobody" : `operator:${this.dice.pick(NAMES)}`;
  }

  #act(by: string, isSound: boolean): Command<"adjust"> {
    const asset = isSound ? "BTC" : "NONE";
    return {
      ...{ type: "adjust", by, accountId: 100, asset, direction: "credit", amount: "1", house: "treasury" },
      ...{ category: "goodwill", why: "w", reference: `r${this.#references++}` },
    };
  }

  #propose(): void {
    const { model, dice, exchange } = this;
    const [by, proposalId, isSound] = [this.#someone(), dice.pick(IDS), !dice.oneIn(5)];
    const isForged = dice.oneIn(15);
    const act = this.#act(isForged ? "operator:somebody" : by, isSound);
    const expected = !model.mayPropose(by)
      ? "NOT_PERMITTED"
      : isForged
        ? "INVALID_VALUE"
        : model.waiting.has(proposalId)
          ? "ALREADY_EXISTS"
          : "done";
    this.#expect({ type: "propose", by, proposalId, act, why: "w" }, expected);
    if (expected !== "done") return;
    const untilMs = exchange.nowMs + PROPOSAL_LIFE_MS;
    model.waiting.set(proposalId, { version: 1, isSound, authors: [by], approvals: [], untilMs });
  }

  #version(id: string): number {
    return (this.model.waiting.get(id)?.version ?? 1) - (this.dice.oneIn(10) ? 1 : 0);
  }

  #change(): void {
    const { model, dice, exchange } = this;
    const [by, proposalId, isSound] = [this.#someone(), dice.pick(IDS), !dice.oneIn(5)];
    const version = this.#version(proposalId);
    const found = model.current(proposalId, version, exchange.nowMs);
    const isTheirs = typeof found !== "string" && (model.mayMoveMoney(by) || found.authors.includes(by));
    const isAllowed = model.mayPropose(by) && (typeof found === "string" || isTheirs);
    const expected = !isAllowed ? "NOT_PERMITTED" : typeof found === "string" ? found : "done";
    const act = this.#act(by, isSound);
    this.#expect({ type: "changeProposal", by, proposalId, version, act, why: "other" }, expected);
    if (typeof found === "string" || !isAllowed) return;
    const authors = [...found.authors.filter((name) => name !== by), by];
    model.waiting.set(proposalId, { ...found, version: version + 1, isSound, authors, approvals: [] });
  }

  #approve(): void {
    const { model, dice, exchange } = this;
    const [by, proposalId] = [this.#someone(), dice.pick(IDS)];
    const version = this.#version(proposalId);
    const found = model.current(proposalId, version, exchange.nowMs);
    const expected = this.#expectedOfApproval(by, found);
    const events = this.#expect({ type: "approveProposal", by, proposalId, version }, expected);
    if (expected !== "done" || typeof found === "string") return;
    const approvals = [...found.approvals.filter((name) => model.mayMoveMoney(name)), by];
    if (approvals.length < model.approvals) model.waiting.set(proposalId, { ...found, approvals });
    else this.#carriedOut(proposalId, { ...found, approvals }, events);
  }

  #expectedOfApproval(by: string, found: Waiting | string): string {
    const { model } = this;
    if (!model.mayPropose(by)) return "NOT_PERMITTED";
    if (typeof found === "string") return found;
    if (!model.mayMoveMoney(by)) return "NOT_PERMITTED";
    if (found.authors.includes(by)) return "OWN_PROPOSAL";
    if (found.approvals.includes(by)) return "ALREADY_EXISTS";
    const count = found.approvals.filter((name) => model.mayMoveMoney(name)).length + 1;
    return count >= model.approvals && !found.isSound ? "UNKNOWN_ASSET" : "done";
  }

  #carriedOut(proposalId: string, { authors, approvals }: Waiting, events: readonly Event[]): void {
    const { model } = this;
    model.waiting.delete(proposalId);
    this.credited++;
    const [moved, changed] = events;
    assert.ok(moved?.type === "balanceAdjusted" && changed?.type === "proposalChanged");
    assert.equal(moved.by, [authors.at(-1), ...approvals].join("+"));
    assert.deepEqual([changed.status, changed.proposal.approvals], ["done", approvals]);
    assert.ok(approvals.length >= model.approvals && new Set(approvals).size === approvals.length);
    for (const name of approvals) assert.ok(!authors.includes(name) && model.mayMoveMoney(name));
    this.seen.set(`by ${approvals.length}`, (this.seen.get(`by ${approvals.length}`) ?? 0) + 1);
  }

  #reject(): void {
    const { model, dice } = this;
    const [by, proposalId] = [this.#someone(), dice.pick(IDS)];
    const found = model.waiting.get(proposalId);
    const mayDecide = found !== undefined && (model.mayMoveMoney(by) || found.authors.includes(by));
    const expected = !model.mayPropose(by)
      ? "NOT_PERMITTED"
      : found === undefined
        ? "UNKNOWN_PROPOSAL"
        : mayDecide
          ? "done"
          : "NOT_PERMITTED";
    this.#expect({ type: "rejectProposal", by, proposalId, why: "no" }, expected);
    if (expected === "done") model.waiting.delete(proposalId);
  }

  /** Promotes, demotes, disables or enables an operator. */
  #promote(): void {
    const [name, role, isEnabled] = [this.dice.pick(NAMES), this.dice.pick(ROLES), !this.dice.oneIn(5)];
    this.model.people.set(`operator:${name}`, { role, isEnabled });
    this.must({ type: "changeOperator", by: BY, name, role, isEnabled });
    if (isEnabled && role !== "viewer") return;
    for (const [id, { authors }] of this.model.waiting) {
      if (authors.at(-1) !== `operator:${name}`) continue;
      this.model.waiting.delete(id);
      this.seen.set("cancelled", (this.seen.get("cancelled") ?? 0) + 1);
    }
  }

  #setApprovals(): void {
    this.model.approvals = this.dice.oneIn(3) ? MAX_APPROVALS : this.dice.between(1, MAX_APPROVALS);
    const rules = { approvals: this.model.approvals, withdrawalsAbove: [], acts: [] };
    this.must({ type: "setApprovalRules", by: BY, rules });
  }

  #pass(): void {
    const { exchange, model } = this;
    exchange.nowMs += this.dice.below(2 * DAY_MS);
    if (this.dice.oneIn(2)) return;
    this.must({ type: "tick" });
    for (const [id, { untilMs }] of model.waiting) {
      if (exchange.nowMs < untilMs) continue;
      model.waiting.delete(id);
      this.seen.set("expired", (this.seen.get("expired") ?? 0) + 1);
    }
  }
}

test("no action is executed with fewer approvals than the rules require", () => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= SEEDS; seed++) {
    const play = new Play(seed);
    try {
      for (let step = 0; step < STEPS; step++) {
        play.step();
        play.compare();
      }
      play.exchange.restart();
      play.compare();
      play.exchange.engine.checkInvariants();
    } catch (error) {
      throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
    }
    for (const [what, count] of play.seen) seen.set(what, (seen.get(what) ?? 0) + count);
  }
  const refusals = ["NOT_PERMITTED", "INVALID_VALUE", "ALREADY_EXISTS", "UNKNOWN_PROPOSAL", "PROPOSAL_CHANGED"];
  const all = ["done", "OWN_PROPOSAL", "UNKNOWN_ASSET", "expired", "cancelled", ...refusals];
  for (const what of [...all, ...[1, 2, 3, 4, 5].map((count) => `by ${count}`)]) {
    assert.ok((seen.get(what) ?? 0) >= 3, `hardly ever ${what}: ${seen.get(what)}`);
  }
});

test("commands on approval requests, and commands of other parties, cannot be requested", () => {
  const { exchange } = new Play(1);
  exchange.run({ type: "openOperator", by: BY, name: "root", email: "root@example.org", role: "admin" });
  const by = "operator:root";
  const inner = { type: "approveProposal", by, proposalId: IDS[0], version: 1 };
  const signIn = { type: "tellAlreadyKnown", holder: "account:100", by };
  for (const act of [inner, signIn, { type: "tick", by }, { type: "nonsense", by }]) {
    const command = { type: "propose", by, proposalId: IDS[1], act, why: "w" } as Command;
    assert.equal(exchange.answer(command), "INVALID_VALUE", act.type);
  }
});
