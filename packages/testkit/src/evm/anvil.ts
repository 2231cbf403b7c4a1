/**
 * A real EVM chain for tests: anvil on its own port, which mines only on command. On machines without anvil, the tests
 * are skipped. The environment variable ANVIL selects another binary.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import {
  type Address,
  type Chain as ViemChain,
  createTestClient,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  type Hex,
  http,
  type HttpTransport,
  parseAbi,
  parseEther,
  type PublicActions,
  publicActions,
  type TestClient,
  type WalletActions,
  walletActions,
} from "viem";
import { foundry } from "viem/chains";
import { ROOT } from "../venue/index.ts";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const BINARY = process.env["ANVIL"] ?? join(ROOT, "node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil");
const START_TIMEOUT_MS = 60_000;

/** The `skip` option of `test(name, { skip })`: false if the chain can be started. */
export const noAnvil: string | false = existsSync(BINARY)
  ? false
  : "there is no anvil here (an optional dependency; ANVIL may name another binary)";

export const CHAIN_ID = 31_337;

type AnvilClient = TestClient<"anvil", HttpTransport, ViemChain> &
  PublicActions<HttpTransport, ViemChain> &
  WalletActions<ViemChain>;

function clientOf(url: string): AnvilClient {
  const transport = http(url, { timeout: 60_000, retryCount: 0 });
  return createTestClient({ mode: "anvil", chain: foundry, transport, cacheTime: 0, pollingInterval: 50 })
    .extend(publicActions)
    .extend(walletActions);
}

export interface Anvil {
  readonly url: string;
  readonly client: AnvilClient;
  /** A funded address that does not belong to the exchange. */
  readonly stranger: Address;
  readonly otherStranger: Address;
  mine(blocks?: number): Promise<void>;
  /** Replaces the last `depth` blocks by other blocks, without their transactions. */
  reorg(depth: number): Promise<void>;
  /** Returns a raw transaction, so that it can be sent again after a reorg. */
  raw(hash: Hex): Promise<Hex>;
  /** Sends native coins. They arrive when a block is mined. */
  pay(to: Address, value: bigint, from?: Address): Promise<Hex>;
  call(contract: Address, data: Hex, from?: Address): Promise<Hex>;
  /** Deploys a token immediately. Returns its address. */
  deployToken(decimals: number): Promise<Address>;
  deployPurse(value: bigint): Promise<Address>;
  tokenBalance(token: Address, of: Address): Promise<bigint>;
  stop(): Promise<void>;
}

const bytecode = JSON.parse(readFileSync(join(import.meta.dirname, "token/token.json"), "utf8")) as {
  readonly Token: Hex;
  readonly Purse: Hex;
};

export const tokenAbi = parseAbi([
  "function mint(address to, uint256 value)",
  "function setMute(bool isMute)",
  "function transfer(address to, uint256 value) returns (bool)",
  "function transferAll(address[] to, uint256[] value)",
]);
const purseAbi = parseAbi(["constructor() payable", "function pay(address to, uint256 value)"]);

export const token = {
  mint: (to: Address, value: bigint): Hex =>
    encodeFunctionData({ abi: tokenAbi, functionName: "mint", args: [to, value] }),
  transfer: (to: Address, value: bigint): Hex =>
    encodeFunctionData({ abi: tokenAbi, functionName: "transfer", args: [to, value] }),
  transferAll: (to: readonly Address[], value: readonly bigint[]): Hex =>
    encodeFunctionData({ abi: tokenAbi, functionName: "transferAll", args: [to, value] }),
  setMute: (isMute: boolean): Hex => encodeFunctionData({ abi: tokenAbi, functionName: "setMute", args: [isMute] }),
};
export const purse = {
  pay: (to: Address, value: bigint): Hex =>
    encodeFunctionData({ abi: purseAbi, functionName: "pay", args: [to, value] }),
};

export async function startAnvil(port = 0): Promise<Anvil> {
  const args = [
    "--port",
    String(port),
    "--no-mining",
    "--order",
    "fifo",
    "--accounts",
    "2",
    "--chain-id",
    String(CHAIN_ID),
  ];
  const child = spawn(BINARY, args, { stdio: ["ignore", "pipe", "pipe"] });
  const killWithUs = (): void => void child.kill("SIGKILL");
  process.once("exit", killWithUs);
  const exited = new Promise<void>((done) => child.once("exit", () => done()));
  const url = await new Promise<string>((done, failed) => {
    const late = setTimeout(() => failed(new Error("anvil did not start in time")), START_TIMEOUT_MS);
    child.once("exit", (code) => {
      clearTimeout(late);
      failed(new Error(`anvil ended with code ${code}`));
    });
    createInterface({ input: child.stdout }).on("line", (line) => {
      const address = /^Listening on (\S+)$/.exec(line)?.[1];
      if (address === undefined) return;
      clearTimeout(late);
      done(`http://${address}`);
    });
  });
  child.stderr.resume();
  const client = clientOf(url);
  const [stranger, otherStranger] = await client.getAddresses();
  assert.ok(stranger !== undefined && otherStranger !== undefined);
  const deploy = async (data: Hex, value = 0n): Promise<Address> => {
    const nonce = await client.getTransactionCount({ address: stranger });
    await client.sendTransaction({ account: stranger, data, value, gas: 2_000_000n });
    await client.mine({ blocks: 1 });
    return getContractAddress({ from: stranger, nonce: BigInt(nonce) });
  };
  return {
    url,
    client,
    stranger,
    otherStranger,
    mine: (blocks = 1) => client.mine({ blocks }),
    reorg: async (depth) => {
      await client.request<{ Method: "anvil_reorg"; Parameters: unknown[]; ReturnType: unknown }>({
        method: "anvil_reorg",
        params: [depth, []],
      });
    },
    raw: (hash) =>
      client.request<{ Method: "eth_getRawTransactionByHash"; Parameters: [Hex]; ReturnType: Hex }>({
        method: "eth_getRawTransactionByHash",
        params: [hash],
      }),
    pay: (to, value, from = stranger) => client.sendTransaction({ account: from, to, value }),
    call: (to, data, from = stranger) => client.sendTransaction({ account: from, to, data, gas: 500_000n }),
    deployToken: (decimals) =>
      deploy(`${bytecode.Token}${encodeAbiParameters([{ type: "uint8" }], [decimals]).slice(2)}`),
    deployPurse: (value) => deploy(bytecode.Purse, value),
    tokenBalance: (address, of) =>
      client.readContract({ address, abi: erc20Abi, functionName: "balanceOf", args: [of] }),
    stop: async () => {
      child.kill("SIGKILL");
      await exited;
      process.off("exit", killWithUs);
    },
  };
}

/** Converts ether to wei: 1.5 to 1500000000000000000n. */
export const ether = (amount: number): bigint => parseEther(String(amount));

// A proxy to the chain, controlled by a test: it can be closed, and reports every request before passing it on.

/**
 * The two points at which the proxy reports a request such as `eth_getLogs`: before it reaches the chain, and before
 * the answer reaches the node.
 */
export type Moment = "asked" | "answered";

export interface Gate {
  readonly url: string;
  /** Holds all requests until `open` is called. */
  shut(): void;
  open(): void;
  /** Called at both points of every request. The request waits for the result. */
  onQuestion: (method: string, moment: Moment) => void | Promise<void>;
  close(): Promise<void>;
}

export async function openGate(to: string): Promise<Gate> {
  let isShut = false;
  const server = createServer((request, response) => {
    void pass(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const gate: Gate = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shut: () => {
      isShut = true;
      server.closeAllConnections();
    },
    open: () => (isShut = false),
    onQuestion: () => {},
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await request.toArray()).join("");
    if (isShut) return void response.destroy();
    const { method } = JSON.parse(body) as { readonly method: string };
    await gate.onQuestion(method, "asked");
    const answer = await fetch(to, { method: "POST", body, headers: { "content-type": "application/json" } });
    const text = await answer.text();
    await gate.onQuestion(method, "answered");
    response.writeHead(answer.status, { "content-type": "application/json" }).end(text);
  };
  return gate;
}
