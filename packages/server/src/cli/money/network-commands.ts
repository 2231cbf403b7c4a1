/** The commands for networks, the deposits that come through them, and a sandbox's world. */
import { Argument, type Command, Option } from "commander";
import type { Row } from "../session/output.ts";
import { action, addReceiver, escape, numberOf, said, wholeNumber } from "../session/session.ts";
import { addFaucet } from "./sandbox-faucet.ts";
import type { Terminal } from "../session/terminal.ts";

const DEFAULT_SILENCE_MS = 10_000;
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
  const network = program.command("network").description("networks, and deposits by them");
  action(network.command("list").description("how each stands"), terminal, async ({ connection, output }) => {
    const rows = await connection.call<Row[]>("GET", "/v1/networks");
    // Only among several nodes others run a network.
    const holder = rows.some((row) => "holder" in row) ? ["holder"] : [];
    output.rows(rows, ["network", "kind", "isUp", "height", "readHeight", ...holder, "trouble"]);
  });
  action(
    network.command("address <account> <network>").description("where an account, or the treasury, receives coins"),
    terminal,
    async ({ connection, output }, [account = "", name]) =>
      output.one(
        await connection.call<Row>("POST", `/v1/accounts/${escape(account)}/deposit-addresses`, { network: name }),
      ),
  );
  action(
    network.command("deposits [network]").description("deposits that are not final yet"),
    terminal,
    async ({ connection, output }, [name]) => {
      const query = name === undefined ? "" : `?network=${escape(name)}`;
      output.rows(await connection.call<Row[]>("GET", `/v1/open-deposits${query}`), DEPOSIT_COLUMNS);
    },
  );
  const rescan = network.command("rescan <network> <height> [lastHeight]");
  rescan.description("look again for coins that were passed over: up to the last height, or from there on");
  action(rescan, terminal, async ({ connection, output }, [name = "", height = "", last]) => {
    const toHeight = last === undefined ? undefined : numberOf("lastHeight", last);
    const body = said({ fromHeight: numberOf("height", height), toHeight });
    output.one(await connection.call<Row>("POST", `/v1/networks/${escape(name)}/rescan`, body));
  });
  addManualDeposits(network, terminal);
  addSweeps(network, terminal);
}

/** The commands that show and move the coins of an EVM chain. */
function addSweeps(network: Command, terminal: Terminal): void {
  const sweep = network.command("sweep <network> <asset> <account>");
  sweep.description("on an EVM chain: all that lies at the account's address goes to the hot wallet");
  action(sweep, terminal, async ({ connection, output }, [name = "", asset, account]) =>
    output.one(await connection.call<Row>("POST", `/v1/networks/${escape(name)}/sweep`, { asset, account })),
  );
  const topUp = network.command("top-up <network> <account> <amount>");
  topUp.description("on an EVM chain: coins from the gas wallet, to pay for sweeping tokens");
  action(topUp, terminal, async ({ connection, output }, [name = "", account, amount]) =>
    output.one(await connection.call<Row>("POST", `/v1/networks/${escape(name)}/top-up`, { account, amount })),
  );
}

/** The commands with which a person who watches a manual network reports. */
function addManualDeposits(network: Command, terminal: Terminal): void {
  const report = network.command("report <network> <txId> <asset> <amount>");
  report.description("on a manual network: a coin has come; again with a later status when it moves on");
  addReceiver(report);
  report.option("--output <number>", "which of the transaction's outputs (0)", wholeNumber);
  report.addOption(
    new Option("--status <status>", "how far it has come (pending)").choices(["pending", "credited", "success"]),
  );
  action(report, terminal, async ({ connection, output }, [name = "", txId, asset, amount], options) => {
    const { account, address, tag, output: number, status } = options;
    const body = said({ txId, asset, amount, account, address, tag, output: number, status });
    output.one(await connection.call<Row>("POST", `/v1/networks/${escape(name)}/deposits`, body));
  });
  const drop = network.command("drop <network> <txId>").description("on a manual network: it will not come after all");
  drop.option("--output <number>", "which of the transaction's outputs (0)", wholeNumber);
  action(drop, terminal, async ({ connection, output }, [name = "", txId], { output: number }) => {
    const path = `/v1/networks/${escape(name)}/deposits/drop`;
    output.one(await connection.call<Row>("POST", path, said({ txId, output: number })));
  });
}

export function addSandboxCommands(program: Command, terminal: Terminal): void {
  const sandbox = program.command("sandbox").description("play the world of a sandbox network");
  const at = (name: string): string => `/v1/networks/${escape(name)}/sandbox`;
  action(
    sandbox.command("show <network>").description("its newest block, and what waits for the next"),
    terminal,
    async ({ connection, output }, [name = ""]) => output.one(await connection.call<Row>("GET", at(name))),
  );
  addFaucet(sandbox, terminal);
  action(
    sandbox.command("mine <network> [blocks]").description("blocks, now (1)"),
    terminal,
    async ({ connection, output }, [name = "", blocks = "1"]) =>
      output.one(await connection.call<Row>("POST", `${at(name)}/mine`, { blocks: numberOf("blocks", blocks) })),
  );
  const reorg = sandbox.command("reorg <network> <depth>").description("the last blocks give way to others");
  reorg.addOption(new Option("--fate <fate>", "of their transactions (lost)").choices(["lost", "waiting", "mined"]));
  action(reorg, terminal, async ({ connection, output }, [name = "", depth = ""], { fate }) => {
    const body = said({ depth: numberOf("depth", depth), fate });
    output.one(await connection.call<Row>("POST", `${at(name)}/reorg`, body));
  });
  const fail = sandbox.command("fail <network>").description("what is to go wrong with it");
  fail.addArgument(new Argument("<kind>").choices(["revert", "loseBroadcast", "takeNonce", "unreachable"]));
  fail.option("--payments <count>", "so many of the venue's next payments (1)", wholeNumber);
  fail.option("--for-ms <ms>", "unreachable for so long; 0 ends it (10000)", wholeNumber);
  action(fail, terminal, async ({ connection, output }, [name = "", kind = ""], { payments, forMs }) => {
    const durationMs = forMs ?? (kind === "unreachable" ? DEFAULT_SILENCE_MS : undefined);
    const body = said({ kind, payments, durationMs });
    output.one(await connection.call<Row>("POST", `${at(name)}/fault`, body));
  });
}
