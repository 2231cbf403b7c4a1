/**
 * Executes the actions of a timeline through the admin API, or as the accounts that the actions name, and records the
 * effects of faults.
 */
import type { Act } from "@pricetime/server/scenarios";
import { part } from "../client/admin.ts";
import type { RunningLab } from "../start/exchange.ts";

/** The status of a symbol that is no longer traded. */
const DELISTED = "BREAK";

/** A fault that the timeline has started. */
interface BegunFault {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly fromMs: number;
  readonly toMs?: number;
  healedMs?: number;
}

export class Actions {
  readonly faults: BegunFault[] = [];
  readonly #lab: RunningLab;
  #deposits = 0;

  constructor(lab: RunningLab) {
    this.#lab = lab;
  }

  /** Executes an action. Rejects with `LabError` if the node rejects it. */
  async do(act: Act, nowMs: number): Promise<void> {
    const { api } = this.#lab;
    switch (act.kind) {
      case "mark":
        return;
      case "market":
        await this.#lab.market(act.subject).move(act.fields);
        return;
      case "fault":
        return this.#begin(act, nowMs);
      case "heal":
        return this.#heal(act.subject, nowMs);
      case "halt":
        return this.#status(act.subject, "HALT");
      case "resume":
        return this.#status(act.subject, "TRADING");
      case "delist":
        return this.#status(act.subject, DELISTED);
      case "deposit":
        return this.#deposit(act.subject);
      case "withdraw": {
        const { account, ...money } = act.subject;
        await api.ask("POST", "/v1/debits", { ...money, account: this.#email(account), reference: this.#reference() });
        return;
      }
      case "mine":
        await api.ask("POST", `/v1/networks/${part(act.subject)}/sandbox/mine`, act.fields);
        return;
      case "order":
        await this.#lab.send(act.subject, "POST /api/v3/order", act.fields);
        return;
      case "cancel":
        await this.#lab.send(act.subject, "DELETE /api/v3/openOrders", act.fields);
        return;
      case "maintenance":
        await api.ask("PUT", "/v1/maintenance", { isOn: act.subject === "on" });
        return;
      case "latency":
        await this.#lab.latency.set(act.subject);
        return;
      case "agents":
        await this.#lab.agents.add(act.subject);
        return;
      case "replay":
        await this.#lab.replays.play(act.subject);
    }
  }

  async #begin({ subject, fields, forMs, name }: Extract<Act, { kind: "fault" }>, nowMs: number): Promise<void> {
    const times = forMs === undefined ? {} : { toMs: nowMs + forMs };
    const { id } = await this.#lab.faults.add({ ...fields, fault: subject, ...times });
    this.faults.push({ id: Number(id), name, kind: subject, fromMs: nowMs, ...times });
  }

  async #heal(name: string, nowMs: number): Promise<void> {
    const healed = this.faults.filter(
      (fault) => fault.healedMs === undefined && (name === "all" || fault.name === name),
    );
    for (const fault of healed) {
      await this.#lab.faults.remove(fault.id);
      fault.healedMs = nowMs;
    }
  }

  async #status(symbol: string, status: string): Promise<void> {
    await this.#lab.api.ask("PUT", `/v1/symbols/${part(symbol)}/status`, { status });
  }

  /**
   * Deposits an amount. With a network, the deposit is detected when blocks are mined; without one, it is credited at
   * once.
   */
  async #deposit({ account, network, ...money }: Extract<Act, { kind: "deposit" }>["subject"]): Promise<void> {
    const to = this.#email(account);
    if (network === undefined) {
      await this.#lab.api.ask("POST", "/v1/deposits", { ...money, account: to, reference: this.#reference() });
      return;
    }
    await this.#lab.api.ask("POST", `/v1/networks/${part(network)}/sandbox/faucet`, { ...money, account: to });
  }

  #email(name: string): string {
    return this.#lab.account(name).email;
  }

  #reference(): string {
    this.#deposits += 1;
    return `scenario ${this.#deposits}`;
  }
}

/** One request, message or deposit that a fault affected. */
export interface Strike {
  readonly atMs: number;
  readonly [name: string]: string | number;
}

export interface FaultSummary extends Omit<BegunFault, "id"> {
  readonly met: number;
  readonly struck: number;
  /** The first and the latest affected objects: the node lists at most a hundred for each fault. */
  readonly strikes: readonly Strike[];
}

interface Listed {
  readonly id: number;
  readonly met?: number;
  readonly struck: number;
  readonly strikes: readonly Strike[];
}

export class FaultLog {
  readonly #lab: RunningLab;
  readonly #begun: readonly BegunFault[];
  readonly #listed = new Map<number, Listed>();

  constructor(lab: RunningLab, begun: readonly BegunFault[]) {
    [this.#lab, this.#begun] = [lab, begun];
  }

  /**
   * Reads the state of the faults. Must be called before a fault is removed, because the node then deletes its counts.
   */
  async look(): Promise<void> {
    if (this.#begun.length === 0) return;
    for (const listed of (await this.#lab.faults.list()) as unknown as readonly Listed[])
      this.#listed.set(listed.id, listed);
  }

  /** Returns the number of strikes of the faults with each name. */
  counts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { name, struck } of this.summaries()) counts.set(name, (counts.get(name) ?? 0) + struck);
    return counts;
  }

  summaries(): readonly FaultSummary[] {
    return this.#begun.map(({ id, ...fault }) => {
      const { met = 0, struck = 0, strikes = [] } = this.#listed.get(id) ?? {};
      return { ...fault, met, struck, strikes };
    });
  }
}
