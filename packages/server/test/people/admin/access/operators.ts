/** An admin API with signed-in operators, for tests of their rights. */
import assert from "node:assert/strict";
import type { OperatorRole } from "@pricetime/engine";
import { createLinkSecrets } from "../../../../src/platform/secrets/link-secrets.ts";
import { MACHINE } from "../../../../src/platform/world/machine.ts";
import { AdminVenue } from "../admin-venue.ts";
import { type AdminOptions, MASTER_KEY, type Reply } from "../running.ts";
import { checkAnswer } from "../../http/check-answer.ts";

export type Call = (method: string, path: string, body?: unknown) => Promise<Reply>;

export const passwordOf = (name: string): string => `${name} horse battery staple`;

/** The machine's clock with an offset that tests set. */
export class ShiftedClock {
  aheadMs = 0;
  readonly world = { ...MACHINE, nowMs: (): number => MACHINE.nowMs() + this.aheadMs };
}

/** Sends a request, with a token if one is given. */
export async function callWith(
  url: string,
  token: string | undefined,
  [method, path, body]: Parameters<Call>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const response = await fetch(url + path, {
    method,
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  const reply = { status: response.status, body: isJson ? (JSON.parse(text) as Reply["body"]) : {} };
  if (isJson) checkAnswer({ method, path, ...reply });
  return reply;
}

export class Operators {
  readonly venue: AdminVenue;
  readonly clock: ShiftedClock;

  private constructor(venue: AdminVenue, clock: ShiftedClock) {
    this.venue = venue;
    this.clock = clock;
  }

  /** Account 100 has ten COIN; withdrawals above five on HAND need an approval. */
  static async open(options: AdminOptions = {}): Promise<Operators> {
    const clock = new ShiftedClock();
    return new Operators(await AdminVenue.open({ world: clock.world, ...options }), clock);
  }

  get url(): string {
    return this.venue.admin.url;
  }

  close(): Promise<void> {
    return this.venue.close();
  }

  /** Calls without a token. */
  readonly stranger: Call = (...request) => callWith(this.url, undefined, request);

  /** Creates an operator by the admin token and accepts the invitation. */
  async invite(name: string, role: OperatorRole): Promise<void> {
    await this.venue.wanted(201, "POST", "/v1/operators", { name, email: `${name}@example.com`, role });
    const { link } = await this.venue.wanted(201, "POST", `/v1/operators/${name}/invitation`);
    await this.accept(String(link), passwordOf(name));
  }

  /** Sets a password by the link of the invitation. */
  async accept(link: string, password: string): Promise<void> {
    const { id, secret } = partsOf(link);
    const { status, body } = await this.stranger("POST", "/v1/accept-invitation", { id, secret, password });
    assert.equal(status, 200, JSON.stringify(body));
  }

  /** Signs in; returns the session's token. */
  async tokenOf(name: string): Promise<string> {
    const said = { name, password: passwordOf(name) };
    const { status, body } = await this.stranger("POST", "/v1/sign-in", said);
    assert.equal(status, 200, JSON.stringify(body));
    return String(body["token"]);
  }

  async signedIn(name: string): Promise<Call> {
    const token = await this.tokenOf(name);
    return (...request) => callWith(this.url, token, request);
  }

  /** The secret in the link of an email. */
  linkSecret(invitationId: string): string {
    return createLinkSecrets(MASTER_KEY).secretOf("invitation", invitationId);
  }

  /** Creates an operator by a proposal of the first and the approval of the second. */
  async hireBy([first, second]: readonly [Call, Call], name: string, role: OperatorRole): Promise<Call> {
    const twice = async (path: string, body?: object): Promise<Record<string, unknown>> => {
      const { action } = (await first("POST", path, body)).body;
      const { requestId } = await wanted(first("POST", "/v1/approval-requests", { action, why: "one more" }), 201);
      await wanted(second("POST", `/v1/approval-requests/${String(requestId)}/approve`, { version: 1 }), 200);
      return action as Record<string, unknown>;
    };
    await twice("/v1/operators", { name, email: `${name}@example.com`, role });
    const { invitationId } = await twice(`/v1/operators/${name}/invitation`);
    const id = String(invitationId);
    await this.accept(`?id=${id}&secret=${this.linkSecret(id)}`, passwordOf(name));
    return this.signedIn(name);
  }

  /** A new operator who has signed in. */
  async hire(name: string, role: OperatorRole): Promise<Call> {
    await this.invite(name, role);
    return this.signedIn(name);
  }
}

/** What stands behind the `?` of a link's fragment. */
export function partsOf(link: string): { readonly id: string; readonly secret: string } {
  const query = new URLSearchParams(link.slice(link.indexOf("?") + 1));
  return { id: query.get("id") ?? "", secret: query.get("secret") ?? "" };
}

/** Calls, expects this status and returns the body. */
export async function wanted(reply: Promise<Reply>, status: number, error?: string): Promise<Reply["body"]> {
  const { status: got, body } = await reply;
  assert.equal(got, status, JSON.stringify(body));
  if (error !== undefined) assert.equal(body["error"], error, JSON.stringify(body));
  return body;
}
