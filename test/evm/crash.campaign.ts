/**
 * The exchange is killed at every question that it asks of the chain, before the chain hears it and after
 * it answered, in the middle of deposits and a withdrawal; sometimes the chain reorganizes while it is
 * dead. In the end each coin is credited once, each withdrawal is paid once, and ledger and chain agree.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Address, getAddress, type Hex, parseUnits } from "viem";
import { type Asset, FEE, type Moment, noAnvil, Program, type WithdrawalRow } from "@pricetime/testkit/evm";

/** Blocks that a reorg replaces: fewer than what makes anything final. */
const REORG_DEPTH = 3;
/** Half seconds until a round is sure to have missed its point. */
const MOST_WAITS = 240;

interface KillPoint {
  readonly method: string;
  readonly moment: Moment;
  /** The how-manieth time. */
  readonly time: number;
  /** What happens while the exchange is dead. */
  readonly meanwhile: "nothing" | "blocks" | "reorg" | "reorg, and the coins are lost";
}

const POINTS: readonly KillPoint[] = [
  { method: "eth_getBlockByNumber", moment: "answered", time: 6, meanwhile: "reorg" },
  { method: "eth_getBlockByNumber", moment: "asked", time: 30, meanwhile: "blocks" },
  { method: "eth_getLogs", moment: "asked", time: 1, meanwhile: "nothing" },
  { method: "eth_getLogs", moment: "answered", time: 1, meanwhile: "reorg, and the coins are lost" },
  { method: "eth_getTransactionReceipt", moment: "asked", time: 2, meanwhile: "reorg, and the coins are lost" },
  { method: "eth_getTransactionReceipt", moment: "answered", time: 4, meanwhile: "blocks" },
  { method: "eth_getTransactionCount", moment: "answered", time: 1, meanwhile: "reorg" },
  { method: "eth_getBalance", moment: "answered", time: 1, meanwhile: "blocks" },
  { method: "eth_sendRawTransaction", moment: "asked", time: 1, meanwhile: "reorg" },
  { method: "eth_sendRawTransaction", moment: "answered", time: 1, meanwhile: "blocks" },
  { method: "eth_sendRawTransaction", moment: "answered", time: 1, meanwhile: "reorg" },
  { method: "eth_getTransactionByHash", moment: "answered", time: 3, meanwhile: "nothing" },
];

describe("killed at each step", { skip: noAnvil }, () => {
  let program: Program;
  let mine: Address;

  before(async () => {
    program = await Program.open();
    mine = await program.depositAddress("ANV");
    const funds = [await program.pay("ANV", mine, "40"), await program.pay("TOK", mine, "5000")];
    await program.until("the customer has funds", () => areFinal(funds), true);
  });
  after(() => program.close());

  const areFinal = async (txIds: readonly Hex[]): Promise<boolean> => {
    const rows = await program.deposits();
    return txIds.every((txId) => rows.some((row) => row.txId === txId && row.status === 1));
  };
  const balances = async () => ({ ANV: Number(await program.free("ANV")), TOK: Number(await program.free("TOK")) });

  /** Kills the exchange once, at the point; resolves when it is dead. */
  const armed = ({ method, moment, time }: KillPoint): Promise<void> =>
    new Promise((done) => {
      let left = time;
      program.gate.onQuestion = async (asked, when) => {
        if (asked !== method || when !== moment || program.isDead || --left > 0) return;
        program.gate.onQuestion = () => {};
        await program.kill();
        done();
      };
    });

  const replaceBlocks = async (coins: readonly Hex[], areLost: boolean): Promise<void> => {
    const raws = await Promise.all(coins.map((txId) => program.anvil.raw(txId)));
    await program.anvil.mine(1);
    await program.anvil.reorg(REORG_DEPTH);
    if (areLost) return;
    for (const serializedTransaction of raws) {
      // Deeper than the reorg goes they are there still.
      await program.anvil.client.sendRawTransaction({ serializedTransaction }).catch(() => {});
    }
  };

  for (const [round, point] of POINTS.entries()) {
    const { method, moment, time, meanwhile } = point;
    test(`${method}, ${moment}, time ${time}; meanwhile ${meanwhile}`, async () => {
      const asset: Asset = round % 2 === 0 ? "ANV" : "TOK";
      const payee = getAddress(`0x${randomBytes(20).toString("hex")}`);
      const before = await balances();
      // What came before is out of reach of any reorg.
      await program.anvil.mine(REORG_DEPTH);
      await program.readToHead();
      const paid = { ANV: (round + 1) / 1000, TOK: round + 1 };
      const coins = [
        await program.pay("ANV", mine, String(paid.ANV)),
        await program.pay("TOK", mine, String(paid.TOK)),
      ];

      const killed = armed(point);
      const isIts = ({ address }: WithdrawalRow): boolean => address === payee;
      await program.until("the withdrawal is asked for", async () => {
        if ((await program.withdrawals()).some(isIts)) return true;
        await program.withdraw(asset, payee, "1.25");
        return true;
      });
      const isDone = async (): Promise<boolean> => (await program.withdrawals()).find(isIts)?.status === 6;
      const areLost = meanwhile === "reorg, and the coins are lost";
      // Nothing starts it again before what happens meanwhile has happened. Coins that are to be lost lie in the last block.
      await program.anvil.mine(1);
      for (let waits = 0; !program.isDead; waits++) {
        assert.ok(waits < MOST_WAITS, "it was never killed");
        await Promise.race([killed, sleep(500)]);
        if (!program.isDead && !areLost) await program.anvil.mine(1);
      }
      if (meanwhile === "blocks") await program.anvil.mine(6);
      if (meanwhile.startsWith("reorg")) await replaceBlocks(coins, areLost);
      if (areLost) assert.deepEqual(await Promise.all(coins.map((txId) => isOnChain(txId))), [false, false]);

      await program.until("the withdrawal is done", isDone, true);
      const expected = areLost ? [] : coins;
      await program.until("the deposits are final", () => areFinal(expected), true);
      await program.until("nothing is open", () => program.isQuiet(), true);

      const rows = await program.deposits();
      for (const txId of coins) {
        assert.equal(rows.filter((row) => row.txId === txId).length, expected.includes(txId) ? 1 : 0);
      }
      const now = await balances();
      for (const each of ["ANV", "TOK"] as const) {
        const came = expected.includes(coins[each === "ANV" ? 0 : 1] as Hex) ? paid[each] : 0;
        const left = each === asset ? 1.25 : 0;
        assert.ok(
          Math.abs(now[each] - (before[each] + came - left)) < 1e-9,
          `${each}: ${before[each]} -> ${now[each]}`,
        );
      }
      const decimals = asset === "ANV" ? 18 : 6;
      assert.equal(await program.held(asset, payee), parseUnits("1.25", decimals) - parseUnits(FEE[asset], decimals));
      assert.equal((await program.withdrawals()).filter(isIts).length, 1);
      await program.audit([mine]);
    });
  }

  const isOnChain = async (txId: Hex): Promise<boolean> =>
    program.anvil.client.getTransactionReceipt({ hash: txId }).then(
      () => true,
      () => false,
    );
});
