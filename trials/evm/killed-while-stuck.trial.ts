/**
 * Several payments are stuck on a real chain because the gas price has risen, and the exchange is killed at certain
 * requests to the chain while it signs the payments again; in some cases there is also a reorg. Each is paid once.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { DearGas, type Moment, noAnvil } from "@pricetime/testkit/evm";

interface KillPoint {
  readonly method: string;
  readonly moment: Moment;
  /** The number of the request with this method since the gas price rose, from 1. */
  readonly time: number;
  readonly reorg: boolean;
}

const POINTS: readonly KillPoint[] = [
  { method: "eth_sendRawTransaction", moment: "asked", time: 1, reorg: false },
  { method: "eth_sendRawTransaction", moment: "answered", time: 1, reorg: true },
  { method: "eth_sendRawTransaction", moment: "asked", time: 3, reorg: true },
  { method: "eth_getBalance", moment: "answered", time: 1, reorg: true },
];
const REORG_DEPTH = 2;
const MOST_BLOCKS = 600;
/** The number of pending payments. */
const PAYMENTS = 3;

describe("killed while payments are stuck", { skip: noAnvil }, () => {
  let venue: DearGas;

  before(async () => {
    venue = await DearGas.open();
  });
  after(() => venue.close());

  /** Kills the exchange at this point; resolves when it has exited. */
  const armed = ({ method, moment, time }: KillPoint): Promise<void> =>
    new Promise((done) => {
      let left = time;
      const { program } = venue;
      program.gate.onQuestion = async (asked, when) => {
        if (asked !== method || when !== moment || program.isDead || --left > 0) return;
        program.gate.onQuestion = () => {};
        await program.kill();
        done();
      };
    });

  for (const point of POINTS) {
    const { method, moment, time, reorg } = point;
    test(`${method}, ${moment}, time ${time}${reorg ? ", and a reorg" : ""}`, async () => {
      await venue.costs(1);
      const ids = await venue.ask(PAYMENTS);
      venue.baseGwei = 12;
      const killed = armed(point);
      for (let blocks = 0; !venue.program.isDead; blocks++) {
        assert.ok(blocks < MOST_BLOCKS, "the exchange was never killed");
        await venue.mineBlock();
        await Promise.race([killed, sleep(40)]);
      }
      if (reorg) await venue.program.anvil.reorg(REORG_DEPTH);
      await venue.finish(ids);
    });
  }
});
