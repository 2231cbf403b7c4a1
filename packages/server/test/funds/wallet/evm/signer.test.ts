/** The signer: what it signs, what it rejects, and that no input brings it down. */
import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { decodeFunctionData, getAddress, keccak256, parseTransaction, recoverTransactionAddress } from "viem";
import { DepositKey } from "../../../../src/funds/wallet/evm/deposit-key.ts";
import { PaymentRefused } from "../../../../src/funds/wallet/chain.ts";
import { SignerClient, SignerRefused } from "../../../../src/funds/wallet/evm/signer-client.ts";
import { Allowance, Refused, Signer } from "../../../../src/funds/wallet/evm/signer/signer.ts";
import type { TransactionRequest } from "../../../../src/funds/wallet/evm/signer/port.ts";
import { Keys } from "../../../../src/funds/wallet/evm/signer/keys.ts";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { ether, makeKeys, type SignerProcess, startSigner, tokenAbi, type WalletKeys } from "@pricetime/testkit/evm";
import { pricetime } from "@pricetime/testkit/venue";
import { MACHINE } from "../../../../src/platform/world/machine.ts";

const CONTRACT = getAddress("0x5fbdb2315678afecb367f032d93f642f64180aa3");
const PAYEE = getAddress("0x70997970c51812dc3a010c7d01b50e0d17dc79c8");
const GWEI = 1_000_000_000n;

const config = {
  chainId: 5,
  native: { asset: "ETH", maxPayment: "2", maxPerDay: "3", maxTopUp: "0.01" },
  tokens: [{ asset: "USDT", contract: CONTRACT, decimals: 6, maxPayment: "100", maxPerDay: "100" }],
  maxGas: 100_000,
  maxFeeGwei: 50,
};

describe("the signer", () => {
  const folder = temporaryFolder();
  let keys: WalletKeys;
  let signer: SignerProcess;
  let client: SignerClient;

  before(async () => {
    keys = makeKeys(folder);
    signer = await startSigner(folder, config);
    const settings = {
      network: "ETH",
      rpcUrl: "",
      chainId: 5,
      nativeAsset: "ETH",
      tokens: [],
      ...keys,
      signerSocket: signer.socket,
      timeoutMs: 60_000,
    };
    client = new SignerClient(settings, MACHINE);
  });
  after(async () => {
    await signer.kill();
    rmSync(folder, { recursive: true });
  });

  const common = {
    chainId: 5,
    asset: "ETH",
    value: ether(0.001),
    nonce: 0,
    gas: 21_000n,
    maxFeePerGas: 10n * GWEI,
    maxPriorityFeePerGas: GWEI,
  };
  const payment = (changed: object = {}): TransactionRequest => ({ type: "payment", to: PAYEE, ...common, ...changed });
  const read = async (signedTx: string) => {
    const serializedTransaction = signedTx as `0x02${string}`;
    const from = await recoverTransactionAddress({ serializedTransaction });
    return { from, ...parseTransaction(serializedTransaction) };
  };
  const refuses = async (request: TransactionRequest, why: RegExp, isForGood = true): Promise<void> => {
    await assert.rejects(client.sign(request), (error: unknown) => {
      assert.ok(error instanceof (isForGood ? PaymentRefused : SignerRefused), String(error));
      assert.match(error.message, why);
      return true;
    });
  };

  test("the key file is its owner's alone, never overwritten, and its public half spends nothing", () => {
    const file = join(folder, "key");
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(statSync(signer.socket).mode & 0o007, 0, "others may ask it");
    const seed = readFileSync(file, "utf8");
    const again = pricetime("signer", "init", "--key-file", file);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /never overwritten/);
    assert.equal(readFileSync(file, "utf8"), seed);
    const told = pricetime("signer", "keys", "--key-file", file).stdout;
    assert.ok(told.includes(keys.xpub) && !told.includes(seed.trim()) && !told.includes("xprv"));

    const open = join(folder, "open-key");
    writeFileSync(open, seed);
    chmodSync(open, 0o640);
    const refused = pricetime("signer", "keys", "--key-file", open);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /Other users can read/);
  });

  test("says whose keys it holds", async () => {
    assert.deepEqual(await client.hello(5), keys);
    await assert.rejects(client.hello(1), /this signer is configured for chain 5, not 1/);
  });

  test("signs a payment of native coins, exactly as asked", async () => {
    const { txId, signedTx } = await client.sign(payment({ nonce: 7 }));
    assert.equal(keccak256(signedTx as `0x${string}`), txId);
    const { from, to, value, nonce, gas, chainId, type, data, maxFeePerGas, maxPriorityFeePerGas } =
      await read(signedTx);
    assert.deepEqual([from, to === undefined || to === null ? to : getAddress(to)], [keys.hotWallet, PAYEE]);
    assert.deepEqual([type, chainId, nonce, value, gas, data], ["eip1559", 5, 7, ether(0.001), 21_000n, undefined]);
    assert.deepEqual([maxFeePerGas, maxPriorityFeePerGas], [10n * GWEI, GWEI]);
  });

  test("signs a payment of tokens by its own table of contracts", async () => {
    const { signedTx } = await client.sign(payment({ asset: "USDT", value: 1_000_000n, gas: 60_000n }));
    const { from, to, value, data } = await read(signedTx);
    assert.deepEqual([from, getAddress(to ?? "0x"), value ?? 0n], [keys.hotWallet, CONTRACT, 0n]);
    const { functionName, args } = decodeFunctionData({ abi: tokenAbi, data: data ?? "0x" });
    assert.deepEqual([functionName, args], ["transfer", [PAYEE, 1_000_000n]]);
  });

  test("sweeps go to the hot wallet and top-ups to a deposit address, wherever the node wants them", async () => {
    const deposit = new DepositKey(keys.xpub).addressOf(42);
    const sweep = await read((await client.sign({ ...common, type: "sweep", accountId: 42 })).signedTx);
    assert.deepEqual([sweep.from, getAddress(sweep.to ?? "0x")], [deposit, keys.hotWallet]);
    const topUp = await read((await client.sign({ ...common, type: "topUp", accountId: 42 })).signedTx);
    assert.deepEqual([topUp.from, getAddress(topUp.to ?? "0x")], [keys.gasWallet, deposit]);
    for (const type of ["sweep", "topUp"]) {
      const strayed = { ...common, type, accountId: 42, to: PAYEE } as unknown as TransactionRequest;
      await refuses(strayed, /invalid request/);
    }
    await refuses({ ...common, type: "topUp", accountId: 1, value: ether(0.02) }, /maxTopUp/, false);
    await refuses({ ...common, type: "topUp", accountId: 1, asset: "USDT" }, /native/, false);
    await refuses({ ...common, type: "sweep", accountId: 2 ** 31 }, /index/);
  });

  test("refuses what is beyond its limits, whatever the node thinks", async () => {
    await refuses(payment({ value: ether(2) + 1n }), /maxPayment/);
    await refuses(payment({ asset: "USDT", value: 100_000_001n }), /maxPayment/);
    await refuses(payment({ value: 0n }), /amount is 0/);
    await refuses(payment({ asset: "DAI" }), /not configured/);
    await refuses(payment({ chainId: 1 }), /chain 5/, false);
    await refuses(payment({ gas: 100_001n }), /maxGas/);
    await refuses(payment({ maxFeePerGas: 50n * GWEI + 1n }), /maxFeeGwei/, false);
    await refuses(payment({ maxPriorityFeePerGas: 11n * GWEI }), /priority fee/, false);
    await refuses(payment({ to: "0x00" }), /invalid request/);
    await refuses(payment({ value: -1n }), /invalid request/);
    await refuses(payment({ value: 10n ** 78n }), /invalid request/);
    await refuses(payment({ data: "0x" }), /invalid request/);
  });

  test("no more in a day than maxPerDay; another bid for the same nonce is no second payment", async () => {
    const spent = { nonce: 100, value: ether(1.5) };
    await client.sign(payment(spent));
    await client.sign(payment({ ...spent, maxFeePerGas: 20n * GWEI }));
    await refuses(payment({ nonce: 101, value: ether(1.5) }), /maxPerDay/, false);
  });

  test("nonsense is refused or cut off, and the signer lives on", async () => {
    const say = (bytes: string | Buffer): Promise<string> =>
      new Promise((done) => {
        let heard = "";
        const socket = connect(signer.socket, () => void socket.write(bytes));
        socket.on("data", (chunk) => (heard += chunk.toString()));
        socket.on("error", () => {});
        socket.on("close", () => done(heard));
      });
    assert.match(await say("hello\n"), /invalid request/);
    assert.match(await say("[]\n"), /invalid request/);
    assert.match(await say('{"type":"payment"}\n'), /invalid request/);
    assert.match(await say('{"type":"hello","chainId":5,"more":1}\n'), /invalid request/);
    assert.match(await say(Buffer.from([0xff, 0xfe, 0x00, 0x0a])), /invalid request/);
    assert.equal(await say(`${"x".repeat(100_000)}\n`), "", "answered a line that is too long");
    // Closes the connection in the middle of a message.
    await new Promise<void>((done) => {
      const socket = connect(signer.socket, () => socket.write('{"type":', () => socket.destroy()));
      socket.on("close", () => done());
    });
    assert.deepEqual(await client.hello(5), keys);
  });

  test("what it signed and refused stands in its log, and no key", () => {
    assert.ok(signer.output.some((line) => line.includes("refused: amount exceeds maxPayment")));
    assert.ok(signer.output.some((line) => /"outcome":"0x[0-9a-f]{64}"/.test(line)));
    const seed = readFileSync(join(folder, "key"), "utf8").trim();
    assert.ok(!signer.output.some((line) => line.includes(seed)));
  });

  test("a second signer does not push the first aside; one that was killed leaves its place", async () => {
    await assert.rejects(startSigner(folder, config), /ended with code 1/);
    assert.deepEqual(await client.hello(5), keys);
    await signer.kill();
    assert.ok(existsSync(signer.socket));
    signer = await startSigner(folder, config);
    assert.deepEqual(await client.hello(5), keys);
  });
});

test("a day's allowance comes back after a day", () => {
  const dayMs = 24 * 60 * 60 * 1000;
  const allowance = new Allowance(10n, 15n);
  allowance.spend(10n, 1, 0);
  assert.throws(() => allowance.spend(6n, 2, dayMs - 1), Refused);
  allowance.spend(5n, 3, dayMs - 1);
  allowance.spend(10n, 4, dayMs);
  assert.throws(() => allowance.spend(1n, 5, dayMs), Refused);
  // A cheaper payment with a used nonce does not free a place: it is open which of the two is mined.
  allowance.spend(1n, 4, dayMs);
  assert.throws(() => allowance.spend(1n, 5, dayMs), Refused);
});

test("a wall clock that leaps by days gives no allowance back", async (t) => {
  const rightMs = Date.now();
  let leaptMs = 0;
  t.mock.method(Date, "now", () => rightMs + leaptMs);
  const keys = new Keys(Buffer.alloc(32, 7));
  const signer = new Signer({ ...config, keyFile: "", socket: "", tokens: [] }, keys);
  const fees = { gas: 21_000n, maxFeePerGas: GWEI, maxPriorityFeePerGas: GWEI };
  const pay = (nonce: number): Promise<unknown> =>
    signer.answer({ type: "payment", chainId: 5, asset: "ETH", to: PAYEE, value: ether(1.5), nonce, ...fees });
  await pay(1);
  await pay(2);
  await assert.rejects(pay(3), /maxPerDay/);
  leaptMs = 3 * 24 * 60 * 60 * 1000;
  await assert.rejects(pay(3), /maxPerDay/);
});
