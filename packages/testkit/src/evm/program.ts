/** The real program on a real chain: an exchange that lists the chain's native coin and a token, with one customer. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type DemoAccount, type Exchange, operate, PRICETIME, pricetime, startExchange } from "../venue/index.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { type Address, formatUnits, getAddress, type Hex, parseUnits } from "viem";
import { Client } from "../client/client.ts";
import { temporaryFolder } from "../scratch.ts";
import { type Anvil, CHAIN_ID, ether, type Gate, openGate, startAnvil, token } from "./anvil.ts";

// A signer, started as an operator starts it: `pricetime signer run`.

const START_TIMEOUT_MS = 60_000;

export interface WalletKeys {
  readonly xpub: string;
  readonly hotWallet: `0x${string}`;
  readonly gasWallet: `0x${string}`;
}

export interface SignerProcess {
  readonly socket: string;
  /** The JSON lines that the signer has printed. */
  readonly output: string[];
  kill(): Promise<void>;
}

/** Creates the key file `<folder>/key`. */
export function makeKeys(folder: string): WalletKeys {
  const { code, stdout, stderr } = pricetime("signer", "init", "--key-file", join(folder, "key"));
  assert.equal(code, 0, stderr);
  const printed = (name: string): string => new RegExp(`^${name}: "?(\\w+)"?$`, "m").exec(stdout)?.[1] ?? "";
  return {
    xpub: printed("xpub"),
    hotWallet: printed("hotWallet") as `0x${string}`,
    gasWallet: printed("gasWallet") as `0x${string}`,
  };
}

/** Starts a signer with the key and the socket in `folder`. `config` must not contain keyFile and socket. */
export async function startSigner(folder: string, config: Readonly<Record<string, unknown>>): Promise<SignerProcess> {
  const socket = join(folder, "signer.sock");
  const file = join(folder, "signer.yaml");
  // JSON is also valid YAML.
  writeFileSync(file, JSON.stringify({ ...config, keyFile: join(folder, "key"), socket }));
  const child = spawn(process.execPath, [...PRICETIME, "signer", "run", "--config", file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const killWithUs = (): void => void child.kill("SIGKILL");
  process.once("exit", killWithUs);
  const exited = new Promise<void>((done) => child.once("exit", () => done()));
  const output: string[] = [];
  await new Promise<void>((done, failed) => {
    const late = setTimeout(() => failed(new Error("the signer did not start in time")), START_TIMEOUT_MS);
    child.once("exit", (code) => {
      clearTimeout(late);
      failed(new Error(`the signer ended with code ${code}`));
    });
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line !== `ready ${socket}`) return void output.push(line);
      clearTimeout(late);
      done();
    });
  });
  return {
    socket,
    output,
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
      process.off("exit", killWithUs);
    },
  };
}

const NETWORK = "ANVIL";
/**
 * The number of confirmations after which a deposit can be traded, and after which a deposit or a withdrawal is final.
 */
export const CREDIT_BLOCKS = 2;
export const FINAL_BLOCKS = 4;
/** The customer's fee for a withdrawal. */
export const FEE = { ANV: "0.01", TOK: "1" } as const;
export type Asset = keyof typeof FEE;
const DECIMALS = { ANV: 18, TOK: 6 } as const;
const PRECISION = { ANV: 8, TOK: 6 } as const;
const PATIENCE_MS = 120_000;

export interface DepositRow {
  readonly asset: Asset;
  readonly amount: number;
  readonly txId: string;
  readonly status: number;
}
export interface WithdrawalRow {
  readonly id: string;
  readonly address: string;
  readonly asset: Asset;
  readonly amount: number;
  readonly txId?: string;
  readonly status: number;
}

export class Program {
  readonly anvil: Anvil;
  readonly gate: Gate;
  readonly keys: WalletKeys;
  readonly contract: Address;
  #signer: SignerProcess;
  readonly #folder: string;
  /** The hot wallet's balance of each asset before the exchange was started. */
  readonly #before: Readonly<Record<Asset, bigint>>;
  #exchange: Exchange | undefined;
  #client: Client | undefined;
  #customer: DemoAccount | undefined;

  private constructor(parts: {
    anvil: Anvil;
    gate: Gate;
    keys: WalletKeys;
    contract: Address;
    signer: SignerProcess;
    folder: string;
    before: Record<Asset, bigint>;
  }) {
    this.anvil = parts.anvil;
    this.gate = parts.gate;
    this.keys = parts.keys;
    this.contract = parts.contract;
    this.#signer = parts.signer;
    this.#folder = parts.folder;
    this.#before = parts.before;
  }

  /** `settings`: additional settings of the network. */
  static async open(settings: Readonly<Record<string, unknown>> = {}): Promise<Program> {
    const folder = temporaryFolder();
    const anvil = await startAnvil();
    const gate = await openGate(anvil.url);
    const keys = makeKeys(folder);
    const contract = await anvil.deployToken(DECIMALS.TOK);
    const before = { ANV: ether(100), TOK: 1_000_000_000n };
    await anvil.call(contract, token.mint(anvil.stranger, 10n ** 15n));
    await anvil.call(contract, token.mint(keys.hotWallet, before.TOK));
    await anvil.pay(keys.hotWallet, before.ANV);
    await anvil.mine(10);
    const signer = await startSigner(folder, signerConfig(contract));
    writeFileSync(
      join(folder, "config.yaml"),
      JSON.stringify(config(gate.url, keys, contract, signer.socket, settings)),
    );
    const program = new Program({ anvil, gate, keys, contract, signer, folder, before });
    await program.start();
    return program;
  }

  async start(): Promise<void> {
    const args = ["--config", join(this.#folder, "config.yaml"), "--bots", "off"];
    this.#exchange = await startExchange({ args, dataFolder: join(this.#folder, "data") });
    this.#customer ??= await this.#openAccount();
    this.#client = new Client(this.#exchange.rest, this.#customer);
  }

  /** Opens an account without balances. */
  async #openAccount(): Promise<DemoAccount> {
    const email = "customer@example.com";
    await this.admin("/v1/accounts", { email, name: "Customer" });
    const permissions = ["TRADE", "USER_DATA", "USER_STREAM", "WITHDRAW"];
    const key = await this.admin<Pick<DemoAccount, "apiKey" | "secretKey">>(`/v1/accounts/${email}/keys`, {
      permissions,
    });
    return { email, name: "Customer", ...key };
  }

  /** Kills the program with SIGKILL. Does nothing if it is not running. */
  async kill(): Promise<void> {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    this.#client?.close();
    this.#client = undefined;
    await exchange?.kill();
  }

  get isDead(): boolean {
    return this.#exchange === undefined;
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  async killSigner(): Promise<void> {
    await this.#signer.kill();
  }

  async startSigner(): Promise<void> {
    this.#signer = await startSigner(this.#folder, signerConfig(this.contract));
  }

  async close(): Promise<void> {
    await this.kill();
    await this.#signer.kill();
    await this.gate.close();
    await this.anvil.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async depositAddress(asset: Asset): Promise<Address> {
    const { address } = await this.#wapi<{ address: string }>("GET", "depositAddress", { asset });
    return getAddress(address);
  }

  async deposits(): Promise<DepositRow[]> {
    return (await this.#wapi<{ depositList: DepositRow[] }>("GET", "depositHistory")).depositList;
  }

  async withdrawals(): Promise<WithdrawalRow[]> {
    return (await this.#wapi<{ withdrawList: WithdrawalRow[] }>("GET", "withdrawHistory")).withdrawList;
  }

  /** Requests a withdrawal. Returns its id. */
  async withdraw(asset: Asset, address: string, amount: string): Promise<string> {
    return (await this.#wapi<{ id: string }>("POST", "withdraw", { asset, address, amount })).id;
  }

  async free(asset: Asset): Promise<string> {
    return (await this.#balance(asset)).free;
  }

  async network(): Promise<{ readonly error: string; readonly height: number; readonly readHeight: number }> {
    const networks =
      await this.admin<{ network: string; error: string; height: number; readHeight: number }[]>("/v1/networks");
    const found = networks.find(({ network }) => network === NETWORK);
    assert.ok(found !== undefined);
    return found;
  }

  /** Restricts the customer's withdrawals to one address. */
  async allowOnly(address: string): Promise<void> {
    const path = `/v1/accounts/${this.#customer?.email}/addresses`;
    await this.admin(path, { network: NETWORK, address, name: "home" });
    await this.admin(path, { isEnforced: true }, "PUT");
  }

  /** Sends coins from an address outside the exchange. They arrive when a block is mined. */
  pay(asset: Asset, to: Address, amount: string): Promise<Hex> {
    const value = parseUnits(amount, DECIMALS[asset]);
    return asset === "ANV" ? this.anvil.pay(to, value) : this.anvil.call(this.contract, token.transfer(to, value));
  }

  /** Returns the balance of an address on the chain, in the asset's own decimals. */
  async held(asset: Asset, of: Address): Promise<bigint> {
    return asset === "ANV" ? this.anvil.client.getBalance({ address: of }) : this.anvil.tokenBalance(this.contract, of);
  }

  /** Waits until the exchange has processed the chain up to its head. */
  async readToHead(): Promise<void> {
    const head = Number(await this.anvil.client.getBlockNumber());
    await this.until("it has read to the head", async () => (await this.network()).readHeight >= head);
  }

  /** Returns whether no deposit is pending. */
  async isQuiet(): Promise<boolean> {
    return (await this.admin<object[]>("/v1/pending-deposits")).length === 0;
  }

  /** Waits until `isSo` holds. Restarts the exchange whenever it has exited. */
  async until(what: string, isSo: () => Promise<boolean>, mines = false): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      if (this.isDead) await this.start();
      try {
        if (await isSo()) return;
      } catch (error) {
        // The test may kill the program at any time. After the restart, the condition is checked again.
        if (!this.isDead) throw error;
      }
      assert.ok(Date.now() < deadline, `${what}: not within ${PATIENCE_MS} ms; ${JSON.stringify(await this.#story())}`);
      if (mines) await this.anvil.mine(1);
      await sleep(20);
    }
  }

  /**
   * Compares ledger and chain when nothing is pending: the balances of customer and exchange must equal the amounts
   * that arrived at the exchange's addresses and are still there. The ledger rounds costs up, so its sum may be lower
   * by fractions of the smallest unit for each transaction, but never higher.
   */
  async audit(addresses: readonly Address[]): Promise<void> {
    assert.deepEqual(await this.admin("/v1/pending-deposits"), []);
    const venue = await this.admin<{ account: string; asset: string; free: string }[]>("/v1/house-accounts");
    const payments = await this.anvil.client.getTransactionCount({ address: this.keys.hotWallet });
    for (const asset of ["ANV", "TOK"] as const) {
      const decimals = DECIMALS[asset];
      const { free, locked } = await this.#balance(asset);
      const mine = venue.filter((row) => row.asset === asset).map((row) => row.free);
      const ledger = [free, locked, ...mine].reduce((sum, text) => sum + parseUnits(text, decimals), 0n);
      let chain = -this.#before[asset];
      for (const of of new Set([this.keys.hotWallet, ...addresses])) chain += await this.held(asset, of);
      const unit = 10n ** BigInt(decimals - PRECISION[asset]);
      const slack = asset === "ANV" ? unit * BigInt(payments) : 0n;
      const difference = `${asset}: ledger ${formatUnits(ledger, decimals)}, chain ${formatUnits(chain, decimals)}`;
      assert.ok(ledger <= chain && chain - ledger <= slack, difference);
    }
  }

  async #balance(asset: Asset): Promise<{ readonly free: string; readonly locked: string }> {
    assert.ok(this.#client !== undefined, "the exchange is dead");
    const { json } = await this.#client.signed<{ balances: { asset: string; free: string; locked: string }[] }>(
      "GET",
      "/api/v3/account",
    );
    const found = json.balances.find((each) => each.asset === asset);
    assert.ok(found !== undefined);
    return found;
  }

  async #story(): Promise<unknown> {
    if (this.isDead) return "dead";
    return { network: await this.network(), deposits: await this.deposits(), withdrawals: await this.withdrawals() };
  }

  async #wapi<T>(method: "GET" | "POST", name: string, parameters: Record<string, string> = {}): Promise<T> {
    assert.ok(this.#client !== undefined, "the exchange is dead");
    const { json, text } = await this.#client.signed<T & { success: boolean }>(
      method,
      `/wapi/v3/${name}.html`,
      parameters,
    );
    assert.ok(json?.success, `${name}: ${text}`);
    return json;
  }

  /** Sends a request to the admin API, which must accept it. */
  async admin<T>(path: string, body?: object, method = body === undefined ? "GET" : "POST"): Promise<T> {
    assert.ok(this.#exchange !== undefined, "the exchange is dead");
    return operate<T>(this.#exchange, method, path, body);
  }
}

function signerConfig(contract: Address): Record<string, unknown> {
  return {
    chainId: CHAIN_ID,
    native: { asset: "ANV", maxPayment: "50", maxPerDay: "1000" },
    tokens: [{ asset: "TOK", contract, decimals: DECIMALS.TOK, maxPayment: "5000", maxPerDay: "100000" }],
  };
}

function config(
  rpcUrl: string,
  keys: WalletKeys,
  contract: Address,
  signerSocket: string,
  settings: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const network = (asset: Asset, step: string): object => ({
    network: NETWORK,
    isDefault: true,
    withdrawFee: FEE[asset],
    withdrawMin: "0.1",
    withdrawMax: "0",
    withdrawStep: step,
    creditConfirmations: CREDIT_BLOCKS,
    finalConfirmations: FINAL_BLOCKS,
  });
  return {
    limits: { enabled: false },
    assets: [
      { asset: "ANV", name: "Native coin", precision: PRECISION.ANV, networks: [network("ANV", "0.00000001")] },
      { asset: "TOK", name: "Token", precision: PRECISION.TOK, networks: [network("TOK", "0.000001")] },
    ],
    wallet: {
      networks: [
        {
          kind: "evm",
          network: NETWORK,
          rpcUrl,
          chainId: CHAIN_ID,
          nativeAsset: "ANV",
          tokens: [{ asset: "TOK", contract, decimals: DECIMALS.TOK }],
          ...keys,
          signerSocket,
          timeoutMs: 60_000,
          pollMs: 50,
          ...settings,
        },
      ],
    },
  };
}
