/** An admin API with coins and a customer, for tests of wallet operations. */
import assert from "node:assert/strict";
import { type Command, decodeCommands, type Event } from "@pricetime/engine";
import { requestWithdrawal } from "@pricetime/testkit/commands";
import { until } from "@pricetime/testkit/waiting";
import { type AdminOptions, type Reply, type RunningAdmin, startAdmin } from "./running.ts";

export class AdminVenue {
  readonly admin: RunningAdmin;
  #withdrawals = 0;

  private constructor(admin: RunningAdmin) {
    this.admin = admin;
  }

  /** COIN is on the networks SAND (2 blocks to trade, 3 to be final) and HAND; account 100, a@example.com, has ten. */
  static async open(options: AdminOptions = {}): Promise<AdminVenue> {
    const venue = new AdminVenue(await startAdmin(options));
    venue.admin.wallet.start();
    const move = { withdrawFee: "0.1", withdrawMin: "0.2", withdrawMax: "1000" };
    const networks = [
      { network: "SAND", isDefault: true, creditConfirmations: 2, finalConfirmations: 3, ...move },
      { network: "HAND", approvalAbove: "5", ...move },
    ];
    await venue.wanted(201, "POST", "/v1/assets", { asset: "COIN", name: "Coin", networks });
    await venue.wanted(201, "POST", "/v1/accounts", { email: "a@example.com", name: "A" });
    const gift = { account: 100, asset: "COIN", amount: "10", reference: "gift" };
    await venue.wanted(201, "POST", "/v1/deposits", gift);
    return venue;
  }

  /** Calls, expects this status and returns the body. */
  wanted(status: number, method: string, path: string, body?: unknown): Promise<Reply["body"]> {
    return this.admin.wanted(status, method, path, body);
  }

  /** Opens accounts by the rules of version 3, where addresses may differ in case only. */
  async openedBefore(...emails: readonly string[]): Promise<void> {
    const { state } = this.admin.engine;
    const { edition } = state;
    state.edition = 3;
    for (const email of emails) await this.wanted(201, "POST", "/v1/accounts", { email, name: "Carl" });
    state.edition = edition;
  }

  async rows(path: string): Promise<Record<string, unknown>[]> {
    return (await this.wanted(200, "GET", path)) as unknown as Record<string, unknown>[];
  }

  /** Sends a command as the gateway would; it must succeed. */
  async run(command: Command): Promise<readonly Event[]> {
    const { events } = await this.admin.sequencer.run(command);
    const [first] = events;
    assert.ok(first?.type !== "rejected", first?.type === "rejected" ? first.reason : "");
    return events;
  }

  /** Requests a withdrawal of account 100; returns its id. */
  async withdraw(amount: string, network = "HAND"): Promise<string> {
    const withdrawalId = String(++this.#withdrawals).padStart(32, "0");
    const to = { network, address: "somewhereelse1234", amount, confirmationHash: "ab".repeat(32) };
    await this.run(requestWithdrawal({ withdrawalId, accountId: 100, asset: "COIN", ...to }));
    return withdrawalId;
  }

  /** The holder of account 100 has signed in. */
  async openSession(): Promise<void> {
    const [holder, hash, sealedPassword] = ["account:100", "ab".repeat(32), "s1.password"];
    const untilMs = this.admin.sequencer.nowMs() + 3_600_000;
    const invitation = { invitationId: "a".repeat(32), secretHash: hash };
    const who = { email: "a@example.com", holder, opens: null };
    await this.run({ type: "invite", by: "dora", ...invitation, ...who, untilMs });
    await this.run({ type: "acceptInvitation", ...invitation, sealedPassword });
    const session = { sessionId: "b".repeat(32), secretHash: hash, ip: "10.0.0.1", client: "Firefox" };
    await this.run({ type: "openSession", holder, ...session, sealedPassword, totpStep: null, untilMs });
  }

  /** Waits until it is signed and the sandbox makes blocks again. */
  async sent(withdrawalId: string): Promise<void> {
    const { engine, wallet } = this.admin;
    await until("it is signed", () => (engine.funds.withdrawal(withdrawalId)?.txId ?? "") !== "");
    await until("it waits for a block", () => wallet.sandbox("SAND")?.status().waiting === 1);
  }

  /** Free and locked COIN of account 100, each a decimal. */
  async balance(): Promise<string> {
    const { balances } = await this.wanted(200, "GET", "/v1/accounts/100");
    const [row] = balances as { free: string; locked: string }[];
    return `${row?.free} ${row?.locked}`;
  }

  /** Inserts another command just before the next command of this type. */
  overtake(type: Command["type"], ahead: Command): void {
    const { sequencer } = this.admin;
    const run = sequencer.run.bind(sequencer);
    sequencer.run = (command) => {
      if (command.type !== type) return run(command);
      sequencer.run = run;
      void run(ahead);
      return run(command);
    };
  }

  async journaled(): Promise<Command[]> {
    const commands: Command[] = [];
    for await (const { bytes, count } of this.admin.journal.read(1)) commands.push(...decodeCommands(bytes, count));
    return commands;
  }

  async close(): Promise<void> {
    this.admin.engine.checkInvariants();
    await this.admin.close();
  }
}
