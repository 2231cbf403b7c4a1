/** The commands for networks, deposits on them, and sandbox networks. */
import { setTimeout as sleep } from "node:timers/promises";
import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import type { Connection } from "../session/connection.ts";
import { CommandFailed, type Row, type Terminal } from "../session/terminal.ts";
import { action, addReceiver, escape, numberOf, said, wholeNumber } from "../session/session.ts";

// `sandbox faucet`: sends test funds, and waits on request until they are credited.

const DEFAULT_WAIT_S = 60;
const LOOK_EVERY_MS = 200;
/** The blocks to wait before a deposit that was never seen counts as over. */
const BLOCKS_TO_BE_SEEN = 2;

const COLUMNS = ["depositId", "network", "accountId", "asset", "amount", "status", "address", "tag", "txId"];

function addFaucet(sandbox: Command, terminal: Terminal): void {
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

const DEFAULT_OUTAGE_MS = 10_000;
const DEPOSIT_COLUMNS = [
  "depositId",
  "network",
  "accountId",
  "asset",
  "amount",
  "status",
  "address",
  "tag",
  "txId",
  "output",
  "by",
];

export function addNetworkCommands(program: Command, terminal: Terminal): void {
  const network = program
    .command("network")
    .description("Show networks, pending deposits and deposit addresses; report deposits; sweep.");
  action(
    network.command("list").description("List networks with their connection state and block heights."),
    terminal,
    async ({ connection, output }) => {
      const rows = await connection.call<Row[]>("GET", "/v1/networks");
      // Only among several nodes others run a network.
      const owner = rows.some((row) => "owner" in row) ? ["owner"] : [];
      output.rows(rows, ["network", "kind", "isUp", "height", "readHeight", ...owner, "error"]);
    },
  );
  action(
    network
      .command("address <account> <network>")
      .description("Show the deposit address of an account or of the treasury."),
    terminal,
    async ({ connection, output }, [account = "", name]) =>
      output.one(
        await connection.call<Row>("POST", `/v1/accounts/${escape(account)}/deposit-addresses`, { network: name }),
      ),
  );
  action(
    network.command("deposits [network]").description("List pending deposits: seen or credited, and not final yet."),
    terminal,
    async ({ connection, output }, [name]) => {
      const query = name === undefined ? "" : `?network=${escape(name)}`;
      output.rows(await connection.call<Row[]>("GET", `/v1/pending-deposits${query}`), DEPOSIT_COLUMNS);
    },
  );
  const rescan = network.command("rescan <network> <height> [lastHeight]");
  rescan.description("Scan blocks again for missed deposits: from a height to the last height, or to the head.");
  action(rescan, terminal, async ({ connection, output }, [name = "", height = "", last]) => {
    const toHeight = last === undefined ? undefined : numberOf("lastHeight", last);
    const body = said({ fromHeight: numberOf("height", height), toHeight });
    output.one(await connection.call<Row>("POST", `/v1/networks/${escape(name)}/rescan`, body));
  });
  addManualDeposits(network, terminal);
  addSweeps(network, terminal);
}

/** The commands that move assets between the venue's addresses on an EVM chain. */
function addSweeps(network: Command, terminal: Terminal): void {
  const sweep = network.command("sweep <network> <asset> <account>");
  sweep.description("Move an account's deposit address balance to the hot wallet (EVM networks).");
  action(sweep, terminal, async ({ connection, output }, [name = "", asset, account]) =>
    output.one(await connection.call<Row>("POST", `/v1/networks/${escape(name)}/sweep`, { asset, account })),
  );
  const topUp = network.command("top-up <network> <account> <amount>");
  topUp.description("Send gas to an account's deposit address, to pay for sweeping tokens (EVM networks).");
  action(topUp, terminal, async ({ connection, output }, [name = "", account, amount]) =>
    output.one(await connection.call<Row>("POST", `/v1/networks/${escape(name)}/top-up`, { account, amount })),
  );
}

/** The commands by which an operator reports deposits on a manual network. */
function addManualDeposits(network: Command, terminal: Terminal): void {
  const report = network.command("report <network> <txId> <asset> <amount>");
  report.description("Report a deposit on a manual network. Repeat it with a later status as the deposit confirms.");
  addReceiver(report);
  report.option("--output <number>", "Output index in the transaction (default: 0)", wholeNumber);
  report.addOption(
    new Option("--status <status>", "Status of the deposit (default: pending)").choices([
      "pending",
      "credited",
      "success",
    ]),
  );
  action(report, terminal, async ({ connection, output }, [name = "", txId, asset, amount], options) => {
    const { account, address, tag, output: number, status } = options;
    const body = said({ txId, asset, amount, account, address, tag, output: number, status });
    output.one(await connection.call<Row>("POST", `/v1/networks/${escape(name)}/deposits`, body));
  });
  const drop = network
    .command("drop <network> <txId>")
    .description("Retract a reported deposit that did not arrive (manual networks).");
  drop.option("--output <number>", "Output index in the transaction (default: 0)", wholeNumber);
  action(drop, terminal, async ({ connection, output }, [name = "", txId], { output: number }) => {
    const path = `/v1/networks/${escape(name)}/deposits/drop`;
    output.one(await connection.call<Row>("POST", path, said({ txId, output: number })));
  });
}

export function addSandboxCommands(program: Command, terminal: Terminal): void {
  const sandbox = program
    .command("sandbox")
    .description("Control a sandbox network: faucet, blocks, reorgs and faults.");
  const at = (name: string): string => `/v1/networks/${escape(name)}/sandbox`;
  action(
    sandbox
      .command("show <network>")
      .description("Show the newest block and the transactions that wait for the next one."),
    terminal,
    async ({ connection, output }, [name = ""]) => output.one(await connection.call<Row>("GET", at(name))),
  );
  addFaucet(sandbox, terminal);
  action(
    sandbox.command("mine <network> [blocks]").description("Mine blocks now (default: 1)."),
    terminal,
    async ({ connection, output }, [name = "", blocks = "1"]) =>
      output.one(await connection.call<Row>("POST", `${at(name)}/mine`, { blocks: numberOf("blocks", blocks) })),
  );
  const reorg = sandbox.command("reorg <network> <depth>").description("Simulate a reorg: replace the last blocks.");
  reorg.addOption(
    new Option("--fate <fate>", "What happens to the transactions of the replaced blocks (default: lost)").choices([
      "lost",
      "waiting",
      "mined",
    ]),
  );
  action(reorg, terminal, async ({ connection, output }, [name = "", depth = ""], { fate }) => {
    const body = said({ depth: numberOf("depth", depth), fate });
    output.one(await connection.call<Row>("POST", `${at(name)}/reorg`, body));
  });
  const fault = sandbox.command("inject-fault <network>").description("Inject a fault into a sandbox network.");
  fault.addArgument(new Argument("<kind>", "Fault").choices(["revert", "loseBroadcast", "takeNonce", "unreachable"]));
  fault.option("--payments <count>", "Number of the venue's next payments that fail (default: 1)", wholeNumber);
  fault.option("--for-ms <ms>", "Outage in milliseconds, for unreachable; 0 ends it (default: 10000)", wholeNumber);
  action(fault, terminal, async ({ connection, output }, [name = "", kind = ""], { payments, forMs }) => {
    const durationMs = forMs ?? (kind === "unreachable" ? DEFAULT_OUTAGE_MS : undefined);
    const body = said({ kind, payments, durationMs });
    output.one(await connection.call<Row>("POST", `${at(name)}/fault`, body));
  });
}
