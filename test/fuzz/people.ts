/** Somebody who signs in: a customer with the cookies of a browser, and operators with their tokens. */
import assert from "node:assert/strict";
import { type Exchange, operate } from "@pricetime/testkit/venue";

export const PASSWORD = "correct horse battery";

/** The link of an invitation says what its page sends. */
function saidBy(link: string): { readonly id: string; readonly secret: string } {
  const query = new URLSearchParams(link.slice(link.indexOf("?") + 1));
  return { id: query.get("id") ?? "", secret: query.get("secret") ?? "" };
}

interface Invited {
  readonly link: string;
}

/** What a page of the node sends with each request. */
export const PAGE = { "x-pricetime-page": "account", "sec-fetch-site": "same-origin" } as const;

export class Customer {
  readonly email: string;
  readonly #rest: string;
  readonly #cookies = new Map<string, string>();

  private constructor(email: string, rest: string) {
    this.email = email;
    this.#rest = rest;
  }

  static async invited(exchange: Exchange, email: string): Promise<Customer> {
    const { link } = await operate<Invited & Record<string, unknown>>(exchange, "POST", "/v1/invitations", {
      email,
      name: "fuzz",
    });
    const customer = new Customer(email, exchange.rest);
    await customer.#post("invitation/accept", { ...saidBy(link), password: PASSWORD });
    return customer;
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** As a browser does, of the lines of an answer. */
  keep(lines: readonly string[]): void {
    for (const line of lines) {
      const [pair = "", ...attributes] = line.split("; ");
      const [name = "", value = ""] = pair.split("=");
      if (attributes.includes("Max-Age=0")) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }

  /** Signs in again when the session is over. */
  async returns(): Promise<void> {
    const headers = { ...PAGE, cookie: this.cookie };
    const answer = await fetch(`${this.#rest}/account/v1/session`, { headers });
    await answer.text();
    if (answer.status === 401) await this.#post("sign-in", { email: this.email, password: PASSWORD });
  }

  async #post(path: string, body: object): Promise<void> {
    const headers = { ...PAGE, "content-type": "application/json", cookie: this.cookie };
    const address = `${this.#rest}/account/v1/${path}`;
    const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
    assert.equal(answer.status, 200, `${path}: ${await answer.text()}`);
    this.keep(answer.headers.getSetCookie());
  }
}

/** Opens an operator who may do everything; returns the token of a session. */
export async function operatorToken(exchange: Exchange, name: string): Promise<string> {
  await operate(exchange, "POST", "/v1/operators", { name, email: `${name}@fuzz.example`, role: "admin" });
  const { link } = await operate<Invited & Record<string, unknown>>(
    exchange,
    "POST",
    `/v1/operators/${name}/invitation`,
  );
  await operate(exchange, "POST", "/v1/accept-invitation", { ...saidBy(link), password: PASSWORD });
  const { token } = await operate<{ token: string }>(exchange, "POST", "/v1/sign-in", { name, password: PASSWORD });
  return token;
}
