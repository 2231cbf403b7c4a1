/** Signed-in operators of a test venue, who propose and approve. */
import assert from "node:assert/strict";
import type { OperatorRole } from "@pricetime/engine";
import { callWith, partsOf, passwordOf } from "./access/operators.ts";
import type { Reply } from "./running.ts";
import type { AdminVenue } from "./admin-venue.ts";

export class SignedInOperator {
  readonly #url: string;
  /** The token of the session. */
  readonly token: string;

  private constructor(url: string, token: string) {
    this.#url = url;
    this.token = token;
  }

  /** Creates the operator by the admin token, accepts the invitation and signs in. */
  static async open(venue: AdminVenue, name: string, role: OperatorRole): Promise<SignedInOperator> {
    const { url } = venue.admin;
    await venue.wanted(201, "POST", "/v1/operators", { name, email: `${name}@example.com`, role });
    const { link } = await venue.wanted(201, "POST", `/v1/operators/${name}/invitation`);
    const password = passwordOf(name);
    const accepted = { ...partsOf(String(link)), password };
    assert.equal((await callWith(url, undefined, ["POST", "/v1/accept-invitation", accepted])).status, 200);
    const { body } = await callWith(url, undefined, ["POST", "/v1/sign-in", { name, password }]);
    return new SignedInOperator(url, String(body["token"]));
  }

  /** Calls as the operator and expects this status. */
  async wanted(status: number, method: string, path: string, body?: unknown): Promise<Reply["body"]> {
    const reply = await callWith(this.#url, this.token, [method, path, body]);
    assert.equal(reply.status, status, `${method} ${path}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  /** Approves the proposal of an answer; rejects with the error code. */
  async approve(answer: Reply["body"]): Promise<void> {
    const { requestId, version } = answer["request"] as { requestId: string; version: number };
    const path = `/v1/approval-requests/${requestId}/approve`;
    const { status, body } = await callWith(this.#url, this.token, ["POST", path, { version }]);
    if (status !== 200) throw new Error(String(body["error"]));
  }
}
