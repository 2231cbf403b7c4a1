/** Nodes that watch a chain, make payments and send emails as tasks; customers use any live node. */
import assert from "node:assert/strict";
import { inspect } from "node:util";
import { ADOPT_NEWEST_RULES, type Command, type Engine } from "@pricetime/engine";
import { openAccount, requestWithdrawal } from "@pricetime/testkit/commands";
import { Dice } from "@pricetime/testkit/dice";
import { Schedule } from "@pricetime/testkit/schedule";
import type { TaskPart } from "../../../src/cluster/tasks.ts";
import { createConfirmations, createLinkSecrets } from "../../../src/platform/secrets/link-secrets.ts";
import { ClusterEmails } from "../../../src/people/mail/cluster-mails.ts";
import type { Outcome } from "../../../src/journal/sequencer/port.ts";
import type { Chain } from "../../../src/funds/wallet/chain.ts";
import { ChainNetwork } from "../../../src/funds/wallet/network.ts";
import { MemoryLog } from "../../journal/sequencer/memory-log.ts";
import { type Acts, actsIn } from "./acts.ts";
import { ClusterNode, type ClusterWorld, type Process, type Work } from "./cluster-node.ts";
import { MemoryLeases } from "./memory-leases.ts";
import type { Outside, Ways } from "./outside.ts";

const NO_LOG = { info: () => {}, warn: () => {}, error: () => {} };
const CONFIRMATIONS = createConfirmations("00112233445566778899aabbccddeeff".repeat(2));
const LINKS = createLinkSecrets("00112233445566778899aabbccddeeff".repeat(2));
const CUSTOMERS = [100, 101];
const BY = "test";
/** Withdrawals are paid a few at a time. */
const MOST_QUIETING_MS = 1_500_000;
/** How long callers wait for a response. */
const MOST_PATIENCE_MS = 8000;

/** What a planted bug changes. */
export interface Spoils {
  readonly engine?: (engine: Engine) => void;
  readonly part?: (part: TaskPart) => TaskPart;
  readonly chain?: (chain: Chain) => Chain;
}

export interface Happened extends Acts {
  readonly paid: number;
  readonly coins: number;
  readonly letters: number;
}

interface VenueNode {
  readonly node: ClusterNode;
  network: ChainNetwork;
  letters: ClusterEmails;
}

export class VenueNodes {
  readonly outside: Outside;
  /** The tasks that one node at a time performs here. */
  readonly roles: readonly string[];
  readonly nodes: readonly VenueNode[];
  readonly world: ClusterWorld;
  readonly dice: Dice;
  readonly #requested: { readonly withdrawalId: string; readonly payee: string; readonly arrives: string }[] = [];
  readonly #schedule = new Schedule();
  readonly #addresses = new Map<string, number>();
  #read = 0;

  constructor(seed: number, count: number, openOutside: (ways: Ways) => Outside, spoils: Spoils = {}) {
    const { engine } = spoils;
    this.dice = new Dice(seed);
    const schedule = this.#schedule;
    this.outside = openOutside({ schedule, dice: new Dice(seed + 1000) });
    this.roles = [`network:${this.outside.network}`, "mail"];
    const base = { log: new MemoryLog(), leases: new MemoryLeases(schedule), schedule, fatal: [] };
    const world = { ...base, dice: new Dice(seed + 2000) };
    this.world = engine === undefined ? world : { ...world, spoil: engine };
    this.nodes = Array.from({ length: count }, (_, index) => {
      const own: Partial<VenueNode> = {};
      const work = (process: Process): Work => this.#open(process, own, spoils);
      return Object.assign(own, { node: new ClusterNode(this.world, `n${index + 1}`, work) }) as VenueNode;
    });
  }

  get nowMs(): number {
    return this.#schedule.nowMs;
  }

  #open(process: Process, own: Partial<VenueNode>, { part = (each) => each, chain = (each) => each }: Spoils): Work {
    const { engine: view, sequencer, world, life } = process;
    const common = { view, sequencer, world, log: NO_LOG };
    const role = `network:${this.outside.network}`;
    const network = new ChainNetwork({
      ...common,
      chain: chain(this.outside.chainFor(life)),
      pollMs: 500,
      maxPendingPayments: 3,
      raiseFeeAfterMs: 20_000,
      holder: () => view.nodes.role(role)?.node ?? "",
      onFatal: (error) => this.world.fatal.push(error),
    });
    const sending = this.outside.mails.sendingFor(life);
    const letters = new ClusterEmails({
      ...{ ...common, sending, confirmations: CONFIRMATIONS },
      publicUrl: () => "https://x.example",
      consoleUrl: () => "https://console.example",
      links: LINKS,
    });
    Object.assign(own, { network, letters });
    const networkPart: TaskPart = {
      role,
      start: (tenure) => network.start(tenure),
      stop: () => network.stop(),
    };
    return {
      parts: [networkPart, letters].map((each: TaskPart) => part(each)),
      applied: (entry, events) => letters.applied(entry, events),
    };
  }

  async run(ms: number): Promise<void> {
    let isOver = false;
    const { fatal } = this.world;
    this.#schedule.after(ms, () => (isOver = true));
    await this.#schedule.run(
      () => isOver || fatal.length > 0,
      (error) => fatal.push(error as Error),
    );
    assert.deepEqual(fatal, []);
  }

  /** A node that responds. */
  get awake(): VenueNode {
    const able = this.nodes.filter(({ node }) => node.isAlive && !node.isPaused);
    return this.dice.pick(able);
  }

  /** Advances the time until it is settled; undefined: it was never answered. */
  async #settled<T>(act: Promise<T>): Promise<T | undefined> {
    const told: { value?: T; isOver: boolean } = { isOver: false };
    const done = act.then(
      (value) => Object.assign(told, { value, isOver: true }),
      () => (told.isOver = true),
    );
    for (let waited = 0; !told.isOver && waited < MOST_PATIENCE_MS; waited += 10) await this.run(10);
    void done;
    return told.value;
  }

  async do(command: Command): Promise<Outcome | undefined> {
    return this.#settled(this.awake.node.process.sequencer.run(command));
  }

  async must(command: Command): Promise<void> {
    const outcome = await this.do(command);
    assert.ok(
      outcome !== undefined && outcome.events[0]?.type !== "rejected",
      JSON.stringify([command, outcome?.events]),
    );
  }

  async open(): Promise<void> {
    await this.run(3000);
    await this.must(ADOPT_NEWEST_RULES);
    for (const asset of this.outside.assets) await this.must({ type: "listAsset", by: BY, asset });
    for (const customer of CUSTOMERS) {
      await this.must(openAccount(`${customer}@example.com`));
      await this.must({ type: "changeAccount", by: BY, accountId: customer, confirmsByMail: customer === 101 });
      await this.run(3000);
      const { address } = (await this.#settled(this.awake.network.depositAddress(customer))) ?? assert.fail();
      this.#addresses.set(address, customer);
      await this.outside.give(address, "1000");
    }
    await this.run(20_000);
  }

  async deposit(): Promise<void> {
    const [address] = this.dice.pick([...this.#addresses]);
    await this.outside.give(address, `${1 + this.dice.below(9)}.5`);
  }

  /** Does not wait for the response. */
  withdraw(): void {
    const number = this.#requested.length;
    const withdrawalId = String(number).padStart(32, "0");
    const amount = 2 + this.dice.below(5);
    const { asset, networks } = this.outside.assets[0];
    const address = this.outside.payee(number);
    const fee = Number(networks[0]?.withdrawFee);
    this.#requested.push({ withdrawalId, payee: address, arrives: String(amount - fee) });
    const confirmationHash = CONFIRMATIONS.hashOf(CONFIRMATIONS.secretOf(withdrawalId));
    const accountId = this.dice.pick(CUSTOMERS);
    const asked = { withdrawalId, accountId, asset, address, amount: String(amount), confirmationHash };
    const { sequencer } = this.awake.node.process;
    sequencer.submit(requestWithdrawal(asked), () => {});
    // A registration with a customer's address causes another email.
    sequencer.submit({ type: "tellAlreadyKnown", holder: `account:${accountId}` }, () => {});
  }

  /** Customers follow the links that have arrived. */
  confirm(): void {
    const letters = this.outside.mails.letters();
    for (const withdrawalId of letters.slice(this.#read)) {
      if (withdrawalId.startsWith("notice:")) continue;
      const confirmationHash = CONFIRMATIONS.hashOf(CONFIRMATIONS.secretOf(withdrawalId));
      this.awake.node.process.sequencer.submit({ type: "confirmWithdrawal", withdrawalId, confirmationHash }, () => {});
    }
    this.#read = letters.length;
  }

  /** The node that performs a task now; undefined: none. */
  holderOf(role: string): VenueNode | undefined {
    return this.nodes.find(({ node }) => node.isAlive && !node.isPaused && node.roles.holder(role)?.isHere === true);
  }

  /** Ends all faults, and waits until everything is settled. */
  async quieten(): Promise<void> {
    this.outside.mails.isSick = false;
    for (const { node } of this.nodes) {
      if (node.isPaused) node.resume();
      if (!node.isAlive) node.restart();
      node.isCut = false;
    }
    for (let waited = 0; waited < MOST_QUIETING_MS; waited += 5000) {
      await this.run(5000);
      // The node that was sent a link may have died of it.
      if (waited % 30_000 === 0) this.#read = 0;
      this.confirm();
      if (waited === 60_000) this.#cancelUnknown();
      const engines = this.nodes.map(({ node }) => node.process.engine);
      const isQuiet = engines.every(({ funds, access }) => {
        const owed = [...access.notices()].length + funds.openWithdrawals().length;
        return funds.openDeposits(this.outside.network).length === 0 && owed === 0;
      });
      if (isQuiet && new Set(engines.map(({ seq }) => seq)).size === 1) return;
    }
    const left = this.nodes.map(({ node, network }) => {
      const { engine } = node.process;
      const open = engine.funds.openWithdrawals().map((each) => ({
        ...{ id: each.withdrawalId, status: each.status, letter: engine.funds.letter(each.withdrawalId) },
        nonce: each.nonce,
      }));
      const deposits = engine.funds.openDeposits(this.outside.network).length;
      return {
        node: node.name,
        seq: engine.seq,
        deposits,
        open,
        roles: [...engine.nodes.roles()],
        chain: network.status(),
      };
    });
    assert.fail(`it does not come to rest: ${inspect(left, { depth: 6 })}`);
  }

  /** An operator cancels the withdrawals whose email will never be sent. */
  #cancelUnknown(): void {
    const { engine, sequencer } = this.awake.node.process;
    for (const { withdrawalId, accountId } of engine.funds.openWithdrawals()) {
      if (!["unknown", "failed"].includes(engine.funds.letter(withdrawalId))) continue;
      sequencer.submit({ type: "cancelWithdrawal", accountId, withdrawalId, by: BY }, () => {});
    }
  }

  /** The conditions when everything is settled. Returns what happened. */
  async check(): Promise<Happened> {
    const engines = this.nodes.map(({ node }) => node.process.engine);
    for (const engine of engines) engine.checkInvariants();
    assert.equal(new Set(engines.map((engine) => JSON.stringify(engine.stateHash()))).size, 1);
    const credited = new Map<string, number>();
    const ends = new Map<string, string>();
    const notices = new Map<string, string>();
    const acts = actsIn(this.world, (_, events) => {
      for (const event of events) {
        if (event.type === "noticeChanged") notices.set(`notice:${event.noticeId}`, event.status);
        if (event.type === "depositChanged" && event.status === "success") {
          const key = `${event.deposit.txId} ${event.deposit.output}`;
          credited.set(key, (credited.get(key) ?? 0) + 1);
        }
        if (event.type === "withdrawalChanged") ends.set(event.withdrawal.withdrawalId, event.status);
      }
    });
    const coins = await this.outside.coins((address) => this.#addresses.has(address));
    for (const { txId, output } of coins) assert.equal(credited.get(`${txId} ${output}`) ?? 0, 1, "a coin counts once");
    assert.equal(credited.size, coins.length, "nothing counts that did not come");
    const letters = this.outside.mails.letters();
    let paid = 0;
    for (const { withdrawalId, payee, arrives } of this.#requested) {
      const times = await this.outside.timesPaid(payee, arrives);
      paid += times;
      const end = ends.get(withdrawalId);
      assert.equal(times, end === "completed" ? 1 : 0, `${withdrawalId} is paid once`);
      assert.notEqual(end, "failed", `${withdrawalId} has no cause to fail`);
      const arrived = letters.filter((each) => each === withdrawalId).length;
      assert.ok(arrived <= 1, `the letter of ${withdrawalId} arrives once`);
    }
    checkNotices(notices, letters);
    return { ...acts, paid, coins: coins.length, letters: letters.length };
  }
}

/** Emails reported as sent have arrived once; those with an unknown outcome at most once; others never. */
function checkNotices(ends: ReadonlyMap<string, string>, letters: readonly string[]): void {
  const arrived = letters.filter((letter) => letter.startsWith("notice:"));
  assert.equal(new Set(arrived).size, arrived.length, "the letter of a notice arrives once");
  // A real mail server does not know which notice it got.
  if (arrived.length === 0) return;
  for (const [notice, end] of ends) {
    if (end !== "unknown") assert.equal(arrived.includes(notice), end === "sent", `${notice} is ${end}`);
  }
}
