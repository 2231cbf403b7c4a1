/**
 * Runs a sandbox as a network of the node by adapting the simulated chain to the chain port. The node that runs the
 * network also mines its blocks.
 */
import { createHash } from "node:crypto";
import { type EngineView, parseDecimal, type UnknownDepositReason } from "@pricetime/engine";
import { type Dice, randomUint32, type World } from "../../../platform/world/port.ts";
import {
  type Block,
  type Chain,
  type ChainCoin,
  ChainUnreachable,
  type EmptyBlocks,
  type Payment,
  PaymentRefused,
  type SignedPayment,
  type TransactionState,
} from "../chain.ts";
import { SandboxWorld } from "./world.ts";
import type { WorldFile, WorldTransaction } from "./world-file.ts";
import type { StrangersPayment } from "../port.ts";
import { assetByName, networkOf, type RunCommand } from "../follower-parts.ts";
import { ChainNetwork, type ChainNetworkOptions } from "../network.ts";

const ADDRESS = /^[A-Za-z0-9]{16,128}$/;
const TAG = /^[A-Za-z0-9]{0,64}$/;
const SIGNED = "sandbox:";
/** The owner of the address that all accounts share on a tagged sandbox. */
const SHARED = "shared";

interface SandboxChainOptions {
  readonly network: string;
  /** Addresses are derived from this seed and the account id. */
  readonly seed: string;
  /** Whether accounts share one address and are distinguished by tags. */
  readonly isTagged: () => boolean;
  /** The network fee of each payment of the exchange; null if there is none. */
  readonly cost: { readonly asset: string; readonly amount: string } | null;
  readonly dice: Dice;
  readonly file: WorldFile;
  readonly world: SandboxWorld;
}

export class SandboxChain implements Chain {
  readonly kind = "sandbox";
  readonly network: string;
  readonly #options: SandboxChainOptions;
  readonly #file: WorldFile;

  constructor(options: SandboxChainOptions) {
    this.#options = options;
    this.network = options.network;
    this.#file = options.file;
  }

  static isAddress(address: string, tag: string): boolean {
    return ADDRESS.test(address) && TAG.test(tag);
  }
  isAddress(address: string, tag: string): boolean {
    return SandboxChain.isAddress(address, tag);
  }

  async addressOf(accountId: number): Promise<{ readonly address: string; readonly tag: string }> {
    const isTagged = this.#options.isTagged();
    return {
      address: this.#address(isTagged ? SHARED : `account/${accountId}`),
      tag: isTagged ? String(accountId) : "",
    };
  }

  async head(): Promise<Block> {
    this.#reach();
    this.#file.writeEmptyBlocks();
    return this.#options.world.head();
  }

  emptyBlocks(): EmptyBlocks | undefined {
    return this.#options.world.isReachable ? this.#file.emptyBlocks : undefined;
  }

  async block(height: number): Promise<Block | undefined> {
    this.#reach();
    this.#file.writeEmptyBlocks();
    if (height > this.#file.world().height) return undefined;
    return { height, hash: this.#file.hashAt(height) };
  }

  async coins(
    fromHeight: number,
    toHeight: number,
    isOurs: (address: string, tag: string) => boolean,
  ): Promise<readonly ChainCoin[]> {
    this.#reach();
    const coins: ChainCoin[] = [];
    for (const { txId, asset, address, tag, amount, height, isSuccess } of this.#file.minedBetween(
      fromHeight,
      toHeight,
    )) {
      if (!isSuccess || height === null) continue;
      const stray = isOurs(address, tag) ? undefined : this.#whyNobodys(address, tag);
      if (stray === undefined && !isOurs(address, tag)) continue;
      const block = { height, hash: this.#file.hashAt(height) };
      coins.push({ txId, output: 0, asset, address, tag, amount, block, ...(stray !== undefined && { stray }) });
    }
    return coins;
  }

  /** Why a deposit to the shared address cannot be attributed; undefined if the address is not ours. */
  #whyNobodys(address: string, tag: string): UnknownDepositReason | undefined {
    if (!this.#options.isTagged() || address !== this.#address(SHARED)) return undefined;
    return tag === "" ? "noTag" : "unknownAddress";
  }

  async transaction(txId: string): Promise<TransactionState> {
    this.#reach();
    const found = this.#file.transaction(txId);
    if (found === undefined) return { state: "unknown" };
    const { height, isSuccess, nonce } = found;
    if (height === null) return { state: "waiting" };
    const block = { height, hash: this.#file.hashAt(height) };
    return { state: "mined", block, isSuccess, cost: nonce === null ? null : this.#options.cost };
  }

  async minedNonce(height: number): Promise<number> {
    this.#reach();
    return this.#file.nextNonce(height);
  }

  async sign(payment: Payment): Promise<SignedPayment> {
    this.#reach();
    const { address, tag } = payment;
    if (!this.isAddress(address, tag)) throw new PaymentRefused("the network has no such address");
    const { asset, amount, nonce } = payment;
    // A random value in place of a fee, so that signing a payment again gives a different transaction, as on a real
    // chain.
    const bid = randomUint32(this.#options.dice);
    const words = JSON.stringify({ chain: this.#file.world().genesis, asset, address, tag, amount, nonce, bid });
    const signedTx = SIGNED + Buffer.from(words).toString("base64url");
    return { txId: txIdOf(signedTx), signedTx };
  }

  /**
   * Creates another transaction with the same nonce, of which only one can be mined. Fees have no effect in a sandbox.
   */
  raise(payment: Payment): Promise<SignedPayment> {
    return this.sign(payment);
  }

  async broadcast(signedTx: string): Promise<void> {
    this.#reach();
    const txId = txIdOf(signedTx);
    const payment = readSigned(signedTx);
    this.#file.write(() => {
      const { genesis, height, losses, reverts } = this.#file.world();
      if (payment.chain !== genesis) throw new PaymentRefused("signed for another chain");
      const isStale = (payment.nonce ?? 0) < this.#file.nextNonce(height);
      if (isStale || this.#file.transaction(txId) !== undefined) return;
      if (losses > 0) {
        this.#file.set({ losses: losses - 1 });
        return;
      }
      if (payment.nonce !== null) this.#file.removeWaiting(payment.nonce);
      if (reverts > 0) this.#file.set({ reverts: reverts - 1 });
      this.#file.add({ ...payment, txId, height: null, isSuccess: reverts === 0 });
    });
  }

  async close(): Promise<void> {
    this.#options.world.stop();
    this.#file.close();
  }

  #reach(): void {
    if (!this.#options.world.isReachable) throw new ChainUnreachable(`${this.network}: no response`);
  }

  #address(of: string): string {
    const digest = createHash("sha256").update(`${this.#options.seed}/${this.network}/${of}`).digest("hex");
    return `sb1${digest.slice(0, 40)}`;
  }
}

function txIdOf(signedTx: string): string {
  return createHash("sha256").update(signedTx).digest("hex");
}

/** Parses a transaction written by `sign`. */
function readSigned(signedTx: string): WorldTransaction & { readonly chain: string } {
  if (!signedTx.startsWith(SIGNED)) throw new PaymentRefused("not a transaction of a sandbox");
  return JSON.parse(Buffer.from(signedTx.slice(SIGNED.length), "base64url").toString());
}

export interface OpenSandboxOptions extends Pick<SandboxChainOptions, "network" | "seed" | "cost"> {
  readonly file: WorldFile;
  readonly blockMs: number;
  readonly view: Pick<EngineView, "assets">;
  readonly onChange: () => unknown;
  readonly elsewhere?: () => string;
  readonly onTrouble?: (error: Error | null) => void;
  readonly world: World;
}

export interface Sandbox {
  readonly chain: SandboxChain;
  readonly world: SandboxWorld;
}

export function openSandbox(options: OpenSandboxOptions): Sandbox {
  const { file, network, seed, cost, view, world: dice } = options;
  const world = new SandboxWorld({ ...options, checkPayment: (payment) => whyNot(payment, options) });
  const isTagged = (): boolean => view.assets().some((asset) => networkOf(asset, network)?.isTagged === true);
  return { chain: new SandboxChain({ network, seed, cost, isTagged, dice, file, world }), world };
}

/** Lists the network's assets for error messages, because network and asset names are easily confused. */
function whatMoves(name: string, network: string, view: OpenSandboxOptions["view"]): string {
  const here = view.assets().filter((asset) => networkOf(asset, network) !== undefined);
  const there = assetByName(view, name)?.spec.networks.map((on) => on.network) ?? [];
  const elsewhere = there.length === 0 ? "" : `; ${name} moves on ${there.join(", ")}`;
  return `${network} has no ${name}, but ${here.map(({ spec }) => spec.asset).join(", ") || "nothing"}${elsewhere}`;
}

/** Why the payment is not possible here; null if it is possible. */
function whyNot(
  { asset, address, tag, amount }: StrangersPayment,
  { view, network }: Pick<OpenSandboxOptions, "view" | "network">,
): string | null {
  const listed = assetByName(view, asset);
  if (listed === undefined || networkOf(listed, network) === undefined)
    return `asset: ${whatMoves(asset, network, view)}`;
  const units = parseDecimal(amount, listed.spec.precision);
  if (units === null || units === 0n) return `amount: a decimal of ${asset}, more than 0`;
  return SandboxChain.isAddress(address, tag) ? null : "address: the network has no such address";
}

export class SandboxNetwork extends ChainNetwork {
  readonly #world: SandboxWorld;

  constructor(options: ChainNetworkOptions, world: SandboxWorld) {
    super(options);
    this.#world = world;
  }

  override start(sequencer?: RunCommand): void {
    this.#world.start();
    super.start(sequencer);
  }

  override async stop(): Promise<void> {
    this.#world.stop();
    await super.stop();
  }
}
