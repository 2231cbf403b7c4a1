/**
 * A demo node without bots, and with withdrawals to decide: HAND is a manual network, and IDR is withdrawn by the
 * manual network BANK. LTC has a block only when a trial mines one, so that the trial knows the block of a payment.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@pricetime/testkit/client";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, operate, startExchange } from "@pricetime/testkit/venue";

const CONFIG = `wallet:
  networks:
    - network: BANK
      kind: manual
      addresses: ["DE0001", "DE0002", "DE0003", "DE0004"]
    - { network: LTC, kind: sandbox, blockMs: 0 }
`;

export interface Venue {
  readonly exchange: Exchange;
  readonly alice: Client;
  readonly bob: Client;
  stop(): Promise<void>;
}

export async function openVenue(): Promise<Venue> {
  const dataFolder = temporaryFolder();
  const config = join(dataFolder, "config.yaml");
  writeFileSync(config, CONFIG);
  const args = ["--bots", "off", "--limits", "off", "--config", config];
  const exchange = await startExchange({ args, dataFolder });
  await operate(exchange, "PUT", "/v1/assets/IDR/networks", [
    { network: "BANK", isDefault: true, withdrawFee: "10000", withdrawMin: "20000", approvalAbove: "50000" },
  ]);
  const [alice, bob] = ["alice", "bob"].map((name) => {
    const account = exchange.accounts.find((one) => one.name === name);
    assert.ok(account !== undefined);
    return new Client(exchange.rest, account);
  }) as [Client, Client];
  return {
    ...{ exchange, alice, bob },
    stop: async () => {
      alice.close();
      bob.close();
      await exchange.stop();
    },
  };
}

export interface Asked {
  readonly amount?: string;
  readonly address?: string;
  readonly name?: string;
  readonly withdrawOrderId?: string;
}

/** Requests a withdrawal that an operator must approve. Returns its id. */
export async function askToWithdraw(who: Client, asked: Asked = {}): Promise<string> {
  const { amount = "1234567.89", address = "somewhereelse1234", name = "home", withdrawOrderId } = asked;
  const { status, json, text } = await who.signed<{ id: string }>("POST", "/sapi/v1/capital/withdraw/apply", {
    ...{ coin: "IDR", network: "BANK", amount, address, name },
    ...(withdrawOrderId !== undefined && { withdrawOrderId }),
  });
  assert.equal(status, 200, text);
  return json.id;
}

const RESTING = { type: "LIMIT", timeInForce: "GTC" } as const;

/** Places a resting order. */
export async function rest(who: Client, order: Readonly<Record<string, string>>): Promise<void> {
  const { status, text } = await who.signed("POST", "/api/v3/order", { symbol: "BTCUSDT", ...RESTING, ...order });
  assert.equal(status, 200, text);
}
