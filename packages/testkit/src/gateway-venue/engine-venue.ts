/** An engine under the test's own clock, and its operator, who lists, opens accounts, and gives money and keys. */
import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import type { AssetNetwork, Command, Engine, Event, Permission, SymbolFilters, SymbolSpec } from "@pricetime/engine";
import type { Outcome, Sequencer } from "@pricetime/server/parts";
import { createApiKey, deposit, listAsset, listSymbol, openAccount } from "../commands/index.ts";
import { type Credentials, ed25519Key, type SigningKey } from "../client/signing.ts";

export interface TestKey extends Credentials {
  readonly accountId: number;
}

export abstract class EngineVenue {
  readonly engine: Engine;
  nowMs: number;
  #keys = 0;

  constructor(engine: Engine, startMs: number) {
    this.engine = engine;
    this.nowMs = startMs;
  }

  abstract apply(command: Command): Outcome;

  /** Applies each command on its own, a turn after it was submitted. */
  sequencer(): Sequencer {
    return {
      submit: (command, settle) => setImmediate(() => settle(this.apply(command))),
      run: async (command) => this.apply(command),
      nowMs: () => Math.max(this.nowMs, this.engine.timeMs),
    };
  }

  /** Acts as an operator; must not be refused. */
  act(command: Command): readonly Event[] {
    const { events } = this.apply(command);
    const [first] = events;
    assert(first?.type !== "rejected", `${command.type}: ${first?.type === "rejected" ? first.reason : ""}`);
    return events;
  }

  listAsset(asset: string, precision: number, networks: readonly AssetNetwork[] = []): void {
    this.act(listAsset(asset, precision, networks));
  }

  /** `pair`: as BTC/USDT. */
  listSymbol(pair: string, filters?: SymbolFilters, more?: Partial<SymbolSpec>): void {
    this.act(listSymbol(pair, filters, more));
  }

  /** Opens an account or a sub-account, without money or key. */
  openAccount(email: string, masterId?: number): number {
    const of = masterId === undefined ? {} : { masterId };
    const [event] = this.act(openAccount(email, { name: email, makerBps: 10, takerBps: 20, ...of }));
    assert(event?.type === "accountOpened");
    return event.accountId;
  }

  give(accountId: number, asset: string, amount: string): void {
    this.act(deposit(accountId, asset, amount, `${accountId} ${asset} ${this.engine.seq}`));
  }

  /** Makes a key that signs with HMAC. */
  key(
    accountId: number,
    permissions: readonly Permission[] = MAY_TRADE,
    ipAllowList: readonly string[] = [],
    secret?: string,
  ): TestKey {
    const apiKey = `key${++this.#keys}`.padEnd(64, "A");
    const secretKey = secret ?? `secret${this.#keys}`.padEnd(64, "B");
    const how = { sealedSecret: sealed(secretKey), permissions, ipAllowList, label: "test" };
    this.act(createApiKey(accountId, apiKey, how));
    return { accountId, apiKey, secretKey };
  }

  /** Makes a key that signs with Ed25519. */
  ed25519Key(accountId: number, permissions: readonly Permission[]): SigningKey & { readonly privateKey: KeyObject } {
    const { publicKey: half, privateKey } = generateKeyPairSync("ed25519");
    const publicKey = half.export({ format: "der", type: "spki" }).toString("base64");
    const apiKey = `ed${++this.#keys}`.padEnd(64, "E");
    this.act(createApiKey(accountId, apiKey, { publicKey, permissions, label: "test" }));
    return { ...ed25519Key(apiKey, privateKey), privateKey };
  }
}

const MAY_TRADE: readonly Permission[] = ["MARKET_DATA", "USER_STREAM", "TRADE", "USER_DATA"];

/** Seals a text as far as tests need it: backwards. */
export function sealed(text: string): string {
  return text.split("").reverse().join("");
}
