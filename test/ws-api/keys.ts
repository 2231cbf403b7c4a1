/** Keys of Ed25519, registered and taken away as an operator does. */
import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import type { Exchange } from "../exchange.ts";

export async function registerEd25519(
  { admin, adminToken }: Exchange,
  account: string,
): Promise<{ readonly apiKey: string; readonly privateKey: KeyObject }> {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const response = await fetch(`${admin}/v1/accounts/${encodeURIComponent(account)}/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${adminToken}` },
    body: JSON.stringify({ publicKey: publicKey.export({ format: "pem", type: "spki" }) }),
  });
  assert.equal(response.status, 201);
  const { apiKey } = (await response.json()) as { apiKey: string };
  return { apiKey, privateKey };
}

export async function removeKey({ admin, adminToken }: Exchange, apiKey: string): Promise<void> {
  const headers = { authorization: `Bearer ${adminToken}` };
  assert.equal((await fetch(`${admin}/v1/keys/${apiKey}`, { method: "DELETE", headers })).status, 200);
}
