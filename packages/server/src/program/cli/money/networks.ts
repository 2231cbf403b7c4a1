/** Commands for networks, deposits on them, and sandbox networks. */
import { setTimeout as sleep } from "node:timers/promises";
import { InvalidArgumentError } from "commander";
import { command, group } from "../session/command-row.ts";
import type { Connection } from "../session/connection.ts";
import type { Session } from "../session/session.ts";
import { CommandFailed, type Row } from "../session/terminal.ts";
import { choices, escape, number, numberSent, said } from "../session/values.ts";

const TO_ACCOUNT = "Receiving account, by number or email address: its deposit address is used";
const TO_ADDRESS = "Receiving address, in place of --account";
const TAG = "Tag of the address";
export const OUTPUT = "Output index in the transaction (default: 0)";

export const NETWORK = group(
  "network",
  "Show networks, pending deposits and deposit addresses; report deposits; sweep.",
  command("list")
    .text("List networks with their connection state and block heights.")
    .runs(async ({ connection, output }) => {
      const rows = await connection.call<Row[]>("GET", "/v1/networks");
      // Shown only in a cluster, where another node may run a network.
      const owner = rows.some((row) => "owner" in row) ? ["owner"] : [];
      output.rows(rows, ["network", "kind", "isUp", "height", "readHeight", ...owner, "error"]);
    }),
  command("address <account> <network>", "POST /v1/accounts/:account/deposit-addresses").text(
    "Show the deposit address of an account or of the treasury.",
  ),
  command("deposits [network]", "GET /v1/pending-deposits")
    .text("List pending deposits: seen or credited, and not final yet.")
    .columns(
      ...["depositId", "network", "accountId", "asset", "amount", "status"],
      ...["address", "tag", "txId", "output", "by"],
    ),
  command("rescan <network>", "POST /v1/networks/:network/rescan")
    .text("Scan blocks again for missed deposits: from a height to the last height, or to the head.")
    .argument("<height>", "", { ...numberSent, field: "fromHeight" })
    .argument("[lastHeight]", "", { ...numberSent, field: "toHeight" }),
  command("report <network> <txId> <asset> <amount>", "POST /v1/networks/:network/deposits")
    .text("Report a deposit on a manual network. Repeat it with a later status as the deposit confirms.")
    .option("--account <account>", TO_ACCOUNT)
    .option("--address <address>", TO_ADDRESS)
    .option("--tag <tag>", TAG)
    .option("--output <number>", OUTPUT, number)
    .option("--status <status>", "Status of the deposit (default: pending)", choices("pending", "credited", "success")),
  command("drop <network> <txId>", "POST /v1/networks/:network/deposits/drop")
    .text("Retract a reported deposit that did not arrive (manual networks).")
    .option("--output <number>", OUTPUT, number),
  command("sweep <network> <asset> <account>", "POST /v1/networks/:network/sweep").text(
    "Move an account's deposit address balance to the hot wallet (EVM networks).",
  ),
  command("top-up <network> <account> <amount>", "POST /v1/networks/:network/top-up").text(
    "Send gas to an account's deposit address, to pay for sweeping tokens (EVM networks).",
  ),
);

const DEFAULT_OUTAGE_MS = 10_000;

interface Fault {
  readonly kind: string;
  readonly payments?: number;
  readonly forMs?: number;
}

export const SANDBOX = group(
  "sandbox",
  "Control a sandbox network: faucet, blocks, reorgs and faults.",
  command("show <network>", "GET /v1/networks/:network/sandbox").text(
    "Show the newest block and the transactions that wait for the next one.",
  ),
  command("faucet <network> <asset> <amount>")
    .text("Send test funds to an account.")
    .option("--account <account>", TO_ACCOUNT)
    .option("--address <address>", TO_ADDRESS)
    .option("--tag <tag>", TAG)
    .option("--wait [seconds]", "Wait until the deposit is credited, and show it (default: 60)", { parse: seconds })
    .runs(payFromFaucet),
  command("mine <network>", "POST /v1/networks/:network/sandbox/mine")
    .text("Mine blocks now (default: 1).")
    .argument("[blocks]", "", { ...numberSent, default: "1" }),
  command("reorg <network>", "POST /v1/networks/:network/sandbox/reorg")
    .text("Simulate a reorg: replace the last blocks.")
    .argument("<depth>", "", numberSent)
    .option(
      "--fate <fate>",
      "What happens to the transactions of the replaced blocks (default: lost)",
      choices("lost", "waiting", "mined"),
    ),
  command("inject-fault <network>", "POST /v1/networks/:network/sandbox/fault")
    .text("Inject a fault into a sandbox network.")
    .argument("<kind>", "Fault", choices("revert", "loseBroadcast", "takeNonce", "unreachable"))
    .option("--payments <count>", "Number of the venue's next payments that fail (default: 1)", number)
    .option("--for-ms <ms>", "Outage in milliseconds, for unreachable; 0 ends it (default: 10000)", number)
    .sends(({ kind, payments, forMs }: Fault) => {
      const durationMs = forMs ?? (kind === "unreachable" ? DEFAULT_OUTAGE_MS : undefined);
      return said({ kind, payments, durationMs });
    }),
);

// `sandbox faucet`: sends test funds and, on request, waits until they are credited.

const DEFAULT_WAIT_S = 60;
const LOOK_EVERY_MS = 200;
/** The number of blocks after which a deposit that never became pending is looked up elsewhere. */
const BLOCKS_TO_BE_SEEN = 2;

interface FaucetOptions {
  readonly network: string;
  readonly asset: string;
  readonly amount: string;
  readonly account?: string;
  readonly address?: string;
  readonly tag?: string;
  readonly wait?: number | true;
}

async function payFromFaucet({ connection, output }: Session, options: FaucetOptions): Promise<void> {
  const { network: name, asset, amount, account, address, tag, wait } = options;
  const at = `/v1/networks/${escape(name)}/sandbox`;
  const { head } = await connection.call<{ head: { height: number } }>("GET", at);
  const paid = await connection.call<Row>("POST", `${at}/faucet`, said({ asset, amount, account, address, tag }));
  if (wait === undefined) return output.one(paid);
  const waitS = wait === true ? DEFAULT_WAIT_S : wait;
  const deposit = await credited(connection, { name, paid, fromHeight: head.height, waitS });
  if (output.isJson) return output.one(deposit);
  const columns = ["depositId", "network", "accountId", "asset", "amount", "status", "address", "tag", "txId"];
  output.rows([deposit], columns);
}

function seconds(text: string): number {
  if (!/^[0-9]{1,5}$/.test(text)) throw new InvalidArgumentError("It must be a whole number of seconds.");
  return Number(text);
}

interface Payment {
  readonly name: string;
  readonly paid: Row;
  /** The height of the newest block before the payment was sent. */
  readonly fromHeight: number;
  readonly waitS: number;
}

/** Waits until the payment is credited and returns its deposit. Throws `CommandFailed` after `waitS` seconds. */
async function credited(connection: Connection, { name, paid, fromHeight, waitS }: Payment): Promise<Row> {
  let seen: Row | undefined;
  for (let waitedMs = 0; waitedMs <= waitS * 1000; waitedMs += LOOK_EVERY_MS) {
    const height = await readHeight(connection, name);
    const open = await connection.call<Row[]>("GET", `/v1/pending-deposits?network=${escape(name)}`);
    const found = open.find(({ txId }) => txId === paid["txId"]);
    if (found !== undefined && found["status"] !== "pending") return found;
    // A final deposit is no longer listed as open.
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
 * Finds a deposit that never became pending. If one confirmation suffices, a deposit is final immediately. Deposits
 * below the minimum, or while deposits are disabled, are not pending either.
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
