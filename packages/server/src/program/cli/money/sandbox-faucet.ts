/** `sandbox faucet`: sends test funds, and waits on request until they are credited. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Command, InvalidArgumentError } from "commander";
import type { Connection } from "../session/connection.ts";
import { CommandFailed } from "../session/failure.ts";
import type { Row } from "../session/output.ts";
import { action, addReceiver, escape, said } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

const DEFAULT_WAIT_S = 60;
const LOOK_EVERY_MS = 200;
/** The blocks to wait before a deposit that was never seen counts as over. */
const BLOCKS_TO_BE_SEEN = 2;

const COLUMNS = ["depositId", "network", "accountId", "asset", "amount", "status", "address", "tag", "txId"];

export function addFaucet(sandbox: Command, terminal: Terminal): void {
  const faucet = sandbox.command("faucet <network> <asset> <amount>").description("Send test funds to an account.");
  addReceiver(faucet);
  faucet.option(
    "--wait [seconds]",
    `Wait until the deposit is credited, and show it (default: ${DEFAULT_WAIT_S})`,
    seconds,
  );
  action(faucet, terminal, async ({ connection, output }, [name = "", asset, amount], options) => {
    const { account, address, tag, wait } = options;
    const at = `/v1/networks/${escape(name)}/sandbox`;
    const { head } = await connection.call<{ head: { height: number } }>("GET", at);
    const paid = await connection.call<Row>("POST", `${at}/faucet`, said({ asset, amount, account, address, tag }));
    if (wait === undefined) return output.one(paid);
    const waitS = wait === true ? DEFAULT_WAIT_S : Number(wait);
    const deposit = await credited(connection, { name, paid, fromHeight: head.height, waitS });
    if (output.isJson) output.one(deposit);
    else output.rows([deposit], COLUMNS);
  });
}

function seconds(text: string): number {
  if (!/^[0-9]{1,5}$/.test(text)) throw new InvalidArgumentError("It must be a whole number of seconds.");
  return Number(text);
}

interface Payment {
  readonly name: string;
  readonly paid: Row;
  /** The height of the newest block before the payment. */
  readonly fromHeight: number;
  readonly waitS: number;
}

/** Returns the payment's deposit once it is credited. Throws `CommandFailed` when that takes longer than `waitS`. */
async function credited(connection: Connection, { name, paid, fromHeight, waitS }: Payment): Promise<Row> {
  let seen: Row | undefined;
  for (let waitedMs = 0; waitedMs <= waitS * 1000; waitedMs += LOOK_EVERY_MS) {
    const height = await readHeight(connection, name);
    const open = await connection.call<Row[]>("GET", `/v1/pending-deposits?network=${escape(name)}`);
    const found = open.find(({ txId }) => txId === paid["txId"]);
    if (found !== undefined && found["status"] !== "pending") return found;
    // A final deposit is no longer open.
    if (found === undefined && seen !== undefined) return { ...seen, status: "success" };
    seen = found;
    if (seen === undefined && height >= fromHeight + BLOCKS_TO_BE_SEEN) {
      return creditedAtOnce(connection, name, paid);
    }
    await sleep(LOOK_EVERY_MS);
  }
  throw new CommandFailed(
    `The deposit was not credited within ${waitS} s. Mine a block with \`pricetime sandbox mine ${name}\`, or check \`pricetime network deposits\`.`,
  );
}

/**
 * Where one block suffices, a deposit is final as soon as it is seen, and never pending. A deposit that is not accepted
 * is not pending either: deposits are disabled, or the amount is below the minimum.
 */
async function creditedAtOnce(connection: Connection, name: string, paid: Row): Promise<Row> {
  const { networks } = await connection.call<{ networks: Row[] }>("GET", `/v1/assets/${escape(String(paid["asset"]))}`);
  const rules = networks.find(({ network }) => network === name);
  const isTaken = rules?.["depositEnabled"] === true && Number(paid["amount"]) >= Number(rules["depositMin"] ?? 0);
  if (isTaken) return { network: name, ...paid, status: "success" };
  throw new CommandFailed(
    `Transaction ${String(paid["txId"])} was mined, but not credited: deposits are disabled on ${name}, or the amount is below the minimum.`,
  );
}

async function readHeight(connection: Connection, name: string): Promise<number> {
  const networks = await connection.call<Row[]>("GET", "/v1/networks");
  return Number(networks.find(({ network }) => network === name)?.["readHeight"] ?? 0);
}
