/** Requests from an operator to a node, through its admin API. */
import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import type { DemoAccount, Exchange } from "./program.ts";

/** The address of the admin API and its token. */
export type AdminPort = Pick<Exchange, "admin" | "adminToken">;

/**
 * Sends a request with a JSON body. Resolves to the parsed answer. Rejects with the node's message if the request is
 * rejected.
 */
export async function operate<T = Record<string, unknown>>(
  node: AdminPort,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const { status, text } = await tryToOperate(node, method, path, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return JSON.parse(text) as T;
}

export interface Operated {
  readonly status: number;
  readonly text: string;
}

/** Sends a request. Returns the answer, even if it is a rejection. */
export async function tryToOperate(
  { admin, adminToken }: AdminPort,
  method: string,
  path: string,
  body?: unknown,
): Promise<Operated> {
  const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json" };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(admin + path, { method, headers, ...sent });
  return { status: response.status, text: await response.text() };
}

/** Opens an account with a key and the given balances. */
export async function openAccount(
  node: AdminPort,
  email: string,
  grants: Readonly<Record<string, string>> = {},
): Promise<DemoAccount> {
  const [name = ""] = email.split("@");
  await operate(node, "POST", "/v1/accounts", { email, name });
  const { apiKey, secretKey } = await operate<DemoAccount>(node, "POST", `/v1/accounts/${email}/keys`, {});
  for (const [asset, amount] of Object.entries(grants)) {
    await operate(node, "POST", "/v1/deposits", { account: email, asset, amount, reference: `${name} ${asset}` });
  }
  return { name, email, apiKey, secretKey };
}

/** Creates an Ed25519 key for the account. */
export async function registerEd25519(
  node: AdminPort,
  email: string,
): Promise<{ readonly apiKey: string; readonly privateKey: KeyObject }> {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const body = { publicKey: publicKey.export({ format: "pem", type: "spki" }) };
  const path = `/v1/accounts/${encodeURIComponent(email)}/keys`;
  const { apiKey } = await operate<{ apiKey: string }>(node, "POST", path, body);
  return { apiKey, privateKey };
}

export async function removeKey(node: AdminPort, apiKey: string): Promise<void> {
  await operate(node, "DELETE", `/v1/keys/${apiKey}`);
}

/** Reads a value of `/metrics`. */
export async function metric({ admin }: Pick<Exchange, "admin">, name: string): Promise<number> {
  const text = await (await fetch(`${admin}/metrics`)).text();
  const value = new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1];
  assert.ok(value !== undefined, `/metrics does not tell ${name}: ${text.slice(0, 200)}`);
  return Number(value);
}

export interface Readiness {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>> & { readonly warnings?: Readonly<Record<string, string>> };
}

/** Reads `/readyz`. */
export async function readiness({ admin }: Pick<Exchange, "admin">): Promise<Readiness> {
  const response = await fetch(`${admin}/readyz`);
  return { status: response.status, body: (await response.json()) as Readiness["body"] };
}
