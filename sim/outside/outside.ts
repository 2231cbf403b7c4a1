/**
 * The environment of a node: a chain, a mail server, subscribed clients, and customers who deposit, withdraw and open
 * links. It has its own random source and outlives every node.
 */
import type { Command } from "@pricetime/engine";
import { type Mail, ControlRefused } from "@pricetime/server/parts";
import { Dice } from "@pricetime/testkit/dice";
import type { Life, Schedule } from "@pricetime/testkit/schedule";
import type { Auditor } from "../audit/auditor.ts";
import { CoinAudit } from "../audit/coins.ts";
import { NoticeAudit } from "../audit/notices.ts";
import type { AuditedEntry } from "../audit/entry.ts";
import { LetterAudit } from "../audit/letters.ts";
import { RulesAudit } from "../audit/rules.ts";
import type { OutsideAct } from "../plan/step.ts";
import type { SimDisk } from "../world/disk.ts";
import type { SimNode } from "../world/node.ts";
import { SimChain } from "./chain.ts";
import { type Ask, Clients } from "./clients.ts";
import { SANDBOX } from "./network.ts";
import { Post } from "./post.ts";

/** Emails are not read at once, and some are never read. */
const MOST_CLICK_MS = 6_000;
const CLICKS_OF_FOUR = 3;
/** One in so many customers who could lock their account does. */
const FREEZES_ONE_IN = 12;

export interface OutsideParts {
  readonly seed: number;
  readonly schedule: Schedule;
  readonly auditor: Auditor;
  readonly disk: SimDisk;
  readonly node: () => { readonly node: SimNode; readonly life: Life } | undefined;
  readonly ask: Ask;
  /** Called when a customer opens the page of an email's link and confirms. */
  readonly click: (link: URLSearchParams) => void;
  /** Called when a customer uses the link of a sign-in email. */
  readonly follow: (command: Command) => void;
  readonly say: (what: string) => void;
}

export class Outside {
  readonly chain: SimChain;
  readonly post: Post;
  readonly clients: Clients;
  readonly coins: CoinAudit;
  readonly letters: LetterAudit;
  readonly noticeAudit: NoticeAudit;
  readonly rules: RulesAudit;
  readonly #parts: OutsideParts;
  readonly #dice: Dice;
  deposits = 0;
  mails = 0;
  notices = 0;
  #isOver = false;

  constructor(parts: OutsideParts) {
    this.#parts = parts;
    const { seed, schedule, auditor, disk, node, ask } = parts;
    const dice = (this.#dice = new Dice(seed ^ 0x0075));
    this.chain = new SimChain({ schedule, dice, onChange: () => node()?.node.chainMoved() });
    this.post = new Post({ disk, schedule, dice, onLetter: (mail) => this.#letter(mail) });
    this.clients = new Clients(auditor, schedule, ask);
    this.coins = new CoinAudit(auditor, this.chain.file);
    this.letters = new LetterAudit(auditor);
    this.noticeAudit = new NoticeAudit(auditor);
    this.rules = new RulesAudit(auditor);
  }

  entry(entry: AuditedEntry, isOwn: boolean): void {
    this.clients.entry(entry);
    this.rules.entry(entry, isOwn);
    this.noticeAudit.entry(entry, isOwn);
    const { command } = entry;
    if (command.type === "requestWithdrawal" && command.network === SANDBOX) {
      this.coins.asked(command.withdrawalId, command.address);
    }
  }

  nodeStarts(): void {
    this.letters.nodeStarts();
    this.noticeAudit.nodeStarts();
    this.rules.nodeStarts();
  }

  nodeIsGone(): void {
    this.clients.nodeIsGone();
  }

  perform(act: OutsideAct): void {
    const now = this.#parts.node();
    switch (act.type) {
      case "listen":
        if (now !== undefined) this.clients.listen(now.node, now.life, act.names);
        return;
      case "follow":
        if (now !== undefined) this.clients.follow(now.node, now.life, act.accountId);
        return;
      case "hangUp":
        if (now !== undefined) this.clients.hangUp(act.which, now.life);
        return;
      case "payIn":
        void this.#payIn(act);
        return;
      case "reorg":
        return this.#control(() => this.chain.control.reorg(act.depth, act.fate));
      case "chainFault":
        return this.#control(() => this.chain.control.fail(act.fault));
      case "mailDown":
        this.post.isDown = true;
        this.#parts.schedule.after(act.forMs, () => {
          this.post.isDown = false;
        });
    }
  }

  /**
   * The first operation that is still running; undefined if none is and everything was compared. `nowMs` is the
   * exchange's time.
   */
  unsettled(nowMs: number, rulesAreOff = false): string | undefined {
    this.coins.check();
    const coin = this.coins.underWay(nowMs);
    if (coin !== undefined) return coin;
    if (!this.letters.isSettled()) return "a letter never comes";
    if (!this.noticeAudit.isSettled()) return "a letter about signing in never comes";
    if (!this.noticeAudit.isTidy(nowMs)) return "an invitation is over, and stays";
    if (!rulesAreOff && !this.rules.isSettled(nowMs)) return "who trades too carelessly is not locked";
    this.clients.quiet();
    return undefined;
  }

  close(): void {
    this.#isOver = true;
    this.chain.file.close();
  }

  #control(act: () => unknown): void {
    try {
      act();
    } catch (error) {
      // The chain is too short for it, or a block is full.
      if (!(error instanceof ControlRefused)) throw error;
    }
  }

  /** Requests a deposit address and pays to it. */
  async #payIn({ accountId, asset, amount }: Extract<OutsideAct, { type: "payIn" }>): Promise<void> {
    const { ask, auditor, say } = this.#parts;
    const path = "/sapi/v1/capital/deposit/address";
    const parameters = { coin: asset, network: SANDBOX };
    const { status, json } = await ask({ method: "GET", path, accountId, isSigned: true, parameters });
    if (status !== 200 || this.#isOver) return;
    const { address, tag } = json as { address: string; tag: string };
    const known = auditor.model.wallet.addresses.find(
      (each) => each.accountId === accountId && each.network === SANDBOX,
    );
    if (known?.address !== address)
      auditor.fail(`the address of ${accountId} must be ${known?.address}, not ${address}`);
    this.deposits++;
    say(`pays in ${amount} ${asset} for ${accountId}`);
    this.#control(() => this.chain.control.faucet({ asset, address, tag, amount }));
  }

  #letter(mail: Mail): void {
    if (mail.noticeId !== undefined) return this.#notice(mail);
    this.mails++;
    const link = this.letters.arrived(mail);
    if (this.#dice.below(4) >= CLICKS_OF_FOUR) return undefined;
    this.#parts.schedule.after(this.#dice.below(MOST_CLICK_MS), () => this.#parts.click(link));
    return undefined;
  }

  #notice(mail: Mail): void {
    this.notices++;
    const acts = this.noticeAudit.arrived(mail).filter(({ type }) => {
      return type !== "freezeAccount" || this.#dice.oneIn(FREEZES_ONE_IN);
    });
    if (acts.length === 0 || this.#dice.oneIn(2)) return;
    const act = this.#dice.pick(acts);
    this.#parts.schedule.after(this.#dice.below(MOST_CLICK_MS), () => this.#parts.follow(act));
  }
}
