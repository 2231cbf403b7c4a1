/** An engine under the test's own clock, and its operator, who lists, opens accounts, and gives money and keys. */
import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { type AssetNetwork, type Command, ORDER_TYPES, type Permission } from "@pricetime/engine";
import type { Engine, Event, SymbolFilters, SymbolSpec } from "@pricetime/engine";
import type { Outcome, Sequencer } from "@pricetime/server/parts";
import { type Credentials, ed25519Key, type SigningKey } from "../client/signing.ts";

const BY = "test";

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
    this.act({ type: "listAsset", by: BY, asset: { asset, name: asset, precision, networks } });
  }

  listSymbol(
    symbol: string,
    baseAsset: string,
    quoteAsset: string,
    filters: SymbolFilters,
    more: Partial<SymbolSpec> = {},
  ): void {
    const spec: SymbolSpec = {
      symbol,
      status: "TRADING",
      baseAsset,
      quoteAsset,
      orderTypes: ORDER_TYPES,
      icebergAllowed: true,
      ocoAllowed: true,
      quoteOrderQtyMarketAllowed: true,
      filters,
      ...more,
    };
    this.act({ type: "listSymbol", by: BY, symbol: spec });
  }

  /** Opens an account or a sub-account, without money or key. */
  openAccount(email: string, masterId?: number): number {
    const of = masterId === undefined ? {} : { masterId };
    const rates = { makerBps: 10, takerBps: 20 };
    const [event] = this.act({ type: "openAccount", by: BY, email, name: email, ...rates, ...of });
    assert(event?.type === "accountOpened");
    return event.accountId;
  }

  give(accountId: number, asset: string, amount: string): void {
    const reference = `${accountId} ${asset} ${this.engine.seq}`;
    this.act({ type: "deposit", by: BY, accountId, asset, amount, reference });
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
    const key = { accountId, apiKey, sealedSecret: sealed(secretKey), permissions, ipAllowList };
    this.act({ type: "createApiKey", by: BY, label: "test", ...key });
    return { accountId, apiKey, secretKey };
  }

  /** Makes a key that signs with Ed25519. */
  ed25519Key(accountId: number, permissions: readonly Permission[]): SigningKey & { readonly privateKey: KeyObject } {
    const { publicKey: half, privateKey } = generateKeyPairSync("ed25519");
    const publicKey = half.export({ format: "der", type: "spki" }).toString("base64");
    const apiKey = `ed${++this.#keys}`.padEnd(64, "E");
    const key = { accountId, apiKey, sealedSecret: "", publicKey, permissions, ipAllowList: [] };
    this.act({ type: "createApiKey", by: BY, label: "test", ...key });
    return { ...ed25519Key(apiKey, privateKey), privateKey };
  }
}

const MAY_TRADE: readonly Permission[] = ["MARKET_DATA", "USER_STREAM", "TRADE", "USER_DATA"];

/** Seals a text as far as tests need it: backwards. */
export function sealed(text: string): string {
  return text.split("").reverse().join("");
}
