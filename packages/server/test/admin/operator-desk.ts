/** Operators of a desk, who propose and approve. */
import assert from "node:assert/strict";
import type { OperatorRole } from "@pricetime/engine";
import { type Reply, TOKEN } from "./running.ts";
import type { Desk } from "./wallet-desk.ts";

export class DeskOperator {
  readonly holder: string;
  readonly #desk: Desk;

  private constructor(desk: Desk, name: string) {
    this.#desk = desk;
    this.holder = `operator:${name}`;
  }

  static async open(desk: Desk, name: string, role: OperatorRole): Promise<DeskOperator> {
    await desk.run({ type: "openOperator", by: "admin", name, email: `${name}@example.com`, role });
    return new DeskOperator(desk, name);
  }

  /** Calls as the operator, and wants this status. */
  async wanted(status: number, method: string, path: string, body?: unknown): Promise<Reply["body"]> {
    const headers = { authorization: `Bearer ${TOKEN}`, "x-pricetime-user": this.holder };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(this.#desk.admin.url + path, { method, headers, ...sent });
    const told = (await response.json()) as Reply["body"];
    assert.equal(response.status, status, `${method} ${path}: ${JSON.stringify(told)}`);
    return told;
  }

  /** Approves what an answer says was proposed. */
  async approve(answer: Reply["body"]): Promise<void> {
    const { proposalId, version } = answer["proposal"] as { proposalId: string; version: number };
    await this.#desk.run({ type: "approveProposal", by: this.holder, proposalId, version });
  }
}
